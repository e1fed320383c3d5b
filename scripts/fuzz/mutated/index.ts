/**
 * `npm run fuzz:mutated -- [--seed N] [--from N] [--cases N] [--render jinja|go|ollama]`: templates with tokens and tags dropped,
 * doubled, swapped and exchanged are compiled under watch, or rendered beside the real engine.
 */
import { parseArgs } from "node:util";
import { fuzzCompile } from "./compile.js";
import { fuzzRender } from "./render.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    from: { type: "string", default: "0" },
    cases: { type: "string", default: "10000" },
    render: { type: "string" },
  },
});

async function fuzz(): Promise<number> {
  const [seed, cases, dialect] = [Number(values.seed), Number(values.cases), values.render];
  if (dialect === undefined) return fuzzCompile(seed, Number(values.from), cases);
  if (dialect === "jinja" || dialect === "go" || dialect === "ollama") {
    return fuzzRender(dialect, seed, cases);
  }
  throw new Error(`no dialect ${dialect}`);
}

process.exitCode = (await fuzz()) === 0 ? 0 : 1;
