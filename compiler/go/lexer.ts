/** Go's template lexer: the rules of text/template/parse's lex.go. */
import type { Source } from "../source.js";
import { byteLength, isAlphaNumeric, quote, unicodeNotation } from "./strings.js";

const keywords = [
  "block",
  "break",
  "continue",
  "define",
  "else",
  "end",
  "if",
  "nil",
  "range",
  "template",
  "with",
] as const;

export type Keyword = (typeof keywords)[number];

export type TokenType =
  | Keyword
  | "assign"
  | "bool"
  | "char"
  | "characterConstant"
  | "complex"
  | "declare"
  | "dot"
  | "eof"
  | "error"
  | "field"
  | "identifier"
  | "leftDelimiter"
  | "leftParen"
  | "number"
  | "pipe"
  | "rawString"
  | "rightDelimiter"
  | "rightParen"
  | "space"
  | "string"
  | "text"
  | "variable";

export interface Token {
  readonly type: TokenType;
  /** The source text; of an error its message. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Go's line of the token's start: only "\n" counts. */
  readonly line: number;
}

const keywordOf: ReadonlyMap<string, Keyword> = new Map(keywords.map((word) => [word, word]));

/** A token as Go's messages print it. */
export function describeToken(token: Token): string {
  if (token.type === "eof") return "EOF";
  if (token.type === "error") return token.text;
  if (token.type === "dot" || keywordOf.has(token.type)) return `<${token.text}>`;
  // Go asks for more than ten bytes but cuts after ten characters.
  if (byteLength(token.text) > 10) {
    return `${quote([...token.text].slice(0, 10).join(""))}...`;
  }
  return quote(token.text);
}

const leftDelimiter = "{{";
const rightDelimiter = "}}";
const endOfInput = -1;
const trimMarkerLength = 2;

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 10;
}

export class Lexer {
  /** How many tokens the windows of its trees have taken. */
  given = 0;
  #text: string;
  #start = 0;
  #at = 0;
  #line = 1;
  #insideAction = false;
  #parenDepth = 0;

  constructor(source: Source) {
    this.#text = source.text;
  }

  next(): Token {
    return this.#insideAction ? this.#lexAction() : this.#lexText();
  }

