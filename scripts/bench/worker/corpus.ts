/**
 * Renders a conversation with the code that `generate` writes, with the same code behind `Template`, which first looks
 * through the input for what is no plain data, and with @huggingface/jinja in turns, for each JSON line of
 * `{ source, input, now, output }`; answers the times where the texts are the real engine's.
 */
import { createInterface } from "node:readline";
import { Template as HuggingFaceTemplate } from "@huggingface/jinja";
import { engineOf } from "../../../compiler/engines.js";
import { toModule } from "../../../compiler/pipeline.js";
import { compileTemplate } from "../../../compiler/template.js";
import { parseJson } from "../../../runtime/index.js";
import { isRecord } from "../../rows.js";

const ROUNDS = 7;
const ROUND_MS = 4;
/** The peer is warm after its first templates, as its code is every template's; ours is each template's own. */
const WARM_MS = 100;

for await (const line of createInterface({ input: process.stdin })) {
  const request: unknown = JSON.parse(line);
  if (!isRecord(request)) throw new TypeError("a request is an object");
  console.log(JSON.stringify(answer(request)));
}

function answer({ source, input, now, output }: Readonly<Record<string, unknown>>): object {
  const data: unknown = JSON.parse(String(input));
  const lossless: unknown = parseJson(String(input));
  if (!isRecord(data) || !isRecord(lossless)) throw new TypeError("an input is an object");
  try {
    const { module } = toModule(String(source), { dialect: "jinja", name: "template" });
    const engine = engineOf(module, { code: { mapped: null }, limits: false });
    if (engine.prompt(lossless, null, { now: String(now) }) !== output)
      return { reason: "our text" };
    const ours = compileTemplate(String(source), { dialect: "jinja" });
    const peer = new HuggingFaceTemplate(String(source));
    // All have today's date here: only ours can be told another.
    if (peer.render({ ...data }) !== ours.render(data)) return { reason: "hf's text" };
    return times({
      text: () => Buffer.from(engine.prompt(data, null, undefined)),
      template: () => Buffer.from(ours.render(data)),
      hf: () => Buffer.from(peer.render(data)),
    });
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

type Name = "text" | "template" | "hf";

function times(runs: Readonly<Record<Name, () => unknown>>): object {
  const found: Record<Name, number[]> = { text: [], template: [], hf: [] };
  const order = ["text", "template", "hf"] as const;
  for (const name of order) timeOf(runs[name], WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    const turns = round % 2 === 0 ? order : order.toReversed();
    for (const name of turns) found[name].push(timeOf(runs[name], ROUND_MS));
  }
  return found;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds a run takes. */
function timeOf(run: () => unknown, ms: number): number {
  const start = processorTime();
  let runs = 0;
  for (let batch = 1; ; batch *= 2) {
    for (let i = 0; i < batch; i++) run();
    runs += batch;
    const spent = processorTime() - start;
    if (spent >= ms * 1000) return spent / runs;
  }
}
