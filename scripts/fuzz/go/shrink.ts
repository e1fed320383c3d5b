/** Smaller templates and inputs, for failures that are to be read. */

/** The template's texts and actions. */
function segments(template: string): string[] {
  return template
    .split(/(\{\{(?:"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*'|\/\*.*?\*\/|[^}])*\}\})/s)
    .filter(Boolean);
}

/** Ends of runs of segments that open and close their blocks. */
function* blocks(parts: readonly string[]): Generator<[start: number, end: number]> {
  for (const [start, part] of parts.entries()) {
    if (!isOpening(part)) {
      yield [start, start + 1];
      continue;
    }
    let depth = 0;
    for (let at = start; at < parts.length; at++) {
      const each = parts[at] ?? "";
      if (isOpening(each)) depth++;
      if (/^\{\{-?\s*end\b/.test(each) && --depth === 0) {
        yield [start, at + 1];
        break;
      }
    }
  }
}

function isOpening(part: string): boolean {
  return /^\{\{-?\s*(?:if|range|with|define|block)\b/.test(part);
}

/** Templates without a block, with only a block's inside, without a branch, or with a simpler action. */
export function* smallerTemplates(template: string): Generator<string> {
  const parts = segments(template);
  for (let size = parts.length >> 1; size > 1; size >>= 1) {
    for (let at = 0; at < parts.length; at += size) yield parts.toSpliced(at, size).join("");
  }
  for (const [start, end] of blocks(parts)) {
    yield parts.toSpliced(start, end - start).join("");
    if (end - start > 1) {
      yield [
        ...parts.slice(0, start),
        ...parts.slice(start + 1, end - 1),
        ...parts.slice(end),
      ].join("");
      yield* withoutBranches(parts, start, end);
    }
  }
  for (const [at, part] of parts.entries()) {
    if (part.startsWith("{{"))
      for (const simpler of simplerActions(part)) yield parts.with(at, simpler).join("");
    else if (part.length > 1) yield parts.with(at, "x").join("");
  }
}

function* withoutBranches(parts: readonly string[], start: number, end: number): Generator<string> {
  const elses = [...parts.keys()].filter(
    (at) => at > start && at < end && /^\{\{-?\s*else\b/.test(parts[at] ?? ""),
  );
  for (const at of elses) yield parts.toSpliced(at, end - 1 - at).join("");
}

const TOKEN = /"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*'|:=|[()|=,]|\.?[^\s()|=,:"`']+/g;

/** Actions without some of their tokens, or with a group of them replaced by something simple. */
function* simplerActions(action: string): Generator<string> {
  const inside = /^\{\{-?\s?(.*?)\s?-?\}\}$/s.exec(action)?.[1];
  if (inside === undefined) return;
  if (action.includes("{{- ") || action.includes(" -}}")) yield `{{${inside}}}`;
  const tokens = [...inside.matchAll(TOKEN)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  const replaced = (start: number, end: number, by: string) =>
    `{{${inside.slice(0, start)}${by}${inside.slice(end)}}}`.replace(/ {2,}/g, " ");
  for (const [index, token] of tokens.entries()) {
    if (token.text === "(") {
      const close = closing(tokens, index);
      const last = tokens[close];
      if (last === undefined) continue;
      for (const by of ["", "1", '"a"', "."]) yield replaced(token.start, last.end, by);
      yield replaced(token.start, last.end, inside.slice(token.end, last.start));
    } else if (token.text === "|") {
      yield replaced(0, token.end, "");
      yield replaced(token.start, inside.length, "");
    } else {
      yield replaced(token.start, token.end, "");
      if (token.text.length > 1)
        for (const by of ["1", '"a"', "."]) yield replaced(token.start, token.end, by);
      if (/^["`]..+/.test(token.text)) yield* shorterTexts(token, replaced);
      const dot = token.text.lastIndexOf(".");
      if (dot > 0) yield replaced(token.start + dot, token.end, "");
    }
  }
}

function* shorterTexts(
  { text, start, end }: { readonly text: string; readonly start: number; readonly end: number },
  replaced: (start: number, end: number, by: string) => string,
): Generator<string> {
  for (let at = 1; at < text.length - 1; at++)
    yield replaced(start, end, text.slice(0, at) + text.slice(at + 1));
}

function closing(tokens: readonly { readonly text: string }[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.text === "(") depth++;
    if (tokens[at]?.text === ")" && --depth === 0) return at;
  }
  return -1;
}

/** A JSON value with its scalars as they are written: JSON.parse would lose `1.0`, `-0` and the order of keys. */
type Raw =
  | { readonly type: "scalar"; readonly text: string }
  | { readonly type: "list"; readonly items: readonly Raw[] }
  | { readonly type: "object"; readonly members: readonly (readonly [key: string, value: Raw])[] };

/** Inputs without a member or an item, or with a simpler value. */
export function* smallerInputs(input: string): Generator<string> {
  const tokens = input.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  for (const smaller of smallerValues(readValue(tokens.values()))) yield written(smaller);
}

/** Reads a value that is known to be JSON; separators carry no information. */
function readValue(tokens: Iterator<string>): Raw {
  return valueFrom(tokens, next(tokens));
}

function next(tokens: Iterator<string>): string {
  const token: IteratorResult<string, unknown> = tokens.next();
  return token.done === true ? "]" : token.value;
}

function valueFrom(tokens: Iterator<string>, first: string): Raw {
  if (first === "[") return { type: "list", items: readItems(tokens) };
  if (first !== "{") return { type: "scalar", text: first };
  const items = readItems(tokens);
  const keys = items.filter((_, at) => at % 2 === 0).map(written);
  const values = items.filter((_, at) => at % 2 === 1);
  return { type: "object", members: values.map((value, at) => [keys[at] ?? '""', value]) };
}

function readItems(tokens: Iterator<string>): Raw[] {
  const items: Raw[] = [];
  for (let token = next(tokens); token !== "]" && token !== "}"; token = next(tokens)) {
    if (token !== "," && token !== ":") items.push(valueFrom(tokens, token));
  }
  return items;
}

function written(value: Raw): string {
  switch (value.type) {
    case "scalar":
      return value.text;
    case "list":
      return `[${value.items.map(written).join(",")}]`;
    case "object":
      return `{${value.members.map(([key, each]) => `${key}:${written(each)}`).join(",")}}`;
  }
}

function* smallerValues(value: Raw): Generator<Raw> {
  switch (value.type) {
    case "scalar":
      if (value.text.length > 3 && value.text.startsWith('"')) yield { ...value, text: '"a"' };
      return;
    case "list": {
      const { items } = value;
      for (const at of items.keys()) yield { ...value, items: items.toSpliced(at, 1) };
      for (const [at, item] of items.entries())
        for (const smaller of smallerValues(item))
          yield { ...value, items: items.with(at, smaller) };
      return;
    }
    case "object": {
      const { members } = value;
      for (const at of members.keys()) yield { ...value, members: members.toSpliced(at, 1) };
      for (const [at, [key, item]] of members.entries())
        for (const smaller of smallerValues(item))
          yield { ...value, members: members.with(at, [key, smaller]) };
    }
  }
}
