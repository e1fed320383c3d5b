/** The special tokens that transformers hands to a template under their names (`bos_token`, `eos_token`, …). */
import { field, isJsonObject, kindOf, type JsonObject } from "./json.js";
import { LoadError } from "./loaded.js";

export type SpecialTokens = Readonly<Record<string, string>>;

/** A configuration file and what it holds. */
export interface ConfigFile {
  readonly file: string;
  readonly config: JsonObject;
}

/** PreTrainedTokenizerBase.SPECIAL_TOKENS_ATTRIBUTES: only these must be tokens. */
const STANDARD: ReadonlySet<string> = new Set(
  ["bos", "eos", "unk", "sep", "pad", "cls", "mask"].map((name) => `${name}_token`),
);

/**
 * `special_tokens_map` of a tokenizer with this configuration (tokenization_utils_base.py, _from_pretrained): every
 * token under a key that ends in `_token`, and the named ones among the model's own. special_tokens_map.json, if it is
 * given, counts where the configuration has no `added_tokens_decoder`, and then wins.
 */
export function specialTokensOf(tokenizer: ConfigFile, map?: ConfigFile): SpecialTokens {
  const tokens = new Map<string, string>();
  const isLegacy = field(tokenizer.config, "added_tokens_decoder") === undefined;
  const files = isLegacy && map !== undefined ? [tokenizer, map] : [tokenizer];
  for (const each of files) collectNamed(each, tokens);
  for (const each of files) collectOwn(each, tokens);
  return Object.fromEntries(tokens);
}

function collectNamed({ file, config }: ConfigFile, tokens: Map<string, string>): void {
  for (const [key, value] of Object.entries(config)) {
    if (!key.endsWith("_token") || value === null) continue;
    const content = contentOf(value);
    if (content !== undefined) tokens.set(key, content);
    else if (STANDARD.has(key)) {
      throw new LoadError(
        file,
        `${key} must be a text or an object with content, not ${kindOf(value)}`,
      );
    }
  }
}

/** The model's own tokens win over all others of their names. */
function collectOwn({ file, config }: ConfigFile, tokens: Map<string, string>): void {
  for (const group of groupsOf(config)) {
    const named = field(config, group);
    if (!isJsonObject(named)) continue;
    for (const [key, value] of Object.entries(named)) {
      const content = contentOf(value);
      if (content === undefined) throw new LoadError(file, `${group}.${key} is not a token`);
      tokens.set(key, content);
    }
  }
}

const EXTRA = "extra_special_tokens";

/** The keys of the model's own tokens: what _from_pretrained gathers itself takes the place of what it saved. */
function groupsOf(config: JsonObject): readonly string[] {
  const gathersOwn =
    isJsonObject(field(config, EXTRA)) ||
    Object.entries(config).some(
      ([key, value]) => key.endsWith("_token") && !STANDARD.has(key) && typeof value === "string",
    );
  return gathersOwn ? [EXTRA] : ["model_specific_special_tokens", EXTRA];
}

/** A token is a text, or an AddedToken as JSON writes it: an object with `content`. */
function contentOf(value: unknown): string | undefined {
  const content = isJsonObject(value) ? field(value, "content") : value;
  return typeof content === "string" ? content : undefined;
}
