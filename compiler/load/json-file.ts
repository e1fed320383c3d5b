/** tokenizer_config.json, chat_template.json, processor_config.json: JSON files with a `chat_template`. */
import { dirname, join } from "node:path";
import { isFile, readJsonObject } from "./files.js";
import { LoadError, nameVariants, type LoadedTemplate } from "./loaded.js";
import { CHAT_TEMPLATE } from "./model-folder.js";
import { specialTokensOf } from "./special-tokens.js";
import { templatesIn } from "./template-field.js";

/** The file alone counts; what lies beside it takes part where the folder is loaded. */
export async function loadJsonFile(file: string, name: string): Promise<readonly LoadedTemplate[]> {
  const config = await readJsonObject(file);
  const variants = templatesIn({ file, config });
  if (variants.length === 0) {
    const beside = await isFile(join(dirname(file), CHAT_TEMPLATE));
    const hint = beside ? `; ${CHAT_TEMPLATE} lies beside it: load the folder instead` : "";
    throw new LoadError(file, `has no chat_template${hint}`);
  }
  return nameVariants(name, variants, {
    dialect: "jinja",
    define: specialTokensOf({ file, config }),
  });
}
