/** Python's sets, which only the views of dicts give a template, and their methods. */
import { bindNative } from "./jinja-arguments.js";
import type { NativeSignature } from "./jinja-arguments.js";
import { listOf } from "./jinja-operators.js";
import { bool, DictView, hashKey, NONE, PySet } from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";

function setOf(items: readonly Value[]): PySet {
  const set = new PySet();
  for (const item of items) {
    const hash = hashKey(item);
    if (!set.members.has(hash)) set.members.set(hash, item);
  }
  return set;
}

function without(set: PySet, others: readonly Value[]): PySet {
  const left = setOf([...set.members.values()]);
  for (const other of others) {
    for (const item of listOf(other)) left.members.delete(hashKey(item));
  }
  return left;
}

function within(set: PySet, others: readonly Value[]): PySet {
  let kept = [...set.members.values()];
  for (const other of others) {
    const wanted = setOf(listOf(other)).members;
    kept = kept.filter((item) => wanted.has(hashKey(item)));
  }
  return setOf(kept);
}

function isWithin(a: PySet, b: PySet): boolean {
  return [...a.members.keys()].every((hash) => b.members.has(hash));
}

/** `a - b` where one is a set or the view of a dict's keys or items; null where they do not have it. */
export function subtractSets(a: Value, b: Value): Value | null {
  const view = (value: Value): boolean =>
    value instanceof DictView && value.typeName !== "dict_values";
  if (a instanceof PySet && b instanceof PySet) return without(a, [b]);
  return view(a) || view(b) ? without(setOf(listOf(a)), [b]) : null;
}

const one: NativeSignature = { kind: "one" };

function relation(set: PySet, name: string): ((other: PySet) => Value) | null {
  if (name === "issubset") return (other) => bool(isWithin(set, other));
  if (name === "issuperset") return (other) => bool(isWithin(other, set));
  if (name === "isdisjoint") return (other) => bool(within(set, [other]).members.size === 0);
  if (name !== "symmetric_difference") return null;
  return (other) => {
    const [left, right] = [without(set, [other]), without(other, [set])];
    return setOf([...left.members.values(), ...right.members.values()]);
  };
}

function combination(set: PySet, name: string): ((others: readonly Value[]) => Value) | null {
  if (name === "difference") return (others) => without(set, others);
  if (name === "intersection") return (others) => within(set, others);
  if (name === "union") {
    return (others) => setOf([...set.members.values(), ...others.flatMap(listOf)]);
  }
  if (name !== "intersection_update") return null;
  return (others) => {
    const kept = within(set, others);
    set.members.clear();
    for (const [hash, item] of kept.members) set.members.set(hash, item);
    return NONE;
  };
}

/** The method of a set, or null. */
export function setMethod(
  set: PySet,
  name: string,
): ((args: readonly Value[], kwargs: Kwargs) => Value) | null {
  if (name === "copy") {
    return (args, kwargs) => {
      bindNative("set", name, { kind: "none" }, args, kwargs);
      return setOf([...set.members.values()]);
    };
  }
  const relate = relation(set, name);
  if (relate !== null) {
    return (args, kwargs) => {
      const [other = NONE] = bindNative("set", name, one, args, kwargs);
      return relate(setOf(listOf(other)));
    };
  }
  const combine = combination(set, name);
  if (combine === null) return null;
  return (args, kwargs) => {
    bindNative("set", name, { kind: "fast", least: 0, most: Infinity }, args, kwargs);
    return combine(args);
  };
}
