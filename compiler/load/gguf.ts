/** GGUF files: template and tokens stand in the head, so the weights are never read. */
import { open } from "node:fs/promises";
import { reasonOf } from "./files.js";
import { LoadError, nameVariants, type LoadedTemplate, type Variant } from "./loaded.js";
import type { SpecialTokens } from "./special-tokens.js";

type Metadata = Readonly<Record<string, unknown>>;

const TEMPLATE_KEY = "tokenizer.chat_template";

/** The templates of a GGUF file: `tokenizer.chat_template`, and `tokenizer.chat_template.<name>` for others. */
export async function loadGguf(file: string, name: string): Promise<readonly LoadedTemplate[]> {
  const metadata = await readMetadata(file);
  const variants = variantsIn(file, metadata);
  if (variants.length === 0) {
    const shard = /-(?!00001)\d{5}-of-\d{5}\.gguf$/.test(file)
      ? "; of a model in several files the first holds it"
      : "";
    throw new LoadError(file, `has no ${TEMPLATE_KEY}${shard}`);
  }
  return nameVariants(name, variants, { dialect: "jinja", define: tokensIn(file, metadata) });
}

function variantsIn(file: string, metadata: Metadata): readonly Variant[] {
  return Object.entries(metadata).flatMap(([key, source]) => {
    if (key !== TEMPLATE_KEY && !key.startsWith(`${TEMPLATE_KEY}.`)) return [];
    if (typeof source !== "string") throw new LoadError(file, `${key} is not a text`);
    checkLength(file, key, source);
    return [{ variant: key.slice(TEMPLATE_KEY.length + 1) || "default", source, file }];
  });
}

/** The reader keeps half a megabyte ahead of each key; a text that is longer than that could come back cut. */
const MAX_TEMPLATE_BYTES = 450_000;

function checkLength(file: string, key: string, source: string): void {
  if (Buffer.byteLength(source) > MAX_TEMPLATE_BYTES)
    throw new LoadError(file, `${key} is longer than ${String(MAX_TEMPLATE_BYTES)} bytes`);
}

/** gguf's constants.py (Keys.Tokenizer), to the names that transformers gives the tokens. */
const TOKEN_IDS: ReadonlyMap<string, string> = new Map([
  ["bos_token", "bos_token_id"],
  ["eos_token", "eos_token_id"],
  ["unk_token", "unknown_token_id"],
  ["sep_token", "seperator_token_id"],
  ["pad_token", "padding_token_id"],
  ["cls_token", "cls_token_id"],
  ["mask_token", "mask_token_id"],
]);

function tokensIn(file: string, metadata: Metadata): SpecialTokens {
  const vocabulary = metadata["tokenizer.ggml.tokens"];
  if (!Array.isArray(vocabulary)) return {};
  const tokens = new Map<string, string>();
  for (const [name, key] of TOKEN_IDS) {
    const id = metadata[`tokenizer.ggml.${key}`];
    if (id === undefined) continue;
    const token: unknown = typeof id === "number" ? vocabulary[id] : undefined;
    if (typeof token !== "string") {
      throw new LoadError(file, `tokenizer.ggml.${key} names no token of the vocabulary`);
    }
    tokens.set(name, token);
  }
  return Object.fromEntries(tokens);
}

async function readMetadata(file: string): Promise<Metadata> {
  const size = await checkHeader(file);
  // Loaded here: it takes longer to start than all other loaders together.
  const { gguf } = await import("@huggingface/gguf");
  try {
    const { metadata, tensorInfoByteRange } = await gguf(file, { allowLocalFile: true });
    // The reader takes what is missing at the end for zeros.
    if (tensorInfoByteRange[1] > size) throw new RangeError();
    return Object.fromEntries(Object.entries(metadata));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new LoadError(file, "is cut off within its head, or a length in it is wrong");
    }
    throw new LoadError(file, `is not a readable GGUF file: ${reasonOf(error)}`);
  }
}

const HEADER_BYTES = 24;
/** A key of no characters with one byte, a tensor of no name and no dimensions, in the shortest version of the format. */
const SMALLEST = { pair: 9n, tensor: 20n };

/** Refuses counts that the file cannot hold, before anything is reserved for them; gives the file's size. */
async function checkHeader(file: string): Promise<number> {
  const { bytes, size } = await readHead(file);
  if (!Buffer.from(bytes).subarray(0, 4).equals(Buffer.from("GGUF"))) {
    throw new LoadError(file, "is not a GGUF file");
  }
  if (bytes.byteLength < HEADER_BYTES) throw new LoadError(file, "is cut off within its head");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = (view.getUint32(4, true) & 0xffff) !== 0;
  const isFirst = view.getUint32(4, little) === 1;
  const count = (index: number): bigint =>
    isFirst
      ? BigInt(view.getUint32(8 + 4 * index, little))
      : view.getBigUint64(8 + 8 * index, little);
  if (count(0) * SMALLEST.tensor + count(1) * SMALLEST.pair > BigInt(size)) {
    throw new LoadError(
      file,
      `claims ${count(0)} tensors and ${count(1)} keys, more than ${String(size)} bytes can hold`,
    );
  }
  return size;
}

async function readHead(file: string): Promise<{ bytes: Uint8Array; size: number }> {
  const handle = await open(file).catch((error: unknown) => {
    throw new LoadError(file, reasonOf(error));
  });
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return { bytes: buffer.subarray(0, bytesRead), size: (await handle.stat()).size };
  } catch (error) {
    throw new LoadError(file, reasonOf(error));
  } finally {
    await handle.close();
  }
}
