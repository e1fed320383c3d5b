/** Reads a row of a cases file, keeping the exact text of its `input` for lossless readers. */

export interface Row {
  readonly id: unknown;
  readonly dialect: string;
  readonly template: string;
  /** The JSON text of the member `input`, as it stands in the row. */
  readonly input: string;
  readonly now?: string;
  /** How often to render on the same input. */
  readonly runs: number;
  /** Dialect chat: apply_chat_template's argument, where the row has it beside the input. */
  readonly continueFinalMessage?: boolean | string;
}

/** The row cannot be run; `id` is its id where that could be read. */
export class RowError extends Error {
  readonly id: unknown;

  constructor(id: unknown, message: string) {
    super(message);
    this.name = "RowError";
    this.id = id;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses one line; throws RowError where it is no row. */
export function parseRow(line: string): Row {
  const row = parseObject(line);
  const id = row["id"] ?? null;
  const { dialect, template, now, runs, continue_final_message: open } = row;
  if (typeof dialect !== "string") throw new RowError(id, 'the row has no text "dialect"');
  if (typeof template !== "string") throw new RowError(id, 'the row has no text "template"');
  if (now !== undefined && typeof now !== "string") throw new RowError(id, '"now" is not a text');
  if (open !== undefined && typeof open !== "string" && typeof open !== "boolean")
    throw new RowError(id, '"continue_final_message" is neither a text nor a boolean');
  return {
    id,
    dialect,
    template,
    input: rawMember(line, "input") ?? "{}",
    ...(now === undefined ? {} : { now }),
    ...(open === undefined ? {} : { continueFinalMessage: open }),
    runs: typeof runs === "number" && runs > 1 ? Math.floor(runs) : 1,
  };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (error) {
    throw new RowError(null, `malformed JSON: ${error instanceof Error ? error.message : ""}`);
  }
  if (!isRecord(row)) throw new RowError(null, "the row is not a JSON object");
  return row;
}

/**
 * The JSON text of a member of an object that JSON.parse accepts. Of members with the same name
 * the last counts, as for JSON.parse.
 */
export function rawMember(text: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] !== '"') return found;
    const keyEnd = skipText(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    if (key === name) found = text.slice(start, end);
    at = skipSpace(text, end) + 1;
  }
}

function skipSpace(text: string, at: number): number {
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++;
  return at;
}

function skipText(text: string, at: number): number {
  for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
  return at + 1;
}

/** The end of a value: counts brackets, so that depth costs no stack. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      at = skipText(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    if (depth < 0 || (depth === 0 && ", \t\r\n".includes(char))) return at;
    at++;
    if (depth === 0 && (char === "}" || char === "]")) return at;
  }
  return at;
}
