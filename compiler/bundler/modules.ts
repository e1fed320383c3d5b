/** Templates as JavaScript modules: load, compile, erase the types. Knows no bundler. */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CompileError, type Diagnostic } from "../diagnostics.js";
import { loadOne, LoadError, type LoadedTemplate } from "../load/index.js";
import type { CompileOptions } from "../options.js";
import { FileRules, withSlashes, type ChatTemplateOptions } from "./options.js";
import type { TemplateRequest } from "./requests.js";

/** What became of a request. */
export interface TemplateModule {
  /** Null where the template is refused: the first diagnostic says why. */
  readonly code: string | null;
  readonly diagnostics: readonly Diagnostic[];
  /** The template's place from the root, with what its lines count in where that is not the file itself. */
  readonly file: string;
  readonly source: string;
}

/** There is no template to compile; the message says where and why, and stands for itself. */
export class UnreadableTemplate extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LoadError";
    this.stack = `${this.name}: ${message}`;
  }
}

/** Everything that one plugin knows of a project. */
export class TemplateModules {
  readonly #options: ChatTemplateOptions;
  #root = "";
  #rules: FileRules;

  constructor(options: ChatTemplateOptions) {
    this.#options = options;
    this.#rules = new FileRules(options, this.#root);
    this.root = process.cwd();
  }

  /** The project's folder: globs, a relative runtime and the paths in messages start from it. */
  get root(): string {
    return this.#root;
  }

  set root(path: string) {
    this.#root = resolve(path);
    this.#rules = new FileRules(this.#options, this.#root);
  }

  /** What ids of requests match, so that bundlers need not ask about every module. */
  get pattern(): RegExp {
    return this.#rules.pattern;
  }

  /** Whether a request is this plugin's. */
  handles({ path, isAsked }: TemplateRequest): boolean {
    return isAsked ? !this.#rules.isExcluded(path) : this.#rules.isTemplate(path);
  }

  /** The files that the answer to a request depends on. */
  filesOf({ path }: TemplateRequest): readonly string[] {
    if (basename(path) !== TOKENIZER_CONFIG) return [path];
    const beside = FILES_BESIDE.map((name) => join(dirname(path), name));
    return [path, ...beside.filter((file) => existsSync(file))];
  }

  /** Throws an UnreadableTemplate where there is no template. */
  async moduleOf(request: TemplateRequest): Promise<TemplateModule> {
    const template = await this.#load(request).catch((error: unknown) => {
      throw error instanceof LoadError ? this.#unreadable(error) : error;
    });
    const { source } = template;
    const file = this.shown(request);
    try {
      // The first template loads the compiler: a bundler's start does not wait for it.
      const [{ compile }, { eraseTypes }] = await Promise.all([
        import("../index.js"),
        import("../typescript/erase.js"),
      ]);
      const compiled = await compile(source, this.#compileOptions(template, request.path, file));
      const { diagnostics } = compiled;
      return { code: eraseTypes(compiled.code), diagnostics, file, source };
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return { code: null, diagnostics: error.diagnostics, file, source };
    }
  }

  /** A request as messages name it: lines in a template that another file holds are not that file's. */
  shown({ path, isAsked, variant }: TemplateRequest): string {
    const file = withSlashes(relative(this.#root, path));
    if (!isAsked) return file;
    return `${file}?chat-template${variant === undefined ? "" : `=${variant}`}`;
  }

  #unreadable({ message }: LoadError): UnreadableTemplate {
    return new UnreadableTemplate(
      withSlashes(message).replaceAll(`${withSlashes(this.#root)}/`, ""),
    );
  }

  async #load({ path, variant }: TemplateRequest): Promise<LoadedTemplate> {
    const picked = variant === undefined ? "" : `#${variant}`;
    try {
      return await loadOne(path + picked, { dialect: this.#rules.dialectOf(path) });
    } catch (error) {
      if (!(error instanceof LoadError) || basename(path) !== TOKENIZER_CONFIG) throw error;
      // Newer models keep the template in a file beside their tokenizer's configuration.
      return loadOne(dirname(path) + picked).catch(() => {
        throw error;
      });
    }
  }

  #compileOptions(template: LoadedTemplate, path: string, file: string): CompileOptions {
    const { include: _in, exclude: _ex, dialect: _of, runtime, ...options } = this.#options;
    return {
      ...options,
      name: template.name,
      dialect: template.dialect,
      file,
      define: { ...template.define, ...options.define },
      ...(runtime === undefined ? {} : { runtime: this.#runtimeFor(path, runtime) }),
    };
  }

  /** A module's import of the runtime: a package by its name, a folder from where the template stands. */
  #runtimeFor(path: string, runtime: string): string {
    if (runtime !== "inline" && !/^[./]/.test(runtime)) return runtime;
    const folder = runtime === "inline" ? ownRuntime() : resolve(this.#root, runtime);
    const fromModule = withSlashes(relative(dirname(path), folder));
    return fromModule.startsWith(".") ? fromModule : `./${fromModule}`;
  }
}

const TOKENIZER_CONFIG = "tokenizer_config.json";
/** What of a model's folder the template and its special tokens can come from. */
const FILES_BESIDE = ["chat_template.jinja", "special_tokens_map.json"];

/** The runtime of the package that the plugin is part of. */
function ownRuntime(): string {
  return dirname(fileURLToPath(import.meta.resolve("chat-template-compiler/runtime")));
}
