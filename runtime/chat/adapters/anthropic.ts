/** Anthropic's Messages API. */
import type { TemplateMeta } from "../../index.js";
import { adapt } from "./conform.js";
import { blockTurns, type BlockReader } from "./blocks.js";
import type { Call, Conversation, ConversationInput, Part, Turn } from "./conversation.js";
import {
  dictAt,
  given,
  join,
  listAt,
  listIf,
  refuse,
  refuseFields,
  textIf,
  textOf,
  type Dict,
} from "./fields.js";
import { refuseServerTool, wrappedTool } from "./tools.js";
import { kwargsOf } from "./variables.js";

/**
 * The input of a template from the body of a request to Anthropic's /v1/messages. Results of tools in a user's message
 * become messages of their own in front of it. Throws a RenderError of phase "input" with the `path` of what the
 * template cannot show, and for a last message of the assistant, which is not ended there. The request stays as it is.
 */
export function fromAnthropic(request: object, meta: TemplateMeta): ConversationInput {
  return adapt(read, request, meta);
}

const REFUSED: Readonly<Record<string, string>> = {
  container: "a container is the server's, no template shows it",
  mcp_servers: "MCP servers are the server's, no template shows them",
  context_management: "editing the context is the server's: give the messages that are left",
};

function read(request: Dict): Conversation {
  refuseFields(request, REFUSED, "");
  const system = given(request, "system");
  const messages = listAt(given(request, "messages"), "messages");
  return {
    turns: [
      ...(system === undefined
        ? []
        : [{ role: "system", path: "system", content: contentOf(system, "system") }]),
      ...messages.flatMap((message, i) => {
        const path = `messages[${String(i)}]`;
        return blockTurns(dictAt(message, path), path, readBlock);
      }),
    ],
    tools: listIf(request, "tools", "").map((tool, i) => toolOf(tool, `tools[${String(i)}]`)),
    settings: {
      continuesAnswer: true,
      ...thinkingOf(request),
      toolChoice: choiceOf(given(request, "tool_choice")),
      kwargs: kwargsOf(request),
    },
  };
}

function thinkingOf(request: Dict): { thinks?: boolean; effort?: string } {
  const thinking = given(request, "thinking");
  const type =
    thinking === undefined ? undefined : textOf(dictAt(thinking, "thinking"), "type", "thinking");
  const output = given(request, "output_config");
  const effort =
    output === undefined
      ? undefined
      : textIf(dictAt(output, "output_config"), "effort", "output_config");
  const thinks = type === "enabled" ? true : type === "disabled" ? false : undefined;
  return {
    ...(thinks === undefined ? {} : { thinks }),
    ...(effort === undefined ? {} : { effort }),
  };
}

const CHOICES: ReadonlyMap<string, string> = new Map([
  ["auto", "auto"],
  ["any", "required"],
  ["none", "none"],
]);

function choiceOf(choice: unknown): unknown {
  if (choice === undefined) return undefined;
  const dict = dictAt(choice, "tool_choice");
  const type = textOf(dict, "type", "tool_choice");
  if (type !== "tool")
    return CHOICES.get(type) ?? refuse("tool_choice.type", `there is no "${type}"`);
  return { type: "function", function: { name: textOf(dict, "name", "tool_choice") } };
}

const NO_BLOCK: ReadonlyMap<string, string> = new Map([
  ["document", "a document is no part of a prompt: give its text"],
  ["redacted_thinking", "thinking that is encrypted has no place in a prompt"],
]);

function readBlock(block: Dict, path: string, reader: BlockReader): void {
  const type = textOf(block, "type", path);
  if (type === "thinking") reader.reasoning(textOf(block, "thinking", path), path);
  else if (type === "tool_use") reader.call(callOf(block, path));
  else if (type === "tool_result") reader.result(resultOf(block, path));
  else reader.part(partOf(block, path), path);
}

function partOf(block: Dict, path: string): Part {
  const type = textOf(block, "type", path);
  if (type === "text") return { type, text: textOf(block, "text", path) };
  if (type === "image") return { type, url: imageOf(block, path), path };
  return refuse(path, NO_BLOCK.get(type) ?? `a block of type "${type}" has no place in a prompt`);
}

function imageOf(block: Dict, path: string): string {
  const where = join(path, "source");
  const source = dictAt(given(block, "source"), where);
  const type = textOf(source, "type", where);
  if (type === "url") return textOf(source, "url", where);
  if (type === "base64") {
    return `data:${textOf(source, "media_type", where)};base64,${textOf(source, "data", where)}`;
  }
  return refuse(where, "an image that a server keeps is not here: give its data or its address");
}

function contentOf(content: unknown, path: string): string | readonly Part[] {
  if (typeof content === "string") return content;
  return listAt(content, path).map((block, i) => {
    const at = `${path}[${String(i)}]`;
    return partOf(dictAt(block, at), at);
  });
}

function callOf(block: Dict, path: string): Call {
  const input = given(block, "input");
  return {
    id: textOf(block, "id", path),
    name: textOf(block, "name", path),
    arguments: input === undefined ? {} : dictAt(input, join(path, "input")),
    path,
  };
}

/** Templates have no field for a failure: those that do find `is_error`. */
function resultOf(block: Dict, path: string): Turn {
  const content = given(block, "content");
  return {
    role: "tool",
    path,
    content: content === undefined ? "" : contentOf(content, join(path, "content")),
    callId: textOf(block, "tool_use_id", path),
    rest: given(block, "is_error") === true ? { is_error: true } : {},
  };
}

function toolOf(tool: unknown, path: string): Dict {
  const dict = dictAt(tool, path);
  const type = textIf(dict, "type", path) ?? "custom";
  refuseServerTool(type === "custom" ? "function" : type, path);
  return wrappedTool({
    name: textOf(dict, "name", path),
    description: textIf(dict, "description", path),
    parameters: given(dict, "input_schema"),
  });
}
