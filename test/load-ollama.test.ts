/** Loading templates from Modelfiles and from Ollama's store, also from ones that try to lead elsewhere. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { load, LoadError, type LoadedTemplate } from "../compiler/load/index.js";
import { ROOT } from "./terminal.js";

let directory = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "ollama-"));
  vi.stubEnv("OLLAMA_MODELS", join(directory, "models"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function only(location: string): Promise<LoadedTemplate | undefined> {
  const [template, ...rest] = await load(location, { directory });
  expect(rest).toEqual([]);
  return template;
}

async function refusal(location: string): Promise<string> {
  const error: unknown = await load(location, { directory }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LoadError);
  return String(error).replaceAll(`${directory}/`, "");
}

describe("Modelfile", () => {
  const text = [
    "# Ours",
    "FROM ./model.gguf",
    'PARAMETER stop "<|end|>"',
    "PARAMETER temperature 0.5",
    "PARAMETER stop <|user|>",
    'TEMPLATE """{{ if .System }}<|system|>',
    '{{ .System }}{{ end }}"{{ .Prompt }}\\"',
    '"""',
    "SYSTEM You are kind.",
    "MESSAGE user Hi",
  ].join("\n");

  it("gives the template and what else the model brings to a conversation", async () => {
    await write("Modelfile", text);
    expect(await only("Modelfile")).toEqual({
      name: "Modelfile",
      dialect: "ollama",
      source: '{{ if .System }}<|system|>\n{{ .System }}{{ end }}"{{ .Prompt }}\\"\n',
      file: `${directory}/Modelfile`,
      define: {},
      modelfile: {
        system: "You are kind.",
        messages: [{ role: "user", content: "Hi" }],
        stop: ["<|end|>", "<|user|>"],
      },
    });
  });

  it("is known by its name and decoded as Ollama decodes it", async () => {
    await write("qwen.Modelfile", "\ufeffFROM x\r\nTEMPLATE {{ .Prompt }}\r\n");
    expect(await only("qwen.Modelfile")).toMatchObject({ source: "{{ .Prompt }}", modelfile: {} });
    await write("Modelfile.utf16", Buffer.from("\ufeffFROM x\nTEMPLATE é", "utf16le"));
    expect(await only("Modelfile.utf16")).toMatchObject({ source: "é" });
  });

  it.each([
    ["FROM x", "Modelfile: has no TEMPLATE line: the template is that of its FROM model"],
    ["TEMPLATE x", "Modelfile:1: no FROM line"],
    ['FROM x\nTEMPLATE """a\nb', "Modelfile:3: unexpected EOF"],
    ["FROM x\nFORM y", "Modelfile:2: command must be one of"],
    ["", "Modelfile:1: no FROM line"],
  ])("refuses %j", async (broken, message) => {
    await write("Modelfile", broken);
    expect(await refusal("Modelfile")).toContain(message);
  });
});

async function blob(content: string | Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(content).digest("hex");
  await write(`models/blobs/sha256-${hash}`, content);
  return `sha256:${hash}`;
}

function layer(kind: string, digest: string): object {
  return { mediaType: `application/vnd.ollama.image.${kind}`, digest, size: 1 };
}

function manifest(path: string, layers: unknown): Promise<string> {
  const text = JSON.stringify({ schemaVersion: 2, layers });
  return write(`models/manifests/${path}`, text);
}

const LATEST = "registry.ollama.ai/library/tiny/latest";

describe("Ollama's store", () => {
  it("gives the last template layer, with system text, messages and stop texts", async () => {
    await manifest(LATEST, [
      layer("model", await blob("weights")),
      layer("template", await blob("{{ .Old }}")),
      layer("template", await blob("{{ .Prompt }}")),
      layer("system", await blob("Be brief.")),
      layer("params", await blob('{"stop":["<|end|>"],"temperature":1}')),
      layer("messages", await blob('[{"role":"user","content":"Hi"}]')),
    ]);
    expect(await only("ollama:tiny")).toEqual({
      name: "tiny",
      dialect: "ollama",
      source: "{{ .Prompt }}",
      file: "ollama:tiny",
      define: {},
      modelfile: {
        system: "Be brief.",
        messages: [{ role: "user", content: "Hi" }],
        stop: ["<|end|>"],
      },
    });
  });

  it("finds names with tag, namespace and host", async () => {
    const layers = [layer("template", await blob("x"))];
    await manifest("registry.ollama.ai/library/tiny/1.5b-q4", layers);
    await manifest("registry.ollama.ai/me/own/latest", layers);
    await manifest("hf.co/org/Model-GGUF/Q4_K_M", layers);
    expect(await only("ollama:tiny:1.5b-q4")).toMatchObject({ name: "tiny-1.5b-q4" });
    expect(await only("ollama:me/own")).toMatchObject({ name: "own" });
    expect(await only("ollama:hf.co/org/Model-GGUF:Q4_K_M")).toMatchObject({ source: "x" });
  });

  it("takes the GGUF file's template where there is no layer for one", async () => {
    const weights = await readFile(join(ROOT, "test/fixtures/load/one.gguf"));
    await manifest(LATEST, [layer("model", await blob(weights))]);
    const found = await only("ollama:tiny");
    expect(found).toMatchObject({ name: "tiny", dialect: "jinja", file: "ollama:tiny" });
    expect(found?.define["bos_token"]).toBe("<s>");
  });

  it.each([
    ["ollama:other", "no such model in models: run `ollama pull other` first"],
    ["ollama:../../../etc/passwd", "is not the name of a model"],
    ["ollama:tiny:../../x", "is not the name of a model"],
    ["ollama:a/../tiny", "is not the name of a model"],
    ["ollama:", "is not the name of a model"],
    ["ollama:tiny:", "is not the name of a model"],
    ["ollama:http://../x/y", "is not the name of a model"],
    [`ollama:${"x".repeat(81)}`, "is not the name of a model"],
  ])("refuses %s", async (location, message) => {
    expect(await refusal(location)).toContain(message);
  });

  it.each([
    ["{", "latest:1: is not valid JSON"],
    ["{}", "has no list of layers"],
    ['{"layers":[1]}', "a layer is not an object"],
    ['{"layers":[]}', "ollama:tiny: the model has no template"],
  ])("refuses the manifest %s", async (text, message) => {
    await write(`models/manifests/${LATEST}`, text);
    expect(await refusal("ollama:tiny")).toContain(message);
  });

  it.each([
    ["sha256:../../../etc/passwd"],
    ["../secret"],
    [`sha256:${"g".repeat(64)}`],
    [null],
    [7],
  ])("refuses the digest %j", async (digest) => {
    await write("secret", "secret");
    await manifest(LATEST, [{ mediaType: "application/vnd.ollama.image.template", digest }]);
    expect(await refusal("ollama:tiny")).toContain("is not a SHA-256");
  });

  it("names what is broken in a layer", async () => {
    const template = layer("template", await blob("x"));
    await manifest(LATEST, [template, layer("messages", await blob('[{"role":1}]'))]);
    expect(await refusal("ollama:tiny")).toContain("is not a list of messages");
    await manifest(LATEST, [template, layer("params", await blob("{"))]);
    expect(await refusal("ollama:tiny")).toContain("is not valid JSON");
    await manifest(LATEST, [layer("template", `sha256:${"0".repeat(64)}`)]);
    expect(await refusal("ollama:tiny")).toContain("no such file");
  });
});
