/** How origin passes through the rules of the dialects. */
import { Bool, Index, intersect, isNever, None, only, Undefined, type Kinds } from "../ir/kinds.js";
import { intrinsics, type IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, Stmt } from "../ir/nodes.js";
import { Float, Hinted, Int, Markup, Text } from "../ir/kinds.js";
import type { Level } from "./levels.js";

/** Kinds of values that are printed as they are. */
const SCALAR: Kinds = Bool | Index | Int | Float | Text | Markup;

/** Kinds that say nothing of the input. */
const OWN: Kinds = Bool | Index | None | Undefined | Hinted;

/** Whether a value of the kinds may be a text, a number or the like. */
export function mayBeScalar(kinds: Kinds): boolean {
  return !isNever(intersect(kinds, SCALAR)) && !only(kinds, OWN);
}

/** Whether the origin of a rule's result is asked for. */
export function givesOrigin(name: IntrinsicName, level: Level): boolean {
  const { gives } = intrinsics[name];
  if (only(gives, OWN) || WITHOUT.has(name)) return false;
  return level === 2 || !only(gives, Text | Markup | OWN);
}

/** Rules that give text of the engine's own. */
const WITHOUT: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.strftimeNow",
  "jinja.float",
  "jinja.range",
  "jinja.globalValue",
  "go.currentDate",
  "go.yesterdayDate",
  "go.float",
  "go.complex",
  "go.upTo",
]);

/** Rules whose arguments are known to be text. */
const ON_TEXT: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.strip",
  "jinja.lstrip",
  "jinja.rstrip",
  "jinja.stripChars",
  "jinja.lstripChars",
  "jinja.rstripChars",
  "jinja.upper",
  "jinja.lower",
  "jinja.capitalize",
  "jinja.title",
  "jinja.before",
  "jinja.afterLast",
  "jinja.splitText",
  "jinja.replaceText",
  "jinja.textLength",
  "jinja.sliceText",
  "go.byteLength",
  "go.sliceBytes",
  "go.joinBytes",
]);

/** Whether a rule's argument is known to be text. */
export function takesText(name: IntrinsicName, position: number): boolean {
  const isSlice = name === "jinja.sliceText" || name === "go.sliceBytes";
  return ON_TEXT.has(name) && (position === 0 || !isSlice);
}

/** How origin passes through a rule, where more is known than what it was given. */
const PASSING: ReadonlyMap<IntrinsicName, IntrinsicName> = new Map<IntrinsicName, IntrinsicName>([
  ["jinja.add", "segments.add"],
  ["jinja.strip", "segments.cut"],
  ["jinja.lstrip", "segments.cut"],
  ["jinja.rstrip", "segments.head"],
  ["jinja.stripChars", "segments.cut"],
  ["jinja.lstripChars", "segments.cut"],
  ["jinja.rstripChars", "segments.head"],
  ["jinja.trimFilter", "segments.cut"],
  ["jinja.before", "segments.head"],
  ["jinja.afterLast", "segments.cut"],
  ["jinja.sliceText", "segments.sliced"],
  ["jinja.slice", "segments.sliced"],
  ["jinja.splitText", "segments.split"],
  ["jinja.replaceText", "segments.replace"],
  ["jinja.replaceFilter", "segments.replace"],
  ["jinja.upper", "segments.case"],
  ["jinja.lower", "segments.case"],
  ["jinja.capitalize", "segments.case"],
  ["jinja.title", "segments.case"],
  ["jinja.upperFilter", "segments.case"],
  ["jinja.lowerFilter", "segments.case"],
  ["jinja.capitalizeFilter", "segments.case"],
  ["jinja.titleFilter", "segments.case"],
  ["jinja.joinFilter", "segments.joinRule"],
  ["jinja.mod", "segments.format"],
  ["jinja.callFilter", "segments.filter"],
  ["jinja.indentFilter", "segments.indent"],
  ["jinja.escapeFilter", "segments.escape"],
  ["jinja.forceescapeFilter", "segments.escape"],
  ["jinja.item", "segments.item"],
  ["jinja.itemOf", "segments.item"],
  ["jinja.attr", "segments.item"],
  ["jinja.callMethod", "segments.method"],
  ["jinja.call", "segments.call"],
  ["jinja.tojsonFilter", "segments.json"],
  ["jinja.json", "segments.json"],
  ["go.print", "segments.goPrint"],
  ["go.html", "segments.goPrint"],
  ["go.js", "segments.goPrint"],
  ["go.urlquery", "segments.goPrint"],
  ["go.json", "segments.goJson"],
  ["go.jsonAny", "segments.goJson"],
  ["go.println", "segments.goPrintln"],
  ["go.printf", "segments.goPrintf"],
  ["go.slice", "segments.goSlice"],
  ["go.sliceBytes", "segments.goSliceBytes"],
  ["go.joinBytes", "segments.goJoinBytes"],
  ["go.index", "segments.goIndex"],
  ["go.field", "segments.goField"],
  ["go.fieldUnwrapped", "segments.goField"],
  ["go.item", "segments.item"],
  ["go.argument", "segments.item"],
  ["go.propertyOf", "segments.item"],
  ["go.after", "segments.goAfter"],
]);

