/** What becomes of a chat completion's parts, and what no template, or not every one, can show. */
import { describe, expect, it } from "vitest";
import { render as renderGlm, meta as glm } from "../generated/glm.js";
import { render as renderQwen, meta as qwen } from "../generated/qwen3-coder.js";
import { fromAnthropic, fromOllama, fromOpenAI } from "../runtime/chat/index.js";
import { Float, type Forms, type TemplateMeta } from "../runtime/index.js";
import { ALL, CALLS, CALL, messagesOf, META, metaOf, refusalOf, TOOL, USER } from "./adapted.js";

describe("fromOpenAI", () => {
  it("reads arguments without loss, and leaves out a content that is null", () => {
    const args = { a: new Float(1) };
    expect(messagesOf(fromOpenAI, [USER, CALLS])[1]).toEqual({
      role: "assistant",
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: args } }],
    });
  });

  it.each([
    ["text", { content: "" }],
    ["null", { content: null }],
    ["absent", {}],
  ] as const)("writes an empty content as the template takes it: %s", (emptyContent, expected) => {
    const [, message] = messagesOf(fromOpenAI, [USER, CALLS], metaOf({ emptyContent }));
    expect(message).toMatchObject(expected);
    expect("content" in (message ?? {})).toBe(emptyContent !== "absent");
  });

  it.each([
    ["object", "", {}],
    ["text", "", ""],
    ["text", { a: 1 }, '{"a": 1}'],
    ["both", "no JSON", "no JSON"],
    ["both", "{}", {}],
  ])("gives arguments as %s: %j", (form, given, expected) => {
    const call = { ...CALL, function: { name: "f", arguments: given } };
    const meta = metaOf({}, { arguments: form });
    const [message] = messagesOf(fromOpenAI, [{ ...CALLS, tool_calls: [call] }], meta);
    expect(message).toMatchObject({ tool_calls: [{ function: { arguments: expected } }] });
  });

  it("names a result after its call", () => {
    const result = { role: "tool", tool_call_id: "c1", content: "r" };
    expect(messagesOf(fromOpenAI, [USER, CALLS, result])[2]).toEqual({
      role: "tool",
      content: "r",
      name: "f",
      tool_call_id: "c1",
    });
  });

  it("gives ids of nine signs where the template takes no others", () => {
    const result = { role: "tool", tool_call_id: "c1", content: "r" };
    const messages = messagesOf(fromOpenAI, [USER, CALLS, result], metaOf({ callIds: "nine" }));
    expect(messages[1]).toMatchObject({ tool_calls: [{ id: "call00001" }] });
    expect(messages[2]).toMatchObject({ tool_call_id: "call00001", name: "f" });
  });

  it("calls a developer system where the template knows no such role", () => {
    const developer = { role: "developer", content: "D" };
    expect(messagesOf(fromOpenAI, [developer, USER])[0]).toEqual({ role: "system", content: "D" });
    const meta = metaOf({ developer: true });
    expect(messagesOf(fromOpenAI, [developer, USER], meta)[0]).toEqual(developer);
  });

  it.each(["reasoning_content", "reasoning", "thinking"])(
    "gives %s the template's name",
    (name) => {
      const answer = { role: "assistant", content: "A", [name]: "R" };
      const [, message] = messagesOf(fromOpenAI, [USER, answer]);
      expect(message).toEqual({ role: "assistant", content: "A", thinking: "R" });
    },
  );

  it("merges neighbours where the template takes none", () => {
    const messages = [
      { role: "system", content: "S" },
      { role: "developer", content: "D" },
      USER,
      { role: "user", content: [{ type: "text", text: "there" }] },
      { role: "assistant", content: "A" },
      { ...CALLS, reasoning: "R" },
    ];
    expect(messagesOf(fromOpenAI, messages, metaOf({ neighbours: [] }))).toMatchObject([
      { role: "system", content: "S\n\nD" },
      { role: "user", content: [{ text: "Hi" }, { text: "there" }] },
      { role: "assistant", content: "A", thinking: "R", tool_calls: [{ id: "c1" }] },
    ]);
    expect(messagesOf(fromOpenAI, messages)).toHaveLength(6);
  });

  it("merges neighbours of which one says nothing", () => {
    const silent = { role: "user", content: "" };
    for (const messages of [
      [USER, silent],
      [silent, USER],
    ]) {
      expect(messagesOf(fromOpenAI, messages, metaOf({ neighbours: [] }))).toEqual([USER]);
    }
  });

  it("joins a tool's parts where the template takes both", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    const content = { system: "both", user: "both", assistant: "both", tool: "both" } as const;
    const result = { role: "tool", tool_call_id: "c1", content: parts };
    const messages = messagesOf(fromOpenAI, [USER, CALLS, result], metaOf({ content }));
    expect(messages[2]).toMatchObject({ role: "tool", content: "a\nb" });
  });

  it("writes contents as text or as parts", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    const messages = ["system", "user", "assistant"].map((role) => ({ role, content: parts }));
    const contents = (form: "text" | "parts" | "both"): unknown[] => {
      const content = { system: form, user: form, assistant: form, tool: form };
      return fromOpenAI({ messages }, metaOf({ content })).messages.map(
        (m): unknown => m["content"],
      );
    };
    expect(contents("text")).toEqual(["a\nb", "a\nb", "ab"]);
    expect(contents("both")).toEqual([parts, parts, parts]);
    const content = { system: "parts", user: "parts", assistant: "parts", tool: "parts" } as const;
    const [message] = messagesOf(fromOpenAI, [USER], metaOf({ content }));
    expect(message).toEqual({ role: "user", content: [{ type: "text", text: "Hi" }] });
  });

  it("writes images in the template's form", () => {
    const image = { type: "image_url", image_url: { url: "https://a.b/c.png", detail: "low" } };
    const messages = [{ role: "user", content: [image, { type: "text", text: "?" }] }];
    const written = (form: Forms["image"]): readonly object[] =>
      messagesOf(fromOpenAI, messages, metaOf({ image: form }));
    const text = { type: "text", text: "?" };
    expect(written("image")).toEqual([
      { role: "user", content: [{ type: "image", image: "https://a.b/c.png" }, text] },
    ]);
    expect(written("image_url")).toEqual([
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: "https://a.b/c.png" } }, text],
      },
    ]);
  });

  it("puts tools where the template has them", () => {
    const request = {
      messages: [USER],
      tools: [{ ...TOOL, function: { ...TOOL.function, strict: true } }],
    };
    expect(fromOpenAI(request, META)["tools"]).toEqual([TOOL]);
    const inSystem = fromOpenAI(request, metaOf({ toolsIn: "system" }));
    expect(inSystem.messages[0]).toEqual({ role: "system", content: "", tools: [TOOL] });
    const system = { role: "system", content: "S" };
    const besides = { ...request, messages: [system, USER] };
    expect(fromOpenAI(besides, metaOf({ toolsIn: "system" })).messages).toEqual([
      { ...system, tools: [TOOL] },
      USER,
    ]);
    const asText = fromOpenAI(request, metaOf({ toolsIn: "system text" }));
    expect(asText.messages[0]).toMatchObject({
      tools: '[{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]',
    });
    expect(fromOpenAI({ ...request, tool_choice: "none" }, META)["tools"]).toBeUndefined();
  });

  it("hands on what the template reads of the request's settings", () => {
    const request = {
      messages: [USER],
      reasoning_effort: "none",
      tool_choice: "required",
      temperature: 1,
      parallel_tool_calls: false,
      chat_template_kwargs: { custom: 1, reasoning_effort: "high" },
    };
    expect(fromOpenAI(request, META)).toEqual({
      messages: [USER],
      reasoning_effort: "high",
      enable_thinking: false,
      tool_choice: "required",
      custom: 1,
      add_generation_prompt: true,
    });
    expect(fromOpenAI({ messages: [USER], add_generation_prompt: false }, META)).toEqual({
      messages: [USER],
      add_generation_prompt: false,
    });
  });

  it("hands on documents where the template shows them, also a single one", () => {
    const meta = metaOf({}, { documents: true });
    const documents = [{ title: "a", text: "b" }];
    expect(fromOpenAI({ messages: [USER], documents }, meta)).toMatchObject({ documents });
    expect(fromOpenAI({ messages: [USER], documents: [] }, meta)).not.toHaveProperty("documents");
  });

  it("hands on fields of messages that only some templates know", () => {
    const message = { ...USER, name: "Ann", weight: 1, annotations: [], other: null };
    expect(messagesOf(fromOpenAI, [message])).toEqual([{ ...USER, name: "Ann", weight: 1 }]);
  });

  const withPart = (part: object): object => ({ messages: [{ role: "user", content: [part] }] });
  const withMessage = (fields: object): object => ({
    messages: [{ role: "assistant", ...fields }],
  });

  it.each<[string, object]>([
    ["messages[0].content[0]", withPart({ type: "input_audio", input_audio: {} })],
    ["messages[0].content[0]", withPart({ type: "file", file: {} })],
    ["messages[0].content[0]", withPart({ type: "refusal", refusal: "no" })],
    ["messages[0].content[0]", withPart({ type: "video_url" })],
    ["messages[0].content[0].text", withPart({ type: "text" })],
    ["messages[0].content[0].image_url.url", withPart({ type: "image_url", image_url: {} })],
    ["messages[0].refusal", withMessage({ refusal: "no" })],
    ["messages[0].audio", withMessage({ audio: { id: "a" } })],
    ["messages[0].function_call", withMessage({ function_call: { name: "f", arguments: "" } })],
    ["messages[0].tool_calls[0]", withMessage({ tool_calls: [{ type: "custom", custom: {} }] })],
    [
      "messages[0].tool_calls[0].function.arguments",
      withMessage({ tool_calls: [{ function: { name: "f", arguments: "[1]" } }] }),
    ],
    ["messages[0].role", { messages: [{ role: "function", content: "" }] }],
    ["messages[0].role", { messages: [{}] }],
    ["messages[0]", { messages: ["Hi"] }],
    ["messages", { messages: [] }],
    ["messages", {}],
    ["tools[0]", { messages: [USER], tools: [{ type: "custom", custom: { name: "f" } }] }],
    ["functions", { messages: [USER], functions: [{}] }],
    ["web_search_options", { messages: [USER], web_search_options: {} }],
    ["continue_final_message", { messages: [USER], continue_final_message: true }],
    ["documents", { messages: [USER], documents: [{}] }],
    ["chat_template", { messages: [USER], chat_template: "{{ 1 }}" }],
    ...["chat_template", "messages", "tools", "add_generation_prompt", "bos_token"].map(
      (name): [string, object] => [
        `chat_template_kwargs.${name}`,
        { messages: [USER], chat_template_kwargs: { [name]: "x" } },
      ],
    ),
  ])("refuses %s", (path, request) => {
    expect(refusalOf(fromOpenAI, request).split(":")[0]).toBe(path);
  });
});

