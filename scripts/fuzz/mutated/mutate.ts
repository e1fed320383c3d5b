/** Structure-aware mutations: pieces of templates with tokens and tags dropped, doubled, swapped and exchanged. */
import type { Random } from "../random.js";
import { blocksOf, tokensOf, type Token } from "./tokens.js";

/** Longer templates are cut to one of their blocks. */
const WHOLE = 4000;
const PIECE = 1500;
const DEPTH = 3000;

type Mutation = (tokens: Token[], random: Random, other: () => readonly Token[]) => void;

/** A place in the tokens, mostly inside a tag: text between tags has no structure to break. */
function place(tokens: readonly Token[], random: Random): number {
  for (let tries = 0; tries < 20; tries++) {
    const at = random.below(tokens.length);
    const token = tokens[at];
    if (token?.inTag === true && token.text.trim() !== "") return at;
  }
  return random.below(tokens.length);
}

/** From the first to the last token of the tag that a token is in. */
function tagAround(tokens: readonly Token[], at: number): readonly [number, number] {
  const tag = tokens[at]?.tag;
  if (tag === undefined || tag < 0) return [at, at + 1];
  let [start, end] = [at, at + 1];
  while (tokens[start - 1]?.tag === tag) start--;
  while (tokens[end]?.tag === tag) end++;
  return [start, end];
}

function swap(tokens: Token[], left: number, right: number): void {
  const [a, b] = [tokens[left], tokens[right]];
  if (a === undefined || b === undefined) return;
  tokens[left] = b;
  tokens[right] = a;
}

function nextInTag(tokens: readonly Token[], at: number): number {
  let next = at + 1;
  while (tokens[next]?.text.trim() === "") next++;
  return next;
}

