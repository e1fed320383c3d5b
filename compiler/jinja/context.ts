/** What lowering keeps at hand: the source, the current statement's place, the functions made so far, the loops around. */
import type { Diagnostics } from "../diagnostics.js";
import type { FunctionDef, FunctionName, Ids, Local, Origin } from "../ir/nodes.js";
import type { Source, Span } from "../source.js";
import type * as ast from "./ast.js";
import type { Scope } from "./scope.js";
import type { Survey } from "./survey.js";
import { findUndeclared } from "./undeclared.js";

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
  /** Names that only macros are bound to. */
  readonly macros: ReadonlySet<string>;
  /** Constants that the caller folds in. */
  readonly define: Readonly<Record<string, unknown>>;
  /** The template's blocks, outer before inner. */
  readonly allBlocks: readonly ast.Block[];
  readonly hasScopedBlocks: boolean;
  /** The same, as functions. */
  readonly blocks = new Map<string, FunctionName>();
  /** What blocks find under a name that the template sets, where the template's own variable may not have it yet. */
  readonly exports = new Map<string, Local>();
  /** The scopes of blocks, and the parameters that hand them what they look up, by name. */
  readonly blockScopes = new Map<Scope, ReadonlyMap<string, Local>>();
  /** The template's own scope, once its names are known. */
  root: Scope | null = null;
  /** The names that those parameters are for: none where no block is scoped. */
  blockNames: readonly string[] = [];
  /** What the template itself writes to, and its blocks where nothing collects it before. */
  readonly rootBuffer: Buffer = { unjoined: null, isRoot: true };
  /** Whether a piece of output may be no text. */
  readonly hasPieces: boolean;
  /** Tells of the template's buffer whether it can be joined, where blocks write such pieces to it. */
  pieces: Local | null = null;
  /** The setting of autoescape, in templates that change it. */
  escaping: Local | null = null;
  /** Parameters of the macro at hand whose turn to get their default has not come. */
  readonly pending = new Set<Local>();
  /** The names that may hold a value that can be read only once. */
  lazyNames: ReadonlySet<string> = new Set();
  /** Whether the expression at hand is part of one that Jinja2 evaluates when it compiles. */
  folding = false;
  /** Whether a special name stands anywhere in the source. */
  readonly #mentioned = new Map<string, boolean>();
  #line = 1;
  #column = 1;
  /** The last line that the generated Python is marked with. */
  #marked = 1;

  constructor(
    source: Source,
    diagnostics: Diagnostics,
    ids: Ids,
    { assigned, macros, blocks, hasPieces }: Survey,
    define: Readonly<Record<string, unknown>>,
  ) {
    this.source = source;
    this.diagnostics = diagnostics;
    this.ids = ids;
    this.assigned = assigned;
    this.macros = macros;
    this.allBlocks = blocks;
    this.hasScopedBlocks = blocks.some(({ scoped }) => scoped);
    this.define = define;
    this.hasPieces = hasPieces;
  }

  /** {@link findUndeclared}, of special names: most of them stand nowhere in a template's text. */
  undeclared(list: readonly ast.Stmt[], names: readonly string[]): ReadonlySet<string> {
    const mentioned = names.filter((name) => this.#mentions(name));
    return mentioned.length === 0 ? new Set() : findUndeclared(list, mentioned);
  }

  #mentions(name: string): boolean {
    const known = this.#mentioned.get(name);
    if (known !== undefined) return known;
    const found = this.source.text.includes(name);
    this.#mentioned.set(name, found);
    return found;
  }

  /** Errors carry the line of the statement, or of the expression that is written out. */
  enter(node: { readonly span: Span; readonly line: number }): void {
    this.show(node);
    this.#marked = node.line;
  }

  /** What Jinja2 writes without marking a line: texts and constants. */
  show(node: { readonly span: Span; readonly line: number }): void {
    const { line, column } = this.source.position(node.span.start);
    this.#line = node.line;
    this.#column = line === node.line ? column : 1;
  }

  /** Code without a mark of its own: its errors carry the line of what stands before it. */
  inherit(): void {
    this.#line = this.#marked;
    this.#column = 1;
  }

  /** The place of code without a mark of its own. */
  inheritedPlace(): string {
    this.inherit();
    return `${String(this.#line)}:1`;
  }

  /** `line:column` of an expression inside the current statement. */
  place(node: { readonly span: Span }): string {
    const { line, column } = this.source.position(node.span.start);
    return `${String(this.#line)}:${String(line === this.#line ? column : this.#column)}`;
  }

  /** For comments: the line of a statement and the text of its tag, which is made when it is shown. */
  origin(node: { readonly span: Span; readonly line: number }, text: () => string): Origin {
    const { line, column } = this.source.position(node.span.start);
    return new TagOrigin(node.line, line === node.line ? column : 1, text);
  }

  /** The source text of a node, on one line. */
  text(node: { readonly span: Span }): string {
    return this.source.text.slice(node.span.start, node.span.end).replace(/\s+/g, " ").trim();
  }
}

class TagOrigin implements Origin {
  readonly line: number;
  readonly column: number;
  readonly #show: () => string;

  constructor(line: number, column: number, show: () => string) {
    this.line = line;
    this.column = column;
    this.#show = show;
  }

  get text(): string {
    return this.#show();
  }
}

/** A frame of Jinja2's: where names are looked up while its statements are lowered. */
export interface Frame {
  readonly scope: Scope;
  readonly loopDepth: number;
  /** Whether output is escaped here; `ask`: only the render knows. */
  readonly escape: Escape;
  /** Where only the render knows: whether constants are escaped. */
  readonly constantsEscaped: boolean;
  /** The template's own frame: blocks see what is set there. */
  readonly toplevel: boolean;
  /** A block's body: what it writes goes straight to the output. */
  readonly isBlock: boolean;
  /** What collects the output of the frame. */
  readonly buffer: Buffer;
}

/** Jinja2 collects output in lists, and finds only when it joins one that a piece of it is no text. */
export interface Buffer {
  /** Holds the type of the first such piece, where there may be one. */
  unjoined: Local | null;
  /** The template's own, which its blocks share: transformers joins it for each generation block. */
  readonly isRoot: boolean;
}

/** Jinja2's EvalContext as far as it is known when the template is compiled. */
export type Escape = "no" | "yes" | "ask";

/** Whether a constant is escaped, which is settled when the template is compiled. */
export function escapesConstants(frame: Frame): boolean {
  return frame.escape === "yes" || (frame.escape === "ask" && frame.constantsEscaped);
}

/** The frame of a template or a block. */
export function rootFrame(cx: Context, scope: Scope): Frame {
  return {
    scope,
    loopDepth: 0,
    escape: "no",
    constantsEscaped: false,
    toplevel: false,
    isBlock: false,
    buffer: cx.rootBuffer,
  };
}

/** A frame inside another, with a scope of its own. */
export function innerFrame(frame: Frame, scope: Scope): Frame {
  // Written out, since each statement with a body makes one.
  const { loopDepth, escape, constantsEscaped, isBlock, buffer } = frame;
  return { scope, loopDepth, escape, constantsEscaped, toplevel: false, isBlock, buffer };
}
