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

/** Prints a table; writes it to FILE.md, and the rows behind it to FILE. */
export function output(shown: Table, rows: readonly object[], { json }: OutputOptions): void {
  const text = `${shown.title}\n\n${table(shown.head, shown.body)}\n`;
  console.log(text);
  if (json === undefined) return;
  writeFileSync(json, `${JSON.stringify(rows, null, 1)}\n`);
  writeFileSync(`${json}.md`, text);
}
