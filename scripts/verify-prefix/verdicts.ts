/** A template's verdict against real conversations and its own counter-example. */
import { readFileSync } from "node:fs";
import { prefixStability, type PrefixStability } from "../../compiler/analysis/prefix.js";
import { CompileError, compileTemplate } from "../../compiler/template.js";
import type { Conversation } from "../../test/conversations.js";
import { BruteForce, type PrefixDialect, type Render } from "./brute-force.js";
import { counterExampleFault } from "./counter-example.js";

export const CORPUS = new URL("../../../shared/corpus/", import.meta.url);
const NOW = "2024-07-26T13:14:15.678901";

type Verdict = "stable" | "stable in use" | "unstable";

export interface CheckedVerdict {
  readonly verdict: Verdict;
  /** The pairs of prompts that the search has compared, and those of real conversations. */
  readonly searched: number;
  readonly compared: number;
  /** The pairs of real conversations that part. */
  readonly breaks: readonly string[];
  /** What the verdict denies, and what is wrong with its counter-example. */
  readonly faults: readonly string[];
}

/** How a template of the corpus renders; null for one that is refused. */
export function renderOf(language: string, file: string, dialect: PrefixDialect): Render | null {
  const source = readFileSync(new URL(`${language}/templates/${file}`, CORPUS), "utf8");
  try {
    const template = compileTemplate(source, { dialect, name: file });
    return (input) => template.render(input, { now: NOW });
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

/** Checks the verdict: on no conversation may prompts part where it says that they grow. */
export function checkVerdict(
  dialect: PrefixDialect,
  render: Render,
  conversations: readonly Conversation[],
): CheckedVerdict {
  const stability = prefixStability(dialect, render);
  const verdict = verdictOf(stability);
  const force = new BruteForce(dialect, render);
  const order = verdict === "stable" ? "anyOrder" : "inUse";
  const breaks = conversations.flatMap((each) => force.breakOf(each, order) ?? []);
  const { counterExample } = stability;
  const fault =
    counterExample === undefined ? null : counterExampleFault(counterExample, dialect, render);
  return {
    verdict,
    searched: stability.compared,
    compared: force.compared,
    breaks,
    faults: [...(verdict === "unstable" ? [] : breaks), ...(fault === null ? [] : [fault])],
  };
}

function verdictOf({ stable, stableInUse }: PrefixStability): Verdict {
  if (stable) return "stable";
  return stableInUse ? "stable in use" : "unstable";
}
