/** `growth`: how the time grows with the number of messages. */
import { measureAll, type RunOptions } from "../run.js";
import type { Row } from "../measure.js";
import { output } from "../output.js";
import { figure, groups } from "../report.js";

const MESSAGES = [10, 100, 1000, 10000];
/** Below it, what each render costs at the start counts more than its messages. */
const LEAST_FITTED = 100;

export async function growth(options: RunOptions): Promise<void> {
  const { rows } = await measureAll({
    ...options,
    workloads: MESSAGES.map((count) => `d${count}`),
    engines: ["text", "bytes", "limit", "hf"],
  });
  const series = groups(rows, ({ template, engine, node }) => `${template}|${engine}|${node}`);
  const found = [...series.values()].map((own) => ({
    template: own[0]?.template ?? "",
    engine: own[0]?.engine ?? "",
    node: own[0]?.node ?? "",
    us: MESSAGES.map((count) => timeOf(own, count)),
    exponent: exponent(points(own)),
  }));
  const body = found.map(({ template, engine, node, us, exponent: power }) => [
    template,
    engine,
    node,
    ...us.map((each) => (each === undefined ? "" : figure(each))),
    figure(power),
  ]);
  const title = `Microseconds by number of messages, and the exponent fitted from ${LEAST_FITTED} on (1: linear)`;
  const head = ["template", "engine", "Node", ...MESSAGES.map(String), "exponent"];
  output([{ title, head, body }], found, options);
}

function timeOf(rows: readonly Row[], count: number): number | undefined {
  return rows.find(({ workload }) => workload === `d${count}`)?.us;
}

type Point = readonly [count: number, us: number];

function points(rows: readonly Row[]): readonly Point[] {
  return MESSAGES.filter((count) => count >= LEAST_FITTED).flatMap((count) => {
    const us = timeOf(rows, count);
    return us === undefined ? [] : [[count, us] as const];
  });
}

/** The slope of a line through the logarithms, by least squares. */
export function exponent(measured: readonly Point[]): number {
  const logs = measured.map(([count, us]) => [Math.log(count), Math.log(us)] as const);
  const mean = (of: (log: readonly [number, number]) => number): number =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const x = mean((log) => log[0]);
  const y = mean((log) => log[1]);
  const covariance = mean((log) => (log[0] - x) * (log[1] - y));
  return covariance / mean((log) => (log[0] - x) ** 2);
}
