/** A JSON reader that keeps what JSON.parse loses: floats that are integral, big integers, the order of keys. */
import { float, isIndexKey, OrderedDict, setField, setText } from "./values.js";

/** Reads JSON as Python's json.loads does (NaN and Infinity included); throws a SyntaxError. */
export function parseJson(text: string): unknown {
  const reader = new Reader(text);
  return reader.document();
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const WORDS: readonly (readonly [string, unknown])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
];

/** CPython's sys.int_info.default_max_str_digits: reading digits costs the square of their number. */
const MOST_DIGITS = 4300;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const result = this.#value();
    this.#space();
    if (this.#at < this.#text.length) {
      this.#fail("Extra data");
    }
    return result;
  }

  #fail(message: string): never {
    throw new SyntaxError(`${message}: char ${this.#at}`);
  }

  #space(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text.charCodeAt(this.#at);
      if (c !== 32 && c !== 10 && c !== 13 && c !== 9) {
        return;
      }
    }
  }

  #value(): unknown {
    this.#space();
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x22:
        return this.#string();
      case 0x7b:
        return this.#object();
      case 0x5b:
        return this.#array();
      default:
        return this.#number();
    }
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    this.#space();
    if (this.#take("]")) {
      return items;
    }
    for (;;) {
      items.push(this.#value());
      this.#space();
      if (this.#take("]")) {
        return items;
      }
      this.#expect(",");
    }
  }

  #object(): object {
    const pairs = this.#pairs();
    if (pairs.some(([key]) => isIndexKey(key))) {
      const dict = new OrderedDict();
      for (const [key, value] of pairs) {
        setText(dict, key, value);
      }
      return dict;
    }
    const object: Record<string, unknown> = {};
    for (const [key, value] of pairs) {
      setField(object, key, value);
    }
    return object;
  }

  #pairs(): [string, unknown][] {
    const pairs: [string, unknown][] = [];
    this.#at++;
    this.#space();
    if (this.#take("}")) {
      return pairs;
    }
    for (;;) {
      this.#space();
      if (this.#text[this.#at] !== '"') {
        this.#fail("Expecting property name enclosed in double quotes");
      }
      const key = this.#string();
      this.#space();
      this.#expect(":");
      pairs.push([key, this.#value()]);
      this.#space();
      if (this.#take("}")) {
        return pairs;
      }
      this.#expect(",");
    }
  }

  #take(mark: string): boolean {
    const found = this.#text[this.#at] === mark;
    if (found) {
      this.#at++;
    }
    return found;
  }

  #expect(mark: string): void {
    if (!this.#take(mark)) {
      this.#fail(`Expecting '${mark}' delimiter`);
    }
  }

  #string(): string {
    let out = "";
    this.#at++;
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#text);
      out += this.#text.slice(this.#at, PLAIN.lastIndex);
      this.#at = PLAIN.lastIndex;
      if (this.#take('"')) {
        return out;
      }
      if (!this.#take("\\")) {
        this.#fail("Invalid control character or unterminated string");
      }
      out += this.#escape();
    }
  }

  #escape(): string {
    const mark = this.#text[this.#at] ?? "";
    const plain = ESCAPES[mark];
    this.#at++;
    if (plain !== undefined) {
      return plain;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (mark !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      this.#fail("Invalid \\escape");
    }
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): unknown {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) {
      return this.#word();
    }
    this.#at = NUMBER.lastIndex;
    const [digits, fraction, exponent] = match;
    if (fraction !== undefined || exponent !== undefined) {
      return float(Number(digits));
    }
    if (digits.length - (digits.startsWith("-") ? 1 : 0) > MOST_DIGITS) {
      this.#fail(`Exceeds the limit (${MOST_DIGITS} digits) for integer string conversion`);
    }
    const n = Number(digits);
    return Number.isSafeInteger(n) ? n + 0 : BigInt(digits);
  }

  #word(): unknown {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#fail("Expecting value");
  }
}