describe("what a template cannot show", () => {
  const image = { role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] };
  const system = { role: "system", content: "S" };
  const result = { role: "tool", tool_call_id: "c1", content: "r" };

  it.each<[string, TemplateMeta, object]>([
    ["messages[0]", metaOf({}, { system: false }), { messages: [system, USER] }],
    ["messages[1]", metaOf({ laterSystem: false }), { messages: [USER, system] }],
    ["messages[0].content[0]", metaOf({ imagesIn: [] }), { messages: [image] }],
    ["messages[0].tool_calls[0].function", metaOf({ toolCalls: false }), { messages: [CALLS] }],
    ["messages[0]", metaOf({ toolResults: false }), { messages: [result] }],
    [
      "messages[0]",
      metaOf({ callsWithText: false }),
      { messages: [{ ...CALLS, content: "Let me look." }] },
    ],
    ["tools", metaOf({}, { tools: false }), { messages: [USER], tools: [TOOL] }],
    ["", { ...META, dialect: "go" }, { messages: [USER] }],
  ])("is refused: %s", (path, meta, request) => {
    expect(refusalOf(fromOpenAI, request, meta).split(":")[0]).toBe(path);
  });

  it("an answer that goes on is applyChatTemplate's", () => {
    const messages = [USER, { role: "assistant", content: "A" }];
    expect(refusalOf(fromAnthropic, { messages })).toContain("messages[1].role: ");
    expect(refusalOf(fromOllama, { messages })).toContain("continueFinalMessage");
    expect(fromOllama({ messages }, { ...META, dialect: "ollama" }).messages).toEqual(messages);
    expect(fromOpenAI({ messages }, META)["add_generation_prompt"]).toBe(true);
  });
});

