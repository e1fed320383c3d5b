/** text/template's print functions, which are fmt's Sprint, Sprintln and Sprintf. */

import { fail } from "./errors.js";
import { isNilOf, reflect } from "./gotypes.js";
import { formatText, noFlags } from "./format.js";
import { integerOf, Printer } from "./printer.js";

/**
 * What `{{ v }}` prints (exec.go, printValue): `<no value>` for nil, the target of a pointer, else as fmt.Fprint does.
 * Only an iterator needs the place: it cannot be printed.
 */
export function text(v: unknown, place = ""): string {
  if (typeof v === "string") {
    return v;
  }
  const { type, value } = reflect(v);
  if (type === undefined) {
    return "<no value>";
  }
  if (type.kind === "func") {
    const node = /<(.*)>$/s.exec(place)?.[1] ?? "";
    return fail(`can't print ${node} of type ${type.name}`, place);
  }
  const printed = print([v]);
  return type.kind === "pointer" && !isNilOf(type, value) ? printed.slice(1) : printed;
}

/** fmt.Sprint: a space only between two operands neither of which is a string. */
export function print(args: readonly unknown[]): string {
  const printer = new Printer();
  let separator = "";
  for (const arg of args) {
    const isString = typeof arg === "string" || reflect(arg).type?.kind === "string";
    printer.write(isString ? "" : separator);
    printArgument(printer, arg);
    separator = isString ? "" : " ";
  }
  return printer.text();
}

function printArgument(printer: Printer, arg: unknown): void {
  if (typeof arg === "string") {
    printer.write(arg);
  } else if (typeof arg === "boolean") {
    printer.write(arg ? "true" : "false");
  } else {
    printer.argument(arg, "v");
  }
}

/** fmt.Sprintln: a space between all operands, a line break at the end. */
export function println(args: readonly unknown[]): string {
  const printer = new Printer();
  let separator = "";
  for (const arg of args) {
    printer.write(separator);
    printArgument(printer, arg);
    separator = " ";
  }
  return printer.text() + "\n";
}

/** fmt.Sprintf; the format must be a string, as text/template checks before the call. */
export function printf(format: unknown, args: readonly unknown[], place: string): string {
  const { type, value } = reflect(format);
  if (typeof value !== "string") {
    const got = type?.name ?? "interface {}";
    return fail(`wrong type for value; expected string; got ${got}`, place);
  }
  return new Formatter(value, args).run();
}

/** A stretch of what Sprintf writes: what one directive or the text between two gives. */
export interface FormatPiece {
  readonly text: string;
  /** The part of the format that it comes from; empty for operands that the format does not name. */
  readonly from: number;
  readonly to: number;
  /** Which operand shows in it; -1: none, or only its type. */
  readonly operand: number;
  /** Where in the piece the beginning of the operand's own text stands as it is; null: nowhere. */
  readonly shown: readonly [from: number, to: number] | null;
}

/** What Sprintf writes, in pieces. */
export function formatPieces(format: string, args: readonly unknown[]): readonly FormatPiece[] {
  const pieces: FormatPiece[] = [];
  new Formatter(format, args, pieces).run();
  return pieces;
}

const LARGEST = 1000000;

/** fmt's doPrintf: one pass over the format. */
class Formatter {
  readonly #format: string;
  readonly #args: readonly unknown[];
  readonly #printer = new Printer();
  #i = 0;
  #next = 0;
  #reordered = false;
  #goodIndex = true;
  #afterIndex = false;
  /** Takes the pieces, where they are asked for. */
  readonly #pieces: FormatPiece[] | null;
  #noted = 0;
  #operand = -1;
  #shown: FormatPiece["shown"] = null;

  constructor(format: string, args: readonly unknown[], pieces: FormatPiece[] | null = null) {
    this.#format = format;
    this.#args = args;
    this.#pieces = pieces;
  }

  run(): string {
    const format = this.#format;
    while (this.#i < format.length) {
      const percent = format.indexOf("%", this.#i);
      const end = percent < 0 ? format.length : percent;
      this.#printer.write(format.slice(this.#i, end));
      this.#note(this.#i, end);
      this.#i = end + 1;
      const goesOn = percent >= 0 && this.#directive();
      this.#note(end, this.#i);
      if (!goesOn) {
        break;
      }
    }
    if (!this.#reordered && this.#next < this.#args.length) {
      this.#extra();
    }
    return this.#printer.text();
  }

  /** Notes what was written since the last time, for the part of the format. */
  #note(from: number, to: number): void {
    const { out } = this.#printer;
    if (this.#pieces !== null && out.length > this.#noted) {
      const text = out.slice(this.#noted);
      this.#pieces.push({ text, from, to, operand: this.#operand, shown: this.#shown });
    }
    this.#noted = out.length;
    this.#operand = -1;
    this.#shown = null;
  }

  #argument(index: number, verb: string): void {
    const before = this.#printer.out.length;
    this.#printer.argument(this.#args[index], verb);
    if (this.#pieces !== null && verb !== "T") {
      this.#operand = index;
      this.#shown = this.#shownText(index, verb, before);
    }
  }

  #shownText(index: number, verb: string, before: number): FormatPiece["shown"] {
    const { type, value } = reflect(this.#args[index]);
    const { flags, out } = this.#printer;
    const isAsItIs = verb === "s" || (verb === "v" && !flags.sharpV);
    if (!isAsItIs || type?.kind !== "string" || type.string !== undefined) {
      return null;
    }
    const { length } = formatText({ ...flags, width: -1 }, String(value));
    const from = (flags.minus ? before : out.length - length) - this.#noted;
    return [from, from + length];
  }

