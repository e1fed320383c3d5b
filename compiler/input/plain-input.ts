/** What callers of Template give, as the plain data that templates read. */
import { failInput } from "../../runtime/errors.js";
import { toInput } from "../../runtime/index.js";
import { Opaque, OrderedDict } from "../../runtime/values.js";
import type { Module } from "../ir/nodes.js";
import { inputReads, type Reads } from "./reads.js";

/** What Jinja's environment has itself, and callers of other engines pass. */
const OWN_FUNCTIONS: ReadonlySet<string> = new Set([
  "raise_exception",
  "strftime_now",
  "range",
  "namespace",
  "dict",
]);

/**
 * How a template takes its inputs: as they are where all is plain that it reads, else converted as a whole. Two looks
 * tell, and what either finds plain is: one at all that is there, which asks nothing of the template, and one at what is
 * read of it, which is the faster one in code (`look-code.ts`).
 */
export class InputRule {
  readonly #module: Module;
  #reads: Reads | undefined;

  constructor(module: Module) {
    this.#module = module;
  }

  /** What is read of the input. */
  get reads(): Reads {
    return (this.#reads ??= inputReads(this.#module));
  }

  /**
   * The input as plain data, as far as the template reads it. A function among its fields raises a RenderError of phase
   * "input": it is no data, and Jinja's environment has its own under the usual names.
   */
  prepare(input: unknown): unknown {
    try {
      if (isPlain(input)) return input;
    } catch (error) {
      // What throws when it is looked at need not be what is read.
      if (isInputPlain(input, this.reads)) return input;
      throw error;
    }
    return isInputPlain(input, this.reads) ? input : converted(input);
  }
}

/**
 * The input as plain data, whatever is read of it, or where that has not been found plain; throws as
 * {@link InputRule.prepare} does.
 */
export function plainInput(input: unknown): unknown {
  return isPlain(input) ? input : converted(input);
}

function converted(input: unknown): unknown {
  const plain = toInput(input);
  if (typeof plain !== "object" || plain === null) return plain;
  for (const [name, value] of Object.entries(plain)) {
    if (typeof value === "function") refuseFunction(name);
  }
  return plain;
}

function refuseFunction(name: string): never {
  const advice = OWN_FUNCTIONS.has(name)
    ? "templates have their own, so leave it out (a clock is the option `now`)"
    : "inputs are data, and templates cannot call them";
  return failInput("TypeError", `${name} is a function: ${advice}`, name);
}

// ---------------------------------------------------------------- all that is there

/**
 * Whether `toInput` would leave the value as it is, and no function is in it. Every render asks this of all that it is
 * given, so texts, which are most of it, are told first and without a call.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (Array.isArray(value)) return isPlainList(value);
  if (!hasNoClass(value)) return value instanceof OrderedDict || value instanceof Opaque;
  for (const key in value) {
    const field = value[key];
    if (typeof field === "string") continue;
    if (typeof field === "object" ? !isPlain(field) : typeof field === "function") return false;
  }
  return true;
}

function isPlainList(list: readonly unknown[]): boolean {
  for (const item of list) {
    if (typeof item === "string") continue;
    if (typeof item === "object" ? !isPlain(item) : typeof item === "function") return false;
  }
  return true;
}

function hasNoClass(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// ---------------------------------------------------------------- what is read

/** Whether `toInput` would change nothing that is read of the input. What throws has not been found plain. */
function isInputPlain(input: unknown, reads: Reads): boolean {
  try {
    if (reads.isWhole) return isPlain(input);
    return isRecord(input) && !hasFunction(input) && areFieldsPlain(input, reads);
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && hasNoClass(value);
}

function hasFunction(input: Readonly<Record<string, unknown>>): boolean {
  for (const key in input) if (typeof input[key] === "function") return true;
  return false;
}

function areFieldsPlain(object: Readonly<Record<string, unknown>>, { fields }: Reads): boolean {
  for (const [name, field] of fields) if (!isPlainFor(field.root, object[name])) return false;
  return true;
}

/** Values that are no objects are what they are, functions too. */
function isPlainFor(reads: Reads, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (reads.isWhole) return isPlain(value);
  const { items, fields } = reads;
  if (items === null && fields.size === 0) return isPlainOutside(value);
  if (Array.isArray(value) !== (items !== null)) return isPlain(value);
  if (items === null) return isPlainObject(value) && areFieldsPlain(value, reads);
  return Array.isArray(value) && value.every((item) => isPlainFor(items, item));
}

/** Whether `toInput` would not replace a list or object by something else, whatever is in it. */
export function isPlainOutside(value: object): boolean {
  return Array.isArray(value) || isPlainObject(value);
}

function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  return hasNoClass(value) && typeof value["toJSON"] !== "function";
}
