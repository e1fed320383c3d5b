/** Files that strangers made: whatever a loader is given, it gives templates or one LoadError, soon and in little memory. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readGgufHead, type GgufBytes } from "../compiler/load/gguf-head.js";
import { load, LoadError } from "../compiler/load/index.js";
import { brokenCase, loadOutcome } from "../scripts/fuzz/load/check.js";
import { LOADER_FORMS } from "../scripts/fuzz/load/forms.js";
import { chatTemplate } from "./terminal.js";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "hostile-"));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

async function write(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function refusal(location: string): Promise<string> {
  const error: unknown = await load(location).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LoadError);
  return String(error);
}

describe("broken files of each form", () => {
  it.each(LOADER_FORMS.map((form) => [form.name, form] as const))("%s", (_, form) => {
    for (const whole of form.whole) expect(loadOutcome(form, whole).kind).not.toBe("wrong");
    const wrong = Array.from({ length: 300 }, (__, number) => ({
      number,
      ...loadOutcome(form, brokenCase(form, 7, number)),
    })).filter(({ kind }) => kind === "wrong");
    expect(wrong).toEqual([]);
  });
});

const isPosix = process.platform !== "win32";

describe.skipIf(!isPosix)("what is no file", () => {
  it.each(["chat_template.jinja", "tokenizer_config.json", "m.gguf", "Modelfile", "unnamed"])(
    "a pipe that nobody writes to, as %s",
    async (name) => {
      execFileSync("mkfifo", [join(directory, name)]);
      expect(await refusal(join(directory, name))).toContain("a pipe");
    },
  );

  it.each(["x.jinja", "tokenizer_config.json", "m.gguf", "Modelfile"])(
    "a link to a device without end, as %s",
    async (name) => {
      await symlink("/dev/zero", join(directory, name));
      expect(await refusal(join(directory, name))).toContain("is a device");
    },
  );

  it("in a model's folder", async () => {
    await symlink("/dev/zero", join(directory, "tokenizer_config.json"));
    expect(await refusal(directory)).toContain("tokenizer_config.json: is a device");
    await rm(join(directory, "tokenizer_config.json"));
    await symlink("tokenizer_config.json", join(directory, "tokenizer_config.json"));
    expect(await refusal(directory)).toContain("holds no chat template");
    expect(await refusal(join(directory, "tokenizer_config.json"))).toContain("link to itself");
  });

  it("a file without a size is read to its end", async () => {
    if (process.platform !== "linux") return;
    expect(await refusal("/proc/self/status")).toContain("the name does not tell the dialect");
  });
});

/** The bytes of a GGUF head, as long as the file says: what lies beyond the written part is made when it is read. */
class Head {
  readonly #parts: (readonly [length: number, bytes: Uint8Array | null])[] = [];

  constructor(keys: number) {
    this.bytes(new TextEncoder().encode("GGUF")).u32(3).u64(0).u64(keys);
  }

  bytes(bytes: Uint8Array): this {
    this.#parts.push([bytes.byteLength, bytes]);
    return this;
  }

  u32(value: number): this {
    return this.bytes(new Uint8Array(new Uint32Array([value]).buffer));
  }

  u64(value: number): this {
    return this.bytes(new Uint8Array(new BigUint64Array([BigInt(value)]).buffer));
  }

  text(text: string): this {
    const bytes = new TextEncoder().encode(text);
    return this.u64(bytes.byteLength).bytes(bytes);
  }

  zeros(length: number): this {
    this.#parts.push([length, null]);
    return this;
  }

  file(): GgufBytes & { readonly most: () => number } {
    const parts = this.#parts;
    const size = parts.reduce((sum, [length]) => sum + length, 0);
    let most = 0;
    const read = (from: number, length: number): Uint8Array => {
      most = Math.max(most, length);
      const result = new Uint8Array(length);
      let start = 0;
      for (const [partLength, bytes] of parts) {
        const at = start - from;
        if (bytes !== null && at < length && at + partLength > 0) {
          const visible = bytes.subarray(Math.max(0, -at), Math.max(0, length - at));
          result.set(visible, Math.max(0, at));
        }
        start += partLength;
      }
      return result;
    };
    return { file: "hostile.gguf", size, read, most: () => most };
  }
}

