/** Pipelines, commands and operands: the inside of Go's actions. */
import type { ChainNode, CommandNode, Operand, PipeNode, VariableNode } from "./ast.js";
import { builtins } from "./builtins.js";
import type { Token, TokenType } from "./lexer.js";
import { characterConstant, numberConstant, pairConstant } from "./numbers.js";
import type { Constant, Refusal } from "./numbers.js";
import { printNode } from "./print.js";
import { quote, unquote } from "./strings.js";
import type { TokenWindow } from "./tokens.js";

/** Go's limit for nested parentheses. */
const maxExpressionDepth = 10000;

const operandStarts: ReadonlySet<TokenType> = new Set<TokenType>([
  "bool",
  "characterConstant",
  "complex",
  "dot",
  "field",
  "identifier",
  "number",
  "nil",
  "rawString",
  "string",
  "variable",
  "leftParen",
]);

const constantTypes: ReadonlySet<string> = new Set(["Bool", "Dot", "Nil", "Number", "String"]);

interface Draft {
  declare: VariableNode[];
  assigns: boolean;
}

export class PipelineParser {
  readonly #tokens: TokenWindow;
  /** The variables in scope, a name once for each declaration. */
  #variables: string[] = ["$"];
  #depth = 0;

  constructor(tokens: TokenWindow) {
    this.#tokens = tokens;
  }

  /** Runs a body whose variables end with it. */
  scope<T>(body: () => T): T {
    const count = this.#variables.length;
    const result = body();
    this.#variables.length = count;
    return result;
  }

  /** The value of a string literal token. */
  string(token: Token): string {
    return unquote(token.text) ?? this.#tokens.fail("invalid syntax", token);
  }

  /** A pipeline up to and including its closing token. */
  pipeline(context: string, end: TokenType): PipeNode {
    const { start } = this.#tokens.peekNonSpace();
    const draft: Draft = { declare: [], assigns: false };
    while (this.#declaration(draft, context));
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.#tokens.nextNonSpace();
      if (token.type === end) {
        this.#check(commands, context);
        return { type: "Pipe", span: { start, end: token.start }, ...draft, commands };
      }
      if (!operandStarts.has(token.type)) this.#tokens.unexpected(token, context);
      this.#tokens.putBack(token);
      commands.push(this.#command());
    }
  }

  /** Reads `$x :=`, `$x =` or the `$x,` of range; true if another declaration may follow. */
  #declaration(draft: Draft, context: string): boolean {
    const variable = this.#tokens.peekNonSpace();
    if (variable.type !== "variable") return false;
    this.#tokens.next();
    // Blanks separate arguments, so the token after the variable must come again as it was.
    const adjacent = this.#tokens.peek();
    const next = this.#tokens.peekNonSpace();
    if (next.type === "assign" || next.type === "declare") {
      draft.assigns = next.type === "assign";
      this.#declare(draft, variable);
      return false;
    }
    if (next.type === "char" && next.text === ",") {
      this.#declare(draft, variable);
      this.#checkSecondDeclaration(draft, context);
      return true;
    }
    if (adjacent.type === "space") this.#tokens.putBack(variable, adjacent);
    else this.#tokens.putBack(variable);
    return false;
  }

