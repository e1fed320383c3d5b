/** The methods of list; those that change it are hidden by the sandbox. */
import type { Body } from "./method.js";
import { countItems, exactly, indexItem } from "./sequence.js";

const CHANGES = ["append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"];

/** Whether the method changes the list. */
export function changesList(name: string): boolean {
  return CHANGES.includes(name);
}

/** The method of the list with that name, null if there is none. */
export function listMethod(items: readonly unknown[], name: string): Body | null {
  switch (name) {
    case "copy":
      return (args, kwargs, place) => {
        exactly(0, "list.copy", args, kwargs, place);
        return [...items];
      };
    case "count":
      return countItems("list", items);
    case "index":
      return indexItem("list", items);
    default:
      return null;
  }
}
