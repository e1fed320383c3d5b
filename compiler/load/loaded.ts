/** What loading gives: templates, or one clear error. */
import type { Dialect } from "../../runtime/index.js";
import type { OllamaModelfile } from "../../runtime/chat/index.js";
import { inertLine } from "../inert-text.js";

export interface LoadedTemplate {
  /** Names the module and its types: the file's, folder's or model's name, with the variant's where it is not `default`. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly source: string;
  /** Where the template stands: a path or a location that loads it again. */
  readonly file: string;
  /** Constants that the distribution fixes, such as special tokens. */
  readonly define: Readonly<Record<string, string>>;
  /** The name among the templates of one distribution: `default`, `tool_use`, `rag`. */
  readonly variant?: string;
  /** What else an Ollama model gives to its conversations. */
  readonly modelfile?: ModelfileSettings;
}

/** SYSTEM, MESSAGE and the `PARAMETER stop` lines of an Ollama model. */
export interface ModelfileSettings extends OllamaModelfile {
  readonly stop?: readonly string[];
}

/** The location holds no template that can be read. */
export class LoadError extends Error {
  readonly file: string;
  readonly line?: number;

  constructor(file: string, message: string, line?: number) {
    // Names and digests in it are what the file says.
    super(`${file}${line === undefined ? "" : `:${String(line)}`}: ${inertLine(message)}`);
    this.name = "LoadError";
    this.file = file;
    if (line !== undefined) this.line = line;
  }
}

/** One template of a distribution, before it has a name of its own. */
export interface Variant {
  readonly variant: string;
  readonly source: string;
  /** The file that it stands in. */
  readonly file: string;
}

export const DEFAULT_VARIANT = "default";

/** Names the variants of one distribution, the default first; only where there are several does each file tell which. */
export function nameVariants(
  name: string,
  variants: readonly Variant[],
  rest: Pick<LoadedTemplate, "dialect" | "define">,
): readonly LoadedTemplate[] {
  const filesOf = new Map<string, number>();
  for (const { file } of variants) filesOf.set(file, (filesOf.get(file) ?? 0) + 1);
  const isDefault = (each: Variant): boolean => each.variant === DEFAULT_VARIANT;
  const ordered = [...variants.filter(isDefault), ...variants.filter((each) => !isDefault(each))];
  return ordered.map(({ variant, source, file }) => ({
    name: variant === DEFAULT_VARIANT ? name : `${name}-${inFileName(variant)}`,
    ...rest,
    source,
    file: filesOf.get(file) === 1 ? file : `${file}#${variant}`,
    variant,
  }));
}

/** A variant's name is any text that a publisher chose; a module's name is part of a path. */
function inFileName(variant: string): string {
  return variant.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+/, "") || "_";
}
