/** Go's template parser: the rules of text/template/parse, and what Ollama's template.Parse adds. */
import type { Diagnostics } from "../diagnostics.js";
import type { Source } from "../source.js";
import type { ActionNode, ListNode, PipeNode, Stmt, TemplateNode, TemplateSet } from "./ast.js";
import { callWithoutPipeline, mentions } from "./identifiers.js";
import { Lexer } from "./lexer.js";
import type { Token } from "./lexer.js";
import { PipelineParser } from "./pipelines.js";
import { goLine } from "./print.js";
import { quote } from "./strings.js";
import { TokenWindow } from "./tokens.js";

export { mentions, vars } from "./identifiers.js";
export { byteColumn } from "./print.js";

export interface ParseOptions {
  readonly dialect: "go" | "ollama";
}

/**
 * Parses a template as text/template's Parse does with an empty name and Ollama's functions; with
 * dialect "ollama" as Ollama's template.Parse. A refusal is thrown as CompileError.
 */
export function parse(
  source: Source,
  diagnostics: Diagnostics,
  options: ParseOptions,
): TemplateSet {
  const lexer = new Lexer(source);
  const shared: Shared = { depth: 0, lexer, diagnostics, trees: new Map() };
  const parser = new TreeParser(shared);
  try {
    parser.main();
  } catch (error) {
    // Go refuses 10,000 nested parentheses; JavaScript's stack ends earlier.
    if (error instanceof RangeError) parser.tokens.fail("max expression depth exceeded");
    throw error;
  }
  const defines = new Map(shared.trees);
  const main = defines.get("") ?? { type: "List", span: { start: 0, end: 0 }, nodes: [] };
  defines.delete("");
  const set: TemplateSet = { main, defines };
  return options.dialect === "ollama" ? withResponse(source, diagnostics, set) : set;
}

/** Ollama's Parse: it checks the calls and answers for a template that names no response. */
function withResponse(source: Source, diagnostics: Diagnostics, set: TemplateSet): TemplateSet {
  const call = callWithoutPipeline(set);
  if (call !== null) {
    diagnostics.fail({
      code: "go/undefined-template",
      message: "undefined template specified",
      span: call.span,
      line: goLine(source, call.span.start),
    });
  }
  const names = mentions(set);
  if (names.has("messages") || names.has("response")) return set;
  return { ...set, main: { ...set.main, nodes: [...set.main.nodes, responseAction()] } };
}

/** `{{ .Response }}` at offset 0, since the node that Ollama appends has no position. */
function responseAction(): ActionNode {
  const span = { start: 0, end: 0 };
  const args = [{ type: "Field", span, names: ["Response"] }] as const;
  const commands = [{ type: "Command", span, args }] as const;
  const pipe: PipeNode = { type: "Pipe", span, declare: [], assigns: false, commands };
  return { type: "Action", span, pipe };
}

/** Blocks in each other; Go has no such bound, but the work of passes and the indentation of code grow with their square. */
const DEEPEST = 200;

/** What the trees of one source have in common. */
interface Shared {
  /** How many blocks are open. */
  depth: number;
  readonly lexer: Lexer;
  readonly diagnostics: Diagnostics;
  readonly trees: Map<string, ListNode>;
}

/** What ends a list: `{{end}}` or `{{else}}`, with the position of what follows the else. */
type Terminator =
  | { readonly type: "End"; readonly start: number }
  | { readonly type: "Else"; readonly start: number };

type Branch = "if" | "range" | "with";

const branchTypes = { if: "If", range: "Range", with: "With" } as const;

/** Go's Tree.IsEmptyTree: nothing but white space. */
function isEmptyTree(list: ListNode): boolean {
  // TrimSpace of Go's bytes package: Unicode White_Space, unlike JavaScript's with no U+FEFF.
  return list.nodes.every((node) => node.type === "Text" && /^\p{White_Space}*$/u.test(node.text));
}

