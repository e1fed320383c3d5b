/** GGUF files: template and tokens stand in the head. */
import { readGgufHead, type GgufBytes, type GgufHead } from "./gguf-head.js";
import { LoadError, nameVariants, type LoadedTemplate, type Variant } from "./loaded.js";
import type { SpecialTokens } from "./special-tokens.js";

const TEMPLATE_KEY = "tokenizer.chat_template";

/** The templates in the bytes of a GGUF file: `tokenizer.chat_template`, and `tokenizer.chat_template.<name>` for others. */
export function templatesInGguf(bytes: GgufBytes, name: string): readonly LoadedTemplate[] {
  const { file } = bytes;
  const head = readGgufHead(bytes);
  const variants = variantsIn(file, head);
  if (variants.length === 0) {
    const isLaterShard = /-(?!00001)\d{5}-of-\d{5}\.gguf$/.test(file);
    const hint = isLaterShard ? "; of a model in several files the first holds it" : "";
    throw new LoadError(file, `has no ${TEMPLATE_KEY}${hint}`);
  }
  return nameVariants(name, variants, { dialect: "jinja", define: tokensIn(file, head) });
}

function variantsIn(file: string, { values }: GgufHead): readonly Variant[] {
  return [...values].flatMap(([key, source]) => {
    if (key !== TEMPLATE_KEY && !key.startsWith(`${TEMPLATE_KEY}.`)) return [];
    if (typeof source !== "string") throw new LoadError(file, `${key} is not a text`);
    return [{ variant: key.slice(TEMPLATE_KEY.length + 1) || "default", source, file }];
  });
}

/** gguf's constants.py (Keys.Tokenizer), with the names that transformers gives the tokens. */
const TOKEN_IDS: readonly (readonly [name: string, key: string])[] = [
  ["bos_token", "bos_token_id"],
  ["eos_token", "eos_token_id"],
  ["unk_token", "unknown_token_id"],
  ["sep_token", "seperator_token_id"],
  ["pad_token", "padding_token_id"],
  ["cls_token", "cls_token_id"],
  ["mask_token", "mask_token_id"],
];

function tokensIn(file: string, { values, textsAt }: GgufHead): SpecialTokens {
  const vocabulary = values.get("tokenizer.ggml.tokens");
  if (typeof vocabulary !== "object") return {};
  const wanted = TOKEN_IDS.flatMap(([name, key]) => {
    const id = values.get(`tokenizer.ggml.${key}`);
    return id === undefined ? [] : [{ name, key, id: typeof id === "number" ? id : -1 }];
  });
  const texts = textsAt(
    vocabulary,
    wanted.map(({ id }) => id),
  );
  const tokens = wanted.map(({ name, key }, at) => {
    const text = texts[at];
    if (text === undefined)
      throw new LoadError(file, `tokenizer.ggml.${key} names no token of the vocabulary`);
    return [name, text] as const;
  });
  return Object.fromEntries(tokens);
}
