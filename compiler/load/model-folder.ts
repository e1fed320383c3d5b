/** A model's folder: the templates that transformers takes from it. */
import { basename, join } from "node:path";
import { entryAt, isDirectory, isFile, namesIn, readJsonObject, readText } from "./files.js";
import {
  DEFAULT_VARIANT,
  LoadError,
  nameVariants,
  type LoadedTemplate,
  type Variant,
} from "./loaded.js";
import { specialTokensOf, type ConfigFile, type SpecialTokens } from "./special-tokens.js";
import { templatesIn } from "./template-field.js";

export const CHAT_TEMPLATE = "chat_template.jinja";
const TOKENIZER_CONFIG = "tokenizer_config.json";
const ADDITIONAL = "additional_chat_templates";
const PROCESSOR_FILES = ["processor_config.json", "chat_template.json"];
const SPECIAL_TOKENS_MAP = "special_tokens_map.json";

/**
 * The templates of a folder, as AutoTokenizer finds them (transformers 5.24, tokenization_utils_base.py): files of their
 * own, else `chat_template` of tokenizer_config.json. Without any of these, AutoProcessor's: processor_config.json
 * before chat_template.json (processing_utils.py).
 */
export async function loadModelFolder(
  directory: string,
  name = basename(directory),
): Promise<readonly LoadedTemplate[]> {
  const tokenizer = await configIn(directory, TOKENIZER_CONFIG);
  const variants = await variantsIn(directory, tokenizer);
  if (variants.length === 0) throw new LoadError(directory, await reasonForNone(directory));
  const define = await tokensIn(directory, tokenizer);
  return nameVariants(name, variants, { dialect: "jinja", define });
}

async function reasonForNone(directory: string): Promise<string> {
  const [gguf] = (await namesIn(directory)).filter((name) => name.endsWith(".gguf"));
  if (gguf !== undefined) return `holds GGUF files: load one of them, such as ${gguf}`;
  const configs = [TOKENIZER_CONFIG, ...PROCESSOR_FILES].join(", ");
  return `holds no chat template: none of ${CHAT_TEMPLATE}, ${ADDITIONAL}/*.jinja, and no chat_template in ${configs}`;
}

/** Whether a directory is a model's: one with templates only is not, unless its one template has the model's file name. */
export async function isModelFolder(directory: string): Promise<boolean> {
  for (const name of [TOKENIZER_CONFIG, ...PROCESSOR_FILES]) {
    if (await isFile(join(directory, name))) return true;
  }
  if (await isDirectory(join(directory, ADDITIONAL))) return true;
  const templates = (await namesIn(directory)).filter((name) =>
    /\.(jinja|j2|gotmpl|tmpl)$/.test(name),
  );
  return templates.length === 1 && templates[0] === CHAT_TEMPLATE;
}

async function variantsIn(
  directory: string,
  tokenizer: ConfigFile | undefined,
): Promise<readonly Variant[]> {
  const own = await templateFiles(directory);
  if (own.length > 0) return own;
  const configured = tokenizer === undefined ? [] : templatesIn(tokenizer);
  if (configured.length > 0) return configured;
  for (const name of PROCESSOR_FILES) {
    const config = await configIn(directory, name);
    const found = config === undefined ? [] : templatesIn(config);
    if (found.length > 0) return found;
  }
  return [];
}

/** A file `default.jinja` among the additional ones wins over chat_template.jinja, as there. */
async function templateFiles(directory: string): Promise<readonly Variant[]> {
  const files = new Map<string, string>();
  if (await isFile(join(directory, CHAT_TEMPLATE))) {
    files.set(DEFAULT_VARIANT, join(directory, CHAT_TEMPLATE));
  }
  for (const name of await namesIn(join(directory, ADDITIONAL))) {
    const file = join(directory, ADDITIONAL, name);
    if (name.endsWith(".jinja") && (await isFile(file))) {
      files.set(name.slice(0, -".jinja".length), file);
    }
  }
  const found: Variant[] = [];
  for (const [variant, file] of files) found.push({ variant, source: await readText(file), file });
  return found;
}

async function configIn(directory: string, name: string): Promise<ConfigFile | undefined> {
  const file = join(directory, name);
  const entry = await entryAt(file);
  return entry === undefined ? undefined : { file, config: await readJsonObject(file) };
}

/** Without tokenizer_config.json the tokenizer's class decides, of which a folder's files tell nothing. */
async function tokensIn(
  directory: string,
  tokenizer: ConfigFile | undefined,
): Promise<SpecialTokens> {
  const map = await configIn(directory, SPECIAL_TOKENS_MAP);
  if (tokenizer !== undefined) return specialTokensOf(tokenizer, map);
  return map === undefined ? {} : specialTokensOf(map);
}
