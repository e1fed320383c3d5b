/** What the page asks its workers, and what they answer: plain data. */
import type { Capabilities, Dialect, Forms, Segment } from "../../../runtime/index.js";
import type { OllamaModelfile } from "../../../runtime/chat/index.js";

/** A template and what it renders. */
export interface Job {
  readonly source: string;
  readonly dialect: Dialect;
  /** Names the module and its types. */
  readonly name: string;
  /** Constants, such as the special tokens of a file. */
  readonly define: Readonly<Record<string, string>>;
  /** JSON, read without loss. */
  readonly input: string;
}

/** Where a file or a pasted text held a template. */
export interface Opened {
  readonly name: string;
  readonly variant: string;
  readonly dialect: Dialect;
  readonly source: string;
  readonly define: Readonly<Record<string, string>>;
  readonly modelfile?: OllamaModelfile;
}

export interface Problem {
  /** What is at fault: the template, the render of it, or the JSON of the input. */
  readonly in: "template" | "render" | "input";
  readonly severity: "error" | "warning";
  readonly title: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly frame?: string;
  readonly help?: string;
}

/** A variable, its values as JSON. */
export interface ShownVariable {
  readonly name: string;
  readonly required: boolean;
  readonly values: readonly string[];
  readonly fallback: string | null;
}

/** `meta` of the template. */
export interface Described {
  readonly variables: readonly ShownVariable[];
  readonly capabilities: Capabilities;
  readonly forms: Forms;
  readonly leadingBos: boolean;
  readonly reference: string;
  readonly sha256: string;
}

export interface Rendered {
  readonly problems: readonly Problem[];
  readonly described: Described | null;
  /** The prompt in pieces; null where there is none. */
  readonly segments: readonly Segment[] | null;
}

export interface Measured {
  /** Microseconds a render, the median of the rounds. */
  readonly own: number;
  readonly other: number;
  /** The median of the rounds' ratios. */
  readonly ratio: number;
  readonly rounds: number;
  readonly isEqual: boolean;
  /** What @huggingface/jinja threw; then there are no times. */
  readonly failure: string | null;
}

export type EngineQuestion =
  | { readonly kind: "open"; readonly file: File }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "render"; readonly job: Job }
  | { readonly kind: "measure"; readonly job: Job };

export type EngineAnswer =
  | { readonly kind: "opened"; readonly templates: readonly Opened[] }
  | { readonly kind: "rendered"; readonly rendered: Rendered }
  | { readonly kind: "measured"; readonly measured: Measured };

/** A generated module and its types. */
export interface Emitted {
  readonly code: string;
  readonly types: string;
}

export function isJob(value: unknown): value is Job {
  return typeof value === "object" && value !== null && "source" in value;
}

export function isEngineQuestion(value: unknown): value is EngineQuestion {
  return typeof value === "object" && value !== null && "kind" in value;
}
