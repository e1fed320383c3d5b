/** Templates with a slip of the pen, for what the lexer and the parser refuse. */
import type { Random } from "./random.js";

const SIGNS = "{ } ( ) | . $ \" ' ` - : = , \\ / % & x 0 é".split(" ").concat(" ", "\n", "\t");
const WORDS = [
  "end",
  "else",
  "if",
  "range",
  "with",
  "break",
  "continue",
  "define",
  "nil",
  "template",
];
const WORDS_BY_TEMPLATE = /\{\{-?\s*(?:define|block|template)\b/;

/** One or two signs or words dropped, doubled, replaced or added; named templates stay, lest they call themselves. */
export function mutated(random: Random, template: string): string {
  if (WORDS_BY_TEMPLATE.test(template)) return template;
  let text = template;
  for (let slips = random.between(1, 2); slips > 0; slips--) text = slipped(random, text);
  return text;
}

function slipped(random: Random, text: string): string {
  const tokens = text.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  const at = random.below(tokens.length + 1);
  const token = tokens[at] ?? "";
  const other = random.chance(0.7) ? random.pick(SIGNS) : random.pick(WORDS);
  const by = random.pick(["", token + token, other, token + other]);
  return tokens.toSpliced(at, 1, by).join("");
}
