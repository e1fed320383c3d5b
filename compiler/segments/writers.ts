/** Notes in a module which statement writes what: the statement of a text is its line in the template, line by line. */
import * as build from "../ir/build.js";
import type { Emit, Expr, IntrinsicCall, Module, Origin, Stmt } from "../ir/nodes.js";
import { mapLists } from "../ir/visit.js";
import type { Source } from "../source.js";

/** Wraps what each `emit` writes; those without a place of their own write what others wrote. */
export function noteWriters(module: Module, source: Source): Module {
  const list = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.map((stmt) => {
      const inner = mapLists(stmt, list);
      return inner.op === "emit" ? { ...inner, value: noted(inner, source) } : inner;
    });
  const functions = module.functions.map((fn) => ({ ...fn, body: list(fn.body) }));
  return { ...module, body: list(module.body), functions };
}

/** What is written, of an expression that {@link noteWriters} made. */
export function writtenText({ args }: IntrinsicCall): Expr {
  return args[0] ?? build.literal("");
}

function noted({ value, origin }: Emit, source: Source): Expr {
  if (origin === null) return value;
  const start = source.lineStart(origin.line) + origin.column - 1;
  const lines =
    value.op === "literal" && typeof value.value === "string"
      ? verbatimLines(value.value, start, source)
      : null;
  if (lines === null) return written(value, origin);
  return build.concat(
    lines.map(({ text, offset }) => written(build.literal(text), source.position(offset))),
  );
}

function written(value: Expr, { line, column }: Pick<Origin, "line" | "column">): Expr {
  const place = build.literal(`${String(line)}:${String(column)}`);
  return build.intrinsic("segments.written", [value, place]);
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

/** The lines of a text that stands so in the template, each with its line break; null: it does not. */
function verbatimLines(text: string, start: number, source: Source): readonly Line[] | null {
  const lines: Line[] = [];
  let offset = start;
  for (const line of text.split(/(?<=\n)/)) {
    const isBroken = line.endsWith("\n");
    const shown = isBroken ? line.slice(0, -1) : line;
    if (!source.text.startsWith(shown, offset)) return null;
    lines.push({ text: line, offset });
    offset += shown.length;
    if (!isBroken) continue;
    const lineBreak = /\r?\n|\r/y;
    lineBreak.lastIndex = offset;
    if (!lineBreak.test(source.text)) return null;
    offset = lineBreak.lastIndex;
  }
  return lines;
}
