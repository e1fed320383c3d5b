/**
 * How origin passes through text/template's functions for text, as fmt and the escaping functions write them: what shows
 * an operand has the operand's origin, what stands between them is the format's or the engine's own.
 */
import { byteLength, sliceBytes } from "../go/bytes.js";
import { formatPieces, type FormatPiece } from "../go/fmt.js";
import { reflect } from "../go/gotypes.js";
import type { GoType } from "../go/typed.js";
import { value as asValue, type Value } from "../values.js";
import { applyPlain, type Rule } from "./rules.js";
import { checked } from "./text-rules.js";
import type { Trace } from "./trace.js";
import { cut, isScalar, join, plain, plainText, textOf, Traced, type Text } from "./traced.js";

type Arguments = readonly unknown[];

/** `printf`. */
export function tracePrintf(trace: Trace, result: unknown, format: unknown, list: unknown): Value {
  const items = itemsOf(trace, list);
  const isKnown = isText(format) && items !== null;
  return checked(trace, result, isKnown ? formatted(trace, format, items) : null, [format, list]);
}

function formatted(trace: Trace, format: Text, items: Arguments): Text {
  const pieces = formatPieces(plainText(format), items.map(plain));
  return join(
    ...pieces.map((piece) => {
      const directive = cut(format, piece.from, piece.to);
      return piece.operand < 0
        ? written(trace, piece.text, directive)
        : operandText(trace, piece, directive, items[piece.operand]);
    }),
  );
}

/** Text that a directive writes of itself, or what stands between directives. */
function written(trace: Trace, text: string, directive: Text): Text {
  return directive instanceof Traced ? textOf(trace.derived(text, [directive])) : text;
}

/** What shows an operand; around the operand's own text the directive has put padding. */
function operandText(
  trace: Trace,
  { text, shown }: FormatPiece,
  directive: Text,
  operand: unknown,
): Text {
  if (shown === null) {
    const sources = directive instanceof Traced ? [operand, directive] : [operand];
    return textOf(trace.printed(text, sources));
  }
  const [from, to] = shown;
  return join(
    written(trace, text.slice(0, from), directive),
    cut(ownText(trace, operand), 0, to - from),
    written(trace, text.slice(to), directive),
  );
}

/** The text that an operand is or holds. */
function ownText(trace: Trace, operand: unknown): Text {
  return isText(operand)
    ? operand
    : textOf(trace.derived(String(reflect(plain(operand)).value), [operand]));
}

/** `print`, `html`, `js` and `urlquery`: they write one operand after the other, the last three letter by letter. */
export function tracePrint(trace: Trace, result: unknown, rule: Rule, list: unknown): Value {
  const items = itemsOf(trace, list);
  return checked(trace, result, items === null ? null : printed(trace, rule, items), [list]);
}

function printed(trace: Trace, rule: Rule, items: Arguments): Text {
  return join(
    ...items.map((item, i) =>
      join(i === 0 ? "" : separator(rule, items[i - 1], item), printedItem(trace, rule, item)),
    ),
  );
}

/** What the rule writes between two operands: a blank, unless one of them is a text. */
function separator(rule: Rule, left: unknown, right: unknown): string {
  if (isText(left) || isText(right)) return "";
  const [first, second, both] = [[left], [right], [left, right]].map((each) => apply(rule, each));
  return (both ?? "").slice((first ?? "").length, -(second ?? "").length);
}

function printedItem(trace: Trace, rule: Rule, item: unknown): Text {
  if (!isComposed(item)) {
    return textOf(trace.printed(apply(rule, [item]), [item]));
  }
  const pieces = Traced.pieces(item).map(({ text, isInput, place }) => {
    const own = apply(rule, [text]);
    return isInput ? Traced.whole(own, place) : own;
  });
  return join(...pieces);
}

function apply(rule: Rule, items: Arguments): string {
  return plainText(applyPlain(rule, [items.map(plain)]));
}

/** `println`. */
export function tracePrintln(trace: Trace, result: unknown, rule: Rule, list: unknown): Value {
  const items = itemsOf(trace, list);
  if (items === null) return checked(trace, result, null, [list]);
  const lines = items.map((item, i) => join(i === 0 ? "" : " ", lineOf(trace, rule, item)));
  return checked(trace, result, join(...lines, "\n"), [list]);
}

/** An operand without the line break that the rule puts at the end. */
function lineOf(trace: Trace, rule: Rule, item: unknown): Text {
  if (isComposed(item)) return item;
  const line = printedItem(trace, rule, item);
  return cut(line, 0, plainText(line).length - 1);
}

/** `json`: text that was put together is escaped letter by letter. */
export function traceGoJson(trace: Trace, result: unknown, rule: Rule, value: unknown): Value {
  if (!isComposed(value) || typeof result !== "string") {
    return asValue(trace.printed(result, [value]));
  }
  const pieces = Traced.pieces(value).map(({ text, isInput, place }) => {
    const own = plainText(applyPlain(rule, [text])).slice(1, -1);
    return isInput ? Traced.whole(own, place) : own;
  });
  return checked(trace, result, join('"', ...pieces, '"'), [value]);
}

