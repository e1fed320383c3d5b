/** How pieces of a prompt are named and shown, in the terminal and on the page. */
import type { Segment } from "../../runtime/index.js";
import { inertText } from "../inert-text.js";

/** `messages[0].content`; keys that are no plain name are quoted. */
export function pathOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${String(key)}]`;
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return `${text}[${JSON.stringify(visible(key))}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/** What segments of one color have in common: the role of their message, else the first key of their path. */
export function groupOf({ from, path, role }: Segment): string {
  if (from === "template") return from;
  if (role !== undefined) return visible(role.replaceAll("\n", " "));
  return typeof path?.[0] === "string" ? visible(path[0].replaceAll("\n", " ")) : "input";
}

/**
 * The text unit by unit with what cannot be seen made visible: spaces where a line ends, control characters, which a
 * terminal would obey, and characters that change the direction of text.
 */
export function visible(text: string): string {
  const spaced = text.replace(/[^\S\n]+(?=\n|$)/g, (spaces) =>
    spaces.replace(/\t/g, "→").replace(/[^→\r]/g, "·"),
  );
  return inertText(spaced);
}
