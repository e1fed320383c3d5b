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

/** Whether `toInput` would leave the value as it is, and no function is in it. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (Array.isArray(value)) {
    for (const item of value) if (!isScalar(item) && !isPlain(item)) return false;
    return true;
  }
  if (!hasNoClass(value)) return value instanceof OrderedDict || value instanceof Opaque;
  for (const key in value) {
    const field = value[key];
    if (!isScalar(field) && !isPlain(field)) return false;
  }
  return true;
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function hasNoClass(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
