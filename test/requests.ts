/** One conversation in the shapes of five APIs and, written by hand, in a template's own. */
import type { TemplateMeta } from "../runtime/index.js";

/** What of the conversation a template can show. */
export interface Features {
  readonly image: boolean;
  readonly reasoning: boolean;
}

const DATA = "iVBORw0KGgo=";
const IMAGE = `data:image/*;base64,${DATA}`;
const SYSTEM = "You are a guide.";
const QUESTION = "What is the weather here, and what in Lima?";
const REASONING = "The picture shows Oslo. I call the tool twice.";
const CITIES = ["Oslo", "Lima"] as const;
const RESULTS = ["Snow.", "Sun."] as const;
const IDS = ["call00001", "call00002"] as const;
const NAME = "get_weather";
const DESCRIPTION = "The weather of a city.";
const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string", description: "Its name." } },
  required: ["city"],
};
const DEFINITION = { name: NAME, description: DESCRIPTION, parameters: PARAMETERS };

function only<T>(condition: boolean, ...items: readonly T[]): readonly T[] {
  return condition ? items : [];
}

function argumentsText(city: string): string {
  return `{"city": "${city}"}`;
}

/** Chat completions: developer where the template knows no such role, content null, arguments as text. */
export function openAIRequest({ image, reasoning }: Features, { forms }: TemplateMeta): object {
  const text = { type: "text", text: QUESTION };
  return {
    model: "m",
    messages: [
      { role: forms.developer ? "system" : "developer", content: SYSTEM },
      {
        role: "user",
        content: image ? [{ type: "image_url", image_url: { url: IMAGE } }, text] : QUESTION,
      },
      {
        role: "assistant",
        content: null,
        ...(reasoning ? { reasoning_content: REASONING } : {}),
        tool_calls: CITIES.map((city, i) => ({
          id: IDS[i],
          type: "function",
          function: { name: NAME, arguments: argumentsText(city) },
        })),
      },
      ...RESULTS.map((content, i) => ({ role: "tool", tool_call_id: IDS[i], content })),
    ],
    tools: [{ type: "function", function: DEFINITION }],
  };
}

export function responsesRequest({ image, reasoning }: Features): object {
  return {
    model: "m",
    instructions: SYSTEM,
    input: [
      {
        role: "user",
        content: image
          ? [
              { type: "input_image", image_url: IMAGE, detail: "auto" },
              { type: "input_text", text: QUESTION },
            ]
          : QUESTION,
      },
      ...only(reasoning, {
        type: "reasoning",
        id: "r",
        summary: [],
        content: [{ type: "reasoning_text", text: REASONING }],
      }),
      ...CITIES.map((city, i) => ({
        type: "function_call",
        call_id: IDS[i],
        name: NAME,
        arguments: argumentsText(city),
      })),
      ...RESULTS.map((output, i) => ({ type: "function_call_output", call_id: IDS[i], output })),
    ],
    tools: [{ type: "function", ...DEFINITION, strict: true }],
  };
}

export function anthropicRequest({ image, reasoning }: Features): object {
  return {
    model: "m",
    max_tokens: 1,
    system: [{ type: "text", text: SYSTEM, cache_control: { type: "ephemeral" } }],
    messages: [
      {
        role: "user",
        content: [
          ...only<object>(image, {
            type: "image",
            source: { type: "base64", media_type: "image/*", data: DATA },
          }),
          { type: "text", text: QUESTION },
        ],
      },
      {
        role: "assistant",
        content: [
          ...only<object>(reasoning, { type: "thinking", thinking: REASONING, signature: "s" }),
          ...CITIES.map((city, i) => ({
            type: "tool_use",
            id: IDS[i],
            name: NAME,
            input: { city },
          })),
        ],
      },
      {
        role: "user",
        content: RESULTS.map((content, i) => ({
          type: "tool_result",
          tool_use_id: IDS[i],
          content: [{ type: "text", text: content }],
        })),
      },
    ],
    tools: [{ name: NAME, description: DESCRIPTION, input_schema: PARAMETERS }],
  };
}

