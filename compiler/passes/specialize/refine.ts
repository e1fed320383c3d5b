/** What a test tells of the paths in it, on the way where it holds and on the way where it does not. */
import {
  Bool,
  Dict,
  Float,
  Hinted,
  Index,
  Int,
  isDeep,
  Markup,
  may,
  None,
  Number,
  only,
  Text,
  Undefined,
  type Kinds,
} from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { pathOf, type Facts } from "./facts.js";

/** Gives the kinds of a path without a fact. */
export type Fallback = (expr: Expr, facts: Facts) => Kinds;

export function refine(facts: Facts, test: Expr, holds: boolean, fallback: Fallback): Facts {
  switch (test.op) {
    case "not":
      return refine(facts, test.value, !holds, fallback);
    case "and":
    case "or":
      return refineLogical(facts, test, holds, fallback);
    case "typeof":
      return refineType(facts, test, holds, fallback);
    case "compare":
      return refineCompare(facts, test, holds, fallback);
    case "intrinsic":
      return refineIntrinsic(facts, test, holds, fallback);
    case "literal":
      return test.value === holds ? facts : facts.asUnreachable();
    default:
      return facts;
  }
}

const TYPES: Readonly<Record<"string" | "number" | "boolean", Kinds>> = {
  string: Text,
  number: Index | Int | Float,
  boolean: Bool,
};

function refineLogical(
  facts: Facts,
  test: Extract<Expr, { op: "and" | "or" }>,
  holds: boolean,
  fallback: Fallback,
): Facts {
  const isBoth = (test.op === "and") === holds;
  const left = refine(facts, test.left, holds, fallback);
  if (isBoth) return refine(left, test.right, holds, fallback);
  const otherLeft = refine(facts, test.left, !holds, fallback);
  return left.join(refine(otherLeft, test.right, holds, fallback));
}

function refineType(
  facts: Facts,
  test: Extract<Expr, { op: "typeof" }>,
  holds: boolean,
  fallback: Fallback,
): Facts {
  const refined = refineKinds(facts, test.value, TYPES[test.type], holds, fallback);
  const path = pathOf(test.value);
  return path !== null && holds ? refined.typed(path) : refined;
}

function refineKinds(
  facts: Facts,
  subject: Expr,
  kinds: Kinds,
  holds: boolean,
  fallback: Fallback,
): Facts {
  const path = pathOf(subject);
  if (path === null) return facts;
  const known = fallback(subject, facts);
  const refined = holds ? facts.narrow(path, kinds, known) : facts.exclude(path, kinds, known);
  const now = refined.get(path)?.kinds ?? known;
  if (may(now, Undefined | Hinted)) return refined;
  if (may(now, None)) return ownsField(refined, subject, fallback, true);
  return ownsField(refined.narrowed(path), subject, fallback, true);
}

function refineCompare(
  facts: Facts,
  test: Extract<Expr, { op: "compare" }>,
  holds: boolean,
  fallback: Fallback,
): Facts {
  if (test.right.op !== "literal" || (test.operator !== "===" && test.operator !== "!==")) {
    return facts;
  }
  const isEqual = (test.operator === "===") === holds;
  const { value } = test.right;
  if (value === null || value === undefined) {
    return refineKinds(facts, test.left, value === null ? None : Undefined, isEqual, fallback);
  }
  const path = pathOf(test.left);
  if (path === null || typeof value === "bigint") return facts;
  if (!isEqual) {
    return value === 0 ? facts.assumeTrue(path, fallback(test.left, facts)) : facts;
  }
  const before = facts.get(path)?.kinds ?? fallback(test.left, facts);
  // Minus zero equals zero, but prints as itself.
  const isOther = value === 0 && may(before, Float);
  const narrowed = facts.narrow(path, isOther ? Number : kindsOfEqual(value), before);
  const fact = narrowed.get(path);
  const isKnown = fact !== undefined && !isOther;
  const known = isKnown ? narrowed.with(path, { ...fact, literal: value }) : narrowed;
  return ownsField(known.narrowed(path).typed(path), test.left, fallback, true);
}

/** The kinds of what JavaScript's `===` finds equal to a value. */
function kindsOfEqual(value: string | number | boolean): Kinds {
  if (typeof value === "string") return Text;
  if (typeof value === "boolean") return Bool;
  return globalThis.Number.isInteger(value) && value >= 0 ? Index : Number;
}

function refineIntrinsic(
  facts: Facts,
  test: Extract<Expr, { op: "intrinsic" }>,
  holds: boolean,
  fallback: Fallback,
): Facts {
  const [subject, name] = test.args;
  if (subject === undefined) return facts;
  switch (test.name) {
    case "jinja.truth": {
      const path = pathOf(subject);
      if (path === null || !holds) return facts;
      return ownsField(facts.assumeTrue(path, fallback(subject, facts)), subject, fallback, false);
    }
    case "jinja.isDefined":
      return refineKinds(facts, subject, Undefined | Hinted, !holds, fallback);
    case "jinja.isMapping":
      return refineKinds(facts, subject, Dict, holds, fallback);
    case "jinja.isString":
      return refineKinds(facts, subject, Text | Markup, holds, fallback);
    case "jinja.isNone":
      return refineKinds(facts, subject, None, holds, fallback);
    case "jinja.isBoolean":
      return refineKinds(facts, subject, Bool, holds, fallback);
    case "jinja.has":
      return holds ? refineMember(facts, subject, name, fallback) : facts;
    default:
      return facts;
  }
}

/** `"function" in tool`: where the tool is a dict, it has that field. */
function refineMember(
  facts: Facts,
  container: Expr,
  name: Expr | undefined,
  fallback: Fallback,
): Facts {
  const path = pathOf(container);
  // A list or a text can hold the name without having the field.
  if (
    path === null ||
    !only(fallback(container, facts), Dict | None | Bool | Index | Int | Float)
  ) {
    return facts;
  }
  if (name?.op !== "literal" || typeof name.value !== "string") return facts;
  const read: Expr = { op: "read", object: container, name: name.value, optional: false };
  return facts.exclude(`${path}.${name.value}`, Undefined, fallback(read, facts));
}

/** Where a field is there, its owner is a dict. */
function ownsField(facts: Facts, field: Expr, fallback: Fallback, isSeen: boolean): Facts {
  if (field.op !== "read") return facts;
  const path = pathOf(field.object);
  if (path === null) return facts;
  const owner = fallback(field.object, facts);
  const narrowed = isDeep(owner)
    ? facts.narrow(path, Dict, owner)
    : facts.exclude(path, None | Undefined, owner);
  const seen = isSeen ? narrowed.narrowed(path) : narrowed;
  return ownsField(seen, field.object, fallback, isSeen);
}
