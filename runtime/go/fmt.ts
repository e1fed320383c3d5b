/** text/template's print functions, which are fmt's Sprint, Sprintln and Sprintf. */

import { fail } from "./errors.js";
import { isNilOf, reflect } from "./gotypes.js";
import { noFlags } from "./format.js";
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

  constructor(format: string, args: readonly unknown[]) {
    this.#format = format;
    this.#args = args;
  }

  run(): string {
    const format = this.#format;
    while (this.#i < format.length) {
      const percent = format.indexOf("%", this.#i);
      const end = percent < 0 ? format.length : percent;
      this.#printer.write(format.slice(this.#i, end));
      this.#i = end + 1;
      if (percent >= 0 && !this.#directive()) {
        break;
      }
    }
    if (!this.#reordered && this.#next < this.#args.length) {
      this.#extra();
    }
    return this.#printer.text();
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
    this.#printer.argument(this.#args[this.#next], verb);
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
    for (const arg of this.#args.slice(this.#next)) {
      const { type } = reflect(arg);
      this.#printer.write(separator + (type === undefined ? "" : type.name + "="));
      this.#printer.argument(arg, "v");
      separator = ", ";
    }
    this.#printer.write(")");
  }
}

/** The number is checked before each further digit: more than a million by then is too large. */
function isTooLarge(digits: string): boolean {
  return Number(digits.slice(0, -1)) > LARGEST;
}
