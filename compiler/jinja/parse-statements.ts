/** Jinja's statements, after Jinja2's parser.py, its loopcontrols and transformers' generation tag. */
import type { Span } from "../source.js";
import type * as ast from "./ast.js";
import { isSpace, reprOf } from "./characters.js";
import type { Token } from "./lexer.js";
import { ExpressionParser } from "./parse-expressions.js";
import { asTarget, isAssignable, nodeName } from "./targets.js";
import { isName } from "./token-stream.js";

/** What may be read as a target, before it is known to be assignable. */
type TargetCandidate = ast.Expr | ast.NamespaceTarget;
type Statement = (parser: StatementParser) => ast.Stmt;

export class StatementParser extends ExpressionParser {
  readonly #tags: string[] = [];
  readonly #endTags: (readonly string[])[] = [];

  /** The statements up to a tag of `endTags`, which becomes the current token; or up to the end. */
  statements(endTags: readonly string[] | null): ast.Stmt[] {
    const body: ast.Stmt[] = [];
    let output: (ast.TextData | ast.Expr)[] = [];
    const flush = (): void => {
      if (output.length > 0) body.push(outputOf(output));
      output = [];
    };
    if (endTags !== null) this.#endTags.push(endTags);
    while (!this.stream.at("eof")) {
      if (this.stream.at("block_begin")) {
        flush();
        this.stream.next();
        if (endTags?.some((tag) => this.stream.atName(tag)) === true) break;
        this.enter(2);
        body.push(this.#statement());
        this.leave(2);
        this.stream.expect("block_end");
      } else {
        output.push(this.#output());
      }
    }
    flush();
    if (endTags !== null) this.#endTags.pop();
    return body;
  }

  #output(): ast.TextData | ast.Expr {
    const { type, text, line, span } = this.stream.next();
    if (type === "data") {
      const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
      return { type: "TextData", text: lines, line, span };
    }
    const expr = this.openTuple(true);
    this.stream.expect("variable_end");
    return expr;
  }

  #statement(): ast.Stmt {
    const tag = this.stream.current;
    if (tag.type !== "name") this.stream.fail("tag name expected");
    const parse = STATEMENTS.get(tag.text);
    if (parse === undefined) return this.#endedEarly(tag, this.#endTags);
    this.#tags.push(tag.text);
    const statement = parse(this);
    this.#tags.pop();
    return statement;
  }

