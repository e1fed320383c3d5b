/** Jinja's lexer, after the rules of Jinja2's lexer.py with trim_blocks and lstrip_blocks on. */
import type { Source, Span } from "../source.js";
import { isSpace, PYTHON_SPACE, reprOf, spaceEnd, stripEnd } from "./characters.js";
import { operatorAt, OPERATORS, type Operator, type OperatorType } from "./operators.js";
import { decodeString, floatValue, integerValue, LiteralError } from "./literals.js";

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
const RAW_BEGIN = new RegExp(`\\{%([-+]?)${SPACE}*raw${SPACE}*(?:-%\\}${SPACE}*|%\\})`, "y");
const RAW_END = new RegExp(
  `\\{%([-+]?)${SPACE}*endraw${SPACE}*(?:\\+%\\}|-%\\}${SPACE}*|%\\}\\n?)`,
  "g",
);
const COMMENT_END = new RegExp(`\\+#\\}|-#\\}${SPACE}*|#\\}\\n?`, "g");
const FLOAT =
  /(?<!\.)(?:\p{Nd}+_)*\p{Nd}+(?:(?:\.(?:\p{Nd}+_)*\p{Nd}+)?e[+-]?(?:\p{Nd}+_)*\p{Nd}+|\.(?:\p{Nd}+_)*\p{Nd}+)/iuy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\p{Nd}a-f])+|[1-9](?:_?\p{Nd})*|0(?:_?0)*/iuy;
