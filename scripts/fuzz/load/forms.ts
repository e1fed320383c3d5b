/** Whole files of each form that templates come in, and how they are read: from bytes, without a file system. */
import { readFileSync } from "node:fs";
import { templatesInGguf } from "../../../compiler/load/gguf.js";
import { parseJsonObject } from "../../../compiler/load/json.js";
import { LoadError } from "../../../compiler/load/loaded.js";
import { templatesInModelfile } from "../../../compiler/load/modelfile.js";
import { layersOf } from "../../../compiler/load/ollama-store.js";
import { specialTokensOf } from "../../../compiler/load/special-tokens.js";
import { templatesIn } from "../../../compiler/load/template-field.js";

export interface LoaderForm {
  readonly name: string;
  readonly whole: readonly Uint8Array[];
  /** The texts of what it loads; throws a LoadError for what is broken. */
  load(bytes: Uint8Array): readonly string[];
}

const FILE = "fuzzed";
const FIXTURES = new URL("../../../test/fixtures/load/", import.meta.url);

function fixture(name: string): Uint8Array {
  return readFileSync(new URL(name, FIXTURES));
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

/** As a file's text is decoded; what is not valid UTF-8 is refused before. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new LoadError(FILE, "is not valid UTF-8");
  }
}

const TEMPLATE = "{% for m in messages %}{{ m.content }}{% endfor %}";

const CONFIGS: readonly unknown[] = [
  { chat_template: TEMPLATE, bos_token: "<s>", eos_token: { content: "</s>", lstrip: false } },
  {
    chat_template: [
      { name: "default", template: TEMPLATE },
      { name: "tool_use", template: "{{ tools }}" },
    ],
    added_tokens_decoder: { "1": { content: "<s>", special: true } },
    extra_special_tokens: { image_token: "<image>" },
    model_max_length: 1e30,
  },
];

const MODELFILES: readonly string[] = [
  'FROM llama3\nTEMPLATE """{{ if .System }}{{ .System }}{{ end }}{{ .Prompt }}"""\nPARAMETER stop "<|end|>"\nSYSTEM You are brief.\nMESSAGE user Hi\n',
  '# a comment\nFROM ./model.gguf\nADAPTER ./adapter\nLICENSE """\nMIT\n"""\nTEMPLATE \'{{ .Prompt }}\'\nPARAMETER temperature 0.7\n',
];

const DIGEST = `sha256:${"0123456789abcdef".repeat(4)}`;
const MANIFEST = {
  schemaVersion: 2,
  mediaType: "application/vnd.docker.distribution.manifest.v2+json",
  config: { digest: DIGEST, size: 10 },
  layers: ["model", "template", "system", "params", "messages"].map((kind) => ({
    mediaType: `application/vnd.ollama.image.${kind}`,
    digest: DIGEST,
    size: 100,
  })),
};

export const LOADER_FORMS: readonly LoaderForm[] = [
  {
    name: "gguf",
    whole: ["one.gguf", "named.gguf", "big-endian.gguf", "none.gguf"].map(fixture),
    load(bytes) {
      const read = (from: number, length: number): Uint8Array =>
        bytes.subarray(from, from + length);
      const found = templatesInGguf({ file: FILE, size: bytes.byteLength, read }, FILE);
      return found.map(({ source }) => source);
    },
  },
  {
    name: "json",
    whole: CONFIGS.map(encoded),
    load(bytes) {
      const config = parseJsonObject(FILE, decoded(bytes));
      const found = templatesIn({ file: FILE, config });
      specialTokensOf({ file: FILE, config });
      return found.map(({ source }) => source);
    },
  },
  {
    name: "modelfile",
    whole: MODELFILES.map(encoded),
    load: (bytes) => templatesInModelfile(FILE, FILE, bytes).map(({ source }) => source),
  },
  {
    name: "manifest",
    whole: [encoded(MANIFEST)],
    load: (bytes) => layersOf(FILE, parseJsonObject(FILE, decoded(bytes))).map(({ path }) => path),
  },
];
