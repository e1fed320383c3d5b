/** From a conversation of any shape to the input of one template: its forms decide, what it cannot show is an error. */
import { failInput } from "../../errors.js";
import type { Forms, TemplateMeta } from "../../index.js";
import { withIds } from "./calls.js";
import type { Conversation, ConversationInput, Part, Settings, Turn } from "./conversation.js";
import { dictAt, join, refuse, type Dict } from "./fields.js";
import { jinjaInput } from "./jinja-input.js";
import { ollamaInput } from "./ollama-input.js";

/** Reads a request and gives the template's input; throws a RenderError of phase "input" with its place. */
export function adapt(
  read: (request: Dict) => Conversation,
  request: object,
  meta: TemplateMeta,
): ConversationInput {
  if (meta.dialect === "go") {
    refuse("", "templates of dialect go have data of their own: no request's shape is theirs");
  }
  try {
    return inputFor(read(dictAt(request, "")), meta);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failInput("RecursionError", "the request is nested too deeply", "");
  }
}

function inputFor(conversation: Conversation, meta: TemplateMeta): ConversationInput {
  const { forms, dialect } = meta;
  const { settings } = conversation;
  if (conversation.turns.length === 0) refuse("messages", "the conversation has no message");
  const named = withIds(
    conversation.turns.map((turn) => withKnownRole(turn, forms)),
    dialect === "ollama" ? "given" : forms.callIds,
  );
  const turns = mergeNeighbours(named, forms);
  const tools = settings.toolChoice === "none" ? [] : conversation.tools;
  if (tools.length > 0 && !meta.capabilities.tools) {
    refuse("tools", "this template shows no definitions of tools");
  }
  checkTurns(turns, meta);
  const checked = { turns, tools, settings };
  if (dialect === "ollama") return ollamaInput(checked);
  checkLast(turns, settings);
  return jinjaInput(checked, meta);
}

/** OpenAI's `developer` is what others call `system`. */
function withKnownRole(turn: Turn, forms: Forms): Turn {
  return turn.role === "developer" && !forms.developer ? { ...turn, role: "system" } : turn;
}

// ---------------------------------------------------------------- neighbours

/** Messages of one role that follow each other as one, where the template takes no two. */
function mergeNeighbours(turns: readonly Turn[], forms: Forms): readonly Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role && mergesRole(turn.role, forms))
      merged[merged.length - 1] = both(last, turn);
    else merged.push(turn);
  }
  return merged;
}

function mergesRole(role: string, { neighbours }: Forms): boolean {
  const isSpeaker = role === "system" || role === "user" || role === "assistant";
  return isSpeaker && !neighbours.includes(role);
}

function both(a: Turn, b: Turn): Turn {
  const calls = [...(a.calls ?? []), ...(b.calls ?? [])];
  const reasoning = [a.reasoning, b.reasoning].filter((text) => text !== undefined);
  return {
    ...a,
    content: bothContents(a.content, b.content),
    reasoning: reasoning.length > 0 ? reasoning.join(PARAGRAPH) : undefined,
    calls: calls.length > 0 ? calls : undefined,
    rest: { ...a.rest, ...b.rest },
  };
}

/** What Ollama and most servers put between messages that become one. */
const PARAGRAPH = "\n\n";

function bothContents(a: Turn["content"], b: Turn["content"]): Turn["content"] {
  if (a === null || a === "") return b;
  if (b === null || b === "") return a;
  if (typeof a === "string" && typeof b === "string") return a + PARAGRAPH + b;
  return [...partsOf(a), ...partsOf(b)];
}

function partsOf(content: string | readonly Part[]): readonly Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

// ---------------------------------------------------------------- what a template cannot show

function checkTurns(turns: readonly Turn[], { capabilities, forms }: TemplateMeta): void {
  let isStart = true;
  for (const turn of turns) {
    if (turn.role === "system" && !capabilities.system) {
      refuse(turn.path, "this template shows no system message");
    }
    if (turn.role === "system" && !isStart && !forms.laterSystem) {
      refuse(turn.path, "this template shows a system message only at the start");
    }
    if (turn.role === "tool" && !forms.toolResults) {
      refuse(turn.path, "this template shows no results of tools");
    }
    checkCalls(turn, forms);
    checkImages(turn, forms);
    isStart &&= turn.role === "system";
  }
}

function checkCalls({ calls: [first] = [], content, path }: Turn, forms: Forms): void {
  if (first === undefined) return;
  if (!forms.toolCalls) refuse(first.path, "this template shows no calls of tools");
  if (!forms.callsWithText && hasText(content)) {
    refuse(path, "this template shows no calls of a message that has a text too");
  }
}

function hasText(content: Turn["content"]): boolean {
  if (content === null || typeof content === "string") return content !== null && content !== "";
  return content.some((part) => part.type === "text" && part.text !== "");
}

function checkImages({ role, content }: Turn, { imagesIn }: Forms): void {
  if (content === null || typeof content === "string") return;
  if (imagesIn.some((one) => one === role)) return;
  const image = content.find((part) => part.type === "image");
  if (image === undefined) return;
  const where = imagesIn.length === 0 ? "" : ` in a message of role ${role}`;
  refuse(image.path, `this template shows no images${where}`);
}

/** A prompt that ends inside a message is more than an input: applyChatTemplate makes it. */
function checkLast(turns: readonly Turn[], { continuesAnswer = false }: Settings): void {
  const last = turns.at(-1);
  if (!continuesAnswer || last?.role !== "assistant") return;
  refuse(
    join(last.path, "role"),
    "the model is to go on with this message: applyChatTemplate has continueFinalMessage for that",
  );
}
