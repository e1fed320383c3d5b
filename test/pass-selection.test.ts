/** Passes change how a program reads and runs, never what it renders: with any one of them off, each case answers as with all. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CompileError, compileTemplate, type CompiledTemplate } from "../compiler/template.js";
import { passes, type PassSelection } from "../compiler/passes/index.js";
import { parseJson } from "../runtime/index.js";
import { failure } from "../scripts/engines.js";
import { parseRow, type Row } from "../scripts/rows.js";
import type { Family } from "./columns.js";

const SHOWN = 10;
/** Each case runs with one of the passes off: the next case with the next. */
const STRIDE = passes.length;

const rows = (["jinja", "go", "ollama"] as const).flatMap(rowsOf);

function rowsOf(family: Family): Row[] {
  const file = new URL(`conformance/${family}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map(parseRow);
}

const compiledWith = new Map<string, CompiledTemplate | string>();

function compiled(row: Row, selection: PassSelection): CompiledTemplate | string {
  const key = JSON.stringify([row.dialect, selection, row.template]);
  const known = compiledWith.get(key);
  if (known !== undefined) return known;
  const result = compile(row, selection);
  compiledWith.set(key, result);
  return result;
}

function compile(row: Row, selection: PassSelection): CompiledTemplate | string {
  const dialect = row.dialect === "jinja" || row.dialect === "go" ? row.dialect : "ollama";
  try {
    return compileTemplate(row.template, { dialect, passes: selection });
  } catch (error) {
    if (error instanceof CompileError) return JSON.stringify(failure(error, "compile"));
    throw error;
  }
}

/** What the row renders to, or how it fails; as text, so that answers compare. */
function answer(row: Row, selection: PassSelection): string {
  const template = compiled(row, selection);
  if (typeof template === "string") return template;
  // The method's parameter is wider here than compileTemplate's: dialect go takes any JSON value.
  const wide: { render(input: unknown, options?: { now?: string }): string } = template;
  try {
    return wide.render(parseJson(row.input), row.now === undefined ? {} : { now: row.now });
  } catch (error) {
    return JSON.stringify(failure(error, "render"));
  }
}

/** Random by what the template asks for: such a case has no one answer. */
function isSettled(row: Row): boolean {
  return !/\brandom\b|lipsum/.test(row.template);
}

describe("with one pass off, every case answers the same", () => {
  it.each(passes.map(({ name }, at) => ({ name, at })))("without $name", ({ name, at }) => {
    const some = rows.filter((row, i) => i % STRIDE === at && isSettled(row));
    const different = some
      .map((row) => ({ row, all: answer(row, true), one: answer(row, { without: [name] }) }))
      .filter(({ all, one }) => all !== one)
      .map(({ row, all, one }) => ({ id: row.id, template: row.template, all, one }));
    expect(different.slice(0, SHOWN)).toEqual([]);
  });
});
