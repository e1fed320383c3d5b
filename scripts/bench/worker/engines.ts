/** The engines that render in this process. What an engine cannot do it throws; the bench then leaves it out. */
import { readFileSync } from "node:fs";
import { Template as HuggingFaceTemplate } from "@huggingface/jinja";
import { Environment } from "minijinja-js";
import nunjucks from "nunjucks";
import { Template } from "../../../compiler/template.js";
import { isRecord } from "../../rows.js";
import { pythonJson } from "./python-json.js";

export interface Job {
  readonly name: string;
  readonly dialect: "jinja" | "ollama";
  /** The template's path. */
  readonly template: string;
  readonly modules: Readonly<Record<string, string>>;
  readonly input: Readonly<Record<string, unknown>>;
  /** Those that are wanted. */
  readonly engines: readonly string[];
}

export function isJob(value: unknown): value is Job {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    (value["dialect"] === "jinja" || value["dialect"] === "ollama") &&
    typeof value["template"] === "string" &&
    isRecord(value["modules"]) &&
    isRecord(value["input"]) &&
    Array.isArray(value["engines"])
  );
}

export interface Prepared {
  /** What is timed. */
  readonly run: () => unknown;
  /** What it renders, in UTF-8. */
  readonly output: () => Uint8Array;
}

type Input = Job["input"];
type Prepare = (job: Job) => Prepared | Promise<Prepared>;

/** By name; the order is that of the tables. */
export const ENGINES: Readonly<Record<string, Prepare>> = {
  text: async (job) => text(textOf(await load(job, "text")), job.input),
  bytes: async (job) => bytes(bytesOf(await load(job, "bytes"), "renderBytes"), job.input),
  chunks: async (job) => chunks(await load(job, "bytes"), job.input),
  unoptimized: async (job) => text(textOf(await load(job, "unoptimized")), job.input),
  template: (job) => template(job, {}),
  "template-no-eval": (job) => template(job, { codegen: false }),
  limit: async (job) => text(textOf(await load(job, "limit")), job.input),
  "limit-bytes": async (job) => bytes(bytesOf(await load(job, "limit"), "renderBytes"), job.input),
  "limit-copy": async (job) => {
    const render = bytesOf(await load(job, "limit"), "renderBytes");
    return bytes((input) => Uint8Array.prototype.slice.call(render(input)), job.input);
  },
  render: async (job) => {
    const render = textOf(await load(job, "segments"));
    return { run: () => render(job.input), output: () => Buffer.from(render(job.input)) };
  },
  segments: async (job) => segments(await load(job, "segments"), job.input),
  hf: (job) => {
    const peer = new HuggingFaceTemplate(sourceOf(job));
    return text((input) => peer.render(input), job.input);
  },
  "minijinja-js": minijinja,
  nunjucks: nunjucksTemplate,
};

/** A text is timed with its encoding: what follows is a socket or a tokenizer, which take UTF-8. */
function text(render: (input: Input) => string, input: Input): Prepared {
  const run = (): Buffer => Buffer.from(render(input));
  return { run, output: run };
}

function bytes(render: (input: Input) => Uint8Array, input: Input): Prepared {
  const run = (): Uint8Array => render(input);
  return { run, output: run };
}

function chunks(module: Module, input: Input): Prepared {
  const render = functionOf(module, "renderTo");
  return {
    run: () => {
      let length = 0;
      render(input, (chunk: Uint8Array) => {
        length += chunk.length;
      });
      return length;
    },
    output: () => {
      const parts: Uint8Array[] = [];
      // The chunks are views of one buffer that is written again.
      render(input, (chunk: Uint8Array) => parts.push(chunk.slice()));
      return Buffer.concat(parts);
    },
  };
}

/** Beside `render` without its encoding: the text of a segment is a string, like that of a prompt. */
function segments(module: Module, input: Input): Prepared {
  const render = functionOf(module, "renderSegments");
  const textIn = (segment: unknown): string =>
    isRecord(segment) && typeof segment["text"] === "string" ? segment["text"] : "";
  return {
    run: () => render(input),
    output: () => {
      const list = checked(render(input), (made): made is unknown[] => Array.isArray(made));
      return Buffer.from(list.map(textIn).join(""));
    },
  };
}

function template(job: Job, options: { readonly codegen?: boolean }): Prepared {
  const { dialect, input } = job;
  const compiled = new Template(sourceOf(job), { dialect, ...options });
  return text((each) => compiled.render(each), input);
}

function minijinja(job: Job): Prepared {
  const environment = new Environment();
  environment.trimBlocks = true;
  environment.lstripBlocks = true;
  environment.enablePyCompat();
  environment.addFilter("tojson", pythonJson);
  environment.addTemplate(job.name, sourceOf(job));
  return text((input) => environment.renderTemplate(job.name, input), job.input);
}

function nunjucksTemplate(job: Job): Prepared {
  const environment = new nunjucks.Environment(null, {
    autoescape: false,
    trimBlocks: true,
    lstripBlocks: true,
  });
  environment.addFilter("tojson", pythonJson);
  const compiled = nunjucks.compile(sourceOf(job), environment);
  return text((input) => compiled.render(input), job.input);
}

function sourceOf({ template }: Job): string {
  return readFileSync(template, "utf8");
}

type Module = Readonly<Record<string, unknown>>;
type AnyFunction = (...parameters: unknown[]) => unknown;

async function load({ modules }: Job, variant: string): Promise<Module> {
  const path = modules[variant];
  if (path === undefined) throw new Error(`there is no module ${variant}`);
  const module: unknown = await import(path);
  if (!isRecord(module)) throw new TypeError(`${path} is no module`);
  return module;
}

function functionOf(module: Module, name: string): AnyFunction {
  const found = module[name];
  if (isFunction(found)) return found;
  throw new Error(`the module has no ${name}`);
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

function textOf(module: Module): (input: Input) => string {
  const render = functionOf(module, "render");
  const isText = (made: unknown): made is string => typeof made === "string";
  return (input) => checked(render(input), isText);
}

function bytesOf(module: Module, name: string): (input: Input) => Uint8Array {
  const render = functionOf(module, name);
  const isBytes = (made: unknown): made is Uint8Array => made instanceof Uint8Array;
  return (input) => checked(render(input), isBytes);
}

function checked<T>(made: unknown, is: (made: unknown) => made is T): T {
  if (is(made)) return made;
  throw new TypeError("the render function gave something else");
}
