/** Tokens of a prompt in which only the template's own control tokens are control tokens. */
import { failInput } from "../../errors.js";
import type { Segment } from "../../segments/segment.js";
import { textOf } from "./message-spans.js";

/** What is asked of a tokenizer: `Tokenizer` of @huggingface/tokenizers has it. */
export interface TextEncoder {
  encode(
    text: string,
    options: { readonly add_special_tokens: boolean },
  ): { readonly ids: readonly number[] };
}

/** The class of such a tokenizer: made of the contents of `tokenizer.json` and `tokenizer_config.json`. */
export type TokenizerClass = new (tokenizer: object, config: object) => TextEncoder;

export interface SegmentTokenizerOptions {
  /** Added tokens that control the model though they are not flagged special, such as `<tool_call>`. */
  readonly control?: readonly string[];
}

/** A tokenizer whose control tokens no text spells; made by {@link segmentTokenizer}. */
export interface SegmentTokenizer {
  readonly encoder: TextEncoder;
  /** By what the tokens are called in templates. */
  readonly tokens: ReadonlyMap<string, { readonly id: number; readonly alias: string }>;
  /** What every alias begins with. */
  readonly secret: string;
}

/** Variables that hold special tokens: they come from the model's files, not from a conversation. */
const TRUSTED = [
  "bos_token",
  "eos_token",
  "pad_token",
  "unk_token",
  "sep_token",
  "cls_token",
  "mask_token",
] as const;

/**
 * A tokenizer for {@link encodeSegments}, of the contents of a model's `tokenizer.json` and `tokenizer_config.json`. Its
 * special tokens get names that nobody can know, so that the text of a message cannot spell them; all else, merges and
 * white space around tokens too, is the tokenizer's own.
 */
export function segmentTokenizer(
  Tokenizer: TokenizerClass,
  json: object,
  config: object,
  { control = [] }: SegmentTokenizerOptions = {},
): SegmentTokenizer {
  const secret = unguessable();
  const tokens = new Map<string, { id: number; alias: string }>();
  const added = addedTokens(json).map((token) => {
    const { id, content, special } = token;
    if (special !== true && !control.includes(content)) return token;
    const alias = `${secret}${String.fromCharCode(PRIVATE + tokens.size)}`;
    tokens.set(content, { id, alias });
    return { ...token, content: alias };
  });
  const encoder = new Tokenizer({ ...json, added_tokens: added }, config);
  return { encoder, tokens, secret };
}

interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special?: boolean;
}

/** The member `added_tokens` of a tokenizer.json. */
function addedTokens(json: object): readonly AddedToken[] {
  const tokens: unknown = "added_tokens" in json ? json.added_tokens : [];
  if (Array.isArray(tokens) && tokens.every(isAddedToken)) return tokens;
  return failInput("TypeError", "added_tokens is no list of tokens", "added_tokens");
}

function isAddedToken(token: unknown): token is AddedToken {
  return (
    typeof token === "object" &&
    token !== null &&
    "id" in token &&
    typeof token.id === "number" &&
    "content" in token &&
    typeof token.content === "string"
  );
}

export interface EncodeSegmentsOptions {
  /** Variables of the input whose texts count as the template's. Default: `bos_token`, `eos_token` and their like. */
  readonly trusted?: readonly string[];
}

/**
 * The ids of a prompt. A special token counts where it stands wholly in text of the template; in text of the input it is
 * encoded as the characters that it is, also where two fields or a field and the template spell it together. Without such
 * text the ids are those of the tokenizer's own `encode(prompt, { add_special_tokens: false })`. Throws a RenderError
 * of phase "input" where the tokenizer makes a control token of plain text all the same.
 */
export function encodeSegments(
  { encoder, tokens, secret }: SegmentTokenizer,
  segments: readonly Segment[],
  { trusted = TRUSTED }: EncodeSegmentsOptions = {},
): number[] {
  if (textOf(segments).includes(secret)) {
    failInput("ValueError", "the prompt holds the secret of this tokenizer", "");
  }
  const find = finder([...tokens.keys()]);
  let written = 0;
  let text = "";
  for (const run of runsOf(segments, new Set(trusted))) {
    text += run.isTemplate
      ? run.text.replace(find, (token) => {
          written++;
          return tokens.get(token)?.alias ?? token;
        })
      : run.text;
  }
  const { ids } = encoder.encode(text, { add_special_tokens: false });
  const control = new Set([...tokens.values()].map(({ id }) => id));
  if (ids.filter((id) => control.has(id)).length !== written) {
    failInput("ValueError", "the tokenizer makes a control token of text that is none", "");
  }
  return [...ids];
}

interface Run {
  readonly text: string;
  readonly isTemplate: boolean;
}

/** The prompt as stretches that are the template's and stretches that are not, in turn. */
function runsOf(segments: readonly Segment[], trusted: ReadonlySet<unknown>): readonly Run[] {
  const runs: Run[] = [];
  for (const { text, from, path } of segments) {
    const isTemplate = from === "template" || (path?.length === 1 && trusted.has(path[0]));
    const last = runs.at(-1);
    if (last?.isTemplate === isTemplate)
      runs[runs.length - 1] = { text: last.text + text, isTemplate };
    else runs.push({ text, isTemplate });
  }
  return runs;
}

/** Finds the tokens, of several at one place the longest, as tokenizers do. */
function finder(tokens: readonly string[]): RegExp {
  if (tokens.length === 0) return /(?!)/g;
  const longestFirst = tokens.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(quoted).join("|"), "g");
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** The first of Unicode's private characters: no tokenizer's rules change them. */
const PRIVATE = 0xe000;
const PRIVATE_COUNT = 4096;
const SECRET_LENGTH = 12;

function unguessable(): string {
  const numbers = crypto.getRandomValues(new Uint16Array(SECRET_LENGTH));
  return Array.from(numbers, (number) =>
    String.fromCharCode(PRIVATE + (number % PRIVATE_COUNT)),
  ).join("");
}
