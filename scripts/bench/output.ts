/** Tables on the terminal and, where a file is named, in files. */
import { writeFileSync } from "node:fs";
import { table } from "./report.js";

export interface OutputOptions {
  readonly json?: string;
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly body: readonly (readonly string[])[];
}

/** Prints tables; writes them to FILE.md, and the rows behind them to FILE. */
export function output(
  tables: readonly Table[],
  rows: readonly object[],
  { json }: OutputOptions,
): void {
  const text = tables
    .map(({ title, head, body }) => `${title}\n\n${table(head, body)}\n`)
    .join("\n");
  console.log(text);
  if (json === undefined) return;
  writeFileSync(json, `${JSON.stringify(rows, null, 1)}\n`);
  writeFileSync(`${json}.md`, text);
}
