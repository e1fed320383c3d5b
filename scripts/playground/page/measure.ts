/** Render times of Template and of @huggingface/jinja, taken in turns. */
import { Template as OtherTemplate } from "@huggingface/jinja";
import { Template } from "../../../compiler/template.js";
import { isDict } from "../../../runtime/values.js";
import type { Job, Measured } from "./job.js";
import { inputOf } from "./render.js";

const ROUNDS = 9;
/** What each has in a round. */
const MILLISECONDS = 25;

/** The medians of rounds in which both render; throws what Template throws. */
export async function measure(job: Job): Promise<Measured> {
  const { source, dialect, name, define } = job;
  const input = inputOf(job);
  const template = new Template(source, { dialect, name, define, codegen: true });
  const own = (): string => template.render(input);
  const text = own();
  const other = otherRender(job);
  const otherText = attempt(other);
  if ("failure" in otherText) {
    return { own: 0, other: 0, ratio: 0, rounds: 0, isEqual: false, failure: otherText.failure };
  }
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const pair = [timeOf(own), timeOf(other)] as const;
    // The first round warms up.
    if (round > 0) pairs.push(pair);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return {
    own: median(pairs.map(([mine]) => mine)),
    other: median(pairs.map(([, theirs]) => theirs)),
    ratio: median(pairs.map(([mine, theirs]) => theirs / mine)),
    rounds: ROUNDS,
    isEqual: otherText.value === text,
    failure: null,
  };
}

/** It parses when the template is made, as Template does; it knows plain JSON only. */
function otherRender({ source, define, input }: Job): () => string {
  let template: OtherTemplate | undefined;
  const plain: unknown = JSON.parse(input);
  const context = { ...define, ...(isDict(plain) ? plain : {}) };
  return () => (template ??= new OtherTemplate(source)).render(context);
}

function attempt(render: () => string): { readonly value: string } | { readonly failure: string } {
  try {
    return { value: render() };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Microseconds a render: as many as fit, of which the clock is asked after each. */
function timeOf(render: () => string): number {
  const start = performance.now();
  let renders = 0;
  let passed = 0;
  while (passed < MILLISECONDS) {
    render();
    renders++;
    passed = performance.now() - start;
  }
  return (passed * 1000) / renders;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