/** Tokens of one class stand in for each other: what comes of it is mostly still a template. */
const CLASSES: readonly RegExp[] = [
  /^[A-Za-z_]\w*$/,
  /^\d+$/,
  /^["'`]/,
  /^[-+*/%~<>]$/,
  /^(?:if|elif|for|set|range|with|else)$/,
];

function classOf(token: Token | undefined): RegExp | undefined {
  if (token?.inTag !== true) return undefined;
  return CLASSES.find((pattern) => pattern.test(token.text));
}

/** Exchanges a token for another one of its class, from this template or another. */
function exchange(tokens: Token[], random: Random, other: () => readonly Token[]): void {
  const at = place(tokens, random);
  const pattern = classOf(tokens[at]);
  const source = random.chance(0.7) ? tokens : other();
  const alike = source.filter((token) => token.inTag && pattern?.test(token.text) === true);
  if (alike.length > 0) tokens[at] = random.pick(alike);
}

const NUMBERS = ["0", "-1", "1", "1e400", "99999999999999999999", "0x10", "1_000", "2.5"];

const MUTATIONS: readonly Mutation[] = [
  (tokens, random) => tokens.splice(place(tokens, random), 1),
  (tokens, random) => {
    const at = place(tokens, random);
    tokens.splice(at, 0, ...tokens.slice(at, at + 1));
  },
  (tokens, random) => {
    const at = place(tokens, random);
    swap(tokens, at, nextInTag(tokens, at));
  },
  (tokens, random) => {
    swap(tokens, place(tokens, random), place(tokens, random));
  },
  (tokens, random) => {
    const [from, to] = [place(tokens, random), place(tokens, random)];
    const token = tokens[from];
    if (token !== undefined) tokens[to] = token;
  },
  (tokens, random, other) => {
    const source = other();
    tokens.splice(place(tokens, random), 1, ...source.slice(place(source, random)).slice(0, 1));
  },
  (tokens, random, other) => {
    const source = other();
    tokens.splice(
      place(tokens, random),
      0,
      ...source.slice(...tagAround(source, place(source, random))),
    );
  },
  (tokens, random) => {
    const [start, end] = tagAround(tokens, place(tokens, random));
    tokens.splice(start, end - start);
  },
  (tokens, random) => {
    const [start, end] = tagAround(tokens, place(tokens, random));
    tokens.splice(end, 0, ...tokens.slice(start, end));
  },
  (tokens, random) => {
    const at = tokens.findIndex(({ text, inTag }) => inTag && /^\d+$/.test(text));
    const text = random.pick(NUMBERS);
    if (at >= 0) tokens[at] = { text, inTag: true, tag: tokens[at]?.tag ?? 0 };
  },
  (tokens, random) => tokens.splice(place(tokens, random)),
];

type Block = ReturnType<typeof blocksOf>[number];

const smallBlocks = new Map<string, readonly Block[]>();

function smallBlocksOf(template: string): readonly Block[] {
  let blocks = smallBlocks.get(template);
  if (blocks === undefined) {
    blocks = blocksOf(template).filter(([start, end]) => end - start <= PIECE);
    smallBlocks.set(template, blocks);
  }
  return blocks;
}

function pieceOf(template: string, random: Random): string {
  if (template.length <= WHOLE && random.chance(0.3)) return template;
  const blocks = smallBlocksOf(template);
  if (blocks.length === 0) return template.slice(0, PIECE);
  const [start, end] = random.pick(blocks);
  return template.slice(start, end);
}

/** A piece of a template, mutated one to three times. */
export function mutated(templates: readonly string[], random: Random): string {
  const tokens = tokensOf(pieceOf(random.pick(templates), random));
  const other = (): readonly Token[] => tokensOf(pieceOf(random.pick(templates), random));
  const count = random.chance(0.6) ? 1 : 2 + random.below(2);
  for (let made = 0; made < count && tokens.length > 0; made++) {
    (random.chance(0.5) ? exchange : random.pick(MUTATIONS))(tokens, random, other);
  }
  return tokens.map(({ text }) => text).join("");
}

const ALPHABET = "{}%#-+'\"`|.,:;()[]=<>~*/\\\n\r\t 0x1e.aeiou_é\u{1f600}\ud800\u2028\0$&";

/** Characters without a plan, those of delimiters more often than others. */
export function noise(random: Random): string {
  const characters = Array.from(ALPHABET);
  const opens = [
    "{{",
    "{%",
    "{%-",
    "%}",
    "}}",
    "{#",
    "#}",
    "{{-",
    " if ",
    " end",
    " for ",
    "range ",
  ];
  return Array.from({ length: random.below(400) }, () =>
    random.chance(0.3) ? random.pick(opens) : random.pick(characters),
  ).join("");
}

const NESTS: readonly (readonly [open: string, middle: string, close: string])[] = [
  ["{% if a %}", "x", "{% endif %}"],
  ["{% for a in b %}", "{{ a }}", "{% endfor %}"],
  ["{% set x %}", "y", "{% endset %}"],
  ["{% macro f() %}", "y", "{% endmacro %}"],
  ["{{ (", "1", ") }}"],
  ["{{ [", "1", "] }}"],
  ["{{if .a}}", "x", "{{end}}"],
  ["{{range .a}}", "{{.}}", "{{end}}"],
  ["{{with .a}}", "{{.}}", "{{end}}"],
];
const EXPRESSIONS: readonly (readonly [open: string, middle: string, close: string])[] = [
  ["(", "a", ")"],
  ["[", "a", "]"],
  ["{'k':", "a", "}"],
  ["not ", "a", ""],
  ["-", "1", ""],
  ["", "a", ".b"],
  ["", "a", "|upper"],
  ["", "a", "[0]"],
  ["", "a", " ~ a"],
  ["", "2", " ** 2"],
  ["", "a", " if a else a"],
  ["f(", "a", ")"],
];

/** Blocks or expressions in each other, deeper than any parser recurses. */
export function nested(random: Random): string {
  const depth = 1 + random.below(random.chance(0.5) ? 40 : DEPTH);
  const isBlock = random.chance(0.5);
  const [open, middle, close] = random.pick(isBlock ? NESTS : EXPRESSIONS);
  const body = `${open.repeat(depth)}${middle}${random.chance(0.8) ? close.repeat(depth) : ""}`;
  return isBlock ? body : `{{ ${body} }}`;
}
