/**
 * Renders a conversation with the code that `generate` writes and with @huggingface/jinja in turns, for each JSON line
 * of `{ source, input, now, output }`; answers the two times where both texts are the real engine's.
 */
import { createInterface } from "node:readline";
import { Template as HuggingFaceTemplate } from "@huggingface/jinja";
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
    const ours = compileTemplate(String(source), { dialect: "jinja" });
    if (ours.render(lossless, { now: String(now) }) !== output) return { reason: "our text" };
    const peer = new HuggingFaceTemplate(String(source));
    // Both have today's date here: only ours can be told another.
    if (peer.render({ ...data }) !== ours.render(data)) return { reason: "hf's text" };
    return times(
      () => Buffer.from(ours.render(data)),
      () => Buffer.from(peer.render(data)),
    );
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function times(ours: () => unknown, peer: () => unknown): object {
  timeOf(ours, WARM_MS);
  timeOf(peer, WARM_MS);
  const found: { text: number[]; hf: number[] } = { text: [], hf: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const isEven = round % 2 === 0;
    if (isEven) found.text.push(timeOf(ours, ROUND_MS));
    found.hf.push(timeOf(peer, ROUND_MS));
    if (!isEven) found.text.push(timeOf(ours, ROUND_MS));
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