describe("Ollama's templates", () => {
  const meta: TemplateMeta = { ...META, dialect: "ollama", forms: { ...ALL, image: "images" } };

  it("get images as base64, and tags in their places", () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const content = [{ type: "text", text: "a" }, image, { type: "text", text: "b" }, image];
    const [message] = messagesOf(fromOpenAI, [{ role: "user", content }], meta);
    expect(message).toEqual({
      role: "user",
      content: "a[img-0]b[img-1]",
      images: ["AA==", "AA=="],
    });
  });

  it.each<[string, object]>([
    [
      "messages[0].content[0]",
      {
        messages: [
          { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.b" } }] },
        ],
      },
    ],
    ["messages[0].name", { messages: [{ ...USER, name: "Ann" }] }],
    ["chat_template_kwargs.a", { messages: [USER], chat_template_kwargs: { a: 1 } }],
    ["reasoning_effort", { messages: [USER], reasoning_effort: "minimal" }],
  ])("refuse %s", (path, request) => {
    expect(refusalOf(fromOpenAI, request, meta).split(":")[0]).toBe(path);
  });

  it("get calls with their ids", () => {
    const [, message] = messagesOf(fromOpenAI, [USER, CALLS], meta);
    const called = { name: "f", arguments: { a: new Float(1) } };
    expect(message).toMatchObject({ tool_calls: [{ id: "c1", function: called }] });
  });

  it.each([
    ["none", false],
    ["high", "high"],
  ])("think with effort %s: %j", (effort, think) => {
    const request = { messages: [USER], reasoning_effort: effort };
    expect(fromOpenAI(request, meta)).toEqual({ messages: [USER], think });
  });
});

describe("generated modules", () => {
  it("render what the adapters give", () => {
    const request = { messages: [USER, CALLS], tools: [TOOL] };
    expect(renderGlm(fromOpenAI(request, glm))).toContain("<arg_key>a</arg_key>");
    expect(renderQwen(fromOpenAI(request, qwen))).toContain("<function=f>");
  });
});
