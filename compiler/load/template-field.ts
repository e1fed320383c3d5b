/** The `chat_template` of a JSON file: one template or several with names. */
import { field, isJsonObject, kindOf } from "./json.js";
import { DEFAULT_VARIANT, LoadError, type Variant } from "./loaded.js";
import type { ConfigFile } from "./special-tokens.js";

/**
 * The templates under `chat_template` of tokenizer_config.json, chat_template.json or processor_config.json: a text, a
 * list of `{name, template}`, or an object of texts. None where the key is absent or null.
 */
export function templatesIn({ file, config }: ConfigFile): readonly Variant[] {
  const value = field(config, "chat_template");
  if (value === undefined) return [];
  if (typeof value === "string") return [{ variant: DEFAULT_VARIANT, source: value, file }];
  const named = namedIn(file, value);
  if (named.size === 0) throw new LoadError(file, "chat_template holds no template");
  return [...named].map(([variant, source]) => ({ variant, source, file }));
}

/** Of a name that stands twice the last counts, as in the dict that transformers makes of it. */
function namedIn(file: string, value: unknown): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      const place = `chat_template[${String(index)}]`;
      if (!isJsonObject(each))
        throw new LoadError(file, `${place} is ${kindOf(each)}, not an object`);
      named.set(textAt(file, each, "name", place), textAt(file, each, "template", place));
    }
    return named;
  }
  if (!isJsonObject(value)) {
    throw new LoadError(file, `chat_template must be a text or a list, not ${kindOf(value)}`);
  }
  for (const name of Object.keys(value))
    named.set(name, textAt(file, value, name, "chat_template"));
  return named;
}

function textAt(
  file: string,
  object: Readonly<Record<string, unknown>>,
  key: string,
  place: string,
): string {
  const value = field(object, key);
  if (typeof value === "string") return value;
  const what = value === undefined ? "is missing" : `is ${kindOf(value)}, not a text`;
  throw new LoadError(file, `${place}.${key} ${what}`);
}
