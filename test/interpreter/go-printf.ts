/** fmt.Sprintf's reading of the format (print.go's doPrintf). */
import { Printer } from "./go-fmt.js";
import { noFlags } from "./go-format.js";
import { dynamic, type Value } from "./go-values.js";
import { decodeRune, encodeRune, toText } from "./go-utf8.js";

type Args = readonly (Value | null)[];

const PERCENT = 0x25;
const LIMIT = 1_000_000;

function isDigit(code: number | undefined): code is number {
  return code !== undefined && code >= 0x30 && code <= 0x39;
}

/** Reads a format from left to right; `argument` is the next operand to use. */
class FormatReader {
  readonly #format: Uint8Array;
  readonly #args: Args;
  readonly #printer = new Printer();
  #at = 0;
  #argument = 0;
  /** Whether any explicit index appeared, and whether the last one was good. */
  #reordered = false;
  #goodIndex = true;
  #afterIndex = false;

  constructor(format: Uint8Array, args: Args) {
    this.#format = format;
    this.#args = args;
  }

  run(): Uint8Array {
    while (this.#at < this.#format.length) {
      const code = this.#format[this.#at++];
      if (code === undefined) break;
      if (code === PERCENT) this.#verb();
      else this.#printer.write([code]);
    }
    if (!this.#reordered) this.#extra();
    return this.#printer.bytes;
  }

  #peek(): string {
    const code = this.#format[this.#at];
    return code === undefined ? "" : String.fromCharCode(code);
  }

  #verb(): void {
    this.#goodIndex = true;
    this.#printer.flags = noFlags();
    this.#readFlags();
    this.#readIndex();
    this.#readWidth();
    this.#readPrecision();
    if (!this.#afterIndex) this.#readIndex();
    if (this.#at >= this.#format.length) {
      this.#printer.writeText("%!(NOVERB)");
      return;
    }
    const { rune, size } = decodeRune(this.#format, this.#at);
    this.#at += size;
    this.#apply(toText(Uint8Array.from(encodeRune(rune))));
  }

  #readFlags(): void {
    const { flags } = this.#printer;
    for (; ; this.#at++) {
      const flag = this.#peek();
      if (flag === "#") flags.sharp = true;
      else if (flag === "0") flags.zero = true;
      else if (flag === "+") flags.plus = true;
      else if (flag === "-") flags.minus = true;
      else if (flag === " ") flags.space = true;
      else return;
    }
  }

  /** An explicit operand index `[n]`. */
  #readIndex(): void {
    this.#afterIndex = false;
    if (this.#peek() !== "[") return;
    this.#reordered = true;
    const close = this.#format.indexOf(0x5d, this.#at + 1);
    if (close < 0 || this.#format.length - this.#at < 3) {
      this.#at += 1;
      this.#goodIndex = false;
      return;
    }
    const start = this.#at + 1;
    this.#at = start;
    const number = this.#readNumber(close);
    const whole = number !== null && this.#at === close;
    this.#at = close + 1;
    this.#afterIndex = whole;
    if (whole && number >= 1 && number <= this.#args.length) this.#argument = number - 1;
    else this.#goodIndex = false;
  }

  /** Decimal digits before `end`; null for none or too large a number (which skips to the end). */
  #readNumber(end: number): number | null {
    let number: number | null = null;
    for (; this.#at < end && isDigit(this.#format[this.#at]); this.#at++) {
      if ((number ?? 0) > LIMIT) {
        this.#at = end;
        return null;
      }
      number = (number ?? 0) * 10 + Number(this.#peek());
    }
    return number;
  }

  /** The operand that `*` stands for, when it is an int of reasonable size. */
  #star(): number | null {
    this.#at++;
    if (this.#argument >= this.#args.length) return null;
    const value = dynamic(this.#args[this.#argument++] ?? null);
    if (value?.kind !== "int") return null;
    const number = Number(value.int);
    return Math.abs(number) > LIMIT ? null : number;
  }

  #readWidth(): void {
    const { flags } = this.#printer;
    if (this.#peek() !== "*") {
      flags.width = this.#readNumber(this.#format.length);
      if (this.#afterIndex && flags.width !== null) this.#goodIndex = false;
      return;
    }
    flags.width = this.#star();
    if (flags.width === null) this.#printer.writeText("%!(BADWIDTH)");
    else if (flags.width < 0) {
      flags.width = -flags.width;
      flags.minus = true;
      flags.zero = false;
    }
    this.#afterIndex = false;
  }

  #readPrecision(): void {
    const { flags } = this.#printer;
    if (this.#peek() !== "." || this.#at + 1 >= this.#format.length) return;
    this.#at++;
    if (this.#afterIndex) this.#goodIndex = false;
    this.#readIndex();
    if (this.#peek() !== "*") {
      flags.precision = this.#readNumber(this.#format.length) ?? 0;
      return;
    }
    flags.precision = this.#star();
    if (flags.precision !== null && flags.precision < 0) flags.precision = null;
    if (flags.precision === null) this.#printer.writeText("%!(BADPREC)");
    this.#afterIndex = false;
  }

  #apply(verb: string): void {
    const printer = this.#printer;
    if (verb === "%") {
      printer.writeText("%");
      return;
    }
    if (!this.#goodIndex) {
      printer.writeText(`%!${verb}(BADINDEX)`);
      return;
    }
    if (this.#argument >= this.#args.length) {
      printer.writeText(`%!${verb}(MISSING)`);
      return;
    }
    if (verb === "v" || verb === "w") {
      const { flags } = printer;
      printer.flags = {
        ...flags,
        sharp: false,
        plus: false,
        sharpV: flags.sharp,
        plusV: flags.plus,
      };
    }
    printer.argument(this.#args[this.#argument++] ?? null, verb);
  }

  /** Operands that no verb used. */
  #extra(): void {
    const rest = this.#args.slice(this.#argument);
    if (rest.length === 0) return;
    const printer = this.#printer;
    printer.flags = noFlags();
    printer.writeText("%!(EXTRA ");
    rest.forEach((arg, i) => {
      const value = dynamic(arg);
      if (i > 0) printer.writeText(", ");
      if (value === null) {
        printer.writeText("<nil>");
        return;
      }
      printer.writeText(`${value.type.name}=`);
      printer.argument(value, "v");
    });
    printer.writeText(")");
  }
}

/** fmt.Sprintf */
export function sprintf(format: Uint8Array, args: Args): Uint8Array {
  return new FormatReader(format, args).run();
}
