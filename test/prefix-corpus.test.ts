/**
 * Verdicts on real templates against real conversations: no conversation's prompt parts from that of its beginning where
 * the search has found none that does, and what it has found parts again. The corpus is other people's and stands beside
 * the repository; without it there is nothing to run.
 */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkVerdict, CORPUS, renderOf } from "../scripts/verify-prefix/verdicts.js";
import { longConversations } from "./conversations.js";
import { sample } from "./samples.js";

/** Every so manieth template: `npm run verify:prefix` takes all of them, and minutes. */
const STEP = 20;

const isHere = existsSync(CORPUS);
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, no verdicts to compare`);

describe.runIf(isHere)("verdicts on real templates", () => {
  it.each([
    ["jinja", "jinja"],
    ["go", "ollama"],
  ] as const)("miss no break of a real conversation: %s", (language, dialect) => {
    const conversations = longConversations(language);
    const files = readdirSync(new URL(`${language}/templates/`, CORPUS));
    const faults = sample(files, STEP).flatMap((file) => {
      const render = renderOf(language, file, dialect);
      const found = render === null ? [] : checkVerdict(dialect, render, conversations).faults;
      return found.map((fault) => `${file}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });
});
