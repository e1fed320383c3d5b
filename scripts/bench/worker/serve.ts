/**
 * A server under load: the example's handler with the engine that the argument names, on a port of the loopback. A JSON
 * line a request: `{"start": true}` begins to measure, `{"stop": true}` answers what the load did to the event loop.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { getRequestListener } from "@hono/node-server";
import { Template } from "@huggingface/jinja";
import { meta, render } from "../../../generated/glm.js";
import { fromOpenAI } from "../../../runtime/chat/index.js";
import { createHandler, type MakePrompt } from "../../examples/serving/handler.js";
import { isRecord } from "../../rows.js";
import { ROOT } from "../subjects.js";

const MICROSECONDS = 1000;
const NANOSECONDS = 1e6;

const prompts: Readonly<Record<string, () => MakePrompt>> = {
  generated: () => (body) => render(fromOpenAI(body, meta)),
  hf: () => {
    const template = new Template(readFileSync(`${ROOT}templates/glm.jinja`, "utf8"));
    return (body) => template.render(fromOpenAI(body, meta));
  },
  none: () => () => "",
};

const [, , engine = ""] = process.argv;
const makePrompt = prompts[engine];
if (makePrompt === undefined) throw new Error(`there is no engine ${engine}`);

const listener = getRequestListener(createHandler(makePrompt()));
const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  void listener(request, response);
});
const delays = monitorEventLoopDelay({ resolution: 1 });
let start = process.cpuUsage();

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  say({ port, version: process.version });
});

for await (const line of createInterface({ input: process.stdin })) {
  const request: unknown = JSON.parse(line);
  if (isRecord(request) && request["start"] === true) begin();
  else end();
}
server.close();
server.closeAllConnections();

function begin(): void {
  delays.reset();
  delays.enable();
  start = process.cpuUsage();
  say({});
}

/** Milliseconds between the moments at which the loop came round, and of the processor's time. */
function end(): void {
  const { user, system } = process.cpuUsage(start);
  delays.disable();
  say({
    delay: delays.percentile(50) / NANOSECONDS,
    delay99: delays.percentile(99) / NANOSECONDS,
    processor: (user + system) / MICROSECONDS,
  });
}

function say(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