  #peek(): number {
    return this.#text.codePointAt(this.#at) ?? endOfInput;
  }

  /** Consumes a character; at the end there is nothing to consume. */
  #advance(): number {
    const code = this.#peek();
    if (code !== endOfInput) this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  #token(type: TokenType): Token {
    const start = this.#start;
    const text = this.#text.slice(start, this.#at);
    const token = { type, text, start, end: this.#at, line: this.#line };
    this.#skip();
    return token;
  }

  /** Drops what has been read since the last token. */
  #skip(): void {
    for (let i = this.#start; i < this.#at; i++) {
      if (this.#text.charCodeAt(i) === 10) this.#line++;
    }
    this.#start = this.#at;
  }

  /** An error ends the input, as in Go. */
  #error(message: string): Token {
    const token: Token = {
      type: "error",
      text: message,
      start: this.#start,
      end: Math.max(this.#at, this.#start),
      line: this.#line,
    };
    this.#text = "";
    this.#start = 0;
    this.#at = 0;
    return token;
  }

  #lexText(): Token {
    for (;;) {
      const found = this.#text.indexOf(leftDelimiter, this.#at);
      if (found < 0) {
        this.#at = this.#text.length;
        return this.#token(this.#at > this.#start ? "text" : "eof");
      }
      this.#at = found;
      const text = this.#textBeforeDelimiter();
      if (text !== null) return text;
      const token = this.#lexLeftDelimiter();
      if (token !== null) return token;
    }
  }

  /** The text up to `{{`, without the blanks that `{{- ` trims; null if nothing remains. */
  #textBeforeDelimiter(): Token | null {
    const delimiter = this.#at;
    if (this.#hasLeftTrimMarker(delimiter + leftDelimiter.length)) {
      while (this.#at > this.#start && isSpace(this.#text.charCodeAt(this.#at - 1))) this.#at--;
    }
    const token = this.#at > this.#start ? this.#token("text") : null;
    this.#at = delimiter;
    this.#skip();
    return token;
  }

  /** Null after a comment, which leaves no token. */
  #lexLeftDelimiter(): Token | null {
    const inner = this.#at + leftDelimiter.length;
    const marker = this.#hasLeftTrimMarker(inner) ? trimMarkerLength : 0;
    if (this.#text.startsWith("/*", inner + marker)) {
      this.#at = inner + marker;
      this.#skip();
      return this.#lexComment();
    }
    this.#at = inner;
    const token = this.#token("leftDelimiter");
    this.#insideAction = true;
    this.#at += marker;
    this.#skip();
    this.#parenDepth = 0;
    return token;
  }

  #lexComment(): Token | null {
    const end = this.#text.indexOf("*/", this.#at + 2);
    if (end < 0) return this.#error("unclosed comment");
    this.#at = end + 2;
    const trims = this.#hasTrimmedRightDelimiter(this.#at);
    if (!trims && !this.#text.startsWith(rightDelimiter, this.#at)) {
      return this.#error("comment ends before closing delimiter");
    }
    this.#at += (trims ? trimMarkerLength : 0) + rightDelimiter.length;
    if (trims) this.#skipBlanks();
    this.#skip();
    return null;
  }

  #skipBlanks(): void {
    while (isSpace(this.#peek())) this.#at++;
  }

  #hasLeftTrimMarker(at: number): boolean {
    return this.#text[at] === "-" && isSpace(this.#text.charCodeAt(at + 1));
  }

  /** Whether ` -}}` stands there. */
  #hasTrimmedRightDelimiter(at: number): boolean {
    return (
      isSpace(this.#text.charCodeAt(at)) && this.#text.startsWith(`-${rightDelimiter}`, at + 1)
    );
  }

  #lexRightDelimiter(trims: boolean): Token {
    if (trims) {
      this.#at += trimMarkerLength;
      this.#skip();
    }
    this.#at += rightDelimiter.length;
    const token = this.#token("rightDelimiter");
    if (trims) {
      this.#skipBlanks();
      this.#skip();
    }
    this.#insideAction = false;
    return token;
  }

  #lexAction(): Token {
    const trims = this.#hasTrimmedRightDelimiter(this.#at);
    if (trims || this.#text.startsWith(rightDelimiter, this.#at)) {
      if (this.#parenDepth > 0) return this.#error("unclosed left paren");
      return this.#lexRightDelimiter(trims);
    }
    const code = this.#advance();
    if (code === endOfInput) return this.#error("unclosed action");
    if (isSpace(code)) return this.#lexSpace();
    if (isAlphaNumeric(code) && !isDigit(code)) return this.#lexIdentifier();
    return this.#lexOther(code);
  }

  #lexOther(code: number): Token {
    switch (String.fromCodePoint(code)) {
      case "=":
        return this.#token("assign");
      case ":":
        return this.#advance() === 61 ? this.#token("declare") : this.#error("expected :=");
      case "|":
        return this.#token("pipe");
      case '"':
        return this.#lexQuoted('"', "string", "unterminated quoted string");
      case "'":
        return this.#lexQuoted("'", "characterConstant", "unterminated character constant");
      case "`":
        return this.#lexRawString();
      case "$":
        return this.#lexName("variable", "variable");
      case "(":
        this.#parenDepth++;
        return this.#token("leftParen");
      case ")":
        return this.#lexRightParen();
      default:
        return this.#lexDotOrNumber(code);
    }
  }

  #lexRightParen(): Token {
    this.#parenDepth--;
    return this.#parenDepth < 0 ? this.#error("unexpected right paren") : this.#token("rightParen");
  }

  #lexDotOrNumber(code: number): Token {
    const next = this.#peek();
    if (code === 46 && next !== endOfInput && !isDigit(next)) return this.#lexName("field", "dot");
    if (code === 46 || code === 43 || code === 45 || isDigit(code)) {
      this.#at--;
      return this.#lexNumber();
    }
    if (code >= 32 && code < 127) return this.#token("char");
    return this.#error(`unrecognized character in action: ${unicodeNotation(code)}`);
  }

  /** A run of blanks, less the last one where that begins ` -}}`. */
  #lexSpace(): Token {
    this.#skipBlanks();
    if (this.#hasTrimmedRightDelimiter(this.#at - 1)) {
      this.#at--;
      if (this.#at === this.#start) return this.#lexRightDelimiter(true);
    }
    return this.#token("space");
  }

  #lexIdentifier(): Token {
    while (isAlphaNumeric(this.#peek())) this.#advance();
    const word = this.#text.slice(this.#start, this.#at);
    if (!this.#atTerminator()) return this.#badCharacter();
    if (word === "true" || word === "false") return this.#token("bool");
    return this.#token(keywordOf.get(word) ?? "identifier");
  }

  /** A field or variable whose `.` or `$` has been read. */
  #lexName(type: TokenType, typeAlone: TokenType): Token {
    if (this.#atTerminator()) return this.#token(typeAlone);
    while (isAlphaNumeric(this.#peek())) this.#advance();
    return this.#atTerminator() ? this.#token(type) : this.#badCharacter();
  }

  #badCharacter(): Token {
    return this.#error(`bad character ${unicodeNotation(this.#peek())}`);
  }

  /** Whether what comes next may follow a name. */
  #atTerminator(): boolean {
    const code = this.#peek();
    if (code === endOfInput || isSpace(code) || ".,|:)(".includes(String.fromCodePoint(code))) {
      return true;
    }
    return this.#text.startsWith(rightDelimiter, this.#at);
  }

  #lexQuoted(mark: string, type: TokenType, message: string): Token {
    for (;;) {
      let code = this.#advance();
      if (code === mark.charCodeAt(0)) return this.#token(type);
      if (code === 92) code = this.#advance();
      if (code === endOfInput || code === 10) return this.#error(message);
    }
  }

  #lexRawString(): Token {
    const end = this.#text.indexOf("`", this.#at);
    if (end < 0) return this.#error("unterminated raw quoted string");
    this.#at = end + 1;
    return this.#token("rawString");
  }

  #lexNumber(): Token {
    if (!this.#scanNumber()) return this.#badNumber();
    const sign = this.#peek();
    if (sign !== 43 && sign !== 45) return this.#token("number");
    if (!this.#scanNumber() || this.#text[this.#at - 1] !== "i") return this.#badNumber();
    return this.#token("complex");
  }

  #badNumber(): Token {
    return this.#error(`bad number syntax: ${quote(this.#text.slice(this.#start, this.#at))}`);
  }

  /** Reads what looks like a number; the parser finds out whether it is one. */
  #scanNumber(): boolean {
    const number =
      /[+-]?(?:0[xX][0-9a-fA-F_]*\.?[0-9a-fA-F_]*(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*\.?[0-7_]*|0[bB][01_]*\.?[01_]*|[0-9_]*\.?[0-9_]*(?:[eE][+-]?[0-9_]*)?)i?/y;
    number.lastIndex = this.#at;
    this.#at += number.exec(this.#text)?.[0].length ?? 0;
    if (!isAlphaNumeric(this.#peek())) return true;
    this.#advance();
    return false;
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
