/** Template text as tokens that mutations move about; coarser than a lexer, and the same for both dialects. */

export interface Token {
  readonly text: string;
  /** Stands between the delimiters of a tag, or is one. */
  readonly inTag: boolean;
  /** Which tag of the template that is; -1 for text between tags. */
  readonly tag: number;
}

const TAG = /\{%[^]*?%\}|\{\{[^]*?\}\}|\{#[^]*?#\}/g;
const WORD =
  /\{%[-+]?|[-+]?%\}|\{\{-?|-?\}\}|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|\w+|\s+|[^]/g;

/** Joined, the tokens are the template. */
export function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let tag = 0;
  for (const { 0: text, index } of template.matchAll(TAG)) {
    if (index > at) tokens.push({ text: template.slice(at, index), inTag: false, tag: -1 });
    for (const word of text.match(WORD) ?? []) tokens.push({ text: word, inTag: true, tag });
    at = index + text.length;
    tag++;
  }
  if (at < template.length) tokens.push({ text: template.slice(at), inTag: false, tag: -1 });
  return tokens;
}

const OPENS = /^\{[%{][-+]?\s*(?:if|for|macro|call|filter|with|range|define|block|generation)\b/;
const SETS = /^\{%[-+]?\s*set\s+[\w.,\s]+%\}|^\{%[-+]?\s*set\s+\w+\s*-?%\}/;
const CLOSES = /^\{[%{][-+]?\s*end/;

/** Where each block of the template begins and ends, inner ones too. */
export function blocksOf(template: string): readonly (readonly [start: number, end: number])[] {
  const blocks: [number, number][] = [];
  const open: number[] = [];
  for (const { 0: text, index } of template.matchAll(TAG)) {
    if (CLOSES.test(text)) {
      const start = open.pop();
      if (start !== undefined) blocks.push([start, index + text.length]);
    } else if (OPENS.test(text) || SETS.test(text)) open.push(index);
  }
  return blocks;
}
