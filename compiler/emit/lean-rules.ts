/** Rules of the runtime that do the same with less code where an argument is written in the template. */
import { runtimeName, type IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, IntrinsicCall } from "../ir/nodes.js";
import { isPlainName } from "../ir/plain-names.js";

interface Lean {
  readonly runtime: string;
  /** Whether the arguments are such that it does the same. */
  readonly fits: (args: readonly Expr[]) => boolean;
}

const LEAN: Partial<Record<IntrinsicName, Lean>> = {
  "jinja.attr": { runtime: "member", fits: hasPlainKey },
  "jinja.item": { runtime: "entry", fits: hasPlainKey },
  "jinja.itemOf": { runtime: "entryOf", fits: hasPlainKey },
  "jinja.callMethod": { runtime: "callDict", fits: hasDictMethod },
  "jinja.joinFilter": { runtime: "joined", fits: ([, , attribute]) => isNull(attribute) },
};

/** The runtime's function for the call. */
export function ruleOf({ name, args }: IntrinsicCall): string {
  const lean = LEAN[name];
  return lean?.fits(args) === true ? lean.runtime : runtimeName(name);
}

/** Whether the key is an int, or a name that no method has. */
function hasPlainKey([, key]: readonly Expr[]): boolean {
  if (key?.op !== "literal") return false;
  const { value } = key;
  return typeof value === "string"
    ? isPlainName(value) && !MARKUP_METHODS.includes(value)
    : typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Whether of Python's builtin types only dict has the method. */
function hasDictMethod([, name]: readonly Expr[]): boolean {
  return name?.op === "literal" && DICT_METHODS.includes(name.value);
}

/** What Markup has beside the methods of str. */
const MARKUP_METHODS: readonly string[] = ["escape", "striptags", "unescape"];

const DICT_METHODS: readonly unknown[] = ["get", "items", "keys", "values"];

function isNull(arg: Expr | undefined): boolean {
  return arg?.op === "literal" && arg.value === null;
}
