/** The findings as Markdown: times, and ratios with their spread. */
import {
  median,
  quantile,
  type Findings,
  type Measured,
  type Row,
  type Skipped,
} from "./measure.js";

/** Which is divided by which, and what the table calls it. */
const RATIOS: readonly (readonly [title: string, over: string, under: string])[] = [
  ["text / limit", "text", "limit"],
  ["bytes / limit + copy", "bytes", "limit-copy"],
  ["chunks / limit's view", "chunks", "limit-bytes"],
  ["hf / text", "hf", "text"],
  ["hf / bytes", "hf", "bytes"],
  ["cpython / text", "cpython", "text"],
  ["minijinja / text", "minijinja", "text"],
  ["minijinja / bytes", "minijinja", "bytes"],
  ["ollama / text", "ollama", "text"],
  ["ollama / bytes", "ollama", "bytes"],
  ["segments / render", "segments", "render"],
];

interface Ratio {
  readonly mid: number;
  readonly low: number;
  readonly high: number;
}

export function markdown(findings: Findings): string {
  const nodes = [...new Set(findings.rows.map(({ node }) => node))];
  const parts = nodes.map((node) => ofNode(node, findings));
  return `${parts.join("\n\n")}\n`;
}

function ofNode(node: string, { rows, skipped }: Findings): string {
  const own = rows.filter((row) => row.node === node);
  const missing = skipped.filter((each) => each.node === node);
  const parts = [
    `## Node ${node.slice(1)}`,
    "Microseconds a render, medians of rounds in turns; texts include their encoding.",
    timesTable(own),
    "Ratios within a round: median, and in parentheses the tenth and the ninetieth of a hundred.",
    ratiosTable(own),
  ];
  if (missing.length > 0) parts.push(`Left out:\n\n${leftOut(missing)}`);
  return parts.join("\n\n");
}

function leftOut(skipped: readonly Skipped[]): string {
  const reasons = groups(
    skipped,
    ({ template, engine, reason }) =>
      `${template}, ${engine}: ${reason.replaceAll(/\s+/g, " ").slice(0, 100)}`,
  );
  return [...reasons]
    .map(([reason, own]) => `- ${reason} (${own.map(({ workload }) => workload).join(", ")})`)
    .join("\n");
}

function timesTable(rows: readonly Measured[]): string {
  const engines = [...new Set(rows.map(({ engine }) => engine))];
  return table(
    ["source", "workload", ...engines],
    casesIn(rows).map((own) => [
      own[0]?.template ?? "",
      own[0]?.workload ?? "",
      ...engines.map((engine) => microseconds(own.find((row) => row.engine === engine))),
    ]),
  );
}

function ratiosTable(rows: readonly Measured[]): string {
  const shown = RATIOS.filter(([, over, under]) =>
    casesIn(rows).some((own) => ratio(own, over, under) !== undefined),
  );
  return table(
    ["source", "workload", ...shown.map(([title]) => title)],
    casesIn(rows).map((own) => [
      own[0]?.template ?? "",
      own[0]?.workload ?? "",
      ...shown.map(([, over, under]) => showRatio(ratio(own, over, under))),
    ]),
  );
}

/** The rows of each template and workload. */
function casesIn<T extends Row>(rows: readonly T[]): readonly (readonly T[])[] {
  return [...groups(rows, ({ template, workload }) => `${template} ${workload}`).values()];
}

/** Map.groupBy, which Node 20 lacks. */
export function groups<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const name = key(row);
    found.set(name, [...(found.get(name) ?? []), row]);
  }
  return found;
}

/** How many times as long one engine takes as another, compared round by round. */
export function ratio(rows: readonly Measured[], over: string, under: string): Ratio | undefined {
  const above = rows.find(({ engine }) => engine === over)?.rounds;
  const below = rows.find(({ engine }) => engine === under)?.rounds;
  if (above === undefined || below === undefined) return undefined;
  const ratios = above.map((us, i) => us / (below[i] ?? NaN));
  return { mid: median(ratios), low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
}

export function showRatio(found: Ratio | undefined): string {
  if (found === undefined) return "";
  return `${figure(found.mid)} (${figure(found.low)}–${figure(found.high)})`;
}

function microseconds(row: Measured | undefined): string {
  return row === undefined ? "" : figure(row.us);
}

/** Three digits, which is more than the machine's noise leaves. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
