/** Whether a verdict's counter-example is one: its two prompts, rendered again from what the verdict tells of them. */
import { inputOf, type PrefixBreak } from "../../compiler/analysis/prefix.js";
import type { PrefixDialect, Render } from "./brute-force.js";

/** What is wrong with a counter-example; null: the longer prompt parts from the shorter one where it says. */
export function counterExampleFault(
  found: PrefixBreak,
  dialect: PrefixDialect,
  render: Render,
): string | null {
  const prompt = (length: number, isOpen: boolean): string =>
    render(inputOf(dialect, found.options, found.messages.slice(0, length), isOpen));
  const shorter = prompt(found.shorter, found.generationPrompt);
  const longer = prompt(found.messages.length, false);
  if (longer.startsWith(shorter)) return "the shorter prompt begins the longer one";
  const { offset, before, after } = found;
  const partsThere =
    longer.slice(0, offset) === shorter.slice(0, offset) && longer[offset] !== shorter[offset];
  const isShown = shorter.startsWith(before, offset) && longer.startsWith(after, offset);
  return partsThere && isShown ? null : `the prompts do not part at ${offset}`;
}
