/** A debugger of the main thread: it tells of each script with a map, sets breakpoints, and says where they stop. */
import { Session } from "node:inspector";
import { parentPort } from "node:worker_threads";

const session = new Session();
session.connectToMainThread();

session.on("Debugger.scriptParsed", ({ params }) => {
  if (params.sourceMapURL?.startsWith("data:"))
    parentPort.postMessage({ script: params.scriptId, map: params.sourceMapURL });
});
session.on("Debugger.paused", ({ params }) => {
  parentPort.postMessage({ stops: params.callFrames.map(({ location }) => location) });
  session.post("Debugger.resume");
});
parentPort.on("message", (location) => {
  session.post("Debugger.setBreakpoint", { location }, (error) =>
    parentPort.postMessage({ isSet: error === null }),
  );
});
session.post("Debugger.enable", () => parentPort.postMessage({ isReady: true }));
