/** The options of a compilation, as the public API has them. */
import type { Dialect } from "./ir/nodes.js";

export type { Dialect } from "./ir/nodes.js";

/** What a module renders to beside `render`: `bytes` adds `renderTo` and `renderBytes`, `segments` `renderSegments`. */
export type Target = "text" | "bytes" | "segments";

export interface CompileOptions {
  /** The template's name: the generated types and `meta` carry it. */
  readonly name: string;
  readonly dialect: Dialect;
  /** Shown in the header and in diagnostics; default: the name. */
  readonly file?: string;
  /** Constants that are folded in: special tokens, fixed options. */
  readonly define?: Readonly<Record<string, unknown>>;
  /** Default: text, which every module has. */
  readonly targets?: readonly Target[];
  /**
   * Where generated code imports from: "chat-template-compiler/runtime" (default), a path, or "inline" for a folder `runtime`
   * beside the module, which holds what `inlineRuntime` gives.
   */
  readonly runtime?: string;
  /**
   * Whether the module counts steps, output and depth, so that `limits` of RenderOptions bound a render; default: no,
   * and the module ignores them.
   */
  readonly limits?: boolean;
  /** Which passes run; all by default. */
  readonly passes?: boolean | { readonly without: readonly string[] };
}
