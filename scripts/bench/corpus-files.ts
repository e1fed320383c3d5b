/** The collected templates of real models and what the real engines made of them, where they are beside the repository. */
import { existsSync, readFileSync } from "node:fs";
import { isRecord, rawMember } from "../rows.js";
import { ROOT } from "./subjects.js";

const CORPUS = `${ROOT}../shared/corpus/`;

export interface CorpusTemplate {
  readonly file: string;
  readonly dialect: "jinja" | "ollama" | "go";
  readonly source: string;
  readonly cases: readonly CorpusCase[];
}

/** A conversation that the real engine rendered. */
export interface CorpusCase {
  readonly conversation: string;
  /** JSON text. */
  readonly input: string;
  readonly now: string;
  readonly output: string;
}

/** Templates with the conversations that their engine rendered; none where there is no corpus. */
export function corpus(kind: "jinja" | "go"): readonly CorpusTemplate[] {
  const folder = `${CORPUS}${kind}/`;
  if (!existsSync(folder)) return [];
  const conversations = readFileSync(`${folder}conversations.json`, "utf8");
  const inputs = new Map<string, string>();
  const found = new Map<string, CorpusTemplate & { readonly cases: CorpusCase[] }>();
  for (const line of readFileSync(`${folder}cases.jsonl`, "utf8").split("\n").filter(Boolean)) {
    const row = readRow(JSON.parse(line));
    const { templateFile: file, conversation, dialect, now } = row;
    let template = found.get(file);
    if (template === undefined) {
      const source = readFileSync(`${folder}templates/${file}`, "utf8");
      template = { file, dialect, source, cases: [] };
      found.set(file, template);
    }
    const input = inputs.get(conversation) ?? rawMember(conversations, conversation) ?? "{}";
    inputs.set(conversation, input);
    if (row.output !== undefined)
      template.cases.push({ conversation, input, now, output: row.output });
  }
  return [...found.values()];
}

interface CorpusRow {
  readonly templateFile: string;
  readonly conversation: string;
  readonly dialect: CorpusTemplate["dialect"];
  readonly now: string;
  readonly output: string | undefined;
}

function readRow(row: unknown): CorpusRow {
  if (!isRecord(row) || !isRecord(row["expect"])) throw new TypeError("not a row of the corpus");
  const { templateFile, conversation, dialect, now, expect } = row;
  if (typeof templateFile !== "string" || typeof conversation !== "string" || !isDialect(dialect))
    throw new TypeError("not a row of the corpus");
  const output = isRecord(expect) && expect["ok"] === true ? expect["output"] : undefined;
  return {
    templateFile,
    conversation,
    dialect,
    now: typeof now === "string" ? now : "",
    output: typeof output === "string" ? output : undefined,
  };
}

function isDialect(value: unknown): value is CorpusRow["dialect"] {
  return value === "jinja" || value === "ollama" || value === "go";
}
