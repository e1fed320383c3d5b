/** Whether a verdict's counter-example is one: its two prompts, rendered again from what the verdict tells of them. */
import { DOCUMENTS, TOOLS } from "../../compiler/analysis/conversations.js";
import type { PrefixBreak } from "../../compiler/analysis/prefix.js";
import type { PrefixDialect, Render } from "./brute-force.js";

/** What the names of a counter-example's options stand for. */
const OPTIONS: Readonly<Record<PrefixDialect, Readonly<Record<string, object>>>> = {
  jinja: {
    "": {},
    tools: { tools: TOOLS[0] },
    documents: { documents: DOCUMENTS },
    thinking: { enable_thinking: true, thinking: true },
    "no thinking": { enable_thinking: false, thinking: false },
  },
  ollama: {
    "": {},
    tools: { tools: TOOLS[0] },
    documents: {},
    thinking: { think: true },
    "no thinking": { think: false },
  },
};

/** What is wrong with a counter-example; null: the longer prompt parts from the shorter one where it says. */
export function counterExampleFault(
  found: PrefixBreak,
  dialect: PrefixDialect,
  render: Render,
): string | null {
  const options = OPTIONS[dialect][found.options];
  if (options === undefined) return `its options are unknown: ${found.options}`;
  const given =
    dialect === "jinja"
      ? { tools: null, documents: null, bos_token: "<s>", eos_token: "</s>", ...options }
      : options;
  const prompt = (length: number, isOpen: boolean): string => {
    const flag = dialect === "jinja" ? { add_generation_prompt: isOpen } : {};
    return render({ ...given, ...flag, messages: found.messages.slice(0, length) });
  };
  const shorter = prompt(found.shorter, dialect === "jinja" && found.generationPrompt);
  const longer = prompt(found.messages.length, false);
  if (longer.startsWith(shorter)) return "the shorter prompt begins the longer one";
  const { offset, before, after } = found;
  const partsThere =
    longer.slice(0, offset) === shorter.slice(0, offset) && longer[offset] !== shorter[offset];
  const isShown = shorter.startsWith(before, offset) && longer.startsWith(after, offset);
  return partsThere && isShown ? null : `the prompts do not part at ${offset}`;
}