/** Digits of a number that is surely a safe integer. */
const FEW_DIGITS = 15;
const NEWLINE_CODE = 10;
const FIRST_NOT_ASCII = 128;
// Four characters that continue names in Unicode 15.1 do not in CPython's.
const NAME = /(?:(?![\u200c-\u200d\u30fb\uff65])[\p{L}\p{N}_\p{XIDC}])+/uy;
const IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u;
const STRING = /'[^'\\]*(?:\\[^][^'\\]*)*'|"[^"\\]*(?:\\[^][^"\\]*)*"/y;
const QUOTE_CODE = 39;
const DOT_CODE = 46;
const DOUBLE_QUOTE_CODE = 34;

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

/** Where the lexer stands: in text, before a tag whose text has been given, inside of `{% %}` or of `{{ }}`. */
type State = "text" | "tag" | "block" | "variable";

/** Gives the tokens one by one, since an error of the parser must come before a later one of the lexer. */
export class Lexer {
  readonly #text: string;
  readonly #offsets: Uint32Array | null;
  readonly #refuse: Refuse;
  readonly #brackets: string[] = [];
  #state: State = "text";
  #position = 0;
  #line = 1;
  /** The next line feed from the position on. */
  #newline: number;
  #lineStarting = true;
  /** Where the token at hand ends. */
  #end = 0;
  /** The tag's raw begin, if it is one. */
  #raw: RegExpExecArray | null = null;
  /** The length of the tag's begin. */
  #opening = 0;

  constructor(source: Source, refuse: Refuse) {
    const { text } = source;
    const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#text = lines.endsWith("\n") ? lines.slice(0, -1) : lines;
    this.#offsets = text.includes("\r\n") ? originalOffsets(text) : null;
    this.#refuse = refuse;
    this.#newline = this.#newlineFrom(0);
  }

  /** The next token, or null at the end. */
  next(): Token | null {
    while (this.#position < this.#text.length) {
      const token = this.#step();
      if (token !== null) return token;
    }
    return null;
  }

  /** One step ahead, which may give no token. */
  #step(): Token | null {
    switch (this.#state) {
      case "text":
        return this.#untilTag();
      case "tag":
        return this.#tag();
      default:
        return this.#code(this.#state === "block");
    }
  }

  #untilTag(): Token | null {
    const start = this.#tagFrom(this.#position);
    if (start < 0) {
      const token = this.#token("data", this.#position, this.#text.length);
      this.#position = this.#text.length;
      return token;
    }
    const isBlock = this.#text.charAt(start + 1) === "%";
    this.#raw = isBlock && this.#mayBeRaw(start + 2) ? this.#match(RAW_BEGIN, start) : null;
    const sign = this.#text.charAt(start + 2);
    const mark = this.#raw?.[1] ?? (sign === "-" || sign === "+" ? sign : "");
    this.#opening = this.#raw?.[0].length ?? 2 + mark.length;
    this.#state = "tag";
    return this.#data(start, mark, this.#text.charAt(start + 1) !== "{");
  }

  /** Where the next tag begins, or -1. */
  #tagFrom(position: number): number {
    let at = this.#text.indexOf("{", position);
    while (at >= 0 && !opensTag(this.#text.charCodeAt(at + 1)))
      at = this.#text.indexOf("{", at + 1);
    return at;
  }

  /** Whether `raw` may be the tag's name: spares most tags the pattern. */
  #mayBeRaw(inside: number): boolean {
    const sign = this.#text.charAt(inside);
    const at = spaceEnd(this.#text, sign === "-" || sign === "+" ? inside + 1 : inside);
    return this.#text.startsWith("raw", at);
  }

  #tag(): Token | null {
    const start = this.#position;
    const end = start + this.#opening;
    const kind = this.#text.charAt(start + 1);
    if (this.#raw !== null) {
      this.#state = "text";
      this.#advance(end);
      return this.#rawData();
    }
    if (kind === "#") {
      this.#state = "text";
      this.#advance(end);
      this.#comment();
      return null;
    }
    this.#state = kind === "%" ? "block" : "variable";
    const token = this.#token(kind === "%" ? "block_begin" : "variable_begin", start, end);
    this.#advance(end);
    return token;
  }

  /** The text before a tag, with `-` and lstrip_blocks applied, if any is left; goes on to the tag. */
  #data(end: number, mark: string, lstrip: boolean): Token | null {
    const start = this.#position;
    if (start === end) return null;
    const text = this.#text.slice(start, end);
    const kept = this.#keep(text, mark, lstrip);
    const token = kept === "" ? null : this.#token("data", start, start + kept.length);
    this.#passLines(end);
    this.#position = end;
    return token;
  }

  #keep(text: string, mark: string, lstrip: boolean): string {
    if (mark === "-") return stripEnd(text);
    if (mark === "+" || !lstrip) return text;
    const lineStart = text.lastIndexOf("\n") + 1;
    const atLineStart = lineStart > 0 || this.#lineStarting;
    return atLineStart && isSpace(text.slice(lineStart)) ? text.slice(0, lineStart) : text;
  }

  #rawData(): Token | null {
    RAW_END.lastIndex = this.#position;
    const end = RAW_END.exec(this.#text);
    if (end === null) {
      this.#missing("Missing end of raw directive");
      return null;
    }
    const token = this.#data(end.index, end[1] ?? "", true);
    this.#advance(end.index + end[0].length);
    return token;
  }

  #comment(): void {
    const end = this.#endOf(COMMENT_END, this.#position);
    if (end < 0) this.#missing("Missing end of comment tag");
    else this.#advance(end);
  }

  /** An unclosed comment or raw block is an error only if a character follows its begin. */
  #missing(message: string): void {
    const end = this.#text.length;
    if (this.#position < end) {
      this.#refuse(message, this.#line, this.#span(this.#position, this.#position + 1));
    }
  }

  /**
   * The next token inside of `{{ }}` or `{% %}`, the white space before it left out; the end mark counts only outside of
   * brackets.
   */
  #code(block: boolean): Token | null {
    const start = spaceEnd(this.#text, this.#position);
    this.#passLines(start);
    this.#position = start;
    if (start === this.#text.length) return null;
    if (mayEndTag(this.#text.charCodeAt(start)) && this.#brackets.length === 0) {
      const end = this.#endMark(block, start);
      if (end >= 0) {
        const token = this.#token(block ? "block_end" : "variable_end", start, end);
        this.#advance(end);
        this.#state = "text";
        return token;
      }
    }
    const token = this.#codeToken(start);
    this.#advance(this.#end);
    return token;
  }

  /** Where the tag's end mark ends, with the white space or the line feed that it takes, or -1. */
  #endMark(block: boolean, start: number): number {
    const mark = block ? "%}" : "}}";
    if (this.#text.startsWith(mark, start)) {
      const end = start + 2;
      return block && this.#text.charCodeAt(end) === NEWLINE_CODE ? end + 1 : end;
    }
    if (!this.#text.startsWith(mark, start + 1)) return -1;
    const sign = this.#text.charAt(start);
    if (sign === "-") return spaceEnd(this.#text, start + 3);
    return sign === "+" && block ? start + 3 : -1;
  }

  #codeToken(start: number): Token {
    const literal = this.#literalToken(start);
    if (literal !== null) return literal;
    const operator = operatorAt(this.#text, start);
    if (operator === undefined) return this.#unexpected(start);
    const type = OPERATORS[operator];
    this.#balance(type, operator, start);
    this.#end = start + operator.length;
    return this.#token(type, start, this.#end, operator);
  }

  /** Jinja2 tries numbers, names, strings, in this order; most first characters allow one of them only. */
  #literalToken(start: number): Token | null {
    const first = this.#text.charCodeAt(start);
    if (first >= FIRST_NOT_ASCII) return this.#number(start) ?? this.#name(start);
    if (isDigit(first)) return this.#number(start);
    return first === QUOTE_CODE || first === DOUBLE_QUOTE_CODE
      ? this.#string(start)
      : this.#name(start);
  }

  #number(start: number): Token | null {
    const plain = plainIntegerEnd(this.#text, start);
    if (plain >= 0) {
      // They spare the Unicode patterns, which take long to compile.
      this.#end = plain;
      const digits = this.#text.slice(start, plain);
      return this.#token("integer", start, plain, digits, Number(digits));
    }
    const float = this.#match(FLOAT, start)?.[0];
    const digits = float ?? this.#match(INTEGER, start)?.[0];
    if (digits === undefined) return null;
    this.#end = start + digits.length;
    const type = float === undefined ? "integer" : "float";
    const value = this.#literal(start, () =>
      float === undefined ? integerValue(digits) : floatValue(float),
    );
    return this.#token(type, start, this.#end, digits, value);
  }

  #name(start: number): Token | null {
    let end = start;
    while (isPlainNameCode(this.#text.charCodeAt(end))) end++;
    // A name of ASCII characters, which no digit starts here, spares the Unicode patterns, which take long to compile.
    const isPlain = !(this.#text.charCodeAt(end) >= FIRST_NOT_ASCII);
    const name = isPlain ? this.#text.slice(start, end) : this.#match(NAME, start)?.[0];
    if (name === undefined || name === "") return null;
    this.#end = start + name.length;
    if (!isPlain && !IDENTIFIER.test(name)) {
      this.#refuse("Invalid character in identifier", this.#line, this.#span(start, this.#end));
    }
    return this.#token("name", start, this.#end, name);
  }

  #string(start: number): Token | null {
    const close = this.#text.indexOf(this.#text.charAt(start), start + 1);
    const plain = close < 0 ? "\\" : this.#text.slice(start + 1, close);
    if (!plain.includes("\\")) {
      this.#end = close + 1;
      return this.#token("string", start, this.#end, plain);
    }
    const end = this.#endOf(STRING, start);
    if (end < 0) return null;
    this.#end = end;
    const text = this.#literal(start, () => decodeString(this.#text.slice(start + 1, end - 1)));
    return this.#token("string", start, end, text);
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

  #balance(type: OperatorType, operator: Operator, start: number): void {
    switch (type) {
      case "lbrace":
        this.#brackets.push("}");
        return;
      case "lparen":
        this.#brackets.push(")");
        return;
      case "lbracket":
        this.#brackets.push("]");
        return;
      case "rbrace":
      case "rparen":
      case "rbracket":
        this.#close(operator, start);
        return;
      default:
        return;
    }
  }

  #close(operator: Operator, start: number): void {
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

  /** Where the pattern's match from here ends, or -1. */
  #endOf(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : -1;
  }

  #advance(end: number): void {
    this.#passLines(end);
    this.#lineStarting = this.#text.charCodeAt(end - 1) === NEWLINE_CODE;
    this.#position = end;
  }

  #passLines(end: number): void {
    while (this.#newline < end) {
      this.#line++;
      this.#newline = this.#newlineFrom(this.#newline + 1);
    }
  }

  #newlineFrom(start: number): number {
    const found = this.#text.indexOf("\n", start);
    return found < 0 ? Infinity : found;
  }

  #token(
    type: TokenType,
    start: number,
    end: number,
    text = this.#text.slice(start, end),
    number: number | bigint = 0,
  ): Token {
    return { type, text, number, line: this.#line, span: this.#span(start, end) };
  }

  #span(start: number, end: number): Span {
    const offsets = this.#offsets;
    if (offsets === null) return { start, end };
    return { start: offsets[start] ?? start, end: offsets[end] ?? end };
  }
}

/** A letter, a digit or an underscore. */
function isPlainNameCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || isDigit(code);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Where a decimal integer of a few ASCII digits ends that nothing follows which could belong to a number, or -1. */
function plainIntegerEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end)) && end - start <= FEW_DIGITS) end++;
  const length = end - start;
  const isLong = length > FEW_DIGITS || (length > 1 && text.charAt(start) === "0");
  if (length === 0 || isLong) return -1;
  const next = text.charCodeAt(end);
  return isPlainNameCode(next) || next === DOT_CODE || next >= FIRST_NOT_ASCII ? -1 : end;
}

/** `{`, `%`, `#`: what follows the `{` of a tag. */
function opensTag(code: number): boolean {
  return code === 123 || code === 37 || code === 35;
}

/** `+`, `-`, `%`, `}`: what the end of a tag can start with. */
function mayEndTag(code: number): boolean {
  return code === 37 || code === 125 || code === 45 || code === 43;
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
