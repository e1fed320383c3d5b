/** What lowering keeps at hand: the source, the current statement's place, the functions made so far, the loops around. */
import type { Diagnostics } from "../diagnostics.js";
import type { FunctionDef, Ids, Local, Origin } from "../ir/nodes.js";
import type { Source, Span } from "../source.js";
import type * as ast from "./ast.js";
import type { Scope } from "./scope.js";

/** A loop whose `loop` variable needs no object: what it can tell stands in locals. */
export interface LoopLocals {
  readonly list: Local;
  readonly item: Local;
  readonly index: Local;
  /** The number of loops around it. */
  readonly depth: number;
}

export class Context {
  readonly source: Source;
  readonly diagnostics: Diagnostics;
  readonly ids: Ids;
  readonly functions: FunctionDef[] = [];
  /** By the local that stands for `loop`. */
  readonly loops = new Map<Local, LoopLocals>();
  /** Names that the template assigns anywhere: a global of that name may be shadowed. */
  readonly assigned: ReadonlySet<string>;
  /** Constants that the caller folds in. */
  readonly define: Readonly<Record<string, unknown>>;
  #line = 1;
  #column = 1;

  constructor(
    source: Source,
    diagnostics: Diagnostics,
    ids: Ids,
    assigned: ReadonlySet<string>,
    define: Readonly<Record<string, unknown>>,
  ) {
    this.source = source;
    this.diagnostics = diagnostics;
    this.ids = ids;
    this.assigned = assigned;
    this.define = define;
  }

  /** Errors carry the line of the statement, or of the expression that is written out. */
  enter(node: { readonly span: Span; readonly line: number }): void {
    const { line, column } = this.source.position(node.span.start);
    this.#line = node.line;
    this.#column = line === node.line ? column : 1;
  }

  /** `line:column` of an expression inside the current statement. */
  place(node: { readonly span: Span }): string {
    const { line, column } = this.source.position(node.span.start);
    return `${String(this.#line)}:${String(line === this.#line ? column : this.#column)}`;
  }

  /** For comments: the line of a statement and the text of its tag. */
  origin(node: { readonly span: Span; readonly line: number }, text: string): Origin {
    const { line, column } = this.source.position(node.span.start);
    return { line: node.line, column: line === node.line ? column : 1, text };
  }

  /** The source text of a node, on one line. */
  text(node: { readonly span: Span }): string {
    return this.source.text.slice(node.span.start, node.span.end).replace(/\s+/g, " ").trim();
  }
}

/** A frame of Jinja2's: where names are looked up while its statements are lowered. */
export interface Frame {
  readonly scope: Scope;
  readonly loopDepth: number;
  /** Whether output is escaped here (`autoescape true`). */
  readonly autoescape: boolean;
}

export function targetNames(target: ast.Target): readonly string[] {
  switch (target.type) {
    case "Name":
      return [target.name];
    case "TupleTarget":
      return target.items.flatMap(targetNames);
    case "NamespaceTarget":
      return [];
  }
}
