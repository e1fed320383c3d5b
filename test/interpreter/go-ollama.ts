/** Ollama's way from a request to prompts: Values, collate, and Execute's three paths (template/template.go). */
import { checkTopLevel, unmarshal } from "./go-json-decode.js";
import type { Json } from "./go-json-parse.js";
import { appendedCapacity } from "./go-slice-growth.js";
import {
  MESSAGE,
  REQUEST,
  T_ARGS,
  T_CALL,
  T_CALLS,
  T_CALL_FUNCTION,
  T_FUNCTION,
  T_MESSAGE,
  T_MESSAGES,
  T_MESSAGE_POINTER,
  T_PARAMETERS,
  T_PROPERTIES,
  T_TOOL,
  T_TOOLS,
  type MapType,
} from "./go-types.js";
import {
  anyMap,
  bool,
  elements,
  fieldOf,
  isTrue,
  pointer,
  slice,
  string,
  struct,
  zero,
  type MapValue,
  type StructValue,
  type Value,
} from "./go-values.js";
import { toText } from "./go-utf8.js";

/** Ollama's Values. */
export interface OllamaValues {
  readonly messages: readonly StructValue[];
  readonly tools: Value;
  readonly prompt: string;
  readonly suffix: string;
  readonly think: boolean;
  readonly thinkLevel: string;
  readonly isThinkSet: boolean;
  readonly forceLegacy: boolean;
}

function textOf(value: Value): string {
  return value.kind === "string" ? toText(value.bytes) : "";
}

function textField(value: StructValue, name: string): string {
  return textOf(fieldOf(value, name));
}

function structs(value: Value): StructValue[] {
  if (value.kind !== "slice") return [];
  return elements(value).filter((item) => item.kind === "struct");
}

function withContent(message: StructValue, content: string): StructValue {
  const names = message.type.fields().map((f) => f.name);
  const fields = message.fields.map((old, i) => (names[i] === "Content" ? string(content) : old));
  return { ...message, fields };
}

function message(role: string, content: string, images?: Value): StructValue {
  const given = { Role: string(role), Content: string(content) };
  return struct(MESSAGE, images === undefined ? given : { ...given, Images: images });
}

/** A request in the API's JSON shape as the server turns it into Values; throws DecodeError. */
export function decodeRequest(json: Json): OllamaValues {
  checkTopLevel(json, REQUEST);
  const request = unmarshal(json, REQUEST);
  if (request.kind !== "struct") throw new Error("the request is a struct");
  const [system, prompt, suffix, response] = ["System", "Prompt", "Suffix", "Response"].map(
    (name) => textField(request, name),
  );
  const messages = structs(fieldOf(request, "Messages"));
  if (system) messages.unshift(message("system", system));
  if (prompt && !suffix) messages.push(message("user", prompt, fieldOf(request, "Images")));
  if (response) messages.push(message("assistant", response));
  const set = fieldOf(request, "IsThinkSet");
  const given = set.kind === "pointer" ? set.target : null;
  const think = thinkOf(fieldOf(request, "Think"));
  return {
    messages,
    tools: fieldOf(request, "Tools"),
    prompt: suffix ? (prompt ?? "") : "",
    suffix: suffix ?? "",
    ...think,
    isThinkSet: given === null ? think.isThinkSet : isTrue(given),
    forceLegacy: isTrue(fieldOf(request, "ForceLegacy")),
  };
}

/** ThinkValue's Bool and String methods: true stands for "medium". */
function thinkOf(value: Value): { think: boolean; thinkLevel: string; isThinkSet: boolean } {
  const target = value.kind === "pointer" ? value.target : null;
  if (target?.kind !== "struct") return { think: false, thinkLevel: "", isThinkSet: false };
  const inner = fieldOf(target, "Value");
  const held = inner.kind === "interface" ? inner.inner : null;
  if (held?.kind === "string") return { think: true, thinkLevel: textOf(held), isThinkSet: true };
  const on = isTrue(held);
  return { think: on, thinkLevel: on ? "medium" : "", isThinkSet: true };
}

interface Collated {
  readonly system: string;
  readonly messages: readonly StructValue[];
}

/** collate: neighbours of one role merge into the first, except tool messages. */
function collate(messages: readonly StructValue[]): Collated {
  const system: string[] = [];
  const collated: StructValue[] = [];
  for (const next of messages) {
    const role = textField(next, "Role");
    const content = textField(next, "Content");
    if (role === "system") system.push(content);
    const last = collated.at(-1);
    if (last !== undefined && role !== "tool" && textField(last, "Role") === role) {
      const merged = `${textField(last, "Content")}\n\n${content}`;
      collated[collated.length - 1] = withContent(last, merged);
    } else collated.push(next);
  }
  return { system: system.join("\n\n"), messages: collated };
}

