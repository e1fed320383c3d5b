/** Jinja's parser: the template's syntax tree, or Jinja2's own refusal. */
import type { Diagnostics } from "../diagnostics.js";
import { MOST_TOKENS, type Source } from "../source.js";
import type { Template } from "./ast.js";
import { check } from "./check.js";
import { Lexer } from "./lexer.js";
import type { Refuse, Token } from "./lexer.js";
import { StatementParser } from "./parse-statements.js";
import { TokenStream } from "./token-stream.js";

/**
 * Parses a template as Jinja2 3.1.6 does in transformers' environment, and refuses what Jinja2 refuses when it
 * compiles the template, with its message and line.
 */
export function parse(source: Source, diagnostics: Diagnostics): Template {
  const refuse: Refuse = (message, line, span) =>
    diagnostics.fail({ code: "jinja/syntax", message, line, span });
  try {
    const stream = new TokenStream(bounded(new Lexer(source, refuse), diagnostics), refuse);
    const parser = new StatementParser(stream);
    const body = parser.statements(null);
    const template: Template = { type: "Template", body, hasDicts: parser.hasDicts };
    check(template, diagnostics);
    return template;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Python's stack ends sooner than ours.
    return refuse("maximum recursion depth exceeded", 1, { start: 0, end: 0 });
  }
}

/** The tokens, as long as a template of a sensible size has them. */
function bounded(lexer: Lexer, diagnostics: Diagnostics): () => Token | null {
  let count = 0;
  return () => {
    const token = lexer.next();
    if (++count > MOST_TOKENS && token !== null) {
      const message = `the template has more than ${String(MOST_TOKENS)} tokens`;
      diagnostics.fail({ code: "limit/size", message, span: token.span, line: token.line });
    }
    return token;
  };
}