  /** One verb with what stands before it; false where the format ends first. */
  #directive(): boolean {
    this.#goodIndex = true;
    this.#flags();
    const simple = this.#format.charAt(this.#i);
    if (simple >= "a" && simple <= "z" && this.#next < this.#args.length) {
      this.#i++;
      this.#print(simple);
      return true;
    }
    this.#afterIndex = this.#index();
    this.#width();
    this.#precision();
    if (!this.#afterIndex) {
      this.#afterIndex = this.#index();
    }
    if (this.#i >= this.#format.length) {
      this.#printer.write("%!(NOVERB)");
      return false;
    }
    this.#verb(String.fromCodePoint(this.#format.codePointAt(this.#i) ?? 0));
    return true;
  }

  #verb(verb: string): void {
    this.#i += verb.length;
    const shown = verb.isWellFormed() ? verb : "\ufffd";
    if (verb === "%") {
      this.#printer.write("%");
    } else if (!this.#goodIndex) {
      this.#printer.write(`%!${shown}(BADINDEX)`);
    } else if (this.#next >= this.#args.length) {
      this.#printer.write(`%!${shown}(MISSING)`);
    } else {
      this.#print(shown);
    }
  }

  #print(verb: string): void {
    const { flags } = this.#printer;
    if (verb === "v" || verb === "w") {
      flags.sharpV = flags.sharp;
      flags.sharp = false;
      flags.plusV = flags.plus;
      flags.plus = false;
    }
    this.#argument(this.#next, verb);
    this.#next++;
  }

  #flags(): void {
    const flags = noFlags();
    this.#printer.flags = flags;
    for (; this.#i < this.#format.length; this.#i++) {
      switch (this.#format.charAt(this.#i)) {
        case "#":
          flags.sharp = true;
          break;
        case "0":
          flags.zero = true;
          break;
        case "+":
          flags.plus = true;
          break;
        case "-":
          flags.minus = true;
          break;
        case " ":
          flags.space = true;
          break;
        default:
          return;
      }
    }
  }

  #width(): void {
    const { flags } = this.#printer;
    if (this.#format.charAt(this.#i) === "*") {
      this.#i++;
      const width = this.#integerArgument();
      if (width === undefined) {
        this.#printer.write("%!(BADWIDTH)");
      }
      flags.width = Math.abs(width ?? -1);
      if (width === undefined) {
        flags.width = -1;
      } else if (width < 0) {
        flags.minus = true;
        flags.zero = false;
      }
      this.#afterIndex = false;
      return;
    }
    flags.width = this.#number() ?? -1;
    if (this.#afterIndex && flags.width >= 0) {
      this.#goodIndex = false;
    }
  }

  #precision(): void {
    if (this.#i + 1 >= this.#format.length || this.#format.charAt(this.#i) !== ".") {
      return;
    }
    const { flags } = this.#printer;
    this.#i++;
    if (this.#afterIndex) {
      this.#goodIndex = false;
    }
    this.#afterIndex = this.#index();
    if (this.#format.charAt(this.#i) === "*") {
      this.#i++;
      const precision = this.#integerArgument();
      flags.precision = precision === undefined || precision < 0 ? -1 : precision;
      if (flags.precision < 0) {
        this.#printer.write("%!(BADPREC)");
      }
      this.#afterIndex = false;
    } else {
      flags.precision = this.#number() ?? 0;
    }
  }

  /** parsenum: decimal digits; a number too large ends the format. */
  #number(): number | undefined {
    const digits = /[0-9]*/y;
    digits.lastIndex = this.#i;
    const found = digits.exec(this.#format)?.[0] ?? "";
    if (found === "") {
      return undefined;
    }
    if (isTooLarge(found)) {
      this.#i = this.#format.length;
      return undefined;
    }
    this.#i += found.length;
    return Number(found);
  }

  /** intFromArg: an operand as a width or a precision. */
  #integerArgument(): number | undefined {
    if (this.#next >= this.#args.length) {
      return undefined;
    }
    const { type, value } = reflect(this.#args[this.#next++]);
    if (type?.kind !== "int" && type?.kind !== "uint") {
      return undefined;
    }
    const n = Number(integerOf(value));
    return Math.abs(n) > LARGEST ? undefined : n;
  }

  /** argNumber: an explicit index such as `[3]`; whether there is one. */
  #index(): boolean {
    if (this.#format.charAt(this.#i) !== "[") {
      return false;
    }
    this.#reordered = true;
    const close = this.#format.indexOf("]", this.#i);
    if (close < 0) {
      this.#i++;
      this.#goodIndex = false;
      return false;
    }
    const inside = this.#format.slice(this.#i + 1, close);
    this.#i = close + 1;
    const valid = /^[0-9]+$/.test(inside) && !isTooLarge(inside);
    const index = Number(inside) - 1;
    if (valid && index >= 0 && index < this.#args.length) {
      this.#next = index;
      return true;
    }
    this.#goodIndex = false;
    return valid;
  }

  #extra(): void {
    this.#printer.flags = noFlags();
    this.#printer.write("%!(EXTRA ");
    let separator = "";
    for (let i = this.#next; i < this.#args.length; i++) {
      const { type } = reflect(this.#args[i]);
      this.#printer.write(separator + (type === undefined ? "" : type.name + "="));
      this.#note(0, 0);
      this.#argument(i, "v");
      this.#note(0, 0);
      separator = ", ";
    }
    this.#printer.write(")");
    this.#note(0, 0);
  }
}

/** The number is checked before each further digit: more than a million by then is too large. */
function isTooLarge(digits: string): boolean {
  return Number(digits.slice(0, -1)) > LARGEST;
}