const [TEXT, LIST] = [8, 9];
const MEBIBYTE = 2 ** 20;

describe("enormous heads of GGUF files", () => {
  it("texts are bounded together, not each", () => {
    const head = new Head(100);
    for (let key = 0; key < 100; key++) {
      head
        .text(`k${String(key)}`)
        .u32(TEXT)
        .u64(30 * MEBIBYTE)
        .zeros(30 * MEBIBYTE);
    }
    const file = head.file();
    expect(() => readGgufHead(file)).toThrow(/k2 claims to have \d+ bytes/);
    expect(file.most()).toBeLessThanOrEqual(30 * MEBIBYTE);
  });

  it("elements of lists are bounded together, also where a list holds lists", () => {
    const flat = new Head(100);
    for (let key = 0; key < 100; key++) {
      flat
        .text(`k${String(key)}`)
        .u32(LIST)
        .u32(TEXT)
        .u64(4_000_000)
        .zeros(8 * 4_000_000);
    }
    expect(() => readGgufHead(flat.file())).toThrow("k2 claims to have 4000000 elements");
    const nested = new Head(1).text("k").u32(LIST).u32(LIST).u64(1000);
    for (let list = 0; list < 1000; list++) {
      nested
        .u32(TEXT)
        .u64(9_000_000)
        .zeros(8 * 9_000_000);
    }
    expect(() => readGgufHead(nested.file())).toThrow("k claims to have 9000000 elements");
  });
});

describe("numbers, names and messages", () => {
  it("digits that Python refuses are refused before they are read", async () => {
    const file = await write("tokenizer_config.json", `{"a": ${"9".repeat(3_000_000)}}`);
    expect(await refusal(file)).toContain("Exceeds the limit (4300 digits)");
  });

  it("what a file says of itself stays on one line, short and without control characters", async () => {
    const name = `\u001b]0;owned\u0007\u202e${"x".repeat(5000)}\nsecond line`;
    const config = { chat_template: [{ name, template: 7 }, { name: "\u001b[2J" }] };
    const file = await write("tokenizer_config.json", JSON.stringify(config));
    const digest = {
      layers: [{ mediaType: "application/vnd.ollama.image.template", digest: name }],
    };
    await write("manifests/registry.ollama.ai/library/tiny/latest", JSON.stringify(digest));
    const before = process.env["OLLAMA_MODELS"];
    process.env["OLLAMA_MODELS"] = directory;
    const messages = [await refusal(file), await refusal("ollama:tiny")];
    if (before === undefined) delete process.env["OLLAMA_MODELS"];
    else process.env["OLLAMA_MODELS"] = before;
    for (const message of messages) {
      expect(message.length).toBeLessThan(600);
      expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it("a terminal obeys nothing of a template: neither of its text nor of its names", async () => {
    const escape = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e";
    const source = `${escape}{{ x | nosuch }} ${escape}\n{{ raise_exception('${escape}') }}`;
    await write("refused.jinja", source);
    await write("raising.jinja", `{{ raise_exception('${escape}') }} ${escape}`);
    for (const argv of [
      ["generate", "refused.jinja", "-o", "out"],
      ["inspect", "refused.jinja"],
      ["render", "raising.jinja", "--input", await write("input.json", "{}")],
    ]) {
      const { stderr, code } = await chatTemplate(directory, argv);
      expect(code).not.toBe(0);
      expect(stderr).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
    }
  });
});

describe("paths", () => {
  it("names of templates stay in the folder that modules are written to", async () => {
    const names = ["../../escaped", "/etc/escaped", "..", "a/../../b", "\\..\\c", "\0", ""];
    const config = { chat_template: names.map((name) => ({ name, template: "x" })) };
    await write("model/tokenizer_config.json", JSON.stringify(config));
    const outside = await write("kept.ts", "kept");
    const { stdout } = await chatTemplate(directory, ["extract", "model", "-o", "out/deep"]);
    const written = stdout.trim().split("\n");
    expect(written).not.toEqual([]);
    for (const line of written) expect(line).toMatch(/^out\/deep\/[^/\\]+\.jinja: written$/);
    expect(await readFile(outside, "utf8")).toBe("kept");
  });
});