  #declare(draft: Draft, { text, start, end }: Token): void {
    this.#tokens.nextNonSpace();
    draft.declare.push({ type: "Variable", span: { start, end }, names: [text] });
    this.#variables.push(text);
  }

  #checkSecondDeclaration(draft: Draft, context: string): void {
    if (context !== "range" || draft.declare.length >= 2) {
      this.#tokens.fail(`too many declarations in ${context}`);
    }
    const { type } = this.#tokens.peekNonSpace();
    if (type !== "variable" && type !== "rightDelimiter" && type !== "rightParen") {
      this.#tokens.fail("range can only initialize variables");
    }
  }

  #check(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.#tokens.fail(`missing value for ${context}`);
    commands.forEach((command, index) => {
      if (index > 0 && constantTypes.has(command.args[0]?.type ?? "")) {
        const stage = String(index + 1);
        this.#tokens.fail(`non executable command in pipeline stage ${stage}`, command.span);
      }
    });
  }

  /** Operands separated by blanks, up to a pipe (taken) or a closing token (left). */
  #command(): CommandNode {
    const { start } = this.#tokens.peekNonSpace();
    const args: Operand[] = [];
    let end = start;
    for (;;) {
      this.#tokens.peekNonSpace();
      const operand = this.#operand();
      if (operand !== null) {
        args.push(operand);
        end = this.#tokens.end;
      }
      const token = this.#tokens.next();
      if (token.type === "space") continue;
      if (token.type === "rightDelimiter" || token.type === "rightParen") {
        this.#tokens.putBack(token);
      } else if (token.type !== "pipe") this.#tokens.unexpected(token, "operand");
      break;
    }
    if (args.length === 0) this.#tokens.fail("empty command");
    return { type: "Command", span: { start, end }, args };
  }

  /** A term with the fields that follow it; null if what comes next is no term. */
  #operand(): Operand | null {
    const node = this.#term();
    if (node === null || this.#tokens.peek().type !== "field") return node;
    const { start } = this.#tokens.peek();
    const names: string[] = [];
    while (this.#tokens.peek().type === "field") names.push(this.#tokens.next().text.slice(1));
    const span = { start, end: this.#tokens.end };
    if (node.type === "Field" || node.type === "Variable") {
      return { ...node, span, names: [...node.names, ...names] };
    }
    if (constantTypes.has(node.type)) {
      this.#tokens.fail(`unexpected . after term ${quote(printNode(node))}`, node.span);
    }
    const chain: ChainNode = { type: "Chain", span, node, names };
    return chain;
  }

  #term(): Operand | null {
    const token = this.#tokens.nextNonSpace();
    const span = { start: token.start, end: token.end };
    switch (token.type) {
      case "identifier":
        return this.#function(token);
      case "dot":
        return { type: "Dot", span };
      case "nil":
        return { type: "Nil", span };
      case "variable":
        return this.#variable(token);
      case "field":
        return { type: "Field", span, names: [token.text.slice(1)] };
      case "bool":
        return { type: "Bool", span, value: token.text === "true" };
      case "characterConstant":
      case "complex":
      case "number":
        return this.#number(token);
      case "leftParen":
        return this.#parenthesized();
      case "string":
      case "rawString":
        return { type: "String", span, quoted: token.text, text: this.string(token) };
      default:
        this.#tokens.putBack(token);
        return null;
    }
  }

  #function({ text, start, end }: Token): Operand {
    const span = { start, end };
    if (!builtins.has(text)) {
      this.#tokens.fail(`function ${quote(text)} not defined`, span, "go/undefined-function");
    }
    return { type: "Identifier", span, name: text };
  }

  #variable({ text, start, end }: Token): Operand {
    const span = { start, end };
    if (!this.#variables.includes(text)) {
      this.#tokens.fail(`undefined variable ${quote(text)}`, span, "go/undefined-variable");
    }
    return { type: "Variable", span, names: [text] };
  }

  #number({ type, text, start, end }: Token): Operand {
    const span = { start, end };
    const constant = readConstant(type, text);
    if ("error" in constant) this.#tokens.fail(constant.error, span);
    return { type: "Number", span, text, ...constant };
  }

  #parenthesized(): PipeNode {
    if (this.#depth >= maxExpressionDepth) this.#tokens.fail("max expression depth exceeded");
    this.#depth++;
    const pipe = this.pipeline("parenthesized pipeline", "rightParen");
    this.#depth--;
    return pipe;
  }
}

function readConstant(type: TokenType, text: string): Constant | Refusal {
  if (type === "characterConstant") return characterConstant(text);
  return type === "complex" ? pairConstant(text) : numberConstant(text);
}
