/** `npm run fuzz -- --dialect jinja|go|ollama [--seed N | --seeds COUNT|FIRST..LAST] [--cases N] [--minutes M]`: random templates against the real engines. */
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    dialect: { type: "string", default: "jinja" },
    seed: { type: "string" },
    seeds: { type: "string" },
    cases: { type: "string" },
    minutes: { type: "string" },
  },
});

function number(text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`not a number: ${String(text)}`);
  return value;
}

/** `10` for so many seeds from the first, or `101..110`. */
function seedsOf(text: string, first: number): readonly number[] {
  const [from, to] = text.split("..");
  const start = to === undefined ? first : number(from, first);
  const count = to === undefined ? number(from, 1) : number(to, start) - start + 1;
  return Array.from({ length: count }, (_, at) => start + at);
}

async function fuzz(dialect: string): Promise<number> {
  const seed = number(values.seed, Date.now() % 1_000_000_000);
  const minutes = number(values.minutes, 0);
  const limit = values.minutes === undefined ? 1000 : Number.MAX_SAFE_INTEGER;
  const cases = number(values.cases, limit);
  const options = { seed, cases, ...(minutes > 0 ? { seconds: minutes * 60 } : {}) };
  console.log(`dialect ${dialect}, seed ${seed}`);
  if (dialect === "jinja" && values.seeds !== undefined) {
    const { fuzzJinjaSeeds } = await import("./jinja/run.js");
    return fuzzJinjaSeeds(seedsOf(values.seeds, seed), options);
  }
  if (dialect === "jinja") {
    const { fuzzJinja } = await import("./jinja/run.js");
    return fuzzJinja(options);
  }
  if (dialect !== "go" && dialect !== "ollama") throw new Error(`no dialect ${dialect}`);
  const { fuzzGo, fuzzGoSeeds } = await import("./go/run.js");
  return values.seeds === undefined
    ? fuzzGo({ ...options, dialect })
    : fuzzGoSeeds(seedsOf(values.seeds, seed), { ...options, dialect });
}

process.exitCode = (await fuzz(values.dialect)) === 0 ? 0 : 1;
