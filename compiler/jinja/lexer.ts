/** Jinja's lexer, after the rules of Jinja2's lexer.py with trim_blocks and lstrip_blocks on. */
import type { Source, Span } from "../source.js";
import { countNewlines, isSpace, PYTHON_SPACE, reprOf, stripEnd } from "./characters.js";
import { decodeString, floatValue, integerValue, LiteralError } from "./literals.js";

const OPERATORS = {
  "+": "add",
  "-": "sub",
  "/": "div",
  "//": "floordiv",
  "*": "mul",
  "%": "mod",
  "**": "pow",
  "~": "tilde",
  "[": "lbracket",
  "]": "rbracket",
  "(": "lparen",
  ")": "rparen",
  "{": "lbrace",
  "}": "rbrace",
  "==": "eq",
  "!=": "ne",
  ">": "gt",
  ">=": "gteq",
  "<": "lt",
  "<=": "lteq",
  "=": "assign",
  ".": "dot",
  ":": "colon",
  "|": "pipe",
  ",": "comma",
  ";": "semicolon",
} as const;

type OperatorType = (typeof OPERATORS)[keyof typeof OPERATORS];
export type TokenType =
  | OperatorType
  | "name"
  | "string"
  | "integer"
  | "float"
  | "data"
  | "block_begin"
  | "block_end"
  | "variable_begin"
  | "variable_end"
  | "eof";

export interface Token {
  readonly type: TokenType;
  /** A name, the value of a string, template text, or the token as written. */
  readonly text: string;
  /** The value of an integer or float. */
  readonly number: number | bigint;
  /** Jinja2's lineno. */
  readonly line: number;
  readonly span: Span;
}

/** Refuses the template with Jinja2's message at Jinja2's line. */
export type Refuse = (message: string, line: number, span: Span) => never;

