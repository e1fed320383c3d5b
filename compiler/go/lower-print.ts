/** `print`, `printf` and the escaping functions. */
import type { Expr } from "../ir/nodes.js";
import type { Call } from "./lower-calls.js";
import { mayThrow } from "./lower-failing.js";
import { intrinsic, listOf, literal, NIL, val, type Lowering, type Val } from "./lower-state.js";
import { box, textOf } from "./lower-values.js";
import { goName, type GoType } from "./model.js";

const RULES = {
  print: "go.print",
  println: "go.println",
  html: "go.html",
  js: "go.js",
  urlquery: "go.urlquery",
} as const;

function isStray(values: readonly Val[]): boolean {
  return values.some((value) => value.stray === true);
}

export function printed(state: Lowering, call: Call, name: keyof typeof RULES): Val {
  const { args } = call;
  const stray = isStray(args);
  // Print puts spaces only between operands that are both no strings.
  if (
    state.optimize &&
    name === "print" &&
    !stray &&
    args.every((value) => value.type === "string")
  ) {
    return val("string", joinedText(args.map((value) => value.expr)));
  }
  const values = args.map((value) => box(state, value));
  return { ...val("string", intrinsic(RULES[name], [listOf(values)])), stray };
}

function joinedText(parts: readonly Expr[]): Expr {
  const [first] = parts;
  if (first === undefined) return literal("");
  return parts.length === 1 ? first : { op: "concat", parts };
}

/** The types that are or hold images, or may do so. */
const WITH_BYTES = new Set<GoType>(["image", "images", "message", "messages", "any", "root"]);

/** Whether a `%s` may write the bytes of an image, which need be no text. */
function mayWriteBytes(format: Expr, args: readonly Val[]): boolean {
  const text = format.op === "literal" && typeof format.value === "string" ? format.value : null;
  if (text !== null && !/%[^A-Za-z%]*s/.test(text)) return false;
  return args.some((value) => WITH_BYTES.has(value.type));
}

export function printedFormat(state: Lowering, call: Call): Val {
  const [format = NIL, ...args] = call.args;
  const writesBytes = mayWriteBytes(format.expr, args) && state.options.dialect === "ollama";
  if (writesBytes) state.strict = true;
  const stray = writesBytes || isStray(call.args);
  if (
    state.optimize &&
    format.expr.op === "literal" &&
    typeof format.expr.value === "string" &&
    !stray
  ) {
    const parts = formatParts(state, format.expr.value, args);
    if (parts !== null) return val("string", joinedText(parts));
  }
  const values = args.map((value) => box(state, value));
  return { ...val("string", intrinsic("go.printf", [format.expr, listOf(values)])), stray };
}

/** The pieces of a format that only uses `%s`, `%v`, `%d` and `%T` on values whose types are known; else null. */
function formatParts(state: Lowering, format: string, args: readonly Val[]): Expr[] | null {
  const pieces = format.split(/(%[svdT%])/);
  const parts: Expr[] = [];
  let used = 0;
  for (const piece of pieces) {
    if (piece === "%%") {
      parts.push(literal("%"));
    } else if (/^%[svdT]$/.test(piece)) {
      const value = args[used++];
      const part = value === undefined ? null : verb(state, piece, value);
      if (part === null) return null;
      parts.push(part);
    } else if (piece.includes("%")) {
      return null;
    } else if (piece !== "") {
      parts.push(literal(piece));
    }
  }
  return used === args.length ? parts : null;
}

function verb(state: Lowering, piece: string, value: Val): Expr | null {
  if (piece === "%T") {
    const name = goName(value.type);
    return name === null || value.type === "root" || mayThrow(value.expr) ? null : literal(name);
  }
  if (value.type === "string") return piece === "%d" ? null : value.expr;
  if (value.type === "int") return piece === "%s" ? null : textOf(state, value);
  return value.type === "bool" && piece === "%v" ? textOf(state, value) : null;
}
