/** How Python binds arguments, and the TypeErrors it raises for wrong ones. */
import { raise } from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `'a', 'b', and 'c'`. */
function enumerate(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1) ?? ""}`;
}

/** A Python function's signature: `value linecount fill_with?`, a question mark for what has a default. */
export interface Signature {
  readonly name: string;
  readonly parameters: string;
  /** Arguments that Jinja2 itself passes first (the environment or the context); they count in the messages. */
  readonly implicit?: number;
}

/** Binds to a Python function: one value a parameter, undefined where its default applies. */
export function bind(
  signature: Signature,
  args: readonly Value[],
  kwargs: Kwargs,
): (Value | undefined)[] {
  const { name, implicit = 0 } = signature;
  const parameters = signature.parameters.split(" ").filter((word) => word !== "");
  const names = parameters.map((word) => word.replace("?", ""));
  const bound: (Value | undefined)[] = names.map((_, at) => args[at]);
  for (const [key, value] of kwargs) {
    const at = names.indexOf(key);
    if (at < 0) raise("TypeError", `${name}() got an unexpected keyword argument '${key}'`);
    if (bound[at] !== undefined) {
      raise("TypeError", `${name}() got multiple values for argument '${key}'`);
    }
    bound[at] = value;
  }
  if (args.length > names.length) {
    const required = parameters.filter((word) => !word.endsWith("?")).length + implicit;
    const most = names.length + implicit;
    const range = required === most ? "" : `from ${required} to `;
    const given = args.length + implicit;
    const takes = `takes ${range}${plural(most, "positional argument")}`;
    raise("TypeError", `${name}() ${takes} but ${given} ${given === 1 ? "was" : "were"} given`);
  }
  const missing = names.filter(
    (_, at) => bound[at] === undefined && !(parameters[at] ?? "").endsWith("?"),
  );
  if (missing.length > 0) {
    const what = `${plural(missing.length, "required positional argument")}: ${enumerate(missing)}`;
    raise("TypeError", `${name}() missing ${what}`);
  }
  return bound;
}

/**
 * How a C function takes its arguments. `none`: no arguments; `one`: exactly one; `fast` and `varargs`: positional
 * between two counts, with two wordings of the refusal; `keywords`: positional or by name.
 */
export interface NativeSignature {
  readonly kind: "none" | "one" | "fast" | "varargs" | "keywords";
  readonly least?: number;
  readonly most?: number;
  readonly names?: readonly string[];
}

function checkCount(name: string, given: number, signature: NativeSignature): void {
  const { kind, least = 0, most = 0 } = signature;
  if (given >= least && given <= most) return;
  const bound = given < least ? least : most;
  const which = least === most ? "" : given < least ? "at least " : "at most ";
  if (kind === "fast") {
    raise("TypeError", `${name} expected ${which}${plural(bound, "argument")}, got ${given}`);
  }
  const exact = least === most ? "exactly " : which;
  raise("TypeError", `${name}() takes ${exact}${plural(bound, "argument")} (${given} given)`);
}

/** Binds to a C function; `owner` is the type of a method (`str`). */
export function bindNative(
  owner: string,
  name: string,
  signature: NativeSignature,
  args: readonly Value[],
  kwargs: Kwargs,
): (Value | undefined)[] {
  const qualified = owner === "" ? name : `${owner}.${name}`;
  if (signature.kind === "keywords") return bindKeywords(name, signature, args, kwargs);
  if (kwargs.size > 0) {
    const label = signature.kind === "varargs" ? name : qualified;
    raise("TypeError", `${label}() takes no keyword arguments`);
  }
  if (signature.kind === "none" && args.length > 0) {
    raise("TypeError", `${qualified}() takes no arguments (${args.length} given)`);
  }
  if (signature.kind === "one" && args.length !== 1) {
    raise("TypeError", `${qualified}() takes exactly one argument (${args.length} given)`);
  }
  if (signature.kind === "fast" || signature.kind === "varargs") {
    checkCount(name, args.length, signature);
  }
  return [...args];
}

function bindKeywords(
  name: string,
  signature: NativeSignature,
  args: readonly Value[],
  kwargs: Kwargs,
): (Value | undefined)[] {
  const names = signature.names ?? [];
  const given = args.length + kwargs.size;
  if (given > names.length) {
    const most = plural(names.length, "argument");
    raise("TypeError", `${name}() takes at most ${most} (${given} given)`);
  }
  const bound: (Value | undefined)[] = names.map((_, at) => args[at]);
  for (const [key, value] of kwargs) {
    const at = names.indexOf(key);
    if (at < 0) raise("TypeError", `'${key}' is an invalid keyword argument for ${name}()`);
    if (bound[at] !== undefined) {
      raise(
        "TypeError",
        `argument for ${name}() given by name ('${key}') and position (${at + 1})`,
      );
    }
    bound[at] = value;
  }
  return bound;
}
