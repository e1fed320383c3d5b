/** Jinja's operands: names, literals, brackets, and what follows them, with the line numbers of Jinja2's parser.py. */
import type { Span } from "../source.js";
import type { Expr, Literal, SliceExpr } from "./ast.js";
import type { Arguments, Call, Filter } from "./ast.js";
import { reprOf } from "./characters.js";
import { describeToken } from "./lexer.js";
import type { Token, TokenType } from "./lexer.js";
import { isName } from "./token-stream.js";
import type { TokenStream } from "./token-stream.js";

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);
/** What can begin a test's argument written without parentheses. */
const ARGUMENT_STARTS: ReadonlySet<TokenType> = new Set<TokenType>([
  "name",
  "string",
  "integer",
  "float",
  "lbracket",
  "lbrace",
]);
const NO_ARGUMENTS: Arguments = { args: [], kwargs: [], splat: null, kwSplat: null };

/** Python's recursion limit, less the frames that are on its stack before the parser starts. */
const FRAME_LIMIT = 980;

/** What Jinja2's `parse_tuple` reads: members between commas, and whether there was a comma. */
export interface Members<T> {
  readonly items: readonly T[];
  readonly isTuple: boolean;
  readonly line: number;
}

/** An argument list being read. */
interface OpenArguments {
  readonly args: Expr[];
  readonly kwargs: { readonly name: string; readonly value: Expr }[];
  splat: Expr | null;
  kwSplat: Expr | null;
}

export abstract class OperandParser {
  protected readonly stream: TokenStream;
  /** Whether there was a dict so far. */
  hasDicts = false;
  #frames = 0;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** So many more Python frames on the stack, until {@link leave}: Python's recursion limit refuses deep nesting. */
  protected enter(frames: number): void {
    this.#frames += frames;
    if (this.#frames > FRAME_LIMIT) this.stream.fail("maximum recursion depth exceeded");
  }

  protected leave(frames: number): void {
    this.#frames -= frames;
  }

  abstract expression(): Expr;

  /** Reads members up to the end of a tuple; at least one. */
  protected members<T>(parse: () => T): Members<T> {
    const members = this.#members(2, parse);
    if (members.items.length === 0 && !members.isTuple) {
      const got = reprOf(describeToken(this.stream.current));
      this.stream.fail(`Expected an expression, got ${got}`);
    }
    return members;
  }

  /** Each member is read with so many more Python frames on the stack. */
  #members<T>(frames: number, parse: () => T): Members<T> {
    const items: T[] = [];
    let isTuple = false;
    let line = this.stream.current.line;
    for (;;) {
      if (items.length > 0) this.stream.expect("comma");
      if (this.#atTupleEnd()) break;
      this.enter(frames);
      items.push(parse());
      this.leave(frames);
      if (!this.stream.at("comma")) break;
      isTuple = true;
      line = this.stream.current.line;
    }
    return { items, isTuple, line };
  }

  #atTupleEnd(): boolean {
    const { type } = this.stream.current;
    return type === "variable_end" || type === "block_end" || type === "rparen";
  }

  protected unary(withFilters: boolean): Expr {
    const start = this.startOfNext();
    const { type, line } = this.stream.current;
    let node: Expr;
    if (type === "sub" || type === "add") {
      this.stream.next();
      this.enter(1);
      const value = this.unary(false);
      this.leave(1);
      node = {
        type: "Unary",
        op: type === "sub" ? "-" : "+",
        value,
        line,
        span: this.spanFrom(start),
      };
    } else {
      node = this.primary();
    }
    node = this.#postfix(node, start);
    return withFilters ? this.#filters(node, start) : node;
  }

  /** A name, a literal, or what stands in brackets. */
  protected primary(): Expr {
    const token = this.stream.current;
    switch (token.type) {
      case "name":
        return this.#name(this.stream.next());
      case "string":
        return this.#strings(token);
      case "integer":
      case "float":
        return this.#literal(this.stream.next());
      case "lparen":
        return this.#parentheses();
      case "lbracket":
        return this.#list();
      case "lbrace":
        return this.#dict();
      default:
        return this.stream.fail(`unexpected ${reprOf(describeToken(token))}`);
    }
  }

