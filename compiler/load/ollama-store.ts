/** Ollama's local models (`ollama:name:tag`): manifest, then the layers that it names. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { OllamaInputMessage } from "../../runtime/go/model.js";
import { isFile, readJsonObject, readText } from "./files.js";
import { loadGguf } from "./gguf-file.js";
import { field, isJsonObject, parseJsonFile, type JsonObject } from "./json.js";
import { LoadError, type LoadedTemplate, type ModelfileSettings } from "./loaded.js";

export async function loadFromOllama(location: string): Promise<readonly LoadedTemplate[]> {
  const model = parseModelName(location);
  const shown = `ollama:${location}`;
  const file = join(
    modelsDirectory(),
    "manifests",
    model.host,
    model.namespace,
    model.model,
    model.tag,
  );
  if (!(await isFile(file))) {
    throw new LoadError(
      shown,
      `no such model in ${modelsDirectory()}: run \`ollama pull ${location}\` first`,
    );
  }
  const layers = layersOf(file, await readJsonObject(file));
  const name = model.tag === DEFAULTS.tag ? model.model : `${model.model}-${model.tag}`;
  const template = layers.findLast(({ kind }) => kind === "template" || kind === "prompt");
  if (template === undefined) return withoutTemplate(shown, name, layers);
  const source = await readText(template.path);
  const modelfile = await settingsOf(layers);
  return [{ name, dialect: "ollama", source, file: shown, define: {}, modelfile }];
}

/** Without a template layer the server takes the GGUF file's own template, which is Jinja (server/images.go). */
function withoutTemplate(
  shown: string,
  name: string,
  layers: readonly Layer[],
): readonly LoadedTemplate[] {
  const weights = layers.find(({ kind }) => kind === "model");
  if (weights === undefined) throw new LoadError(shown, "the model has no template");
  const found = loadGguf(weights.path, name);
  return found.map((each) => ({ ...each, file: shown }));
}

interface ModelName {
  readonly host: string;
  readonly namespace: string;
  readonly model: string;
  readonly tag: string;
}

const DEFAULTS = { host: "registry.ollama.ai", namespace: "library", tag: "latest" };

/** types/model/name.go: what each part may hold; none can start with a dot or hold a slash. */
const PARTS: Readonly<Record<keyof ModelName, RegExp>> = {
  host: /^\w[\w.:-]{0,349}$/,
  namespace: /^\w[\w-]{0,79}$/,
  model: /^\w[\w.-]{0,79}$/,
  tag: /^\w[\w.-]{0,79}$/,
};

/** types/model/name.go, ParseName: `host/namespace/model:tag`, all but the model with a default. */
function parseModelName(location: string): ModelName {
  const colon = location.lastIndexOf(":");
  const hasTag = colon > location.lastIndexOf("/");
  const parts = (hasTag ? location.slice(0, colon) : location).split("/");
  const name = {
    model: parts.at(-1) ?? "",
    namespace: parts.at(-2) ?? DEFAULTS.namespace,
    host:
      parts.length > 2
        ? parts
            .slice(0, -2)
            .join("/")
            .replace(/^.*:\/\//, "")
        : DEFAULTS.host,
    tag: hasTag ? location.slice(colon + 1) : DEFAULTS.tag,
  };
  if (!Object.entries(name).every(([part, text]) => isPart(part, text)))
    throw new LoadError(`ollama:${location}`, "is not the name of a model: write ollama:name:tag");
  return name;
}

function isPart(part: string, text: string): boolean {
  return Object.entries(PARTS).some(([name, pattern]) => name === part && pattern.test(text));
}

/** envconfig/config.go, Models. */
function modelsDirectory(): string {
  const configured = (process.env["OLLAMA_MODELS"] ?? "").trim().replace(/^["']|["']$/g, "");
  return configured === "" ? join(homedir(), ".ollama", "models") : configured;
}

interface Layer {
  /** What follows `application/vnd.ollama.image.`. */
  readonly kind: string;
  readonly path: string;
}

const MEDIA_TYPE = "application/vnd.ollama.image.";

/** The layers of a manifest that a conversation needs, by what they are and where they lie. */
export function layersOf(file: string, manifest: JsonObject): readonly Layer[] {
  const layers = field(manifest, "layers");
  if (!Array.isArray(layers)) throw new LoadError(file, "has no list of layers");
  return layers.flatMap((layer: unknown): Layer[] => {
    if (!isJsonObject(layer)) throw new LoadError(file, "a layer is not an object");
    const type = field(layer, "mediaType");
    if (typeof type !== "string" || !type.startsWith(MEDIA_TYPE)) return [];
    return [{ kind: type.slice(MEDIA_TYPE.length), path: blobPath(file, field(layer, "digest")) }];
  });
}

/** manifest/paths.go, BlobsPath: only what looks like a digest becomes part of a path. */
function blobPath(file: string, digest: unknown): string {
  if (typeof digest !== "string" || !/^sha256[:-][0-9a-fA-F]{64}$/.test(digest))
    throw new LoadError(file, `the digest ${JSON.stringify(digest)} is not a SHA-256`);
  return join(modelsDirectory(), "blobs", digest.replace(":", "-"));
}

async function settingsOf(layers: readonly Layer[]): Promise<ModelfileSettings> {
  const pathOf = (kind: string) => layers.findLast((layer) => layer.kind === kind)?.path;
  const [system, messages, params] = ["system", "messages", "params"].map(pathOf);
  const stop = params === undefined ? undefined : field(await readJsonObject(params), "stop");
  return {
    ...(system === undefined ? {} : { system: await readText(system) }),
    ...(messages === undefined ? {} : { messages: await messagesIn(messages) }),
    ...(isTexts(stop) ? { stop } : {}),
  };
}

async function messagesIn(file: string): Promise<readonly OllamaInputMessage[]> {
  const messages = parseJsonFile(file, await readText(file));
  if (Array.isArray(messages) && messages.every(isMessage)) return messages;
  throw new LoadError(file, "is not a list of messages with role and content");
}

function isMessage(value: unknown): value is OllamaInputMessage {
  return (
    isJsonObject(value) &&
    typeof field(value, "role") === "string" &&
    ["string", "undefined"].includes(typeof field(value, "content"))
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
