/** The methods of dict; those that change it are hidden by the sandbox. */
import { dictEntries, dictGet, dictOf } from "./dict.js";
import { drain, iterate } from "./iterate.js";
import type { Body } from "./method.js";
import { checkCount, exactly, noKeywords } from "./sequence.js";
import { View } from "./views.js";

type Dict = Readonly<Record<string, unknown>>;

const CHANGES = ["clear", "pop", "popitem", "setdefault", "update"];

/** Whether the method changes the dict. */
export function changesDict(name: string): boolean {
  return CHANGES.includes(name);
}

/** The method of the dict with that name, null if there is none. */
export function dictMethod(dict: Dict, name: string): Body | null {
  switch (name) {
    case "get":
      return (args, kwargs, place) => {
        noKeywords("dict.get", kwargs, place);
        return getOr(dict, args, place);
      };
    case "keys":
    case "values":
    case "items":
      return (args, kwargs, place) => {
        exactly(0, `dict.${name}`, args, kwargs, place);
        return new View(dict, name);
      };
    case "copy":
      return (args, kwargs, place) => {
        exactly(0, "dict.copy", args, kwargs, place);
        return dictOf(dictEntries(dict), place);
      };
    case "fromkeys":
      return fromkeys;
    default:
      return null;
  }
}

/** The method of the mappingproxy with that name, null if there is none. */
export function proxyMethod(proxy: Dict, name: string): Body | null {
  return name === "fromkeys" ? null : dictMethod(proxy, name);
}

/** `dict.get(key, default)`. */
export function getOr(dict: Dict, args: readonly unknown[], place: string): unknown {
  checkCount("get", args, 1, 2, place);
  const found = dictGet(dict, args[0], place);
  return found === undefined ? (args.length > 1 ? args[1] : null) : found;
}

/** `dict.fromkeys(keys, value)`. */
export const fromkeys: Body = (args, kwargs, place) => {
  noKeywords("dict.fromkeys", kwargs, place);
  checkCount("fromkeys", args, 1, 2, place);
  const item = args.length > 1 ? args[1] : null;
  return dictOf(
    drain(iterate(args[0], place)).map((key) => [key, item]),
    place,
  );
};
