/**
 * What CPython refuses in the code that Jinja2 generates: Jinja2 compiles a template to Python, so Python's own syntax
 * errors and limits are compile errors of the template.
 */
import type { Span } from "../source.js";
import type * as ast from "./ast.js";
import { expressionChildren } from "./walk.js";

/** CPython's tokenizer: `MAXINDENT`, `MAXLEVEL`; its compiler: `CO_MAXBLOCKS`. */
const MAX_INDENT = 100;
const MAX_BRACKETS = 200;
const MAX_LOOPS = 20;

const PYTHON_KEYWORDS: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** The order in which CPython's stages refuse: the parser, then the symbol table, then the compiler. */
type Stage = "parser" | "symbols" | "compiler";
const STAGES: readonly Stage[] = ["parser", "symbols", "compiler"];

/** Where a statement's generated code stands. */
export interface CodePlace {
  /** The indentation level in the generated module. */
  readonly indent: number;
  /** The loops around it in the same Python function. */
  readonly loops: number;
}

interface Placed {
  readonly line: number;
  readonly span: Span;
}

export interface Refusal extends Placed {
  readonly stage: Stage;
  readonly message: string;
}

export class GeneratedPython {
  readonly #refusals: Refusal[] = [];

  /** What CPython would report, or null where it takes the code. */
  get refusal(): Refusal | null {
    for (const stage of STAGES) {
      const first = this.#refusals.find((refusal) => refusal.stage === stage);
      if (first !== undefined) return first;
    }
    return null;
  }

  #refuse(stage: Stage, message: string, { line, span }: Placed): void {
    this.#refusals.push({ stage, message, line, span });
  }

  indent(level: number, node: Placed): void {
    if (level >= MAX_INDENT) this.#refuse("parser", "too many levels of indentation", node);
  }

  loop(loops: number, node: Placed): void {
    if (loops > MAX_LOOPS) this.#refuse("compiler", "too many statically nested blocks", node);
  }

  jump(node: ast.Break | ast.Continue, place: CodePlace): void {
    if (place.loops > 0) return;
    const message =
      node.type === "Break" ? "'break' outside loop" : "'continue' not properly in loop";
    this.#refuse("compiler", message, node);
  }

  parameters(parameters: readonly ast.Parameter[], line: number): void {
    const seen = new Set<string>();
    for (const { name, span } of parameters) {
      if (seen.has(name)) {
        const message = `duplicate argument '${name}' in function definition`;
        this.#refuse("symbols", message, { line, span });
      }
      seen.add(name);
    }
  }

  /** Keyword arguments become Python's own, unless one is a keyword of Python: then they are a dict. */
  keywords(node: ast.Call | ast.Filter | ast.Test, extra: readonly string[]): void {
    if (node.kwargs.length === 0) return;
    const names = [...node.kwargs.map(({ name }) => name), ...extra];
    if (names.some((name) => PYTHON_KEYWORDS.has(name))) return;
    const repeated = names.find((name, i) => names.indexOf(name) < i);
    if (repeated !== undefined) {
      this.#refuse("parser", `keyword argument repeated: ${repeated}`, node);
    }
    if (names.includes("__debug__")) {
      this.#refuse("compiler", "cannot assign to __debug__", node);
    }
  }

  /** `x[a:b, c]`: a slice in a tuple is written as it stands, which is not Python. */
  subscript(node: ast.Item): void {
    if (node.key.type !== "Tuple") return;
    const slice = node.key.items.find(({ type }) => type === "Slice");
    if (slice !== undefined) {
      this.#refuse("parser", "invalid syntax: a slice cannot be one of several subscripts", slice);
    }
  }

  /** The brackets of an expression's code, within so many around it. */
  expression(node: ast.Expr, around: number): void {
    // Of a node's brackets, two at most, each has a character of the source to itself.
    const { start, end } = node.span;
    if (around + 2 * (end - start) <= MAX_BRACKETS) return;
    if (around + bracketDepth(node) > MAX_BRACKETS) {
      this.#refuse("parser", "too many nested parentheses", node);
    }
  }
}

/** How deep the brackets nest in the code that compiler.py writes for an expression. */
function bracketDepth(node: ast.Expr): number {
  switch (node.type) {
    case "Literal":
      return 0;
    case "Name":
      return 2;
    case "Slice":
      return deepest(expressionChildren(node));
    case "Item":
      if (node.key.type !== "Slice") break;
      return Math.max(bracketDepth(node.object), 1 + bracketDepth(node.key));
    case "Concat":
      return 2 + deepest(node.items);
    case "Binary":
    case "Unary":
      if (isArithmetic(node)) return 0;
      break;
    default:
      break;
  }
  return 1 + deepest(expressionChildren(node));
}

function deepest(nodes: readonly ast.Expr[]): number {
  let depth = 0;
  for (const node of nodes) depth = Math.max(depth, bracketDepth(node));
  return depth;
}

/** Arithmetic on literals is folded to its result. */
function isArithmetic(node: ast.Expr): boolean {
  if (node.type === "Literal") return true;
  const folds = node.type === "Binary" || node.type === "Unary";
  return folds && expressionChildren(node).every(isArithmetic);
}
