/** Jinja's parser: the template's syntax tree, or Jinja2's own refusal. */
import type { Diagnostics } from "../diagnostics.js";
import type { Source } from "../source.js";
import type { Template } from "./ast.js";
import { tokenize } from "./lexer.js";
import type { Refuse } from "./lexer.js";
import { StatementParser } from "./parse-statements.js";
import { TokenStream } from "./token-stream.js";

/**
 * Parses a template as Jinja2 3.1.6 does in transformers' environment, and refuses what Jinja2 refuses when it
 * compiles the template, with its message and line.
 */
export function parse(source: Source, diagnostics: Diagnostics): Template {
  const refuse: Refuse = (message, line, span) =>
    diagnostics.fail({ code: "jinja/syntax", message, line, span });
  const parser = new StatementParser(new TokenStream(tokenize(source, refuse), refuse));
  const body = parser.statements(null);
  return { type: "Template", body };
}