/** `slice` of a text by its bytes: where it is cut says nothing of whose it is. */
export function traceSliceBytes(
  trace: Trace,
  result: unknown,
  whole: unknown,
  ...bounds: Arguments
): Value {
  return slicedText(trace, result, whole, bounds);
}

/** `slice` of anything: the items of a list stand where they stood. */
export function traceSliceAny(trace: Trace, result: unknown, whole: unknown, list: unknown): Value {
  const bounds = itemsOf(trace, list) ?? [];
  if (!Array.isArray(result)) return slicedText(trace, result, whole, bounds);
  trace.derived(result, [whole]);
  const from = Number(plain(bounds[0] ?? 0));
  result.forEach((item: unknown, i) => {
    if (isText(item)) trace.hold(result, i, trace.item(whole, from + i, item));
  });
  return asValue(result);
}

function slicedText(trace: Trace, result: unknown, whole: unknown, bounds: Arguments): Value {
  const [from = 0, to = Infinity, ...more] = bounds.map(plain);
  const isKnown = isComposed(whole) && typeof from === "number" && typeof to === "number";
  const part =
    isKnown && more.every((bound) => bound === undefined) ? cutBytes(whole, from, to) : null;
  return checked(trace, result, part, [whole]);
}

/** The bytes from `start` on, before `end`. */
function cutBytes(whole: Traced, start: number, end: number): Text {
  let at = 0;
  const parts = Traced.pieces(whole).map(({ text, isInput, place }) => {
    const length = byteLength(text);
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, length);
    at += length;
    if (from >= to) return "";
    const part = sliceBytes(text, from, to, "");
    return isInput ? Traced.whole(part, place) : part;
  });
  return join(...parts);
}

/** Bytes that come together in the output are a character: it is input if one of its bytes is. */
export function traceJoinBytes(trace: Trace, result: unknown, whole: unknown): Value {
  const isChanged = isComposed(whole) && typeof result === "string" && result !== plainText(whole);
  return checked(trace, result, isChanged ? rejoined(whole, result) : null, [whole]);
}

/** The text of the same bytes, each character from where its bytes come from. */
function rejoined(whole: Traced, text: string): Text {
  const waiting = Traced.pieces(whole).map((piece) => ({ ...piece, left: byteLength(piece.text) }));
  let at = 0;
  const characters = Array.from(text, (character): Text => {
    const sources = [];
    for (let size = byteLength(character); size > 0;) {
      const piece = waiting[at];
      if (piece === undefined) break;
      sources.push(piece);
      const taken = Math.min(size, piece.left);
      piece.left -= taken;
      size -= taken;
      if (piece.left === 0) at++;
    }
    const [input, ...others] = sources.filter(({ isInput }) => isInput);
    if (input === undefined) return character;
    return Traced.whole(character, others.length === 0 ? input.place : null);
  });
  return join(...characters);
}

/** The whole input: data of dialect go may be one text. */
export function traceRoot(trace: Trace, input: unknown): Value {
  const isOwn = isScalar(input) && input !== null && input !== undefined;
  return asValue(isOwn ? Traced.whole(input, trace.root) : input);
}

/** `.name` of a container: of a struct by the name that the request has for the field. */
export function traceField(trace: Trace, result: unknown, owner: unknown, name: unknown): Value {
  const key = fieldKey(reflect(plain(owner)).type, String(name));
  return key === null
    ? checked(trace, result, null, [owner])
    : asValue(trace.item(owner, key, result));
}

/** Null: the name is a method's. */
function fieldKey(type: GoType | undefined, name: string): string | null {
  if (type === undefined) return name;
  if (type.methods !== undefined && Object.hasOwn(type.methods, name)) return null;
  if (type.kind === "pointer") return fieldKey(type.element, name);
  if (type.fields === undefined) return name;
  return type.fields.find((field) => field.name === name)?.key ?? null;
}

/** `index` of a container: each key leads on. */
export function traceIndex(trace: Trace, result: unknown, owner: unknown, list: unknown): Value {
  const keys = itemsOf(trace, list) ?? [];
  const last = keys.length - 1;
  if (last < 0 || isText(owner)) return checked(trace, result, null, [owner]);
  // Only where they stand matters of the containers on the way.
  const at = keys.slice(0, last).reduce((on, key) => trace.item(on, plain(key), {}), owner);
  return asValue(trace.item(at, plain(keys[last]), result));
}

/** A value with its Go type: it stands where the value stands. */
export function traceBox(trace: Trace, box: unknown, value: unknown): Value {
  return trace.boxed(box, value);
}

/** What comes after values that were only evaluated. */
export function traceAfter(
  trace: Trace,
  result: unknown,
  _before: unknown,
  source: unknown,
): Value {
  return checked(trace, result, null, [source]);
}

/** Text that was put together of several sources. */
function isComposed(value: unknown): value is Traced {
  return value instanceof Traced && !Traced.isWhole(value);
}

function isText(value: unknown): value is Text {
  return typeof plain(value) === "string";
}

/** The operands that a rule is given as a list; one that the trace does not know is all of constants. */
function itemsOf(trace: Trace, list: unknown): Arguments | null {
  if (!Array.isArray(list)) return null;
  return trace.isMade(list) ? trace.items(list) : list;
}
