/** fmt's Print, Println and Printf (print.go), for the values templates hold. */
import {
  formatCharacter,
  formatFloating,
  formatHex,
  formatInteger,
  formatQuoted,
  formatQuotedCharacter,
  formatString,
  formatUnicode,
  noFlags,
  padText,
  type Flags,
} from "./go-format.js";
import { stringer } from "./go-methods.js";
import { bytesOf, dynamic, elements, isNil, sortedEntries, string } from "./go-values.js";
import type { MapValue, PointerValue, SliceValue, StructValue, Value } from "./go-values.js";
import { fromBinary, toBytes, toText } from "./go-utf8.js";

/** Any pointer prints as an address; this stands for all of them. */
const ADDRESS = 0xc000012000n;

/** Prints one value after another into a buffer, with the flags of the verb at work. */
export class Printer {
  readonly #out: number[] = [];
  #erroring = false;
  flags: Flags = noFlags();

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#out);
  }

  write(bytes: Iterable<number>): void {
    for (const byte of bytes) this.#out.push(byte);
  }

  writeText(text: string): void {
    this.write(toBytes(text));
  }

  /** pp.printArg: `null` is the nil interface. */
  argument(value: Value | null, verb: string): void {
    const arg = dynamic(value);
    if (arg === null) {
      if (verb === "T" || verb === "v") this.write(padText("<nil>", this.flags));
      else this.badVerb(null, verb);
    } else if (verb === "T") {
      this.write(formatString(toBytes(arg.type.name), this.flags));
    } else if (verb === "p") {
      this.pointer(arg, "p");
    } else if (!this.#method(arg, verb)) {
      if (arg.type.name === "[]uint8" && arg.kind === "slice") this.#bytes(arg, verb, "[]byte");
      else this.reflected(arg, verb, 0);
    }
  }

  /** pp.printValue: a value met by reflection, with its depth below the argument. */
  reflected(value: Value | null, verb: string, depth: number): void {
    const inner = dynamic(value);
    if (depth > 0 && inner !== null && this.#method(inner, verb)) return;
    switch (value?.kind) {
      case undefined:
        if (depth === 0) this.writeText("<invalid reflect.Value>");
        else if (verb === "v") this.writeText("<nil>");
        else this.badVerb(null, verb);
        return;
      case "map": {
        this.#map(value, verb, depth);
        return;
      }
      case "struct": {
        this.#struct(value, verb, depth);
        return;
      }
      case "interface":
        if (value.inner !== null) {
          this.reflected(value.inner, verb, depth + 1);
          return;
        }
        {
          this.writeText(this.flags.sharpV ? `${value.type.name}(nil)` : "<nil>");
          return;
        }
      case "slice": {
        this.#slice(value, verb, depth);
        return;
      }
      case "pointer":
        if (depth === 0 && value.target !== null && this.#isContainer(value)) {
          this.writeText("&");
          this.reflected(value.target, verb, depth + 1);
          return;
        }
        {
          this.pointer(value, verb);
          return;
        }
      case "func": {
        this.pointer(value, verb);
        return;
      }
      case "bool":
      case "int":
      case "float":
      case "complex":
      case "string": {
        this.#basic(value, verb);
        return;
      }
    }
  }

  #isContainer(value: PointerValue): boolean {
    const kind = value.target?.kind;
    return kind === "slice" || kind === "struct" || kind === "map";
  }

  /** A String method, where the verb takes text (pp.handleMethods). */
  #method(value: Value, verb: string): boolean {
    if (this.#erroring) return false;
    if (verb === "w") {
      this.badVerb(value, verb);
      return true;
    }
    if (this.flags.sharpV || !"vsxXq".includes(verb)) return false;
    const text = stringer(value);
    if (text === null) return false;
    this.#basic(string(text), verb);
    return true;
  }

  #basic(value: Value, verb: string): void {
    switch (value.kind) {
      case "bool":
        if (verb !== "t" && verb !== "v") {
          this.badVerb(value, verb);
          return;
        }
        {
          this.write(padText(value.bool ? "true" : "false", this.flags));
          return;
        }
      case "int": {
        this.#integer(value, value.int, verb);
        return;
      }
      case "float": {
        this.#float(value, value.float, verb);
        return;
      }
      case "complex": {
        this.#complex(value, value.real, value.imaginary, verb);
        return;
      }
      case "string": {
        this.#string(value, value.bytes, verb);
        return;
      }
      default:
        this.badVerb(value, verb);
    }
  }

  #integer(value: Value, n: bigint, verb: string): void {
    const { flags } = this;
    const bases = new Map([
      ["d", 10],
      ["b", 2],
      ["o", 8],
      ["O", 8],
      ["x", 16],
      ["X", 16],
    ]);
    const base = bases.get(verb);
    if (base !== undefined) {
      this.write(formatInteger(n, base, verb, flags));
      return;
    }
    if (verb === "v") {
      const unsigned = value.type.kind === "uint8";
      if (flags.sharpV && unsigned) {
        this.#hexadecimal(n, true);
        return;
      }
      this.write(formatInteger(n, 10, verb, flags));
      return;
    }
    if (verb === "c") {
      this.write(formatCharacter(n, flags));
      return;
    }
    if (verb === "q") {
      this.write(formatQuotedCharacter(n, flags));
      return;
    }
    if (verb === "U") {
      this.write(formatUnicode(n, flags));
      return;
    }
    this.badVerb(value, verb);
  }

  /** pp.fmt0x64 */
  #hexadecimal(n: bigint, prefix: boolean): void {
    this.write(formatInteger(n, 16, "v", { ...this.flags, sharp: prefix }));
  }

  #float(value: Value, x: number, verb: string): void {
    if (verb === "v") {
      this.write(formatFloating(x, "g", -1, this.flags));
      return;
    }
    if ("bgGxX".includes(verb)) {
      this.write(formatFloating(x, verb, -1, this.flags));
      return;
    }
    if ("feE".includes(verb)) {
      this.write(formatFloating(x, verb, 6, this.flags));
      return;
    }
    if (verb === "F") {
      this.write(formatFloating(x, "f", 6, this.flags));
      return;
    }
    this.badVerb(value, verb);
  }

  #complex(value: Value, real: number, imaginary: number, verb: string): void {
    if (!"vbgGxXfFeE".includes(verb)) {
      this.badVerb(value, verb);
      return;
    }
    const { plus } = this.flags;
    this.writeText("(");
    this.#float(value, real, verb);
    this.flags.plus = true;
    this.#float(value, imaginary, verb);
    this.flags.plus = plus;
    this.writeText("i)");
  }

  #string(value: Value, bytes: Uint8Array, verb: string): void {
    const { flags } = this;
    if (verb === "q" || (verb === "v" && flags.sharpV)) this.write(formatQuoted(bytes, flags));
    else if (verb === "v" || verb === "s") this.write(formatString(bytes, flags));
    else if (verb === "x" || verb === "X") this.write(formatHex(bytes, verb === "X", flags));
    else this.badVerb(value, verb);
  }

  /** pp.fmtBytes: byte slices are text to %s, %q, %x and numbers to the rest. */
  #bytes(value: SliceValue, verb: string, typeName: string): void {
    const bytes = bytesOf(value);
    const { flags } = this;
    if (verb === "v" || verb === "d") {
      if (!flags.sharpV) {
        this.#list("[", "]", " ", bytes, (b) => {
          this.#numberOf(b, verb);
        });
        return;
      }
      this.writeText(typeName);
      if (isNil(value)) {
        this.writeText("(nil)");
        return;
      }
      this.#list("{", "}", ", ", bytes, (b) => {
        this.#hexadecimal(BigInt(b), true);
      });
      return;
    }
    if (verb === "s") {
      this.write(formatString(bytes, flags));
      return;
    }
    if (verb === "x" || verb === "X") {
      this.write(formatHex(bytes, verb === "X", flags));
      return;
    }
    if (verb === "q") {
      this.write(formatQuoted(bytes, flags));
      return;
    }
    this.reflected(value, verb, 0);
  }

  #numberOf(byte: number, verb: string): void {
    this.write(formatInteger(BigInt(byte), 10, verb, this.flags));
  }

  #list<T>(
    open: string,
    close: string,
    gap: string,
    items: Iterable<T>,
    one: (x: T) => void,
  ): void {
    this.writeText(open);
    let first = true;
    for (const item of items) {
      if (!first) this.writeText(gap);
      first = false;
      one(item);
    }
    this.writeText(close);
  }

  /** What stands around and between the parts of a list, map or struct. */
  #container<T>(
    value: Value,
    open: string,
    close: string,
    items: readonly T[],
    one: (x: T) => void,
  ) {
    if (!this.flags.sharpV) {
      this.#list(open, close, " ", items, one);
      return;
    }
    this.writeText(value.type.name);
    if (isNil(value)) {
      this.writeText("(nil)");
      return;
    }
    this.#list("{", "}", ", ", items, one);
  }

  #slice(value: SliceValue, verb: string, depth: number): void {
    if ("sqxX".includes(verb) && value.type.elem.kind === "uint8") {
      this.#bytes(value, verb, value.type.name);
      return;
    }
    const one = (item: Value): void => {
      this.reflected(item, verb, depth + 1);
    };
    this.#container(value, "[", "]", elements(value), one);
  }

  #map(value: MapValue, verb: string, depth: number): void {
    this.#container(value, "map[", "]", sortedEntries(value), ([key, item]) => {
      this.reflected(string(fromBinary(key)), verb, depth + 1);
      this.writeText(":");
      this.reflected(item, verb, depth + 1);
    });
  }

  #struct(value: StructValue, verb: string, depth: number): void {
    const named = this.flags.plusV || this.flags.sharpV;
    const fields = value.type.fields();
    this.#container(value, "{", "}", [...value.fields.entries()], ([i, item]) => {
      if (named) this.writeText(`${fields[i]?.name ?? ""}:`);
      const shown = item.kind === "interface" && item.inner !== null ? item.inner : item;
      this.reflected(shown, verb, depth + 1);
    });
  }

  /** pp.fmtPointer */
  pointer(value: Value, verb: string): void {
    const pointing = ["func", "map", "pointer", "slice"].includes(value.kind);
    if (!pointing) {
      this.badVerb(value, verb);
      return;
    }
    const address = isNil(value) ? 0n : ADDRESS;
    if (verb === "v" && this.flags.sharpV) {
      this.writeText(`(${value.type.name})(`);
      if (address === 0n) this.writeText("nil");
      else this.#hexadecimal(address, true);
      this.writeText(")");
    } else if (verb === "v" && address === 0n) this.write(padText("<nil>", this.flags));
    else if (verb === "v" || verb === "p") this.#hexadecimal(address, !this.flags.sharp);
    else if ("bodxX".includes(verb)) this.#integer(value, address, verb);
    else this.badVerb(value, verb);
  }

  /** `%!verb(type=value)`: inside it no method is called. */
  badVerb(value: Value | null, verb: string): void {
    this.#erroring = true;
    this.writeText(`%!${verb}(`);
    if (value === null) this.writeText("<nil>");
    else {
      this.writeText(`${value.type.name}=`);
      this.argument(value, "v");
    }
    this.writeText(")");
    this.#erroring = false;
  }
}

function isString(value: Value | null): boolean {
  return dynamic(value)?.kind === "string";
}

/** fmt.Sprint: a space only between two operands of which neither is text. */
export function sprint(args: readonly (Value | null)[]): Uint8Array {
  const printer = new Printer();
  args.forEach((arg, i) => {
    const previous = args[i - 1] ?? null;
    if (i > 0 && !isString(arg) && !isString(previous)) printer.writeText(" ");
    printer.argument(arg, "v");
  });
  return printer.bytes;
}

/** fmt.Sprintln */
export function sprintln(args: readonly (Value | null)[]): Uint8Array {
  const printer = new Printer();
  args.forEach((arg, i) => {
    if (i > 0) printer.writeText(" ");
    printer.argument(arg, "v");
  });
  printer.writeText("\n");
  return printer.bytes;
}

/** How an error message shows a reflect.Value (`%v` and the like). */
export function showValue(value: Value | null, verb: string): string {
  const printer = new Printer();
  if (value !== null && value.kind !== "interface") printer.argument(value, verb);
  else printer.reflected(value, verb, 0);
  return toText(printer.bytes);
}
