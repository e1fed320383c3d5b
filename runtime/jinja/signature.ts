/** How Python binds the arguments of a filter or test, with its messages. */
import { fail } from "../errors.js";
import { keywordEntries } from "./dict.js";
import type { Keywords } from "./protocol.js";
import { quote } from "./quote.js";

/** A parameter after the value: its name, and its default if it has one. */
export type ParameterRule = readonly [name: string] | readonly [name: string, value: unknown];

/** What Python knows of a function that is a filter or test. */
export interface Signature {
  /** The name in messages. */
  readonly name: string;
  /** The name of the parameter for the value; empty where it has none. */
  readonly subject: string;
  /** How many arguments the environment adds before the value. */
  readonly hidden: number;
  readonly parameters: readonly ParameterRule[];
}

/** The arguments after the value in the order of the parameters, defaults filled in. */
export function bind(
  signature: Signature,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): unknown[] {
  const { name, parameters } = signature;
  const bound: unknown[] = args.slice(0, parameters.length);
  const given = new Map(keywordEntries(kwargs));
  for (const key of given.keys()) {
    checkKeyword(signature, key, args.length, place);
  }
  if (args.length > parameters.length) {
    return failCount(signature, args.length, place);
  }
  const missing: string[] = [];
  for (const [key, ...fallback] of parameters.slice(args.length)) {
    if (given.has(key)) {
      bound.push(given.get(key));
    } else if (fallback.length > 0) {
      bound.push(fallback[0]);
    } else {
      missing.push(key);
    }
  }
  return missing.length > 0 ? failMissing(name, missing, place) : bound;
}

/** For a function of Python that takes any number of arguments, and none by name; `self` is taken already. */
export function onlyPositional(name: string, kwargs: Keywords, place: string): void {
  for (const [key] of keywordEntries(kwargs)) {
    checkKeyword({ name, subject: "self", hidden: 0, parameters: [] }, key, 0, place);
  }
}

/** For a function of Python that takes whatever names there are, but for those that it has been given already. */
export function notTwice(
  name: string,
  taken: readonly string[],
  kwargs: Keywords,
  place: string,
): void {
  if (kwargs === null) return;
  const twice = taken.find((key) => Object.hasOwn(kwargs, key));
  if (twice !== undefined) {
    fail("TypeError", `${name}() got multiple values for argument ${quote(twice)}`, place);
  }
}

function checkKeyword(signature: Signature, key: string, count: number, place: string): void {
  const position = signature.parameters.findIndex(([name]) => name === key);
  if (key === signature.subject || (position >= 0 && position < count)) {
    const message = `${signature.name}() got multiple values for argument ${quote(key)}`;
    fail("TypeError", message, place);
  }
  if (position < 0) {
    const message = `${signature.name}() got an unexpected keyword argument ${quote(key)}`;
    fail("TypeError", message, place);
  }
}

function failCount(signature: Signature, count: number, place: string): never {
  const { name, parameters, hidden } = signature;
  const most = parameters.length + hidden + 1;
  const least = parameters.filter((parameter) => parameter.length === 1).length + hidden + 1;
  const takes = least === most ? `${most}` : `from ${least} to ${most}`;
  const noun = most === 1 ? "argument" : "arguments";
  const given = count + hidden + 1;
  const message = `${name}() takes ${takes} positional ${noun} but ${given} were given`;
  return fail("TypeError", message, place);
}

function failMissing(name: string, missing: readonly string[], place: string): never {
  const names = missing.map(quote);
  const last = names.pop() ?? "";
  const joined =
    names.length === 0 ? last : `${names.join(", ")}${names.length > 1 ? "," : ""} and ${last}`;
  const noun = missing.length === 1 ? "argument" : "arguments";
  const message = `${name}() missing ${missing.length} required positional ${noun}: ${joined}`;
  return fail("TypeError", message, place);
}
