/** Lowering and every pass keep the rules of the IR, on all templates at hand; and the verifier sees what breaks them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CompileError } from "../compiler/diagnostics.js";
import * as build from "../compiler/ir/build.js";
import { Any, List } from "../compiler/ir/kinds.js";
import type { Dialect, FunctionDef, Local, Module, Stmt } from "../compiler/ir/nodes.js";
import { verify } from "../compiler/ir/verify.js";
import { isRecord } from "../scripts/rows.js";
import { sample } from "./samples.js";
import { stagesOf } from "./stages.js";

const TEMPLATES = new URL("../templates/", import.meta.url);
const CORPUS = new URL("../../shared/corpus/", import.meta.url);
const SHOWN = 10;
/** Each template is looked through as often as there are passes. */
const STEP = 4;

/** What breaks a rule first, at which stage; stages after it only carry it on. */
function broken(text: string, dialect: Dialect): string[] {
  for (const { name, module } of stages(text, dialect)) {
    const problems = verify(module);
    if (problems.length > 0) return problems.map((problem) => `${name}: ${problem}`);
  }
  return [];
}

function stages(text: string, dialect: Dialect): ReturnType<typeof stagesOf> {
  try {
    return stagesOf(text, dialect);
  } catch (error) {
    if (error instanceof CompileError) return [];
    throw error;
  }
}

function brokenIn(folder: URL, dialect: Dialect): string[] {
  const found = sample(readdirSync(folder), STEP).flatMap((file) =>
    broken(readFileSync(new URL(file, folder), "utf8"), dialect).map((line) => `${file}: ${line}`),
  );
  return firstOf(found);
}

function firstOf(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN) return [...lines];
  return [...lines.slice(0, SHOWN), `… ${lines.length} in all`];
}

