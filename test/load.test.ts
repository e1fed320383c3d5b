/** Loading templates from files, folders and the Hugging Face cache: what is taken, and what is refused. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { load, loadOne, LoadError } from "../compiler/load/index.js";
import { ROOT } from "./terminal.js";

const FIXTURES = join(ROOT, "test/fixtures/load");
const DEFAULT =
  "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}{{ eos_token }}\n{% endfor %}";
const TOOL_USE = "{{ bos_token }}tools: {{ tools | length }} {{ image_token }}";
const TOKENS = {
  bos_token: "<s>",
  eos_token: "</s>",
  unk_token: "<unk>",
  pad_token: "<pad>",
  image_token: "<image>",
};

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "load-"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

async function write(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    await writeFile(join(directory, name), isRaw ? content : JSON.stringify(content));
  }
}

async function sources(location: string): Promise<readonly string[]> {
  return (await load(location, { directory })).map(({ source }) => source);
}

/** The message of the LoadError, without the directory. */
async function refusal(location: string): Promise<string> {
  const error: unknown = await load(location, { directory }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LoadError);
  return String(error).replaceAll(`${directory}/`, "").replace("LoadError: ", "");
}

describe("what transformers saved", () => {
  it.each([["one-file"], ["in-config"]])("%s: one template, tokens as constants", async (name) => {
    const [template, ...rest] = await load(join(FIXTURES, name));
    expect(rest).toEqual([]);
    expect(template).toMatchObject({ name, dialect: "jinja", source: DEFAULT, define: TOKENS });
  });

  it.each([["files"], ["named-in-config"]])("%s: several templates", async (name) => {
    expect(await load(join(FIXTURES, name))).toMatchObject([
      { name, variant: "default", source: DEFAULT, define: TOKENS },
      { name: `${name}-tool_use`, variant: "tool_use", source: TOOL_USE, define: TOKENS },
    ]);
    const picked = await loadOne(`${join(FIXTURES, name)}#tool_use`);
    expect(picked.source).toBe(TOOL_USE);
    expect((await loadOne(join(FIXTURES, name))).source).toBe(DEFAULT);
  });

  it("takes tokenizer_config.json alone", async () => {
    const file = join(FIXTURES, "named-in-config/tokenizer_config.json");
    expect(await load(file)).toMatchObject([
      { name: "tokenizer_config", file: `${file}#default`, define: TOKENS },
      { name: "tokenizer_config-tool_use", file: `${file}#tool_use` },
    ]);
  });
});

describe("a model's folder", () => {
  it("takes files of their own before tokenizer_config.json, and all of them or none", async () => {
    await write({
      "m/tokenizer_config.json": { chat_template: "config", bos_token: "<s>" },
      "m/additional_chat_templates/rag.jinja": "rag",
      "m/additional_chat_templates/notes.txt": "no template",
    });
    expect(await sources("m")).toEqual(["rag"]);
    await write({ "m/chat_template.jinja": "file" });
    expect(await sources("m")).toEqual(["file", "rag"]);
    await write({ "m/additional_chat_templates/default.jinja": "other default" });
    expect(await sources("m")).toEqual(["other default", "rag"]);
  });

  it("takes the tokenizer's before the processor's, processor_config.json before chat_template.json", async () => {
    await write({ "m/chat_template.json": { chat_template: "legacy" } });
    expect(await sources("m")).toEqual(["legacy"]);
    await write({ "m/processor_config.json": { chat_template: null } });
    expect(await sources("m")).toEqual(["legacy"]);
    await write({ "m/processor_config.json": { chat_template: { default: "a", b: "c" } } });
    expect(await sources("m")).toEqual(["a", "c"]);
    await write({ "m/tokenizer_config.json": { chat_template: "tokenizer" } });
    expect(await sources("m")).toEqual(["tokenizer"]);
  });

  it("reads tokens in every way that they were saved in", async () => {
    const config = {
      chat_template: "x",
      bos_token: { __type: "AddedToken", content: "<b>", lstrip: false },
      eos_token: "<e>",
      pad_token: null,
      add_bos_token: true,
      audio_token: { content: "<audio>" },
      extra_special_tokens: { image_token: "<image>" },
    };
    const map = { bos_token: { content: "<legacy>" }, additional_special_tokens: ["<x>"] };
    await write({ "m/tokenizer_config.json": config, "m/special_tokens_map.json": map });
    expect((await loadOne("m", { directory })).define).toEqual({
      bos_token: "<legacy>",
      eos_token: "<e>",
      audio_token: "<audio>",
      image_token: "<image>",
    });
    await write({ "m/tokenizer_config.json": { ...config, added_tokens_decoder: {} } });
    expect((await loadOne("m", { directory })).define["bos_token"]).toBe("<b>");
  });

  it("lets a model's own tokens win, and the gathered ones over the saved ones", async () => {
    const own = { extra_special_tokens: { bos_token: "<own>" }, bos_token: "<b>" };
    const config = {
      chat_template: "x",
      ...own,
      model_specific_special_tokens: { x_token: "<x>" },
    };
    const map = { bos_token: "<map>", cls_token: "<cls>" };
    await write({ "m/tokenizer_config.json": config, "m/special_tokens_map.json": map });
    const { define } = await loadOne("m", { directory });
    expect(define).toEqual({ bos_token: "<own>", cls_token: "<cls>" });
  });

  it("reads JSON as Python does", async () => {
    await write({ "m/tokenizer_config.json": '{"x": NaN, "chat_template": "t", "y": 1e400}' });
    expect(await sources("m")).toEqual(["t"]);
  });
});