export function passing(name: IntrinsicName): IntrinsicName | undefined {
  return PASSING.get(name) ?? (name.startsWith("go.box") ? "segments.goBox" : undefined);
}

/** How origin passes through the other rules: those that give a container, that write a text, that may give an item. */
export function derivation(name: IntrinsicName, isScalar: boolean, sources: number): IntrinsicName {
  if (!isScalar) return "segments.made";
  const isOne = sources === 1;
  return only(intrinsics[name].gives, Text | Markup)
    ? isOne
      ? "segments.printed"
      : "segments.printedOfAll"
    : isOne
      ? "segments.derived"
      : "segments.derivedOfAll";
}

/** What a rule wrote of several is told apart by what it writes of each. */
const RULES_AGAIN: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "segments.json",
  "segments.goPrint",
  "segments.goPrintln",
  "segments.goJson",
]);

/** How what a rule gives is told apart, beside its result: by its sources, by the rule too, or by running it there. */
export type Passing = "sources" | "rule" | "call";

export function passingForm(name: IntrinsicName): Passing {
  if (RULES_AGAIN.has(name)) return "rule";
  return name === "segments.method" || name === "segments.call" ? "call" : "sources";
}

/** Rules of whose arguments only the first is a source: the others say what is taken of it. */
const OF_FIRST: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "segments.cut",
  "segments.head",
  "segments.case",
  "segments.split",
  "segments.escape",
]);

/** Whether a rule's argument tells where what it gives comes from. */
export function isSource(applying: IntrinsicName, position: number): boolean {
  return position === 0 || !OF_FIRST.has(applying);
}

/** Rules with an effect on what the template keeps: their arguments keep their origin in any case. */
const CHANGING: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.setAttr",
  "jinja.setItem",
  "jinja.call",
]);

export function isChanging(name: IntrinsicName): boolean {
  return CHANGING.has(name);
}

/** Rules that give the pairs of a container. */
const ENTRIES: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.items",
  "jinja.itemPairs",
  "go.sorted",
  "go.iterate",
  "go.iteratePairs",
]);

export function givesEntries(name: IntrinsicName): boolean {
  return ENTRIES.has(name);
}

/** A statement for what a module with segments does not do: it notes no generation spans. */
export function isUnused(stmt: Stmt): boolean {
  return stmt.op === "run" && stmt.value.op === "intrinsic" && stmt.value.name === "jinja.noteSpan";
}

/** Whether an expression does nothing and costs little. */
export function isRepeatable(expr: Expr): boolean {
  switch (expr.op) {
    case "local":
    case "input":
    case "literal":
    case "clock":
    case "function":
    case "rule":
      return true;
    case "read":
      return isRepeatable(expr.object);
    case "arithmetic":
      return isRepeatable(expr.left) && isRepeatable(expr.right);
    case "list":
      return expr.items.every(({ op }) => op === "literal");
    default:
      return false;
  }
}
