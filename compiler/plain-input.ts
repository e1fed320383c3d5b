/** What callers of Template give, as the plain data that templates read. */
import { failInput } from "../runtime/errors.js";
import { toInput } from "../runtime/index.js";
import { Opaque, OrderedDict } from "../runtime/values.js";
import type { Module } from "./ir/nodes.js";
import { walkModule } from "./ir/visit.js";

/** What Jinja's environment has itself, and callers of other engines pass. */
const OWN_FUNCTIONS: ReadonlySet<string> = new Set([
  "raise_exception",
  "strftime_now",
  "range",
  "namespace",
  "dict",
]);

/** The names of the input's fields that the template reads; null where it may read any. */
export function readNames(module: Module): ReadonlySet<string> | null {
  const names = new Set<string>();
  walkModule(module, (expr) => {
    if (expr.op === "input") names.add(expr.name);
  });
  return module.prepare === null && !names.has("") ? names : null;
}

/**
 * The input as plain data, as far as the template reads it. Most is plain already, which a look tells faster than
 * converting it. A function among its fields raises a RenderError of phase "input": it is no data, and Jinja's
 * environment has its own under the usual names.
 */
export function plainInput(input: unknown, read: ReadonlySet<string> | null): unknown {
  if (read === null ? isPlain(input) : arePlain(input, read)) return input;
  const plain = toInput(input);
  if (typeof plain !== "object" || plain === null) return plain;
  for (const [name, value] of Object.entries(plain)) {
    if (typeof value === "function") refuseFunction(name);
  }
  return plain;
}

/** {@link isPlain} of an input of whose fields only some are read. */
function arePlain(input: unknown, read: ReadonlySet<string>): boolean {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return isPlain(input);
  if (!hasNoClass(input)) return false;
  for (const key in input) {
    const field = input[key];
    if (typeof field === "function") return false;
    if (typeof field === "object" && read.has(key) && !isPlain(field)) return false;
  }
  return true;
}

function refuseFunction(name: string): never {
  const advice = OWN_FUNCTIONS.has(name)
    ? "templates have their own, so leave it out (a clock is the option `now`)"
    : "inputs are data, and templates cannot call them";
  return failInput("TypeError", `${name} is a function: ${advice}`, name);
}

/**
 * Whether `toInput` would leave the value as it is, and no function is in it. Every render asks this of all that it is
 * given, so texts, which are most of it, are told first and without a call.
 */
function isPlain(value: unknown): boolean {
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
