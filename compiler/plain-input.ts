/** What callers of Template give, as the plain data that templates read. */
import { failInput } from "../runtime/errors.js";
import { toInput } from "../runtime/index.js";
import { Opaque, OrderedDict } from "../runtime/values.js";

/** What Jinja's environment has itself, and callers of other engines pass. */
const OWN_FUNCTIONS: ReadonlySet<string> = new Set([
  "raise_exception",
  "strftime_now",
  "range",
  "namespace",
  "dict",
]);

/**
 * The input as plain data. Most is plain already, which a look tells faster than converting it. A function among its
 * fields raises a RenderError of phase "input": it is no data, and Jinja's environment has its own under the usual
 * names.
 */
export function plainInput(input: unknown): unknown {
  if (isPlain(input)) return input;
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