  #name(token: Token): Expr {
    const { text, line, span } = token;
    const value = CONSTANTS.get(text);
    if (value !== undefined) return { type: "Literal", value, float: false, line, span };
    return { type: "Name", name: text, line, span };
  }

  /** Adjacent string literals are one. */
  #strings(token: Token): Expr {
    const { line, span } = token;
    let value = "";
    while (this.stream.at("string")) value += this.stream.next().text;
    return { type: "Literal", value, float: false, line, span: this.spanFrom(span.start) };
  }

  #literal({ type, number, line, span }: Token): Literal {
    return { type: "Literal", value: number, float: type === "float", line, span };
  }

  #parentheses(): Expr {
    const start = this.startOfNext();
    this.stream.next();
    const members = this.#members(3, () => this.expression());
    this.stream.expect("rparen");
    const only = members.items[0];
    if (!members.isTuple && only !== undefined) return only;
    return { type: "Tuple", items: members.items, line: members.line, span: this.spanFrom(start) };
  }

  #list(): Expr {
    const start = this.startOfNext();
    this.enter(2);
    const { line } = this.stream.expect("lbracket");
    const items: Expr[] = [];
    while (!this.stream.at("rbracket")) {
      if (items.length > 0) this.stream.expect("comma");
      if (this.stream.at("rbracket")) break;
      items.push(this.expression());
    }
    this.stream.expect("rbracket");
    this.leave(2);
    return { type: "List", items, line, span: this.spanFrom(start) };
  }

  #dict(): Expr {
    const start = this.startOfNext();
    this.enter(2);
    const { line } = this.stream.expect("lbrace");
    this.hasDicts = true;
    const items: { key: Expr; value: Expr }[] = [];
    while (!this.stream.at("rbrace")) {
      if (items.length > 0) this.stream.expect("comma");
      if (this.stream.at("rbrace")) break;
      const key = this.expression();
      this.stream.expect("colon");
      items.push({ key, value: this.expression() });
    }
    this.stream.expect("rbrace");
    this.leave(2);
    return { type: "Dict", items, line, span: this.spanFrom(start) };
  }

  #postfix(operand: Expr, start: number): Expr {
    let node = operand;
    for (;;) {
      if (this.stream.at("dot")) node = this.#attribute(node, start);
      else if (this.stream.at("lbracket")) node = this.#subscript(node, start);
      else if (this.stream.at("lparen")) node = this.#call(node, start);
      else return node;
    }
  }

  #filters(operand: Expr, start: number): Expr {
    let node = operand;
    for (;;) {
      if (this.stream.skipIf("pipe")) node = this.filter(node, start);
      else if (this.stream.atName("is")) node = this.#test(node, start);
      else if (this.stream.at("lparen")) node = this.#call(node, start);
      else return node;
    }
  }

  #attribute(object: Expr, start: number): Expr {
    const { line } = this.stream.next();
    const name = this.stream.next();
    if (name.type === "name") {
      return { type: "Attribute", object, name: name.text, line, span: this.spanFrom(start) };
    }
    if (name.type !== "integer") {
      this.stream.fail("expected name or number", name.line, name.span);
    }
    return { type: "Item", object, key: this.#literal(name), line, span: this.spanFrom(start) };
  }

  #subscript(object: Expr, start: number): Expr {
    const open = this.stream.next();
    const keys: Expr[] = [];
    while (!this.stream.at("rbracket")) {
      if (keys.length > 0) this.stream.expect("comma");
      this.enter(3);
      keys.push(this.#subscribed());
      this.leave(3);
    }
    const inside = this.spanFrom(open.span.end);
    this.stream.expect("rbracket");
    const { line } = open;
    const only = keys.length === 1 ? keys[0] : undefined;
    const key: Expr = only ?? { type: "Tuple", items: keys, line, span: inside };
    return { type: "Item", object, key, line, span: this.spanFrom(start) };
  }

  #subscribed(): Expr {
    const start = this.startOfNext();
    const line = this.lineOfNext();
    let first: Expr | null = null;
    if (!this.stream.at("colon")) {
      first = this.expression();
      if (!this.stream.at("colon")) return first;
    }
    this.stream.next();
    const stop = this.stream.at("colon") ? null : this.#slicePart();
    const step = this.stream.skipIf("colon") ? this.#slicePart() : null;
    const span = this.spanFrom(start);
    const slice: SliceExpr = { type: "Slice", start: first, stop, step, line, span };
    return slice;
  }

  #slicePart(): Expr | null {
    const ends = this.stream.at("rbracket") || this.stream.at("comma");
    return ends ? null : this.expression();
  }

  #call(callee: Expr, start: number): Call {
    const { line } = this.stream.current;
    const { args, kwargs, splat, kwSplat } = this.#arguments();
    const span = this.spanFrom(start);
    return { type: "Call", callee, args, kwargs, splat, kwSplat, line, span };
  }

  #arguments(): Arguments {
    const open = this.stream.expect("lparen");
    const found: OpenArguments = { args: [], kwargs: [], splat: null, kwSplat: null };
    let first = true;
    while (!this.stream.at("rparen")) {
      if (!first) this.stream.expect("comma");
      if (!first && this.stream.at("rparen")) break;
      this.enter(3);
      this.#argument(found, open);
      this.leave(3);
      first = false;
    }
    this.stream.expect("rparen");
    return found;
  }

  #argument(found: OpenArguments, open: Token): void {
    const noSplats = found.splat === null && found.kwSplat === null;
    if (this.stream.at("mul")) {
      this.#ensure(noSplats, open);
      this.stream.next();
      found.splat = this.expression();
    } else if (this.stream.at("pow")) {
      this.#ensure(found.kwSplat === null, open);
      this.stream.next();
      found.kwSplat = this.expression();
    } else if (this.stream.at("name") && this.stream.look().type === "assign") {
      this.#ensure(found.kwSplat === null, open);
      const name = this.stream.next().text;
      this.stream.next();
      found.kwargs.push({ name, value: this.expression() });
    } else {
      this.#ensure(noSplats && found.kwargs.length === 0, open);
      found.args.push(this.expression());
    }
  }

  #ensure(valid: boolean, open: Token): void {
    if (!valid) {
      this.stream.fail("invalid syntax for function call expression", open.line);
    }
  }

  /** A filter from its name on; the value is null in a filter block or set block. */
  protected filter(value: Expr | null, start: number): Filter {
    const { name, line } = this.#dottedName();
    const { args, kwargs, splat, kwSplat } = this.stream.at("lparen")
      ? this.#arguments()
      : NO_ARGUMENTS;
    const span = this.spanFrom(start);
    return { type: "Filter", value, name, args, kwargs, splat, kwSplat, line, span };
  }

  #dottedName(): { name: string; line: number } {
    const { text, line } = this.stream.expect("name");
    let name = text;
    while (this.stream.skipIf("dot")) name += `.${this.stream.expect("name").text}`;
    return { name, line };
  }

  #test(value: Expr, start: number): Expr {
    const { line } = this.stream.next();
    const negated = this.stream.skipIfName("not");
    const { name } = this.#dottedName();
    const { args, kwargs, splat, kwSplat } = this.#testArguments();
    const span = this.spanFrom(start);
    const test: Expr = { type: "Test", value, name, args, kwargs, splat, kwSplat, line, span };
    return negated ? { type: "Not", value: test, line, span } : test;
  }

  #testArguments(): Arguments {
    const token = this.stream.current;
    if (token.type === "lparen") return this.#arguments();
    const bare = isName(token, "else") || isName(token, "or") || isName(token, "and");
    if (bare || !ARGUMENT_STARTS.has(token.type)) return NO_ARGUMENTS;
    if (isName(token, "is")) this.stream.fail("You cannot chain multiple tests with is");
    const argument = this.#postfix(this.primary(), token.span.start);
    return { ...NO_ARGUMENTS, args: [argument] };
  }

  protected startOfNext(): number {
    return this.stream.current.span.start;
  }

  protected lineOfNext(): number {
    return this.stream.current.line;
  }

  protected spanFrom(start: number): Span {
    return this.stream.spanFrom(start);
  }
}