function templatesOf(family: string): string[] {
  const lines = readFileSync(new URL(`conformance/${family}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  const templates = lines
    .map((line): unknown => JSON.parse(line))
    .map((row) => (isRecord(row) ? row["template"] : undefined));
  return [...new Set(templates.filter((text) => typeof text === "string"))];
}

describe("after lowering and after each pass, the module is sound", () => {
  it("the templates of the project", () => {
    const found = readdirSync(TEMPLATES).flatMap((file) =>
      broken(
        readFileSync(new URL(file, TEMPLATES), "utf8"),
        file.endsWith(".jinja") ? "jinja" : "ollama",
      ).map((line) => `${file}: ${line}`),
    );
    expect(firstOf(found)).toEqual([]);
  });

  it.each(["jinja", "go", "ollama"] as const)("the cases of %s", (family) => {
    const found = templatesOf(family).flatMap((text) =>
      broken(text, family).map((line) => `${line}\n${text}`),
    );
    expect(firstOf(found)).toEqual([]);
  });

  it.runIf(existsSync(CORPUS)).each([
    ["jinja", "jinja"],
    ["go", "ollama"],
  ] as const)("real templates: %s", (language, dialect) => {
    expect(brokenIn(new URL(`${language}/templates/`, CORPUS), dialect)).toEqual([]);
  });
});

function local(id: number, name: string): Local {
  return { id, name, kinds: Any };
}

function moduleOf(body: readonly Stmt[], functions: readonly FunctionDef[] = []): Module {
  return { dialect: "jinja", body, functions, prepare: null, facts: new Map() };
}

function functionOf(id: number, name: string, body: readonly Stmt[]): FunctionDef {
  return { name: { id, name }, params: [], body, origin: null };
}

function each(item: Local, body: readonly Stmt[]): Stmt {
  return {
    op: "each",
    source: build.list([]),
    item,
    index: null,
    body,
    empty: [],
    backward: false,
    origin: null,
  };
}

const x = local(1, "x");
const shown = (of: Local): Stmt => build.emit(build.intrinsic("jinja.str", [build.ref(of)]));

describe("the verifier reports", () => {
  it("a local that nothing assigns", () => {
    expect(verify(moduleOf([shown(x)]))).toEqual(["x#1 is never assigned, in the body"]);
  });

  it("the item of a loop after the loop", () => {
    expect(verify(moduleOf([each(x, [shown(x)])]))).toEqual([]);
    expect(verify(moduleOf([each(x, []), shown(x)]))).toEqual([
      "x#1 is used outside the loop that binds it, in the body",
    ]);
  });

  it("a capture of a local from a function that does not stand around", () => {
    const f = functionOf(2, "f", [build.set(x, build.TRUE)]);
    const g = functionOf(3, "g", [shown(x)]);
    const defines: Stmt[] = [f, g].map(({ name }) => ({
      op: "define",
      callee: name,
      origin: null,
    }));
    expect(verify(moduleOf(defines, [f, g]))).toEqual([
      "x#1 belongs to a function that does not stand around its use, in g#3",
    ]);
    expect(verify(moduleOf([build.set(x, build.TRUE), ...defines.slice(1)], [g]))).toEqual([]);
  });

  it("a local that two functions assign", () => {
    const f = functionOf(2, "f", [build.set(x, build.TRUE)]);
    const define: Stmt = { op: "define", callee: f.name, origin: null };
    expect(verify(moduleOf([build.set(x, build.TRUE), define], [f]))).toContain(
      "x#1 is assigned in 2 bodies, in f#2",
    );
  });

  it("calls and definitions of functions that the module has not", () => {
    const name = { id: 2, name: "f" };
    const call = build.emit({ op: "call", callee: name, args: [] });
    expect(verify(moduleOf([call]))).toEqual(["f is no function of the module, in the body"]);
    expect(verify(moduleOf([{ op: "define", callee: name, origin: null }]))).toEqual([
      "define of f, which is no function of the module, in the body",
    ]);
  });

  it("a function that is nowhere defined, or twice", () => {
    const f = functionOf(2, "f", []);
    const define = (): Stmt => ({ op: "define", callee: f.name, origin: null });
    expect(verify(moduleOf([], [f]))).toEqual(["no define for f"]);
    expect(verify(moduleOf([define(), define()], [f]))).toEqual([
      "f is defined twice, in the body",
    ]);
  });

  it("too many arguments", () => {
    const f = functionOf(2, "f", []);
    const call = build.emit({ op: "call", callee: f.name, args: [build.TRUE] });
    expect(verify(moduleOf([{ op: "define", callee: f.name, origin: null }, call], [f]))).toEqual([
      "f takes 0 arguments and gets 1, in the body",
    ]);
  });

  it("jumps that lead nowhere", () => {
    const jump: Stmt = { op: "break", origin: null };
    expect(verify(moduleOf([jump]))).toEqual(["break outside a loop, in the body"]);
    expect(verify(moduleOf([each(x, [jump])]))).toEqual([]);
    const result: Stmt = { op: "return", origin: null };
    expect(verify(moduleOf([{ op: "capture", local: x, body: [result], origin: null }]))).toEqual([
      "return inside a capture, in the body",
    ]);
  });

  it("values of the wrong kind", () => {
    expect(verify(moduleOf([build.emit(build.TRUE)]))).toEqual([
      "emits what is no text: true, in the body",
    ]);
    expect(verify(moduleOf([build.when(build.literal("a"), [])]))).toEqual([
      'tests what is no boolean: "a", in the body',
    ]);
    expect(verify(moduleOf([build.run(build.at(build.literal("a"), build.literal(0)))]))).toEqual([
      'indexes what is no list: "a", in the body',
    ]);
  });

  it("an index below 0 that is said to be inside", () => {
    const list: Local = { id: 4, name: "list", kinds: List };
    const at = build.at(build.ref(list), build.literal(-1), true);
    expect(verify(moduleOf([build.set(list, build.list([])), build.run(at)]))).toEqual([
      "an index below 0 that is said to be inside, in the body",
    ]);
  });

  it("a read of what is never there, unless it is optional", () => {
    expect(verify(moduleOf([build.run(build.read(build.NULL, "a", false))]))).toEqual([
      "reads a name of what is not there: null.a, in the body",
    ]);
    expect(verify(moduleOf([build.run(build.read(build.NULL, "a", true))]))).toEqual([]);
  });

  it("a place too many, a place too few", () => {
    const misses = build.run(build.intrinsic("jinja.attr", [build.TRUE, build.literal("a")]));
    expect(verify(moduleOf([misses]))).toEqual(["jinja.attr has no place, in the body"]);
    const has = build.run(build.intrinsic("jinja.str", [build.TRUE], "1:2"));
    expect(verify(moduleOf([has]))).toEqual([
      "jinja.str has a place, and cannot fail, in the body",
    ]);
  });

  it("a list of statements that stands in two places, a statement that stands twice in one", () => {
    const stmt = build.emit(build.literal("a"));
    const list = [stmt];
    expect(verify(moduleOf([build.when(build.TRUE, list, list)]))).toEqual([
      "a statement list stands in two places, in the body",
    ]);
    expect(verify(moduleOf([stmt, stmt]))).toEqual([
      "a statement stands twice in one list, in the body",
    ]);
  });
});
