/** Ollama's Modelfile: the template of its TEMPLATE line. */
import {
  ModelfileError,
  modelfileParameters,
  parseModelfile,
} from "../../runtime/chat/modelfile.js";
import { LoadError, type LoadedTemplate, type ModelfileSettings } from "./loaded.js";

/** The template in a Modelfile's bytes; throws a LoadError where it has none, or Ollama refuses the file. */
export function templatesInModelfile(
  file: string,
  name: string,
  bytes: Uint8Array,
): readonly LoadedTemplate[] {
  const text = decode(bytes);
  const { template, ...settings } = parse(file, text);
  if (template === undefined) {
    throw new LoadError(
      file,
      "has no TEMPLATE line: the template is that of its FROM model; load it as ollama:name or as its GGUF file",
    );
  }
  const define = {};
  return [{ name, dialect: "ollama", source: template, file, define, modelfile: settings }];
}

function parse(file: string, text: string): ModelfileSettings & { readonly template?: string } {
  try {
    const { template, system, messages = [] } = parseModelfile(text);
    const stop = modelfileParameters(text).flatMap(({ name, value }) =>
      name === "stop" ? [value] : [],
    );
    return {
      ...(template === undefined ? {} : { template }),
      ...(system === undefined ? {} : { system }),
      ...(messages.length === 0 ? {} : { messages }),
      ...(stop.length === 0 ? {} : { stop }),
    };
  } catch (error) {
    if (!(error instanceof ModelfileError)) throw error;
    throw new LoadError(file, error.message.replace(/^\(line \d+\): /, ""), error.line);
  }
}

/** parser.go decodes as unicode.BOMOverride does: UTF-16 by its mark, else UTF-8 with U+FFFD for what is not. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
