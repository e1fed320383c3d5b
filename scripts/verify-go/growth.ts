/**
 * `npm run verify:growth [-- FOLDER]`: renders each Go template of a folder on conversations of 100, 1,000 and 4,000
 * messages, and prints those whose time grows faster than their number, beside what the real engine's time does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Template } from "../../compiler/template.js";
import { goOracle, type Oracle } from "../oracle/engines.js";

const CORPUS = fileURLToPath(new URL("../../../shared/corpus/go/templates", import.meta.url));
const NOW = "2026-03-04";
const COUNTS: readonly [number, number, number] = [100, 1000, 4000];
/** From this exponent on a template is shown: noise stays below. */
const NOTABLE = 1.2;
/** A measurement takes the best of so many runs. */
const RUNS = 6;
/** Times that a template is measured again before it is shown. */
const RETRIES = 3;

const TOOL = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather of a city",
    parameters: {
      type: "object",
      required: ["city"],
      properties: { city: { type: "string", description: "Its name" } },
    },
  },
};

type Kind = "turns" | "tools" | "monologue";

/** Conversations that take a template's different ways: question and answer, calls of tools, only questions. */
function request(kind: Kind, count: number): object {
  const messages = Array.from({ length: count }, (_, at) => message(kind, at));
  const system = { role: "system", content: "Be brief." };
  return { messages: [system, ...messages], ...(kind === "tools" ? { tools: [TOOL] } : {}) };
}

function message(kind: Kind, at: number): object {
  const content = `Message ${String(at)}, of some length`;
  if (kind === "monologue") return { role: at % 2 === 0 ? "user" : "tool", content };
  if (kind === "turns") return { role: at % 2 === 0 ? "user" : "assistant", content };
  const call = { function: { name: "get_weather", arguments: { city: `Town ${String(at)}` } } };
  const turn = [
    { role: "user", content },
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", content },
    { role: "assistant", content },
  ];
  return turn[at % turn.length] ?? {};
}

const KINDS: readonly Kind[] = ["turns", "tools", "monologue"];

/** What the clock counts while something runs, the best of a few runs. */
function timeOf(clock: () => number, run: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = clock();
    run();
    return clock() - start;
  });
  return Math.min(...times);
}

/** The time that this process has had a processor for: what else the machine does counts less. */
function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** By which power of the number of messages something grows between the two largest counts. */
function exponent(measure: (count: number) => number): number {
  const [, middle, most] = COUNTS;
  return Math.log(measure(most) / measure(middle)) / Math.log(most / middle);
}

interface Growth {
  readonly kind: Kind;
  readonly time: number;
  readonly output: number;
}

/** How time and output of the compiled template grow; null where it refuses the conversation. */
function growthOf(template: Template, kind: Kind): Growth | null {
  const requests = new Map(COUNTS.map((count) => [count, request(kind, count)] as const));
  const input = (count: number) => requests.get(count) ?? {};
  try {
    template.render(input(COUNTS[0]));
    const output = exponent((count) => template.render(input(count)).length);
    let time = Infinity;
    for (let tries = 0; tries <= RETRIES && time > NOTABLE; tries++) {
      const again = exponent((count) => timeOf(ownTime, () => template.render(input(count))));
      time = Math.min(time, again);
    }
    return { kind, time, output };
  } catch {
    return null;
  }
}

/** The same of the real engine, whose start costs what an empty conversation does. */
function realGrowth(oracle: Oracle, template: string, kind: Kind): number {
  const times = (count: number) => {
    const row = {
      id: "growth",
      dialect: "ollama",
      template,
      now: NOW,
      input: request(kind, count),
    };
    const lines = Array.from({ length: 5 }, () => JSON.stringify(row));
    return timeOf(
      () => performance.now(),
      () => oracle.answer(lines),
    );
  };
  const start = times(0);
  return exponent((count) => times(count) - start);
}

function compiled(source: string): Template | null {
  try {
    return new Template(source, { dialect: "ollama", codegen: true });
  } catch {
    return null;
  }
}

function main(folder: string): void {
  const oracle = goOracle();
  let measured = 0;
  let notable = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".gotmpl"))) {
    const source = readFileSync(join(folder, file), "utf8");
    const template = compiled(source);
    if (template === null) continue;
    measured++;
    for (const kind of KINDS) {
      const growth = growthOf(template, kind);
      if (growth === null || growth.time <= NOTABLE) continue;
      notable++;
      const shown = [growth.time, growth.output, realGrowth(oracle, source, kind)].map((each) =>
        each.toFixed(2),
      );
      console.log(
        `${file}, ${kind}: time ^${shown[0] ?? ""}, output ^${shown[1] ?? ""}, Go's time ^${shown[2] ?? ""}`,
      );
    }
  }
  console.log(
    `${String(measured)} templates, ${String(notable)} conversations that grow faster than ^${String(NOTABLE)}`,
  );
}

main(process.argv[2] ?? CORPUS);
