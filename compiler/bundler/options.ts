/** What a project says to the bundler plugin, and which files that makes templates. */
import { relative } from "node:path";
import { minimatch } from "minimatch";
import { TEMPLATE_EXTENSIONS } from "../load/index.js";
import type { CompileOptions, Dialect } from "../options.js";

/** A glob, relative to the project's root, or a regular expression that paths with forward slashes are tested with. */
export type FilePattern = string | RegExp;

/** Options of the plugin; all others are those of `compile` and hold for every template. */
export interface ChatTemplateOptions extends Partial<
  Omit<CompileOptions, "name" | "dialect" | "file">
> {
  /** The files that are templates; by default those named *.jinja, *.j2, *.gotmpl and *.tmpl. */
  readonly include?: FilePattern | readonly FilePattern[];
  /** The files that are none, whatever else is said about them. */
  readonly exclude?: FilePattern | readonly FilePattern[];
  /**
   * The dialect where a file's name does not tell it or tells another: one for all templates, or by glob, of which the
   * first that matches counts. A file that such a glob matches is a template.
   */
  readonly dialect?: Dialect | Readonly<Record<string, Dialect>>;
}

/** Which files are templates, and in which dialect. */
export class FileRules {
  readonly #options: ChatTemplateOptions;
  readonly #root: string;

  constructor(options: ChatTemplateOptions, root: string) {
    this.#options = options;
    this.#root = root;
  }

  /** Matches every template's name and every query for one; all names where the project's own patterns decide. */
  get pattern(): RegExp {
    const { include, dialect } = this.#options;
    const isByName = include === undefined && typeof dialect !== "object";
    return isByName ? new RegExp(`${TEMPLATE_NAME.source}|chat-template`, "i") : /(?:)/;
  }

  isTemplate(path: string): boolean {
    if (this.isExcluded(path)) return false;
    const { include, dialect } = this.#options;
    if (typeof dialect === "object" && this.dialectOf(path) !== undefined) return true;
    return include === undefined ? hasTemplateName(path) : this.#matches(path, include);
  }

  isExcluded(path: string): boolean {
    const { exclude = [] } = this.#options;
    return this.#matches(path, exclude);
  }

  /** Undefined where the options leave it to the file's name. */
  dialectOf(path: string): Dialect | undefined {
    const { dialect } = this.#options;
    if (typeof dialect !== "object") return dialect;
    return Object.entries(dialect).find(([glob]) => this.#matches(path, glob))?.[1];
  }

  #matches(path: string, patterns: FilePattern | readonly FilePattern[]): boolean {
    const absolute = withSlashes(path);
    const fromRoot = withSlashes(relative(this.#root, path));
    const list = typeof patterns === "string" || patterns instanceof RegExp ? [patterns] : patterns;
    return list.some((pattern) => {
      if (pattern instanceof RegExp) return new RegExp(pattern, "").test(absolute);
      const glob = withSlashes(pattern).replace(/^\.\//, "");
      return [absolute, fromRoot].some((each) => minimatch(each, glob, { dot: true }));
    });
  }
}

const TEMPLATE_NAME = new RegExp(`\\.(${TEMPLATE_EXTENSIONS.join("|")})$`, "i");

/** Whether a name tells that a file is one template. */
export function hasTemplateName(path: string): boolean {
  return TEMPLATE_NAME.test(path);
}

export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}