export function aiSdkRequest({ image, reasoning }: Features): object {
  return {
    system: SYSTEM,
    messages: [
      {
        role: "user",
        content: [
          ...only<object>(image, { type: "image", image: new URL(IMAGE) }),
          { type: "text", text: QUESTION },
        ],
      },
      {
        role: "assistant",
        content: [
          ...only<object>(reasoning, { type: "reasoning", text: REASONING }),
          ...CITIES.map((city, i) => ({
            type: "tool-call",
            toolCallId: IDS[i],
            toolName: NAME,
            input: { city },
          })),
        ],
      },
      {
        role: "tool",
        content: RESULTS.map((value, i) => ({
          type: "tool-result",
          toolCallId: IDS[i],
          toolName: NAME,
          output: { type: "text", value },
        })),
      },
    ],
    tools: { [NAME]: { description: DESCRIPTION, inputSchema: { jsonSchema: PARAMETERS } } },
  };
}

/** /api/chat; its clients send no ids. */
export function ollamaRequest({ image, reasoning }: Features, hasIds: boolean): object {
  return {
    model: "m",
    messages: [
      { role: "system", content: SYSTEM },
      { role: "user", content: QUESTION, ...(image ? { images: [DATA] } : {}) },
      {
        role: "assistant",
        content: "",
        ...(reasoning ? { thinking: REASONING } : {}),
        tool_calls: CITIES.map((city, i) => ({
          ...(hasIds ? { id: IDS[i] } : {}),
          function: { name: NAME, arguments: { city } },
        })),
      },
      ...RESULTS.map((content, i) => ({
        role: "tool",
        tool_name: NAME,
        content,
        ...(hasIds ? { tool_call_id: IDS[i] } : {}),
      })),
    ],
    tools: [{ type: "function", function: DEFINITION }],
  };
}

/** What the template itself takes: no adapter has a hand in it. */
export function ownInput(meta: TemplateMeta, features: Features): object {
  return meta.dialect === "ollama" ? ownOllamaInput(features) : ownJinjaInput(meta, features);
}

/** The API's messages, with the tags that Ollama's server writes for images. */
function ownOllamaInput({ image, reasoning }: Features): object {
  return {
    messages: [
      { role: "system", content: SYSTEM },
      image
        ? { role: "user", content: `[img-0]${QUESTION}`, images: [DATA] }
        : { role: "user", content: QUESTION },
      {
        role: "assistant",
        ...(reasoning ? { thinking: REASONING } : {}),
        tool_calls: CITIES.map((city, i) => ({
          id: IDS[i],
          function: { name: NAME, arguments: { city } },
        })),
      },
      ...RESULTS.map((content, i) => ({
        role: "tool",
        content,
        tool_name: NAME,
        tool_call_id: IDS[i],
      })),
    ],
    tools: [{ type: "function", function: DEFINITION }],
  };
}

function ownJinjaInput(
  { forms, capabilities }: TemplateMeta,
  { image, reasoning }: Features,
): object {
  const written = (role: keyof typeof forms.content, text: string): unknown =>
    forms.content[role] === "parts" ? [{ type: "text", text }] : text;
  const picture =
    forms.image === "image_url"
      ? { type: "image_url", image_url: { url: IMAGE } }
      : { type: "image", image: IMAGE };
  const empty = { absent: {}, text: { content: "" }, null: { content: null } }[forms.emptyContent];
  const tools = [{ type: "function", function: DEFINITION }];
  const systemTools = {
    input: {},
    system: { tools },
    "system text": {
      tools: `[{"type": "function", "function": {"name": "${NAME}", "description": "${DESCRIPTION}", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "Its name."}}, "required": ["city"]}}}]`,
    },
  }[forms.toolsIn];
  return {
    messages: [
      {
        role: "system",
        content: written("system", SYSTEM),
        ...systemTools,
      },
      {
        role: "user",
        content: image ? [picture, { type: "text", text: QUESTION }] : written("user", QUESTION),
      },
      {
        role: "assistant",
        ...empty,
        ...(reasoning ? { [forms.reasoning ?? "reasoning_content"]: REASONING } : {}),
        tool_calls: CITIES.map((city, i) => ({
          id: IDS[i],
          type: "function",
          function: {
            name: NAME,
            arguments: capabilities.arguments === "text" ? argumentsText(city) : { city },
          },
        })),
      },
      ...RESULTS.map((content, i) => ({
        role: "tool",
        content: written("tool", content),
        name: NAME,
        tool_call_id: IDS[i],
      })),
    ],
    ...(forms.toolsIn === "input" ? { tools } : {}),
    add_generation_prompt: true,
  };
}
