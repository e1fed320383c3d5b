/** `segments`: how many times as long `renderSegments` takes as `render`, both of the same generated module. */
import { measureAll, type RunOptions } from "../run.js";
import type { Measured } from "../measure.js";
import { output } from "../output.js";
import { figure, groups, ratio, showRatio } from "../report.js";
import { SUBJECTS } from "../subjects.js";

const SEEDS = ["glm", "mimo", "qwen3-coder"];
const WORKLOADS = ["a", "b", "c"];

export async function segments(options: RunOptions): Promise<void> {
  const { rows } = await measureAll({
    only: SUBJECTS.filter(({ name }) => SEEDS.includes(name)),
    workloads: WORKLOADS,
    ...options,
    engines: ["text", "render", "segments"],
  });
  const cases = groups(
    rows,
    ({ template, workload, node }) => `${template}|${workload}|${node}`,
  ).values();
  const body = [...cases].map((own) => {
    const [first] = own;
    const place = [first?.template ?? "", first?.workload ?? "", first?.node ?? ""];
    const times = ["render", "segments"].map((engine) => timeOf(own, engine));
    return [...place, ...times, showRatio(ratio(own, "segments", "render"))];
  });
  const title =
    "Microseconds of render and renderSegments, and their ratio within a round: median, and in parentheses the tenth " +
    "and the ninetieth of a hundred";
  const head = ["template", "workload", "Node", "render", "renderSegments", "ratio"];
  output([{ title, head, body }], rows, options);
}

function timeOf(rows: readonly Measured[], engine: string): string {
  const us = rows.find((row) => row.engine === engine)?.us;
  return us === undefined ? "" : figure(us);
}
