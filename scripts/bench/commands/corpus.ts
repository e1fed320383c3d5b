/** `corpus`: every Jinja template of the corpus over a conversation with tools, beside @huggingface/jinja. */
import { rmSync } from "node:fs";
import { bundle, makeFolder } from "../build.js";
import { corpus as readCorpus, type CorpusTemplate } from "../corpus-files.js";
import { median, quantile } from "../measure.js";
import { output, type OutputOptions, type Table } from "../output.js";
import { figure } from "../report.js";
import { Server } from "../server.js";
import { ROOT } from "../subjects.js";
import { isRecord } from "../../rows.js";

export interface CorpusOptions extends OutputOptions {
  readonly quick?: boolean;
  readonly node?: readonly string[];
}

/** Those with tools, the fullest first. */
const CONVERSATIONS = ["tools-parallel", "tools-dict", "tools-first"];
const QUICK_TEMPLATES = 10;
const SHOWN = 15;

interface Found {
  readonly template: string;
  readonly conversation: string;
  readonly node: string;
  readonly text: number;
  /** The same code behind `Template`. */
  readonly behind: number;
  readonly hf: number;
  readonly ratio: number;
  readonly behindRatio: number;
}

export async function corpus(options: CorpusOptions): Promise<void> {
  const { node: nodes = [process.execPath], quick = false } = options;
  const templates = readCorpus("jinja").slice(0, quick ? QUICK_TEMPLATES : undefined);
  if (templates.length === 0) throw new Error("there is no corpus beside the repository");
  const folder = makeFolder();
  await bundle([`${ROOT}scripts/bench/worker/corpus.ts`], folder);
  const found: Found[] = [];
  for (const node of nodes) {
    const worker = new Server(node, [`${folder}corpus.mjs`]);
    for (const template of templates) {
      const one = await measure(worker, template);
      if (one !== undefined) found.push({ ...one, node });
    }
    await worker.close();
  }
  rmSync(folder, { recursive: true });
  const tables = nodes.map((node) =>
    summary(
      found.filter((each) => each.node === node),
      node,
    ),
  );
  output(tables, found, options);
}

/** The first conversation that all three render alike. */
async function measure(
  worker: Server,
  { file, source, cases }: CorpusTemplate,
): Promise<Omit<Found, "node"> | undefined> {
  for (const conversation of CONVERSATIONS) {
    const own = cases.find((each) => each.conversation === conversation);
    if (own === undefined) continue;
    const { input, now, output: expected } = own;
    const answer = await worker.ask({ source, input, now, output: expected });
    if (!isTimes(answer)) continue;
    const ratioTo = (ours: readonly number[]): number =>
      median(ours.map((us, i) => (answer.hf[i] ?? NaN) / us));
    return {
      template: file,
      conversation,
      text: median(answer.text),
      behind: median(answer.template),
      hf: median(answer.hf),
      ratio: ratioTo(answer.text),
      behindRatio: ratioTo(answer.template),
    };
  }
  return undefined;
}

interface Times {
  readonly text: readonly number[];
  readonly template: readonly number[];
  readonly hf: readonly number[];
}

function isTimes(value: unknown): value is Times {
  return isRecord(value) && ["text", "template", "hf"].every((name) => Array.isArray(value[name]));
}

function summary(found: readonly Found[], node: string): Table {
  const ratios = found.map(({ ratio }) => ratio);
  const least = found.toSorted((x, y) => x.ratio - y.ratio).slice(0, SHOWN);
  const [mid, low, worst] = quantiles(ratios);
  const behind = quantiles(found.map(({ behindRatio }) => behindRatio));
  const title =
    `${node}, ${found.length} templates: hf takes ${mid} times as long in the median, ${low} in one of ten, ${worst} at least; ` +
    `as long as Template ${behind.join(", ")} times`;
  const head = ["template", "conversation", "text µs", "Template µs", "hf µs", "hf / text"];
  const body = least.map(({ template, conversation, text, behind: us, hf, ratio }) => [
    template,
    conversation,
    figure(text),
    figure(us),
    figure(hf),
    figure(ratio),
  ]);
  return { title, head, body };
}

/** The median, the tenth, and the least. */
function quantiles(ratios: readonly number[]): readonly string[] {
  return [0.5, 0.1, 0].map((part) => figure(quantile(ratios, part)));
}
