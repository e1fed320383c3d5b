/** Loading templates from GGUF files that Python's gguf package wrote, whole, huge and broken. */
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { load, LoadError } from "../compiler/load/index.js";
import { ROOT } from "./terminal.js";

const FIXTURES = join(ROOT, "test/fixtures/load");
const DEFAULT =
  "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}{{ eos_token }}\n{% endfor %}";
const TOKENS = { bos_token: "<s>", eos_token: "</s>", unk_token: "<unk>", pad_token: "<pad>" };

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gguf-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

/** The message of the LoadError for these bytes. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const file = join(directory, "broken.gguf");
  await writeFile(file, bytes);
  const error: unknown = await load(file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LoadError);
  return String(error);
}

describe("GGUF", () => {
  it.each([["one"], ["big-endian"]])("%s.gguf: one template, tokens as constants", async (name) => {
    const file = join(FIXTURES, `${name}.gguf`);
    expect(await load(file)).toEqual([
      { name, dialect: "jinja", source: DEFAULT, file, define: TOKENS, variant: "default" },
    ]);
  });

  it("several templates, and one by its name", async () => {
    const file = join(FIXTURES, "named.gguf");
    const names = (await load(file)).map(({ name, variant }) => [name, variant]);
    expect(names).toEqual([
      ["named", "default"],
      ["named-tool_use", "tool_use"],
    ]);
    expect(await load(`${file}#tool_use`)).toMatchObject([{ name: "named-tool_use" }]);
  });

  it("knows the form by content", async () => {
    await copyFile(join(FIXTURES, "one.gguf"), join(directory, "sha256-abc"));
    expect(await load(join(directory, "sha256-abc"))).toMatchObject([{ source: DEFAULT }]);
  });

  it("reads the head of a file of 5 GB only", async () => {
    const file = join(directory, "huge.gguf");
    await copyFile(join(FIXTURES, "one.gguf"), file);
    await truncate(file, 5 * 2 ** 30);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    expect(await load(file)).toMatchObject([{ source: DEFAULT }]);
    expect(performance.now() - start).toBeLessThan(2000);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
  });

  it("says where the template is missing", async () => {
    const none = await readFile(join(FIXTURES, "none.gguf"));
    expect(await refusal(none)).toContain("broken.gguf: has no tokenizer.chat_template");
    const shard = join(directory, "m-00002-of-00003.gguf");
    await writeFile(shard, none);
    await expect(load(shard)).rejects.toThrow("of a model in several files the first holds it");
  });
});

describe("broken GGUF files", () => {
  it("is refused wherever the head is cut", async () => {
    const whole = await readFile(join(FIXTURES, "one.gguf"));
    const head = whole.indexOf("token_embd.weight") - 8;
    for (let length = 4; length < head; length += 13)
      expect(await refusal(whole.subarray(0, length))).toContain("cut off");
    expect(await refusal(whole.subarray(0, head - 1))).toContain("cut off");
    expect(await refusal(whole.subarray(0, 3))).toContain("is not a GGUF file");
    expect(await refusal(Buffer.alloc(0))).toContain("is not a GGUF file");
  });

  it("is refused where a length lies, before anything is reserved", async () => {
    const whole = await readFile(join(FIXTURES, "one.gguf"));
    const lie = (at: number, value: bigint): Buffer => {
      const bytes = Buffer.from(whole);
      bytes.writeBigUInt64LE(value, at);
      return bytes;
    };
    expect(await refusal(lie(16, 2n ** 63n))).toContain("keys");
    expect(await refusal(lie(16, 90_000n))).toContain("a key claims to have");
    const template = whole.indexOf("tokenizer.chat_template") + 23 + 4;
    expect(await refusal(lie(template, 2n ** 63n))).toContain("chat_template claims to have 92");
    for (const value of [9_000_000n, 5000n, 900n])
      expect(await refusal(lie(template, value))).toContain("a length in it is wrong");
    const tokens = whole.indexOf("tokenizer.ggml.tokens") + 21 + 4 + 4;
    expect(await refusal(lie(tokens, 2n ** 63n))).toContain("elements");
    for (const value of [900_000n, 900n])
      expect(await refusal(lie(tokens, value))).toContain("a length in it is wrong");
    const types = whole.indexOf("tokenizer.ggml.token_type") + 25 + 4 + 4;
    expect(await refusal(lie(types, 2n ** 62n))).toContain("a length in it is wrong");
  });

  it("is refused where a value has another type", async () => {
    const whole = await readFile(join(FIXTURES, "one.gguf"));
    const version = Buffer.from(whole);
    version.writeUInt32LE(9, 4);
    expect(await refusal(version)).toContain("is GGUF of the unknown version 9");
    const type = Buffer.from(whole);
    type.writeUInt32LE(77, whole.indexOf("tokenizer.ggml.bos_token_id") + 27);
    expect(await refusal(type)).toContain("bos_token_id has the unknown type 77");
    const bos = Buffer.from(whole);
    bos.writeUInt32LE(4_000_000, whole.indexOf("tokenizer.ggml.bos_token_id") + 27 + 4);
    expect(await refusal(bos)).toContain("tokenizer.ggml.bos_token_id names no token");
  });
});
