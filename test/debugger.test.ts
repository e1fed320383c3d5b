/** A debugger attached to the process: a breakpoint on a line of the template stops the render there. */
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import {
  allGeneratedPositionsFor,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  TraceMap,
} from "@jridgewell/trace-mapping";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { isRecord } from "../scripts/rows.js";

type Message = Readonly<Record<string, unknown>>;

/** In the inspector's way: both count from 0. */
interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

const SOURCE = readFileSync(new URL("../templates/glm.jinja", import.meta.url), "utf8");
const FILE = "glm.jinja";
const HERE = "{{- item.text }}";

let worker: Worker;
const heard: Message[] = [];

/** What the first message that says it says, of those that came and of those to come. */
async function told<T>(saysIt: (message: Message) => T | undefined): Promise<T> {
  for (;;) {
    for (const message of heard) {
      const said = saysIt(message);
      if (said !== undefined) return said;
    }
    await new Promise((resolve) => worker.once("message", resolve));
  }
}

beforeAll(async () => {
  worker = new Worker(new URL("debugger-worker.mjs", import.meta.url));
  worker.on("message", (message: unknown) => {
    if (isRecord(message)) heard.push(message);
  });
  await told(({ isReady }) => isReady);
});

afterAll(async () => {
  await worker.terminate();
});

/** The map of the template's code: other scripts of the process have maps too. */
function ownMap({ script, map: url }: Message) {
  if (typeof url !== "string") return undefined;
  const json = Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString();
  const map = new TraceMap(json);
  return map.sources.includes(FILE) ? { scriptId: String(script), map } : undefined;
}

function isLocation(value: unknown): value is Location {
  return isRecord(value) && typeof value["lineNumber"] === "number";
}

it("stops at the line of the template, in the template's own text", async () => {
  const template = new Template(SOURCE, { name: FILE, codegen: true, sourceMap: true });
  const { scriptId, map } = await told(ownMap);
  expect(map.sourcesContent).toEqual([SOURCE]);

  const line = SOURCE.split("\n").findIndex((text) => text.trim() === HERE) + 1;
  const [place] = allGeneratedPositionsFor(map, {
    source: FILE,
    line,
    column: 0,
    bias: LEAST_UPPER_BOUND,
  });
  if (place?.line == null) throw new Error(`no code for line ${line}`);
  worker.postMessage({ scriptId, lineNumber: place.line - 1, columnNumber: place.column });
  expect(await told(({ isSet }) => isSet)).toBe(true);

  const content = [{ type: "text", text: "shown" }];
  expect(template.render({ messages: [{ role: "user", content }] })).toContain("shown");
  const stops = await told(({ stops }) => stops);
  const [top] = Array.isArray(stops) ? stops.filter(isLocation) : [];
  if (top === undefined) throw new Error("the render did not stop");
  const original = originalPositionFor(map, { line: top.lineNumber + 1, column: top.columnNumber });
  expect(original).toMatchObject({ source: FILE, line });
});
