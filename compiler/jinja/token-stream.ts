/** The parser's view of the tokens: one current token, one token of look-ahead (Jinja2's TokenStream). */
import type { Span } from "../source.js";
import { reprOf } from "./characters.js";
import { describeToken, describeType } from "./lexer.js";
import type { Refuse, Token, TokenType } from "./lexer.js";

export class TokenStream {
  readonly #read: () => Token | null;
  readonly #refuse: Refuse;
  #current: Token;
  #ahead: Token | null = null;
  #lastEnd = 0;

  /** `read` gives one token after the other, then null. */
  constructor(read: () => Token | null, refuse: Refuse) {
    this.#read = read;
    this.#refuse = refuse;
    const span = { start: 0, end: 0 };
    this.#current = { type: "eof", text: "", number: 0, line: 1, span };
    this.#current = this.#pull();
  }

  get current(): Token {
    return this.#current;
  }

  /** The span from an offset to the end of the last token taken. */
  spanFrom(start: number): Span {
    return { start, end: Math.max(start, this.#lastEnd) };
  }

  /** Goes one token ahead and returns the old one. */
  next(): Token {
    const taken = this.#current;
    if (taken.type === "eof") return taken;
    this.#lastEnd = taken.span.end;
    this.#current = this.#ahead ?? this.#pull();
    this.#ahead = null;
    return taken;
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.next();
  }

  look(): Token {
    this.#ahead ??= this.#pull();
    return this.#ahead;
  }

  at(type: TokenType): boolean {
    return this.#current.type === type;
  }

  /** Whether the current token is this name. */
  atName(name: string): boolean {
    return isName(this.#current, name);
  }

  skipIf(type: TokenType): boolean {
    const found = this.at(type);
    if (found) this.next();
    return found;
  }

  skipIfName(name: string): boolean {
    const found = this.atName(name);
    if (found) this.next();
    return found;
  }

  expect(type: TokenType): Token {
    return this.at(type) ? this.next() : this.#unexpected(describeType(type));
  }

  expectName(name: string): Token {
    return this.atName(name) ? this.next() : this.#unexpected(name);
  }

  /** Refuses the template at a token, by default the current one. */
  fail(message: string, line = this.#current.line, span = this.#current.span): never {
    return this.#refuse(message, line, span);
  }

  #unexpected(expected: string): never {
    const token = this.#current;
    if (token.type === "eof") {
      this.fail(`unexpected end of template, expected ${reprOf(expected)}.`);
    }
    return this.fail(`expected token ${reprOf(expected)}, got ${reprOf(describeToken(token))}`);
  }

  #pull(): Token {
    const token = this.#read();
    if (token !== null) return token;
    const { line, span } = this.#current;
    return { type: "eof", text: "", number: 0, line, span: { start: span.end, end: span.end } };
  }
}

/** Whether a token is this name. */
export function isName(token: Token, name: string): boolean {
  return token.type === "name" && token.text === name;
}
