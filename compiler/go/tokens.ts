/** The parser's window on the tokens, and its errors with Go's messages and lines. */
import type { Diagnostics } from "../diagnostics.js";
import { MOST_TOKENS, type Span } from "../source.js";
import { describeToken } from "./lexer.js";
import type { Lexer, Token, TokenType } from "./lexer.js";

const none: Token = { type: "eof", text: "", start: 0, end: 0, line: 0 };

/**
 * Up to three tokens of lookahead. Each tree (main, define, block) has its own window on the one
 * lexer, since Go's errors show the line of the token that the reporting tree read last.
 */
export class TokenWindow {
  readonly #lexer: Lexer;
  readonly #diagnostics: Diagnostics;
  /** Pushed-back tokens, the next one last. */
  readonly #pending: Token[] = [];
  #lastRead: Token = none;
  #lastTaken: Token = none;
  /** The line of the `{{` of the action being parsed, 0 outside of actions. */
  actionLine = 0;

  constructor(lexer: Lexer, diagnostics: Diagnostics) {
    this.#lexer = lexer;
    this.#diagnostics = diagnostics;
  }

  /** Where the token that was taken last ends: the end of the node just parsed. */
  get end(): number {
    return this.#lastTaken.end;
  }

  next(): Token {
    const token = this.#pending.pop() ?? this.#read();
    this.#lastTaken = token;
    return token;
  }

  peek(): Token {
    const pending = this.#pending.at(-1);
    if (pending !== undefined) return pending;
    const token = this.#read();
    this.#pending.push(token);
    return token;
  }

  /** Puts tokens back, given in the order in which they will come again. */
  putBack(...tokens: readonly Token[]): void {
    for (const token of tokens.toReversed()) this.#pending.push(token);
  }

  nextNonSpace(): Token {
    let token = this.next();
    while (token.type === "space") token = this.next();
    return token;
  }

  peekNonSpace(): Token {
    while (this.peek().type === "space") this.next();
    return this.peek();
  }

  #read(): Token {
    this.#lastRead = this.#lexer.next();
    if (++this.#lexer.given > MOST_TOKENS) {
      const message = `the template has more than ${String(MOST_TOKENS)} tokens`;
      this.fail(message, undefined, "limit/size");
    }
    return this.#lastRead;
  }

  expect(types: readonly TokenType[], context: string): Token {
    const token = this.nextNonSpace();
    if (!types.includes(token.type)) this.unexpected(token, context);
    return token;
  }

  unexpected(token: Token, context: string): never {
    if (token.type !== "error") {
      this.fail(`unexpected ${describeToken(token)} in ${context}`, token);
    }
    let place = "";
    if (this.actionLine !== 0 && this.actionLine !== token.line) {
      const started = `started at :${String(this.actionLine)}`;
      place = token.text.endsWith(" action") ? ` ${started}` : ` in action ${started}`;
    }
    this.fail(token.text + place, token);
  }

  /** Refuses the template as Go's Tree.errorf does: with the line of the token read last. */
  fail(message: string, span: Span = this.#lastRead, code = "go/syntax"): never {
    const { line } = this.#lastRead;
    const { start, end } = span;
    this.#diagnostics.fail({
      code,
      message: `template: :${String(line)}: ${message}`,
      span: { start, end },
      line,
    });
  }
}
