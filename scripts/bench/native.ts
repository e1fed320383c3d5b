/** Engines outside JavaScript, each a process that is built on first use. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { oraclePython } from "../oracle/engines.js";
import { Server } from "./server.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Those that can be set up here; `skip` is told about the others. */
export function nativeServers(skip: (message: string) => void): readonly Server[] {
  const servers: Server[] = [];
  const add = (name: string, make: () => Server): void => {
    try {
      servers.push(make());
    } catch (error) {
      skip(`${name} is not measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  add("cpython", () => new Server(oraclePython(), [`${HERE}native/cpython.py`]));
  add("go and ollama", () => built(`${HERE}go`, "go", ["build", "-o", "bench", "."], "bench"));
  add("minijinja", () =>
    built(`${HERE}minijinja`, "cargo", ["build", "--release", "--quiet"], "target/release/bench"),
  );
  return servers;
}

function built(folder: string, command: string, args: readonly string[], program: string): Server {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: "inherit" });
  if (status === 0) return new Server(`${folder}/${program}`, []);
  throw error ?? new Error(`${command} ${args.join(" ")} failed`);
}
