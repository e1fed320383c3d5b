/** The thread of the cases command that renders: lines in, answers out, one message each. */
import { parentPort, workerData } from "node:worker_threads";
import { createEngine, failure, isEngineName, type Answer, type Engine } from "./engines.js";
import { parseRow, RowError } from "./rows.js";

/** The row to write for a line; whatever a line does, it costs only its own row. */
function answerLine(engine: Engine, line: string): string {
  let id: unknown = null;
  try {
    const row = parseRow(line);
    id = row.id;
    return JSON.stringify({ id, ...withoutVars(engine(row)) });
  } catch (error) {
    return JSON.stringify({
      id: error instanceof RowError ? error.id : id,
      ...failure(error, error instanceof RowError ? "input" : "render"),
    });
  }
}

/** Vars are compared by the tests; the command's format has no place for them. */
function withoutVars(answer: Answer): Answer {
  if (!answer.ok || answer.vars === undefined) return answer;
  const { vars: _vars, ...row } = answer;
  return row;
}

async function start(): Promise<void> {
  const port = parentPort;
  const name: unknown = workerData;
  if (port === null || typeof name !== "string" || !isEngineName(name))
    throw new Error("cases-worker is started by the cases command");
  const engine = await createEngine(name);
  port.on("message", (lines: readonly string[]) => {
    for (const line of lines) port.postMessage(answerLine(engine, line));
  });
  port.postMessage("ready");
}

await start();