describe("names", () => {
  it("keeps a publisher's name out of paths", async () => {
    const chat_template = [{ name: "../../evil", template: "x" }];
    await write({ "tokenizer_config.json": { chat_template } });
    const [template] = await load("tokenizer_config.json", { directory });
    expect(template).toMatchObject({ name: "tokenizer_config-_.._evil", variant: "../../evil" });
  });

  it("reads a path that exists as it is written", async () => {
    await write({ "a#b.jinja": "hash", "hf:x.jinja": "colon" });
    expect(await sources("a#b.jinja")).toEqual(["hash"]);
    expect(await sources("hf:x.jinja")).toEqual(["colon"]);
  });

  it("knows forms by content where the name tells nothing, or takes the given one", async () => {
    const config = JSON.stringify({ chat_template: "json" });
    await write({ blob: config, other: "# x\nFROM y\nTEMPLATE z", text: "FROM here" });
    expect(await sources("blob")).toEqual(["json"]);
    expect(await sources("other")).toEqual(["z"]);
    expect((await load("text", { directory, dialect: "jinja" }))[0]?.source).toBe("FROM here");
    const forced = await load("blob", { directory, dialect: "go", form: "template" });
    expect(forced[0]?.source).toBe(config);
  });
});

describe("the Hugging Face cache", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";

  beforeEach(async () => {
    const repository = "hub/models--acme--Tiny-1.5B";
    await write({
      [`${repository}/refs/main`]: commit,
      [`${repository}/refs/pr/1`]: "f".repeat(40),
      [`${repository}/blobs/aa`]: "from the cache",
      "elsewhere/hub/x": "",
    });
    const snapshot = join(directory, repository, "snapshots", commit);
    await mkdir(snapshot, { recursive: true });
    await symlink("../../blobs/aa", join(snapshot, "chat_template.jinja"));
    vi.stubEnv("HF_HUB_CACHE", undefined);
    vi.stubEnv("HUGGINGFACE_HUB_CACHE", undefined);
    vi.stubEnv("HF_HOME", directory);
  });

  it("finds the snapshot of a branch and of a commit", async () => {
    const found = await load("hf:acme/Tiny-1.5B");
    expect(found).toMatchObject([
      { name: "Tiny-1.5B", source: "from the cache", file: "hf:acme/Tiny-1.5B" },
    ]);
    expect(await sources(`hf:acme/Tiny-1.5B@${commit}`)).toEqual(["from the cache"]);
    expect(await sources("hf:acme/Tiny-1.5B#default")).toEqual(["from the cache"]);
    vi.stubEnv("HF_HOME", "/nowhere");
    vi.stubEnv("HF_HUB_CACHE", join(directory, "hub"));
    expect(await sources("hf:acme/Tiny-1.5B")).toEqual(["from the cache"]);
  });

  it.each([
    ["hf:acme/Other", "hf:acme/Other: is not in hub/models--acme--Other: run `hf download"],
    ["hf:acme/Tiny-1.5B@v2", "revision v2 is not in"],
    ["hf:acme/Tiny-1.5B@pr/1", "revision pr/1 is not in"],
    ["hf:acme/Tiny-1.5B@../../x", "is not the name of a revision"],
    ["hf:../../etc", "is not the name of a model"],
    ["hf:a/b/c", "is not the name of a model"],
    ["hf:", "is not the name of a model"],
    ["hf:acme/Tiny-1.5B#rag", "no template of that name; there are: default"],
  ])("refuses %s", async (location, message) => {
    expect(await refusal(location)).toContain(message);
  });

  it("refuses a reference that leads out of the cache", async () => {
    await write({ "hub/models--acme--Tiny-1.5B/refs/main": "../../../elsewhere" });
    expect(await refusal("hf:acme/Tiny-1.5B")).toContain("refs/main: holds no commit");
  });
});

describe("broken files", () => {
  it.each([
    ["", "c.json: is empty, not JSON"],
    ['{"chat_template":\n "abc', "c.json:2: is not valid JSON: Invalid control character"],
    ['{\n"a": 1,\n}', "c.json:3: is not valid JSON: Expecting property name"],
    ["[]", "c.json: holds a list, not an object"],
    ["{}", "c.json: has no chat_template"],
    ['{"chat_template":5}', "chat_template must be a text or a list, not a number"],
    ['{"chat_template":[]}', "chat_template holds no template"],
    ['{"chat_template":["x"]}', "chat_template[0] is a text, not an object"],
    ['{"chat_template":[{"name":"x"}]}', "chat_template[0].template is missing"],
    [
      '{"chat_template":[{"name":1,"template":""}]}',
      "chat_template[0].name is a number, not a text",
    ],
    ['{"chat_template":"x","eos_token":[1]}', "eos_token must be a text or an object with content"],
    ["[".repeat(100_000), "c.json: is nested too deeply"],
  ])("%j", async (text, message) => {
    await write({ "c.json": text });
    expect(await refusal("c.json")).toContain(message);
  });

  it("names what is missing", async () => {
    await write({ "empty/x.txt": "", "m/chat_template.jinja": "x", "m/tokenizer_config.json": {} });
    expect(await refusal("empty")).toContain("empty: holds no chat template");
    expect(await refusal("nothing.json")).toBe("nothing.json: no such file");
    expect(await refusal("m/tokenizer_config.json")).toContain("load the folder instead");
    expect(await refusal("empty/x.txt")).toContain("the name does not tell the dialect");
    await write({ "bad.jinja": Uint8Array.of(0xff) });
    expect(await refusal("bad.jinja")).toBe("bad.jinja: is not valid UTF-8");
  });

  it("asks which one where none is the default", async () => {
    const chat_template = { rag: "x", tools: "y" };
    await write({ "c.json": { chat_template } });
    await expect(loadOne("c.json", { directory })).rejects.toThrow("rag, tools");
  });
});
