/** The Vercel AI SDK: what generateText and streamText take, its ModelMessages among them. */
import type { TemplateMeta } from "../../index.js";
import { blockTurns, type BlockReader } from "./blocks.js";
import { jsonText } from "./calls.js";
import { adapt } from "./conform.js";
import type { Conversation, ConversationInput, Part, Turn } from "./conversation.js";
import { dictAt, given, join, listAt, refuse, textIf, textOf, type Dict } from "./fields.js";
import { imageUrl } from "./images.js";
import { wrappedTool } from "./tools.js";
import { kwargsOf } from "./variables.js";

/**
 * The input of a template from what the AI SDK's generateText takes: `messages` or `prompt`, `system`, `tools`,
 * `toolChoice`. Throws a RenderError of phase "input" with the `path` of what the template cannot show. The request
 * stays as it is.
 */
export function fromAiSdk(request: object, meta: TemplateMeta): ConversationInput {
  return adapt(read, request, meta);
}

function read(request: Dict): Conversation {
  const system = textIf(request, "system", "");
  return {
    turns: [
      ...(system === undefined ? [] : [{ role: "system", path: "system", content: system }]),
      ...conversationOf(request),
    ],
    tools: toolsOf(given(request, "tools")),
    settings: { toolChoice: choiceOf(given(request, "toolChoice")), kwargs: kwargsOf(request) },
  };
}

/** A prompt is a text, or the messages by another name. */
function conversationOf(request: Dict): readonly Turn[] {
  const prompt = given(request, "prompt");
  if (typeof prompt === "string") return [{ role: "user", path: "prompt", content: prompt }];
  const name = prompt === undefined ? "messages" : "prompt";
  return listAt(given(request, name), name).flatMap((message, i) => {
    const path = `${name}[${String(i)}]`;
    return blockTurns(dictAt(message, path), path, readPart);
  });
}

function choiceOf(choice: unknown): unknown {
  if (typeof choice !== "object") return choice;
  const dict = dictAt(choice, "toolChoice");
  return { type: "function", function: { name: textOf(dict, "toolName", "toolChoice") } };
}

const BY_PROVIDER = "what the provider itself runs has no place in a prompt";

function readPart(part: Dict, path: string, reader: BlockReader): void {
  const type = textOf(part, "type", path);
  if (type === "reasoning") reader.reasoning(textOf(part, "text", path), path);
  else if (type === "tool-call") {
    if (given(part, "providerExecuted") === true) refuse(path, BY_PROVIDER);
    reader.call({
      id: textOf(part, "toolCallId", path),
      name: textOf(part, "toolName", path),
      arguments: given(part, "input") ?? {},
      path,
    });
  } else if (type === "tool-result") reader.result(resultOf(part, path));
  else reader.part(contentPart(part, type, path), path);
}

function contentPart(part: Dict, type: string, path: string): Part {
  if (type === "text") return { type, text: textOf(part, "text", path) };
  if (type === "image") return imagePart(part, "image", path);
  const media = type === "file" || type === "media" ? textOf(part, "mediaType", path) : "";
  if (media.startsWith("image/")) return imagePart(part, "data", path);
  return refuse(path, `a part of type "${type}" has no place in a prompt`);
}

function imagePart(part: Dict, field: string, path: string): Part {
  const mediaType = textIf(part, "mediaType", path);
  return { type: "image", url: imageUrl(given(part, field), mediaType, join(path, field)), path };
}

/** A failure is told by a field that templates have no name for. */
function resultOf(part: Dict, path: string): Turn {
  const where = join(path, "output");
  const output = dictAt(given(part, "output"), where);
  const type = textOf(output, "type", where);
  return {
    role: "tool",
    path,
    content: outputOf(output, type, where),
    callId: textOf(part, "toolCallId", path),
    name: textOf(part, "toolName", path),
    rest: type.startsWith("error-") ? { is_error: true } : {},
  };
}

function outputOf(output: Dict, type: string, path: string): string | readonly Part[] {
  const where = join(path, "value");
  if (type === "text" || type === "error-text") return textOf(output, "value", path);
  if (type === "json" || type === "error-json")
    return jsonText(given(output, "value") ?? null, where);
  if (type !== "content")
    return refuse(path, `an output of type "${type}" has no place in a prompt`);
  return listAt(given(output, "value"), where).map((part, i) => {
    const at = `${where}[${String(i)}]`;
    const dict = dictAt(part, at);
    return contentPart(dict, textOf(dict, "type", at), at);
  });
}

// ---------------------------------------------------------------- tools

function toolsOf(tools: unknown): readonly Dict[] {
  if (tools === undefined) return [];
  return Object.entries(dictAt(tools, "tools")).map(([name, tool]) => {
    const path = `tools.${name}`;
    const dict = dictAt(tool, path);
    const type = textIf(dict, "type", path) ?? "function";
    if (type !== "function" && type !== "dynamic") refuse(path, BY_PROVIDER);
    return wrappedTool({
      name,
      description: textIf(dict, "description", path),
      parameters: schemaOf(given(dict, "inputSchema"), join(path, "inputSchema")),
    });
  });
}

/**
 * The JSON schema that the AI SDK's jsonSchema() wraps, or that a schema library gives by itself, as the Standard JSON
 * Schema interface has it; others need a converter, which is the caller's.
 */
function schemaOf(schema: unknown, path: string): unknown {
  const isOpen = (v: unknown): v is Dict =>
    (typeof v === "object" && v !== null) || typeof v === "function";
  if (isOpen(schema)) {
    const wrapped: unknown = schema["jsonSchema"];
    if (isOpen(wrapped) && typeof wrapped !== "function" && !("then" in wrapped)) return wrapped;
    const standard: unknown = schema["~standard"];
    const converter = isOpen(standard) ? standard["jsonSchema"] : undefined;
    if (isOpen(converter)) return convertedSchema(converter, path);
  }
  return refuse(path, "give a JSON schema, wrapped by the AI SDK's jsonSchema()");
}

function convertedSchema(converter: Dict, path: string): unknown {
  const convert = converter["input"];
  if (typeof convert !== "function") return refuse(path, "this schema gives no JSON schema");
  try {
    return Reflect.apply(convert, converter, [{ target: "draft-07" }]);
  } catch (error) {
    return refuse(path, error instanceof Error ? error.message : "this is no JSON schema");
  }
}
