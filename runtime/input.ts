/** Turns what a program holds into the plain data that templates read. */
import { isIndexKey, Opaque, OrderedDict, setField, setOther, setText } from "./values.js";

/** The value as plain data: Maps as dicts, Sets as lists, dates and the like as their JSON; plain data stays as it is. */
export function toInput(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Opaque) {
    return value;
  }
  if (Array.isArray(value)) {
    return convertList(value);
  }
  if (value instanceof OrderedDict) {
    return value;
  }
  if (value instanceof Map) {
    return dictOf(value.entries());
  }
  if (value instanceof Set) {
    return convertList([...value]);
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return toInput(Reflect.apply(value.toJSON, value, []));
  }
  return convertObject(value);
}

function convertList(list: readonly unknown[]): readonly unknown[] {
  const converted = list.map(toInput);
  return converted.some((item, i) => item !== list[i]) ? converted : list;
}

function convertObject(object: object): object {
  const entries = Object.entries(object);
  const converted = entries.map(([key, item]): [string, unknown] => [key, toInput(item)]);
  const prototype: unknown = Object.getPrototypeOf(object);
  const plain = prototype === Object.prototype || prototype === null;
  if (plain && converted.every(([, item], i) => item === entries[i]?.[1])) {
    return object;
  }
  const result: Record<string, unknown> = {};
  for (const [key, item] of converted) {
    setField(result, key, item);
  }
  return result;
}

function dictOf(entries: Iterable<[unknown, unknown]>): object {
  const converted = [...entries].map(([key, item]): [unknown, unknown] => [key, toInput(item)]);
  if (converted.every(([key]) => typeof key === "string" && !isIndexKey(key))) {
    const result: Record<string, unknown> = {};
    for (const [key, item] of converted) {
      setField(result, String(key), item);
    }
    return result;
  }
  const dict = new OrderedDict();
  for (const [key, item] of converted) {
    if (typeof key === "string") {
      setText(dict, key, item);
    } else {
      setOther(dict, key, key, item);
    }
  }
  return dict;
}