/** What an ordered map's ToMap gives. */
function plainMap(value: Value, type: MapType): MapValue {
  const holder = value.kind === "pointer" ? value.target : value;
  const om = holder?.kind === "struct" ? fieldOf(holder, "om") : null;
  const target = om?.kind === "pointer" ? om.target : null;
  return { kind: "map", type, entries: target?.kind === "map" ? target.entries : null };
}

function structField(value: StructValue, name: string): StructValue {
  const found = fieldOf(value, name);
  if (found.kind !== "struct") throw new Error(`${name} is a struct`);
  return found;
}

/** convertToolsForTemplate */
function templateTools(tools: Value): Value {
  if (tools.kind !== "slice" || tools.backing === null) return zero(T_TOOLS);
  return slice(T_TOOLS, structs(tools).map(templateTool));
}

function templateTool(tool: StructValue): Value {
  const fn = structField(tool, "Function");
  const parameters = structField(fn, "Parameters");
  return struct(T_TOOL, {
    Type: fieldOf(tool, "Type"),
    Items: fieldOf(tool, "Items"),
    Function: struct(T_FUNCTION, {
      Name: fieldOf(fn, "Name"),
      Description: fieldOf(fn, "Description"),
      Parameters: struct(T_PARAMETERS, {
        Type: fieldOf(parameters, "Type"),
        Defs: fieldOf(parameters, "Defs"),
        Items: fieldOf(parameters, "Items"),
        Required: fieldOf(parameters, "Required"),
        Properties: plainMap(fieldOf(parameters, "Properties"), T_PROPERTIES),
      }),
    }),
  });
}

function templateCall(call: StructValue): Value {
  const fn = structField(call, "Function");
  return struct(T_CALL, {
    ID: fieldOf(call, "ID"),
    Function: struct(T_CALL_FUNCTION, {
      Index: fieldOf(fn, "Index"),
      Name: fieldOf(fn, "Name"),
      Arguments: plainMap(fieldOf(fn, "Arguments"), T_ARGS),
    }),
  });
}

/** convertMessagesForTemplate: no calls are a nil list; the list grows by append. */
function templateMessage(from: StructValue): Value {
  const calls = structs(fieldOf(from, "ToolCalls")).map(templateCall);
  const names = from.type.fields().map((f) => f.name);
  const copied = Object.fromEntries(names.map((name) => [name, fieldOf(from, name)]));
  const ToolCalls =
    calls.length === 0
      ? zero(T_CALLS)
      : slice(T_CALLS, calls, appendedCapacity(T_CALL, calls.length));
  return pointer(T_MESSAGE_POINTER, struct(T_MESSAGE, { ...copied, ToolCalls }));
}

/** How Execute runs the template: with its functions, or the bare cut tree of the last legacy pass. */
export interface Runner {
  whole(data: MapValue): void;
  last(data: MapValue): void;
}

/** Template.Execute */
export function execute(runner: Runner, vars: readonly string[], values: OllamaValues): void {
  const { system, messages } = collate(values.messages);
  const think = {
    Think: bool(values.think),
    ThinkLevel: string(values.thinkLevel),
    IsThinkSet: bool(values.isThinkSet),
  };
  if (values.prompt !== "" && values.suffix !== "") {
    const { prompt, suffix } = values;
    const data = { Prompt: string(prompt), Suffix: string(suffix), Response: string("") };
    runner.whole(anyMap({ ...data, ...think }));
  } else if (!values.forceLegacy && vars.includes("messages")) {
    const converted = messages.map(templateMessage);
    const data = {
      System: string(system),
      Messages: converted.length === 0 ? zero(T_MESSAGES) : slice(T_MESSAGES, converted),
      Tools: templateTools(values.tools),
      Response: string(""),
    };
    runner.whole(anyMap({ ...data, ...think }));
  } else legacy(runner, messages, think);
}

/** The loop for templates without messages: one run of the template a turn. */
function legacy(
  runner: Runner,
  messages: readonly StructValue[],
  think: Readonly<Record<string, Value>>,
): void {
  const turn = { system: "", prompt: "", response: "" };
  const data = (): MapValue =>
    anyMap({
      System: string(turn.system),
      Prompt: string(turn.prompt),
      Response: string(turn.response),
      ...think,
    });
  const close = (): void => {
    runner.whole(data());
    Object.assign(turn, { system: "", prompt: "", response: "" });
  };
  for (const next of messages) {
    const content = textField(next, "Content");
    const role = textField(next, "Role");
    if (role === "system") {
      if (turn.prompt !== "" || turn.response !== "") close();
      turn.system = content;
    } else if (role === "user") {
      if (turn.response !== "") close();
      turn.prompt = content;
    } else if (role === "assistant") turn.response = content;
  }
  runner.last(data());
}
