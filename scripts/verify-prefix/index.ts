/**
 * `npm run verify:prefix`: the verdicts of `inspect --prefix` on the templates of the corpus, against each pair of
 * prompts of the corpus's conversations. No pair may part where the verdict says that prompts grow, and each
 * counter-example must part again where it says.
 */
import { existsSync, readdirSync } from "node:fs";
import { longConversations } from "../../test/conversations.js";
import type { PrefixDialect } from "./brute-force.js";
import { checkVerdict, CORPUS, renderOf, type CheckedVerdict } from "./verdicts.js";

const VERDICTS = ["stable", "stable in use", "unstable"] as const;

function verify(language: "jinja" | "go", dialect: PrefixDialect): boolean {
  const conversations = longConversations(language);
  const checked: CheckedVerdict[] = [];
  for (const file of readdirSync(new URL(`${language}/templates/`, CORPUS))) {
    const render = renderOf(language, file, dialect);
    if (render === null) continue;
    const found = checkVerdict(dialect, render, conversations);
    checked.push(found);
    for (const fault of found.faults) console.log(`${file}, ${found.verdict}: ${fault}`);
  }
  report(dialect, checked);
  return checked.every(({ faults }) => faults.length === 0);
}

function report(dialect: PrefixDialect, checked: readonly CheckedVerdict[]): void {
  const sum = (count: (each: CheckedVerdict) => number): number =>
    checked.reduce((total, each) => total + count(each), 0);
  console.log(
    `${dialect}: ${checked.length} templates, ${sum(({ compared }) => compared)} pairs of prompts of ` +
      `real conversations compared, ${sum(({ searched }) => searched)} by the search; ` +
      `${sum(({ faults }) => faults.length)} faults`,
  );
  for (const verdict of VERDICTS) {
    const of = checked.filter((each) => each.verdict === verdict);
    const broken = of.filter(({ breaks }) => breaks.length > 0).length;
    console.log(`  ${verdict}: ${of.length}, of them ${broken} with real conversations that part`);
  }
}

if (existsSync(CORPUS)) {
  const results = [verify("jinja", "jinja"), verify("go", "ollama")];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} else {
  console.log(`skipped: no corpus at ${CORPUS.pathname}`);
}