  /** The body of a statement, up to one of its end tags, which stays the current token. */
  #body(endTags: readonly string[]): ast.Stmt[] {
    this.stream.skipIf("colon");
    this.stream.expect("block_end");
    this.enter(2);
    const body = this.statements(endTags);
    this.leave(2);
    if (this.stream.at("eof")) this.#endedEarly(null, [...this.#endTags, endTags]);
    return body;
  }

  #closedBody(endTag: string): ast.Stmt[] {
    const body = this.#body([endTag]);
    this.stream.next();
    return body;
  }

  /** An unknown tag, or (without a tag) the end of the template inside of a statement. */
  #endedEarly(tag: Token | null, endTags: readonly (readonly string[])[]): never {
    const message = [
      tag === null ? "Unexpected end of template." : `Encountered unknown tag ${reprOf(tag.text)}.`,
    ];
    const looking = endTags.at(-1)?.map(reprOf).join(" or ");
    if (looking !== undefined) {
      const misplaced = tag !== null && endTags.some((tags) => tags.includes(tag.text));
      message.push(
        misplaced
          ? "You probably made a nesting mistake. Jinja is expecting this tag, " +
              `but currently looking for ${looking}.`
          : `Jinja was looking for the following tags: ${looking}.`,
      );
    }
    const innermost = this.#tags.at(-1);
    if (innermost !== undefined) {
      message.push(`The innermost block that needs to be closed is ${reprOf(innermost)}.`);
    }
    return this.stream.fail(message.join(" "));
  }

  #nameTarget(): ast.Name {
    const { text, line, span } = this.stream.expect("name");
    if (!isAssignable(text)) this.stream.fail("can't assign to 'name'", line, span);
    return { type: "Name", name: text, line, span };
  }

  #target(namespaces = false): ast.Target {
    const start = this.stream.current.span.start;
    const { items, isTuple, line } = this.members(() => this.#targetMember(namespaces));
    const span = this.stream.spanFrom(start);
    const only = items[0];
    if (!isTuple && only !== undefined) return this.#assignable(only);
    const targets: ast.Target[] = [];
    for (const item of items) {
      const target = asTarget(item);
      if (target === null) this.stream.fail("can't assign to 'tuple'", line, span);
      targets.push(target);
    }
    return { type: "TupleTarget", items: targets, line, span };
  }

  #assignable(candidate: TargetCandidate): ast.Target {
    const target = asTarget(candidate);
    if (target !== null) return target;
    const message = `can't assign to ${reprOf(nodeName(candidate))}`;
    return this.stream.fail(message, candidate.line, candidate.span);
  }

  #targetMember(namespaces: boolean): TargetCandidate {
    const { span } = this.stream.current;
    const node = this.primary();
    if (!namespaces || node.type !== "Name" || span.start !== node.span.start) return node;
    if (!this.stream.skipIf("dot")) return node;
    const attribute = this.stream.expect("name").text;
    const { name, line } = node;
    return {
      type: "NamespaceTarget",
      name,
      attribute,
      line,
      span: this.stream.spanFrom(span.start),
    };
  }

  /**
   * A statement begins with its tag's name. Each is written out: a function that added line and span to the
   * fields of any would copy them, and with that parsing takes half as long again.
   */
  #span(tag: Token): Span {
    return this.stream.spanFrom(tag.span.start);
  }

  for(): ast.For {
    const tag = this.stream.next();
    const target = this.#target();
    this.stream.expectName("in");
    const iter = this.openTuple(false);
    const test = this.stream.skipIfName("if") ? this.expression() : null;
    const recursive = this.stream.skipIfName("recursive");
    const body = this.#body(["endfor", "else"]);
    const otherwise = this.stream.next().text === "endfor" ? [] : this.#closedBody("endfor");
    return {
      type: "For",
      target,
      iter,
      test,
      recursive,
      body,
      otherwise,
      line: tag.line,
      span: this.#span(tag),
    };
  }

  if(): ast.If {
    const tag = this.stream.next();
    let { line } = tag;
    const branches: ast.IfBranch[] = [];
    let end: Token;
    do {
      const start = this.stream.current.span.start;
      const test = this.openTuple(false);
      const body = this.#body(["elif", "else", "endif"]);
      branches.push({ test, body, line, span: this.stream.spanFrom(start) });
      end = this.stream.next();
      // Jinja2 gives an elif the line of the token after it.
      line = this.stream.current.line;
    } while (isName(end, "elif"));
    const otherwise = isName(end, "else") ? this.#closedBody("endif") : [];
    return { type: "If", branches, otherwise, line: tag.line, span: this.#span(tag) };
  }

  set(): ast.Set | ast.SetBlock {
    const tag = this.stream.next();
    const target = this.#target(true);
    if (this.stream.skipIf("assign")) {
      return {
        type: "Set",
        target,
        value: this.openTuple(true),
        line: tag.line,
        span: this.#span(tag),
      };
    }
    const filter = this.#pipedFilters(null);
    return {
      type: "SetBlock",
      target,
      filter,
      body: this.#closedBody("endset"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  #pipedFilters(first: ast.Filter | null): ast.Filter | null {
    const start = first?.span.start ?? this.stream.current.span.start;
    let filter = first;
    while (this.stream.skipIf("pipe")) filter = this.filter(filter, start);
    return filter;
  }

  filterBlock(): ast.FilterBlock {
    const tag = this.stream.next();
    const first = this.filter(null, this.stream.current.span.start);
    const filter = this.#pipedFilters(first) ?? first;
    return {
      type: "FilterBlock",
      filter,
      body: this.#closedBody("endfilter"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  with(): ast.With {
    const tag = this.stream.next();
    const bindings: { target: ast.Target; value: ast.Expr }[] = [];
    while (!this.stream.at("block_end")) {
      if (bindings.length > 0) this.stream.expect("comma");
      const target = this.#target();
      this.stream.expect("assign");
      bindings.push({ target, value: this.expression() });
    }
    return {
      type: "With",
      bindings,
      body: this.#closedBody("endwith"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  autoescape(): ast.Autoescape {
    const tag = this.stream.next();
    const value = this.expression();
    return {
      type: "Autoescape",
      value,
      body: this.#closedBody("endautoescape"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  block(): ast.Block {
    const tag = this.stream.next();
    const name = this.stream.expect("name").text;
    const scoped = this.stream.skipIfName("scoped");
    const required = this.stream.skipIfName("required");
    if (this.stream.at("sub")) {
      this.stream.fail(
        "Block names in Jinja have to be valid Python identifiers and may not contain " +
          "hyphens, use an underscore instead.",
      );
    }
    const body = this.#closedBody("endblock");
    if (required && !body.every(isBlank)) {
      this.stream.fail("Required blocks can only contain comments or whitespace");
    }
    this.stream.skipIfName(name);
    return { type: "Block", name, scoped, required, body, line: tag.line, span: this.#span(tag) };
  }

  macro(): ast.Macro {
    const tag = this.stream.next();
    const { name } = this.#nameTarget();
    const parameters = this.#parameters();
    return {
      type: "Macro",
      name,
      parameters,
      body: this.#closedBody("endmacro"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  callBlock(): ast.CallBlock {
    const tag = this.stream.next();
    const parameters = this.stream.at("lparen") ? this.#parameters() : [];
    const call = this.expression();
    if (call.type !== "Call") return this.stream.fail("expected call", tag.line, tag.span);
    return {
      type: "CallBlock",
      call,
      parameters,
      body: this.#closedBody("endcall"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  #parameters(): ast.Parameter[] {
    this.stream.expect("lparen");
    const parameters: ast.Parameter[] = [];
    let defaults = false;
    while (!this.stream.at("rparen")) {
      if (parameters.length > 0) this.stream.expect("comma");
      const { name, span } = this.#nameTarget();
      const value = this.stream.skipIf("assign") ? this.expression() : null;
      if (value !== null) defaults = true;
      else if (defaults) this.stream.fail("non-default argument follows default argument");
      parameters.push({ name, default: value, span: this.stream.spanFrom(span.start) });
    }
    this.stream.expect("rparen");
    return parameters;
  }

  print(): ast.Output {
    const tag = this.stream.next();
    const items: ast.Expr[] = [];
    while (!this.stream.at("block_end")) {
      if (items.length > 0) this.stream.expect("comma");
      items.push(this.expression());
    }
    return { type: "Output", items, line: tag.line, span: this.#span(tag) };
  }

  generation(): ast.Generation {
    const tag = this.stream.next();
    return {
      type: "Generation",
      body: this.#closedBody("endgeneration"),
      line: tag.line,
      span: this.#span(tag),
    };
  }

  break(): ast.Break {
    const tag = this.stream.next();
    return { type: "Break", line: tag.line, span: this.#span(tag) };
  }

  continue(): ast.Continue {
    const tag = this.stream.next();
    return { type: "Continue", line: tag.line, span: this.#span(tag) };
  }

  extends(): ast.Extends {
    const tag = this.stream.next();
    return { type: "Extends", template: this.expression(), line: tag.line, span: this.#span(tag) };
  }

  include(): ast.Include {
    const tag = this.stream.next();
    const template = this.expression();
    const ignoreMissing = this.stream.atName("ignore") && isName(this.stream.look(), "missing");
    if (ignoreMissing) this.stream.skip(2);
    const withContext = this.#importContext() ?? true;
    return {
      type: "Include",
      template,
      ignoreMissing,
      withContext,
      line: tag.line,
      span: this.#span(tag),
    };
  }

  import(): ast.Import {
    const tag = this.stream.next();
    const template = this.expression();
    this.stream.expectName("as");
    const target = this.#nameTarget().name;
    const withContext = this.#importContext() ?? false;
    return { type: "Import", template, target, withContext, line: tag.line, span: this.#span(tag) };
  }

  /** `with context` or `without context`, if it is there; Jinja2 looks at the token's text only. */
  #importContext(anyToken = false): boolean | null {
    const { type, text } = this.stream.current;
    if (text !== "with" && text !== "without") return null;
    if (type !== "name" && !(anyToken && type === "string")) return null;
    if (!isName(this.stream.look(), "context")) return null;
    this.stream.skip(2);
    return text === "with";
  }

  from(): ast.FromImport {
    const tag = this.stream.next();
    const template = this.expression();
    this.stream.expectName("import");
    const names: { name: string; alias: string | null }[] = [];
    let withContext: boolean | null;
    do {
      if (names.length > 0) this.stream.expect("comma");
      if (!this.stream.at("name")) this.stream.expect("name");
      withContext = this.#importContext(true);
      if (withContext !== null) break;
      names.push(this.#importedName());
      withContext = this.#importContext(true);
    } while (withContext === null && this.stream.at("comma"));
    return {
      type: "FromImport",
      template,
      names,
      withContext: withContext ?? false,
      line: tag.line,
      span: this.#span(tag),
    };
  }

  #importedName(): { name: string; alias: string | null } {
    const { name, line, span } = this.#nameTarget();
    if (name.startsWith("_")) {
      this.stream.fail("names starting with an underline can not be imported", line, span);
    }
    return { name, alias: this.stream.skipIfName("as") ? this.#nameTarget().name : null };
  }
}

/** Whether a statement of a required block prints white space only. */
function isBlank(statement: ast.Stmt): boolean {
  if (statement.type !== "Output") return false;
  return statement.items.every((item) => item.type === "TextData" && isSpace(item.text));
}

function outputOf(items: readonly (ast.TextData | ast.Expr)[]): ast.Output {
  const first = items[0];
  const start = first?.span.start ?? 0;
  const span = { start, end: items.at(-1)?.span.end ?? start };
  return { type: "Output", items, line: first?.line ?? 1, span };
}

const STATEMENTS: ReadonlyMap<string, Statement> = new Map<string, Statement>([
  ["for", (parser) => parser.for()],
  ["if", (parser) => parser.if()],
  ["set", (parser) => parser.set()],
  ["macro", (parser) => parser.macro()],
  ["call", (parser) => parser.callBlock()],
  ["filter", (parser) => parser.filterBlock()],
  ["with", (parser) => parser.with()],
  ["block", (parser) => parser.block()],
  ["autoescape", (parser) => parser.autoescape()],
  ["print", (parser) => parser.print()],
  ["generation", (parser) => parser.generation()],
  ["break", (parser) => parser.break()],
  ["continue", (parser) => parser.continue()],
  ["include", (parser) => parser.include()],
  ["import", (parser) => parser.import()],
  ["from", (parser) => parser.from()],
  ["extends", (parser) => parser.extends()],
]);