const SPACE = `[${PYTHON_SPACE}]`;
const TAG_START = /\{[{#%]/g;
const SIGN = /[-+]/y;
const RAW_BEGIN = new RegExp(`\\{%([-+]?)${SPACE}*raw${SPACE}*(?:-%\\}${SPACE}*|%\\})`, "y");
const RAW_END = new RegExp(
  `\\{%([-+]?)${SPACE}*endraw${SPACE}*(?:\\+%\\}|-%\\}${SPACE}*|%\\}\\n?)`,
  "g",
);
const COMMENT_END = new RegExp(`\\+#\\}|-#\\}${SPACE}*|#\\}\\n?`, "g");
const BLOCK_END = new RegExp(`\\+%\\}|-%\\}${SPACE}*|%\\}\\n?`, "y");
const VARIABLE_END = new RegExp(`-\\}\\}${SPACE}*|\\}\\}`, "y");
const WHITESPACE = new RegExp(`${SPACE}+`, "y");
const FLOAT =
  /(?<!\.)(?:\p{Nd}+_)*\p{Nd}+(?:(?:\.(?:\p{Nd}+_)*\p{Nd}+)?e[+-]?(?:\p{Nd}+_)*\p{Nd}+|\.(?:\p{Nd}+_)*\p{Nd}+)/iuy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\p{Nd}a-f])+|[1-9](?:_?\p{Nd})*|0(?:_?0)*/iuy;
const PLAIN_NAME = /[A-Za-z0-9_]+/y;
const PLAIN_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PLAIN_INTEGER = /(?:0|[1-9][0-9]{0,14})(?![0-9A-Za-z_.\u0080-\uffff])/y;
const SPACE_CODE = 32;
const FIRST_NOT_ASCII = 128;
const NAME = /[\p{L}\p{N}_\p{XIDC}]+/uy;
const IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u;
const STRING = /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const OPERATOR = /\/\/|\*\*|[=!<>]=|[-+/*%~[\](){}><=.:|,;]/y;
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "(": ")", "[": "]" };

const TOKEN_NAMES: Partial<Record<TokenType, string>> = {
  block_begin: "begin of statement block",
  block_end: "end of statement block",
  variable_begin: "begin of print statement",
  variable_end: "end of print statement",
  data: "template data / text",
  eof: "end of template",
};
const OPERATOR_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries(OPERATORS).map(([text, type]) => [type, text]),
);

/** How Jinja2's messages call a kind of token (lexer.py, `_describe_token_type`). */
export function describeType(type: TokenType): string {
  return OPERATOR_TEXTS.get(type) ?? TOKEN_NAMES[type] ?? type;
}

/** How Jinja2's messages call a token (lexer.py, `describe_token`). */
export function describeToken(token: Token): string {
  return token.type === "name" ? token.text : describeType(token.type);
}

/** Yields the tokens one by one, since an error of the parser must come before a later one of the lexer. */
export function tokenize(source: Source, refuse: Refuse): Generator<Token, void> {
  return new Lexer(source, refuse).tokens();
}

class Lexer {
  readonly #text: string;
  readonly #offsets: Uint32Array | null;
  readonly #refuse: Refuse;
  readonly #brackets: string[] = [];
  #position = 0;
  #line = 1;
  #lineStarting = true;

  constructor(source: Source, refuse: Refuse) {
    this.#text = source.text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
    this.#offsets = source.text.includes("\r\n") ? originalOffsets(source.text) : null;
    this.#refuse = refuse;
  }

  *tokens(): Generator<Token, void> {
    while (this.#position < this.#text.length) {
      TAG_START.lastIndex = this.#position;
      const start = TAG_START.exec(this.#text)?.index;
      if (start === undefined) {
        yield this.#token("data", this.#position, this.#text.length);
        return;
      }
      yield* this.#tag(start);
    }
  }

  *#tag(start: number): Generator<Token, void> {
    const opening = this.#text.slice(start, start + 2);
    const raw = opening === "{%" ? this.#match(RAW_BEGIN, start) : null;
    const mark = raw?.[1] ?? this.#match(SIGN, start + 2)?.[0] ?? "";
    yield* this.#data(start, mark, opening !== "{{");
    this.#position = start;
    const end = start + (raw?.[0].length ?? 2 + mark.length);
    if (raw !== null) {
      this.#advance(end);
      yield* this.#raw();
    } else if (opening === "{#") {
      this.#advance(end);
      this.#comment();
    } else {
      const block = opening === "{%";
      yield this.#token(block ? "block_begin" : "variable_begin", start, end);
      this.#advance(end);
      yield* this.#code(block);
    }
  }

  /** The text before a tag, with `-` and lstrip_blocks applied; leaves the line at the tag's. */
  *#data(end: number, mark: string, lstrip: boolean): Generator<Token, void> {
    const start = this.#position;
    const text = this.#text.slice(start, end);
    const kept = this.#keep(text, mark, lstrip);
    if (kept !== "") yield this.#token("data", start, start + kept.length);
    this.#line += countNewlines(text);
  }

  #keep(text: string, mark: string, lstrip: boolean): string {
    if (mark === "-") return stripEnd(text);
    if (mark === "+" || !lstrip) return text;
    const lineStart = text.lastIndexOf("\n") + 1;
    const atLineStart = lineStart > 0 || this.#lineStarting;
    return atLineStart && isSpace(text.slice(lineStart)) ? text.slice(0, lineStart) : text;
  }

  *#raw(): Generator<Token, void> {
    RAW_END.lastIndex = this.#position;
    const end = RAW_END.exec(this.#text);
    if (end === null) {
      this.#missing("Missing end of raw directive");
      return;
    }
    yield* this.#data(end.index, end[1] ?? "", true);
    this.#position = end.index;
    this.#advance(end.index + end[0].length);
  }

  #comment(): void {
    COMMENT_END.lastIndex = this.#position;
    const end = COMMENT_END.exec(this.#text);
    if (end === null) {
      this.#missing("Missing end of comment tag");
      return;
    }
    this.#advance(end.index + end[0].length);
  }

  /** An unclosed comment or raw block is an error only if a character follows its begin. */
  #missing(message: string): void {
    const end = this.#text.length;
    if (this.#position < end) {
      this.#refuse(message, this.#line, this.#span(this.#position, this.#position + 1));
    }
  }

  /** The inside of `{{ }}` or `{% %}`; the end mark counts only outside of brackets. */
  *#code(block: boolean): Generator<Token, void> {
    while (this.#position < this.#text.length) {
      const start = this.#position;
      if (this.#brackets.length === 0 && "+-%}".includes(this.#text.charAt(start))) {
        const end = this.#match(block ? BLOCK_END : VARIABLE_END, start);
        if (end !== null) {
          const after = start + end[0].length;
          yield this.#token(block ? "block_end" : "variable_end", start, after);
          this.#advance(after);
          return;
        }
      }
      const space = this.#spaceAt(start);
      if (space > 0) {
        this.#advance(start + space);
        continue;
      }
      const token = this.#codeToken(start);
      yield token;
      this.#advance(this.#end);
    }
  }

  #end = 0;

  /** How much white space stands here; the pattern is asked only where there may be some. */
  #spaceAt(start: number): number {
    const code = this.#text.charCodeAt(start);
    if (code > SPACE_CODE && code < FIRST_NOT_ASCII) return 0;
    return this.#match(WHITESPACE, start)?.[0].length ?? 0;
  }

  #codeToken(start: number): Token {
    const literal = this.#literalToken(start);
    if (literal !== null) return literal;
    const operator = this.#match(OPERATOR, start)?.[0];
    if (operator === undefined) return this.#unexpected(start);
    this.#balance(operator, start);
    this.#end = start + operator.length;
    return this.#token(operatorType(operator), start, this.#end);
  }

  /** Jinja2 tries numbers, names, strings, in this order; most first characters allow one of them only. */
  #literalToken(start: number): Token | null {
    const first = this.#text.charAt(start);
    if (first >= "\u0080") return this.#number(start) ?? this.#name(start);
    if (first >= "0" && first <= "9") return this.#number(start);
    if (first === "'" || first === '"') return this.#string(start);
    return this.#name(start);
  }

  #number(start: number): Token | null {
    const integer = this.#plainInteger(start);
    if (integer !== null) return integer;
    const float = this.#match(FLOAT, start)?.[0];
    const digits = float ?? this.#match(INTEGER, start)?.[0];
    if (digits === undefined) return null;
    this.#end = start + digits.length;
    const type = float === undefined ? "integer" : "float";
    const value = this.#literal(start, () =>
      float === undefined ? integerValue(digits) : floatValue(float),
    );
    return { ...this.#token(type, start, this.#end), number: value };
  }

  /** A few ASCII digits that nothing follows which could belong to a number: spares the Unicode patterns. */
  #plainInteger(start: number): Token | null {
    const digits = this.#match(PLAIN_INTEGER, start)?.[0];
    if (digits === undefined) return null;
    this.#end = start + digits.length;
    return { ...this.#token("integer", start, this.#end), number: Number(digits) };
  }

  #name(start: number): Token | null {
    const name = this.#nameText(start);
    if (name === undefined) return null;
    this.#end = start + name.length;
    if (!PLAIN_IDENTIFIER.test(name) && !IDENTIFIER.test(name)) {
      this.#refuse("Invalid character in identifier", this.#line, this.#span(start, this.#end));
    }
    return this.#token("name", start, this.#end);
  }

  /** A name of ASCII characters spares the Unicode patterns, which take long to compile. */
  #nameText(start: number): string | undefined {
    const plain = this.#match(PLAIN_NAME, start)?.[0] ?? "";
    const next = this.#text.charCodeAt(start + plain.length);
    if (next >= FIRST_NOT_ASCII) return this.#match(NAME, start)?.[0];
    return plain === "" ? undefined : plain;
  }

  #string(start: number): Token | null {
    const written = this.#match(STRING, start)?.[0];
    if (written === undefined) return null;
    this.#end = start + written.length;
    const text = this.#literal(start, () => decodeString(written.slice(1, -1)));
    return { ...this.#token("string", start, this.#end), text };
  }

  #literal<T>(start: number, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      return this.#refuse(error.message, this.#line, this.#span(start, this.#end));
    }
  }

  #unexpected(start: number): never {
    const char = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
    // Python counts code points.
    const at = Array.from(this.#text.slice(0, start)).length;
    const span = this.#span(start, start + char.length);
    return this.#refuse(`unexpected char ${reprOf(char)} at ${at}`, this.#line, span);
  }

  #balance(operator: string, start: number): void {
    const closing = CLOSING[operator];
    if (closing !== undefined) this.#brackets.push(closing);
    if (!/^[})\]]$/.test(operator)) return;
    const expected = this.#brackets.pop();
    if (expected === operator) return;
    const message =
      expected === undefined
        ? `unexpected '${operator}'`
        : `unexpected '${operator}', expected '${expected}'`;
    this.#refuse(message, this.#line, this.#span(start, start + 1));
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text);
  }

  #advance(end: number): void {
    this.#line += countNewlines(this.#text.slice(this.#position, end));
    this.#lineStarting = this.#text.charAt(end - 1) === "\n";
    this.#position = end;
  }

  #token(type: TokenType, start: number, end: number): Token {
    const text = this.#text.slice(start, end);
    return { type, text, number: 0, line: this.#line, span: this.#span(start, end) };
  }

  #span(start: number, end: number): Span {
    const offsets = this.#offsets;
    if (offsets === null) return { start, end };
    return { start: offsets[start] ?? start, end: offsets[end] ?? end };
  }
}

function operatorType(text: string): OperatorType {
  return isOperator(text) ? OPERATORS[text] : "semicolon";
}

function isOperator(text: string): text is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, text);
}

/** For each offset of the text with line feeds only, its offset in the text as written. */
function originalOffsets(written: string): Uint32Array {
  const offsets = new Uint32Array(written.length + 1);
  let at = 0;
  for (let i = 0; i <= written.length; i++) {
    offsets[at++] = i;
    if (written.charCodeAt(i) === 13 && written.charCodeAt(i + 1) === 10) i++;
  }
  return offsets;
}