/** Parses one tree: the main template, or the body of a define or block. */
class TreeParser {
  readonly tokens: TokenWindow;
  readonly #shared: Shared;
  readonly #pipelines: PipelineParser;
  #rangeDepth = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.tokens = new TokenWindow(shared.lexer, shared.diagnostics);
    this.#pipelines = new PipelineParser(this.tokens);
  }

  main(): void {
    const { start } = this.tokens.peek();
    const nodes: Stmt[] = [];
    while (this.tokens.peek().type !== "eof") {
      if (this.#define()) continue;
      const node = this.#textOrAction();
      if (node.type === "End" || node.type === "Else") {
        this.tokens.fail(`unexpected ${printTerminator(node)}`);
      }
      nodes.push(node);
    }
    const end = Math.max(start, this.tokens.end);
    this.#add("", { type: "List", span: { start, end }, nodes });
  }

  /** A `{{define}}` at top level; false if what comes next is none. */
  #define(): boolean {
    if (this.tokens.peek().type !== "leftDelimiter") return false;
    const delimiter = this.tokens.next();
    const keyword = this.tokens.nextNonSpace();
    if (keyword.type === "define") {
      new TreeParser(this.#shared).definition();
      return true;
    }
    this.tokens.putBack(delimiter, keyword);
    return false;
  }

  /** The rest of a definition whose keyword has been read. */
  definition(): void {
    const context = "define clause";
    const name = this.#pipelines.string(this.tokens.expect(["string", "rawString"], context));
    this.tokens.expect(["rightDelimiter"], context);
    const [list, terminator] = this.#itemList();
    if (terminator.type !== "End") {
      this.tokens.fail(`unexpected ${printTerminator(terminator)} in ${context}`);
    }
    this.#add(name, list);
  }

  /** Go's Tree.add: an empty tree neither replaces nor clashes. */
  #add(name: string, list: ListNode): void {
    const known = this.#shared.trees.get(name);
    if (known === undefined || isEmptyTree(known)) this.#shared.trees.set(name, list);
    else if (!isEmptyTree(list)) {
      const message = `template: multiple definition of template ${quote(name)}`;
      this.tokens.fail(message, undefined, "go/duplicate-template");
    }
  }

  /** Statements up to an `{{end}}` or `{{else}}`. */
  #itemList(): [ListNode, Terminator] {
    const { start } = this.tokens.peekNonSpace();
    const nodes: Stmt[] = [];
    let end = start;
    while (this.tokens.peekNonSpace().type !== "eof") {
      const node = this.#textOrAction();
      if (node.type === "End" || node.type === "Else") {
        return [{ type: "List", span: { start, end }, nodes }, node];
      }
      nodes.push(node);
      end = this.tokens.end;
    }
    return this.tokens.fail("unexpected EOF");
  }

  #textOrAction(): Stmt | Terminator {
    const token = this.tokens.nextNonSpace();
    if (token.type === "text") {
      const { start, end, text } = token;
      return { type: "Text", span: { start, end }, text };
    }
    if (token.type !== "leftDelimiter") this.tokens.unexpected(token, "input");
    this.tokens.actionLine = token.line;
    const node = this.#action();
    this.tokens.actionLine = 0;
    return node;
  }

  #action(): Stmt | Terminator {
    const token = this.tokens.nextNonSpace();
    switch (token.type) {
      case "block":
        return this.#nested(() => this.#block());
      case "break":
      case "continue":
        return this.#leaveOrRepeat(token, token.type);
      case "else":
        return this.#else();
      case "end":
        return { type: "End", start: this.tokens.expect(["rightDelimiter"], "end").start };
      case "if":
      case "range":
      case "with": {
        const keyword = token.type;
        return this.#nested(() => this.#branch(keyword));
      }
      case "template":
        return this.#template();
      default: {
        this.tokens.putBack(token);
        const pipe = this.#pipelines.pipeline("command", "rightDelimiter");
        return { type: "Action", span: { start: token.start, end: pipe.span.end }, pipe };
      }
    }
  }

  #nested<T>(parse: () => T): T {
    if (this.#shared.depth >= DEEPEST) {
      const message = `the template is nested too deeply: more than ${String(DEEPEST)} blocks in each other`;
      this.tokens.fail(message, undefined, "limit/nesting");
    }
    this.#shared.depth++;
    const parsed = parse();
    this.#shared.depth--;
    return parsed;
  }

  #leaveOrRepeat({ start, end }: Token, keyword: "break" | "continue"): Stmt {
    const token = this.tokens.nextNonSpace();
    if (token.type !== "rightDelimiter") this.tokens.unexpected(token, `{{${keyword}}}`);
    if (this.#rangeDepth === 0) {
      this.tokens.fail(
        `{{${keyword}}} outside {{range}}`,
        { start, end },
        `go/${keyword}-outside-range`,
      );
    }
    return { type: keyword === "break" ? "Break" : "Continue", span: { start, end } };
  }

  /** `else if` and `else with` leave their keyword to the branch that the else belongs to. */
  #else(): Terminator {
    const next = this.tokens.peekNonSpace();
    if (next.type === "if" || next.type === "with") return { type: "Else", start: next.start };
    return { type: "Else", start: this.tokens.expect(["rightDelimiter"], "else").start };
  }

  #branch(keyword: Branch): Stmt {
    return this.#pipelines.scope(() => {
      const pipe = this.#pipelines.pipeline(keyword, "rightDelimiter");
      if (keyword === "range") this.#rangeDepth++;
      const [list, terminator] = this.#itemList();
      if (keyword === "range") this.#rangeDepth--;
      const otherwise = terminator.type === "Else" ? this.#otherwise(keyword, terminator) : null;
      const span = { start: pipe.span.start, end: this.tokens.end };
      return { type: branchTypes[keyword], span, pipe, list, otherwise };
    });
  }

  #otherwise(keyword: Branch, { start }: Terminator): ListNode {
    if (keyword !== "range" && this.tokens.peek().type === keyword) {
      this.tokens.next();
      const nested = this.#branch(keyword);
      return { type: "List", span: { start, end: nested.span.end }, nodes: [nested] };
    }
    const [list, terminator] = this.#itemList();
    if (terminator.type !== "End") {
      this.tokens.fail(`expected end; found ${printTerminator(terminator)}`);
    }
    return list;
  }

  #block(): TemplateNode {
    const context = "block clause";
    const token = this.tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipelines.pipeline(context, "rightDelimiter");
    const body = new TreeParser(this.#shared);
    const [list, terminator] = body.#itemList();
    if (terminator.type !== "End") {
      this.tokens.fail(`unexpected ${printTerminator(terminator)} in ${context}`);
    }
    body.#add(name, list);
    return { type: "Template", span: { start: token.start, end: token.end }, name, pipe };
  }

  #template(): TemplateNode {
    const context = "template clause";
    const token = this.tokens.nextNonSpace();
    const name = this.#templateName(token, context);
    const span = { start: token.start, end: token.end };
    const next = this.tokens.nextNonSpace();
    if (next.type === "rightDelimiter") return { type: "Template", span, name, pipe: null };
    this.tokens.putBack(next);
    const pipe = this.#pipelines.pipeline(context, "rightDelimiter");
    return { type: "Template", span, name, pipe };
  }

  #templateName(token: Token, context: string): string {
    if (token.type !== "string" && token.type !== "rawString") {
      this.tokens.unexpected(token, context);
    }
    return this.#pipelines.string(token);
  }
}

function printTerminator({ type }: Terminator): string {
  return type === "End" ? "{{end}}" : "{{else}}";
}
