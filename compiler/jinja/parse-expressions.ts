/** Jinja's expressions, with the precedences and line numbers of Jinja2's parser.py. */
import type { Binary, CompareOp, Expr } from "./ast.js";
import type { TokenType } from "./lexer.js";
import { OperandParser } from "./parse-operands.js";
import { isName } from "./token-stream.js";

/** The Python frames from `parse_expression` to `parse_unary`. */
const EXPRESSION_FRAMES = 11;

/** What follows an operand that no operator takes. */
const OPERAND_ENDS: ReadonlySet<TokenType> = new Set<TokenType>([
  "block_end",
  "variable_end",
  "comma",
  "rparen",
  "rbracket",
  "rbrace",
  "colon",
  "assign",
]);

export class ExpressionParser extends OperandParser {
  expression(): Expr {
    this.enter(EXPRESSION_FRAMES);
    const expr = this.#conditional();
    this.leave(EXPRESSION_FRAMES);
    return expr;
  }

  /** One expression, or a tuple where commas follow, without parentheses. */
  protected openTuple(conditional: boolean): Expr {
    const start = this.startOfNext();
    const members = this.members(() => (conditional ? this.expression() : this.#unconditional()));
    const only = members.items[0];
    if (!members.isTuple && only !== undefined) return only;
    return { type: "Tuple", items: members.items, line: members.line, span: this.spanFrom(start) };
  }

  #unconditional(): Expr {
    this.enter(EXPRESSION_FRAMES - 1);
    const expr = this.#or();
    this.leave(EXPRESSION_FRAMES - 1);
    return expr;
  }

  #conditional(): Expr {
    const start = this.startOfNext();
    let line = this.lineOfNext();
    let expr = this.#or();
    while (this.stream.skipIfName("if")) {
      const test = this.#or();
      const otherwise = this.stream.skipIfName("else") ? this.#otherwise() : null;
      const span = this.spanFrom(start);
      expr = { type: "Conditional", test, then: expr, otherwise, line, span };
      line = this.lineOfNext();
    }
    return expr;
  }

  #otherwise(): Expr {
    this.enter(1);
    const expr = this.#conditional();
    this.leave(1);
    return expr;
  }

  /** Most operands stand alone, which spares them the way through the operators. */
  #or(): Expr {
    const start = this.startOfNext();
    const line = this.lineOfNext();
    if (this.stream.atName("not")) return this.#orFrom(start, line, null);
    const operand = this.unary(true);
    const isAlone = OPERAND_ENDS.has(this.stream.current.type);
    return isAlone ? operand : this.#orFrom(start, line, operand);
  }

  /** As all that follow, from where its first operand begins; `first` is that operand where it has been read. */
  #orFrom(start: number, at: number, first: Expr | null): Expr {
    let line = at;
    let left = this.#and(start, line, first);
    while (this.stream.skipIfName("or")) {
      const right = this.#and(this.startOfNext(), this.lineOfNext(), null);
      left = { type: "Logical", op: "or", left, right, line, span: this.spanFrom(start) };
      line = this.lineOfNext();
    }
    return left;
  }

  #and(start: number, at: number, first: Expr | null): Expr {
    let line = at;
    let left = this.#not(start, line, first);
    while (this.stream.skipIfName("and")) {
      const right = this.#not(this.startOfNext(), this.lineOfNext(), null);
      left = { type: "Logical", op: "and", left, right, line, span: this.spanFrom(start) };
      line = this.lineOfNext();
    }
    return left;
  }

  #not(start: number, line: number, first: Expr | null): Expr {
    if (first !== null || !this.stream.skipIfName("not")) return this.#compare(start, line, first);
    this.enter(1);
    const value = this.#not(this.startOfNext(), this.lineOfNext(), null);
    this.leave(1);
    return { type: "Not", value, line, span: this.spanFrom(start) };
  }

  #compare(start: number, at: number, first: Expr | null): Expr {
    let line = at;
    const left = this.#sum(start, line, first);
    let op = this.#compareOp();
    if (op === null) return left;
    const rest: { op: CompareOp; value: Expr }[] = [];
    for (; op !== null; op = this.#compareOp()) {
      rest.push({ op, value: this.#sum(this.startOfNext(), this.lineOfNext(), null) });
      line = this.lineOfNext();
    }
    return { type: "Compare", left, rest, line, span: this.spanFrom(start) };
  }

  #compareOp(): CompareOp | null {
    const { type } = this.stream.current;
    if (type !== "name") {
      const op = comparisonOf(type);
      if (op !== null) this.stream.next();
      return op;
    }
    if (this.stream.skipIfName("in")) return "in";
    if (!this.stream.atName("not") || !isName(this.stream.look(), "in")) return null;
    this.stream.skip(2);
    return "not in";
  }

  #sum(start: number, at: number, first: Expr | null): Expr {
    let line = at;
    let left = this.#concat(start, line, first);
    for (;;) {
      const op = sumOf(this.stream.current.type);
      if (op === null) return left;
      this.stream.next();
      const right = this.#concat(this.startOfNext(), this.lineOfNext(), null);
      left = { type: "Binary", op, left, right, line, span: this.spanFrom(start) };
      line = this.lineOfNext();
    }
  }

  #concat(start: number, line: number, given: Expr | null): Expr {
    const first = this.#product(start, line, given);
    if (!this.stream.at("tilde")) return first;
    const items = [first];
    while (this.stream.skipIf("tilde")) {
      items.push(this.#product(this.startOfNext(), this.lineOfNext(), null));
    }
    return { type: "Concat", items, line, span: this.spanFrom(start) };
  }

  #product(start: number, at: number, first: Expr | null): Expr {
    let line = at;
    let left = this.#power(start, line, first);
    for (;;) {
      const op = productOf(this.stream.current.type);
      if (op === null) return left;
      this.stream.next();
      const right = this.#power(this.startOfNext(), this.lineOfNext(), null);
      left = { type: "Binary", op, left, right, line, span: this.spanFrom(start) };
      line = this.lineOfNext();
    }
  }

  #power(start: number, at: number, first: Expr | null): Expr {
    let line = at;
    let left = first ?? this.unary(true);
    while (this.stream.skipIf("pow")) {
      const right = this.unary(true);
      left = { type: "Binary", op: "**", left, right, line, span: this.spanFrom(start) };
      line = this.lineOfNext();
    }
    return left;
  }
}

function comparisonOf(type: TokenType): CompareOp | null {
  switch (type) {
    case "eq":
      return "==";
    case "ne":
      return "!=";
    case "lt":
      return "<";
    case "lteq":
      return "<=";
    case "gt":
      return ">";
    case "gteq":
      return ">=";
    default:
      return null;
  }
}

function sumOf(type: TokenType): Binary["op"] | null {
  return type === "add" ? "+" : type === "sub" ? "-" : null;
}

function productOf(type: TokenType): Binary["op"] | null {
  switch (type) {
    case "mul":
      return "*";
    case "div":
      return "/";
    case "floordiv":
      return "//";
    case "mod":
      return "%";
    default:
      return null;
  }
}
