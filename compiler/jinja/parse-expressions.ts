/** Jinja's expressions, with the precedences and line numbers of Jinja2's parser.py. */
import type { Span } from "../source.js";
import type { Binary, CompareOp, Expr, Literal, SliceExpr } from "./ast.js";
import type { Arguments, Call, Filter } from "./ast.js";
import { reprOf } from "./characters.js";
import { describeToken } from "./lexer.js";
import type { Token, TokenType } from "./lexer.js";
import { isName } from "./token-stream.js";
import type { TokenStream } from "./token-stream.js";

type BinaryOps = Partial<Record<TokenType, Binary["op"]>>;

const SUMS: BinaryOps = { add: "+", sub: "-" };
const PRODUCTS: BinaryOps = { mul: "*", div: "/", floordiv: "//", mod: "%" };
const POWERS: BinaryOps = { pow: "**" };
const COMPARISONS: Partial<Record<TokenType, CompareOp>> = {
  eq: "==",
  ne: "!=",
  lt: "<",
  lteq: "<=",
  gt: ">",
  gteq: ">=",
};
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
/** The Python frames from `parse_expression` to `parse_unary`. */
const EXPRESSION_FRAMES = 11;

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

export class ExpressionParser {
  protected readonly stream: TokenStream;
  #frames = 0;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** Parses with so many more Python frames on the stack: Python's recursion limit refuses deep nesting. */
  protected nested<T>(frames: number, parse: () => T): T {
    this.#frames += frames;
    if (this.#frames > FRAME_LIMIT) this.stream.fail("maximum recursion depth exceeded");
    const result = parse();
    this.#frames -= frames;
    return result;
  }

  expression(): Expr {
    return this.nested(EXPRESSION_FRAMES, () => this.#conditional());
  }

  /** One expression, or a tuple where commas follow, without parentheses. */
  protected openTuple(conditional: boolean): Expr {
    const start = this.#start();
    const members = this.members(() =>
      conditional ? this.expression() : this.nested(EXPRESSION_FRAMES - 1, () => this.#or()),
    );
    const only = members.items[0];
    if (!members.isTuple && only !== undefined) return only;
    return { type: "Tuple", items: members.items, line: members.line, span: this.#span(start) };
  }

  /** Reads members up to the end of a tuple; at least one. */
  protected members<T>(parse: () => T): Members<T> {
    const members = this.#members(() => this.nested(2, parse));
    if (members.items.length === 0 && !members.isTuple) {
      const got = reprOf(describeToken(this.stream.current));
      this.stream.fail(`Expected an expression, got ${got}`);
    }
    return members;
  }

  #members<T>(parse: () => T): Members<T> {
    const items: T[] = [];
    let isTuple = false;
    let line = this.stream.current.line;
    for (;;) {
      if (items.length > 0) this.stream.expect("comma");
      if (this.#atTupleEnd()) break;
      items.push(parse());
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

  #conditional(): Expr {
    const start = this.#start();
    let line = this.#line();
    let expr = this.#or();
    while (this.stream.skipIfName("if")) {
      const test = this.#or();
      const otherwise = this.stream.skipIfName("else")
        ? this.nested(1, () => this.#conditional())
        : null;
      const span = this.#span(start);
      expr = { type: "Conditional", test, then: expr, otherwise, line, span };
      line = this.#line();
    }
    return expr;
  }

  #or(): Expr {
    return this.#logical("or", () => this.#logical("and", () => this.#not()));
  }

  #logical(op: "and" | "or", operand: () => Expr): Expr {
    const start = this.#start();
    let line = this.#line();
    let left = operand();
    while (this.stream.skipIfName(op)) {
      const right = operand();
      left = { type: "Logical", op, left, right, line, span: this.#span(start) };
      line = this.#line();
    }
    return left;
  }

  #not(): Expr {
    if (!this.stream.atName("not")) return this.#compare();
    const start = this.#start();
    const { line } = this.stream.next();
    const value = this.nested(1, () => this.#not());
    return { type: "Not", value, line, span: this.#span(start) };
  }

  #compare(): Expr {
    const start = this.#start();
    let line = this.#line();
    const left = this.#sum();
    const rest: { op: CompareOp; value: Expr }[] = [];
    for (let op = this.#compareOp(); op !== null; op = this.#compareOp()) {
      rest.push({ op, value: this.#sum() });
      line = this.#line();
    }
    if (rest.length === 0) return left;
    return { type: "Compare", left, rest, line, span: this.#span(start) };
  }

  #compareOp(): CompareOp | null {
    const op = COMPARISONS[this.stream.current.type];
    if (op !== undefined) {
      this.stream.next();
      return op;
    }
    if (this.stream.skipIfName("in")) return "in";
    if (!this.stream.atName("not") || !isName(this.stream.look(), "in")) return null;
    this.stream.skip(2);
    return "not in";
  }

  #sum(): Expr {
    return this.#binary(SUMS, () => this.#concat());
  }

  #concat(): Expr {
    const start = this.#start();
    const line = this.#line();
    const first = this.#product();
    if (!this.stream.at("tilde")) return first;
    const items = [first];
    while (this.stream.skipIf("tilde")) items.push(this.#product());
    return { type: "Concat", items, line, span: this.#span(start) };
  }

  #product(): Expr {
    return this.#binary(PRODUCTS, () => this.#binary(POWERS, () => this.#unary(true)));
  }

  #binary(ops: BinaryOps, operand: () => Expr): Expr {
    const start = this.#start();
    let line = this.#line();
    let left = operand();
    for (;;) {
      const op = ops[this.stream.current.type];
      if (op === undefined) return left;
      this.stream.next();
      const right = operand();
      left = { type: "Binary", op, left, right, line, span: this.#span(start) };
      line = this.#line();
    }
  }

  #unary(withFilters: boolean): Expr {
    const start = this.#start();
    const { type, line } = this.stream.current;
    let node: Expr;
    if (type === "sub" || type === "add") {
      this.stream.next();
      const value = this.nested(1, () => this.#unary(false));
      node = {
        type: "Unary",
        op: type === "sub" ? "-" : "+",
        value,
        line,
        span: this.#span(start),
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
        return this.nested(2, () => this.#list());
      case "lbrace":
        return this.nested(2, () => this.#dict());
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
    return { type: "Literal", value, float: false, line, span: this.#span(span.start) };
  }

  #literal({ type, number, line, span }: Token): Literal {
    return { type: "Literal", value: number, float: type === "float", line, span };
  }

  #parentheses(): Expr {
    const start = this.#start();
    this.stream.next();
    const members = this.#members(() => this.nested(3, () => this.expression()));
    this.stream.expect("rparen");
    const only = members.items[0];
    if (!members.isTuple && only !== undefined) return only;
    return { type: "Tuple", items: members.items, line: members.line, span: this.#span(start) };
  }

  #list(): Expr {
    const start = this.#start();
    const { line } = this.stream.expect("lbracket");
    const items: Expr[] = [];
    while (!this.stream.at("rbracket")) {
      if (items.length > 0) this.stream.expect("comma");
      if (this.stream.at("rbracket")) break;
      items.push(this.expression());
    }
    this.stream.expect("rbracket");
    return { type: "List", items, line, span: this.#span(start) };
  }

  #dict(): Expr {
    const start = this.#start();
    const { line } = this.stream.expect("lbrace");
    const items: { key: Expr; value: Expr }[] = [];
    while (!this.stream.at("rbrace")) {
      if (items.length > 0) this.stream.expect("comma");
      if (this.stream.at("rbrace")) break;
      const key = this.expression();
      this.stream.expect("colon");
      items.push({ key, value: this.expression() });
    }
    this.stream.expect("rbrace");
    return { type: "Dict", items, line, span: this.#span(start) };
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
      return { type: "Attribute", object, name: name.text, line, span: this.#span(start) };
    }
    if (name.type !== "integer") {
      this.stream.fail("expected name or number", name.line, name.span);
    }
    return { type: "Item", object, key: this.#literal(name), line, span: this.#span(start) };
  }

  #subscript(object: Expr, start: number): Expr {
    const open = this.stream.next();
    const keys: Expr[] = [];
    while (!this.stream.at("rbracket")) {
      if (keys.length > 0) this.stream.expect("comma");
      keys.push(this.nested(3, () => this.#subscribed()));
    }
    const inside = this.#span(open.span.end);
    this.stream.expect("rbracket");
    const { line } = open;
    const only = keys.length === 1 ? keys[0] : undefined;
    const key: Expr = only ?? { type: "Tuple", items: keys, line, span: inside };
    return { type: "Item", object, key, line, span: this.#span(start) };
  }

  #subscribed(): Expr {
    const start = this.#start();
    const line = this.#line();
    let first: Expr | null = null;
    if (!this.stream.at("colon")) {
      first = this.expression();
      if (!this.stream.at("colon")) return first;
    }
    this.stream.next();
    const stop = this.stream.at("colon") ? null : this.#slicePart();
    const step = this.stream.skipIf("colon") ? this.#slicePart() : null;
    const span = this.#span(start);
    const slice: SliceExpr = { type: "Slice", start: first, stop, step, line, span };
    return slice;
  }

  #slicePart(): Expr | null {
    const ends = this.stream.at("rbracket") || this.stream.at("comma");
    return ends ? null : this.expression();
  }

  #call(callee: Expr, start: number): Call {
    const { line } = this.stream.current;
    const given = this.#arguments();
    return { type: "Call", callee, ...given, line, span: this.#span(start) };
  }

  #arguments(): Arguments {
    const open = this.stream.expect("lparen");
    const found: OpenArguments = { args: [], kwargs: [], splat: null, kwSplat: null };
    let first = true;
    while (!this.stream.at("rparen")) {
      if (!first) this.stream.expect("comma");
      if (!first && this.stream.at("rparen")) break;
      this.nested(3, () => {
        this.#argument(found, open);
      });
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
    const given = this.stream.at("lparen") ? this.#arguments() : NO_ARGUMENTS;
    return { type: "Filter", value, name, ...given, line, span: this.#span(start) };
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
    const given = this.#testArguments();
    const span = this.#span(start);
    const test: Expr = { type: "Test", value, name, ...given, line, span };
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

  #start(): number {
    return this.stream.current.span.start;
  }

  #line(): number {
    return this.stream.current.line;
  }

  #span(start: number): Span {
    return this.stream.spanFrom(start);
  }
}
