/** Templates as JavaScript modules: load, compile, erase the types. Knows no bundler. */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CompileError, type Diagnostic } from "../diagnostics.js";
import { loadOne, LoadError, type LoadedTemplate } from "../load/index.js";
import type { CompileOptions } from "../options.js";
import { FileRules, hasTemplateName, withSlashes, type ChatTemplateOptions } from "./options.js";
import type { TemplateRequest } from "./requests.js";

/** What became of a request. */
export interface TemplateModule {
  /** Null where the template is refused: the first diagnostic says why. */
  readonly code: string | null;
  /** The source map of the code, as JSON; its one source is the template, by an absolute path. */
  readonly map: string | null;
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
  readonly #compiled = new Map<string, { state: string; module: Promise<TemplateModule> }>();
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
    const known = this.#compiled.get(this.#shown(request));
    const state = JSON.stringify(template);
    // Vite asks for a module once for the browser and once for the server.
    if (known?.state === state) return known.module;
    const module = this.#compile(request, template);
    this.#compiled.set(this.#shown(request), { state, module });
    return module;
  }

  async #compile(request: TemplateRequest, template: LoadedTemplate): Promise<TemplateModule> {
    const { source } = template;
    const isOwnFile = hasTemplateName(template.file) || template.variant === undefined;
    const file = isOwnFile ? this.#fromRoot(template.file) : this.#shown(request);
    try {
      // The first template loads the compiler: a bundler's start does not wait for it.
      const [{ compile }, { eraseTypes }] = await Promise.all([
        import("../index.js"),
        import("../typescript/erase.js"),
      ]);
      const compiled = await compile(source, this.#compileOptions(template, request.path, file));
      const { diagnostics } = compiled;
      const map = withSource(compiled.map, isOwnFile ? template.file : embeddedFile(request));
      return { code: eraseTypes(compiled.code), map, diagnostics, file, source };
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return { code: null, map: null, diagnostics: error.diagnostics, file, source };
    }
  }

  /** A request as messages name it: lines in a template that another file holds are not that file's. */
  #shown({ path, isAsked, variant }: TemplateRequest): string {
    const query = isAsked ? `?chat-template${variant === undefined ? "" : `=${variant}`}` : "";
    return this.#fromRoot(path) + query;
  }

  #fromRoot(path: string): string {
    return withSlashes(relative(this.#root, path));
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
    const isPath = runtime.startsWith(".") || isAbsolute(runtime);
    if (runtime !== "inline" && !isPath) return runtime;
    const folder = runtime === "inline" ? ownRuntime() : resolve(this.#root, runtime);
    const fromModule = withSlashes(relative(dirname(path), folder));
    return fromModule.startsWith(".") ? fromModule : `./${fromModule}`;
  }
}

const TOKENIZER_CONFIG = "tokenizer_config.json";
/** What of a model's folder the template and its special tokens can come from. */
const FILES_BESIDE = ["chat_template.jinja", "special_tokens_map.json"];

/** A template inside another file is a source of its own: debuggers show its lines, not that file's. */
function embeddedFile({ path, variant }: TemplateRequest): string {
  return [path, ...(variant === undefined ? [] : [variant]), "jinja"].join(".");
}

/**
 * The map with its source's path. What stands above the first statement of the template, such as `render`, leads to its
 * first line: in a bundle it would lead to whatever stands before the module.
 */
function withSource(map: string, source: string): string {
  const parsed: unknown = JSON.parse(map);
  if (!isSourceMap(parsed)) return map;
  const mappings = parsed.mappings.replace(/^;+/, (lines) =>
    `${FIRST_PLACE};`.repeat(lines.length),
  );
  return JSON.stringify({ ...parsed, mappings, sources: [withSlashes(source)] });
}

/** Column 0 → source 0, line 0, column 0: the offsets that follow count from there anyway. */
const FIRST_PLACE = "AAAA";

function isSourceMap(value: unknown): value is { readonly mappings: string } {
  return value instanceof Object && "mappings" in value && typeof value.mappings === "string";
}

/** The runtime of the package that the plugin is part of. */
function ownRuntime(): string {
  return dirname(fileURLToPath(import.meta.resolve("chat-template-compiler/runtime")));
}
