/** What becomes of the parts of the other APIs' requests, and what is refused. */
import { describe, expect, it } from "vitest";
import { fromAiSdk, fromAnthropic, fromOllama, fromResponses } from "../runtime/chat/index.js";
import { messagesOf, META, metaOf, refusalOf, TOOL, USER } from "./adapted.js";

describe("fromResponses", () => {
  const of = (input: unknown, meta = META): readonly object[] =>
    fromResponses({ input }, meta).messages;

  it("makes messages of items", () => {
    const items = [
      { role: "developer", content: "D" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] },
      { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "R" }] },
      {
        type: "message",
        role: "assistant",
        content: [
          { type: "output_text", text: "a", annotations: [] },
          { type: "output_text", text: "b", annotations: [] },
        ],
      },
      { type: "function_call", call_id: "1", name: "f", arguments: "{}" },
      { type: "function_call", call_id: "2", name: "g", arguments: "{}" },
      { type: "function_call_output", call_id: "2", output: "two" },
      { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "one" }] },
      { type: "reasoning", summary: [{ type: "summary_text", text: "S" }] },
      { role: "assistant", content: "done" },
      { role: "assistant", content: "really" },
    ];
    expect(of(items)).toMatchObject([
      { role: "system", content: "D" },
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: "ab",
        thinking: "R",
        tool_calls: [{ id: "1" }, { id: "2", function: { name: "g" } }],
      },
      { role: "tool", content: "two", name: "g", tool_call_id: "2" },
      { role: "tool", content: "one", name: "f", tool_call_id: "1" },
      { role: "assistant", content: "done", thinking: "S" },
      { role: "assistant", content: "really" },
    ]);
  });

  it("takes a text, instructions, flat tools, an effort", () => {
    const tool = { type: "function", name: "f", description: null, parameters: {}, strict: true };
    const input = fromResponses(
      {
        input: "Hi",
        instructions: "I",
        tools: [tool],
        reasoning: { effort: "low" },
        tool_choice: { type: "function", name: "f" },
      },
      META,
    );
    expect(input).toEqual({
      messages: [{ role: "system", content: "I" }, USER],
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
      reasoning_effort: "low",
      tool_choice: { type: "function", function: { name: "f" } },
      add_generation_prompt: true,
    });
  });

  it.each<[string, object]>([
    ["input[0]", { input: [{ type: "item_reference", id: "i" }] }],
    ["input[0]", { input: [{ type: "web_search_call", id: "i", status: "completed" }] }],
    ["input[0]", { input: [{ type: "custom_tool_call", call_id: "1", name: "f", input: "" }] }],
    ["input[0]", { input: [{ type: "reasoning", summary: [], encrypted_content: "x" }] }],
    ["input[0].content[0]", { input: [{ role: "user", content: [{ type: "input_file" }] }] }],
    [
      "input[0].content[0]",
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] },
    ],
    [
      "input[0].content[0]",
      { input: [{ role: "assistant", content: [{ type: "refusal", refusal: "" }] }] },
    ],
    ["previous_response_id", { input: "Hi", previous_response_id: "r" }],
    ["conversation", { input: "Hi", conversation: "c" }],
    ["prompt", { input: "Hi", prompt: { id: "p" } }],
    ["tools[0]", { input: "Hi", tools: [{ type: "web_search" }] }],
    ["input", {}],
  ])("refuses %s", (path, request) => {
    expect(refusalOf(fromResponses, request).split(":")[0]).toBe(path);
  });
});

describe("what has no place in a prompt", () => {
  const responses = (type: string): object => ({ input: [{ role: "user", content: [{ type }] }] });
  const anthropic = (type: string): object => ({
    max_tokens: 1,
    messages: [{ role: "user", content: [{ type }] }],
  });

  it("is refused with why, where that is known", () => {
    expect(refusalOf(fromResponses, responses("input_file"))).toContain("give its text");
    expect(refusalOf(fromAnthropic, anthropic("document"))).toContain("give its text");
    expect(refusalOf(fromResponses, responses("smell"))).toContain('a part of type "smell"');
    expect(refusalOf(fromAnthropic, anthropic("smell"))).toContain('a block of type "smell"');
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "%s is a type like others that are not known",
    (type) => {
      expect(refusalOf(fromResponses, responses(type))).toContain(`a part of type "${type}"`);
      expect(refusalOf(fromAnthropic, anthropic(type))).toContain(`a block of type "${type}"`);
      const choice = { max_tokens: 1, messages: [USER], tool_choice: { type } };
      expect(refusalOf(fromAnthropic, choice)).toContain(`there is no "${type}"`);
    },
  );
});

describe("fromAnthropic", () => {
  const blocks = (role: string, ...content: readonly object[]): object => ({ role, content });
  const text = { type: "text", text: "T" };
  const use = { type: "tool_use", id: "u", name: "f", input: { a: 1 } };
  const result = { type: "tool_result", tool_use_id: "u" };

  it("makes messages of blocks", () => {
    const messages = [
      blocks("user", text),
      blocks("assistant", { type: "thinking", thinking: "R", signature: "s" }, text, use),
      blocks("user", { ...result, content: "r", is_error: true }, text),
    ];
    expect(fromAnthropic({ system: "S", messages }, META).messages).toEqual([
      { role: "system", content: "S" },
      { role: "user", content: "T" },
      {
        role: "assistant",
        content: "T",
        thinking: "R",
        tool_calls: [{ id: "u", type: "function", function: { name: "f", arguments: { a: 1 } } }],
      },
      { role: "tool", content: "r", name: "f", tool_call_id: "u", is_error: true },
      { role: "user", content: "T" },
    ]);
  });

  it("takes images, in results too", () => {
    const data = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AA==" },
    };
    const address = { type: "image", source: { type: "url", url: "https://a.b/c" } };
    const messages = [
      blocks("user", data),
      blocks("assistant", use),
      blocks("user", { ...result, content: [address] }),
    ];
    const written = messagesOf(fromAnthropic, messages);
    expect(written[0]).toMatchObject({ content: [{ image: "data:image/png;base64,AA==" }] });
    expect(written[2]).toMatchObject({ content: [{ image: "https://a.b/c" }] });
  });

  it("takes tools, choices and thinking", () => {
    const input = fromAnthropic(
      {
        messages: [USER],
        tools: [{ name: "f", input_schema: { type: "object" } }],
        tool_choice: { type: "any" },
        thinking: { type: "enabled", budget_tokens: 1024 },
        output_config: { effort: "low" },
      },
      META,
    );
    expect(input).toEqual({
      messages: [USER],
      tools: [TOOL],
      tool_choice: "required",
      enable_thinking: true,
      reasoning_effort: "low",
      add_generation_prompt: true,
    });
  });

  it.each<[string, object]>([
    ["messages[0].content[0]", { messages: [blocks("user", { type: "document", source: {} })] }],
    [
      "messages[0].content[0]",
      { messages: [blocks("assistant", { type: "redacted_thinking", data: "" })] },
    ],
    [
      "messages[0].content[0]",
      { messages: [blocks("assistant", { type: "server_tool_use", id: "s" })] },
    ],
    ["messages[0].content[0]", { messages: [blocks("user", use)] }],
    ["messages[0].content[0]", { messages: [blocks("assistant", result)] }],
    ["messages[0].content[1]", { messages: [blocks("assistant", use, text)] }],
    ["messages[0].content[1]", { messages: [blocks("user", text, result)] }],
    [
      "messages[0].content[1]",
      { messages: [blocks("assistant", text, { type: "thinking", thinking: "" })] },
    ],
    [
      "messages[0].content[0].source",
      { messages: [blocks("user", { type: "image", source: { type: "file", file_id: "f" } })] },
    ],
    [
      "tools[0]",
      { messages: [USER], tools: [{ type: "web_search_20250305", name: "web_search" }] },
    ],
    ["mcp_servers", { messages: [USER], mcp_servers: [] }],
    [
      "messages[0].content[0].input",
      { messages: [blocks("assistant", { type: "tool_use", id: "u", name: "f", input: 1 })] },
    ],
  ])("refuses %s", (path, request) => {
    expect(refusalOf(fromAnthropic, request).split(":")[0]).toBe(path);
  });
});

describe("fromAiSdk", () => {
  const output = (type: string, value: unknown): object => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "1", toolName: "f", output: { type, value } }],
  });
  const call = { type: "tool-call", toolCallId: "1", toolName: "f", input: { a: 1 } };

  it("makes messages of parts", () => {
    const messages = [
      USER,
      {
        role: "assistant",
        content: [{ type: "reasoning", text: "R" }, { type: "text", text: "T" }, call],
      },
      output("text", "r"),
      output("json", { b: [1, null] }),
      output("error-text", "e"),
      output("content", [{ type: "text", text: "c" }]),
    ];
    expect(fromAiSdk({ system: "S", messages }, META).messages).toMatchObject([
      { role: "system", content: "S" },
      USER,
      { content: "T", thinking: "R", tool_calls: [{ id: "1", function: { arguments: { a: 1 } } }] },
      { role: "tool", content: "r", name: "f", tool_call_id: "1" },
      { content: '{"b": [1, null]}' },
      { content: "e", is_error: true },
      { content: "c" },
    ]);
  });

  it.each<[unknown, string | undefined, string]>([
    [new Uint8Array([1, 2]), "image/png", "data:image/png;base64,AQI="],
    [new Uint8Array([1, 2]).buffer, undefined, "data:image/*;base64,AQI="],
    ["AQI=", undefined, "data:image/*;base64,AQI="],
    ["data:image/gif;base64,AQI=", "image/png", "data:image/gif;base64,AQI="],
    [new URL("https://a.b/c.png"), undefined, "https://a.b/c.png"],
  ])("takes an image: %j", (image, mediaType, url) => {
    const part = { type: "image", image, mediaType };
    const file = { type: "file", data: image, mediaType: mediaType ?? "image/*" };
    for (const content of [[part], [file]]) {
      const [message] = messagesOf(fromAiSdk, [{ role: "user", content }]);
      expect(message).toEqual({ role: "user", content: [{ type: "image", image: url }] });
    }
  });

  it("takes tools by name, a prompt, a choice", () => {
    const schema = { jsonSchema: { type: "object" } };
    const standard = { "~standard": { jsonSchema: { input: () => ({ type: "object" }) } } };
    for (const inputSchema of [schema, standard]) {
      const tools = { f: { inputSchema, execute: () => "never" } };
      const toolChoice = { type: "tool", toolName: "f" };
      expect(fromAiSdk({ prompt: "Hi", tools, toolChoice }, META)).toEqual({
        messages: [USER],
        tools: [TOOL],
        tool_choice: { type: "function", function: { name: "f" } },
        add_generation_prompt: true,
      });
    }
  });

  const withTool = (tool: object): object => ({ prompt: "Hi", tools: { f: tool } });
  it.each<[string, object]>([
    [
      "messages[0].content[0]",
      { messages: [{ role: "user", content: [{ type: "file", mediaType: "application/pdf" }] }] },
    ],
    [
      "messages[0].content[0]",
      { messages: [{ role: "assistant", content: [{ ...call, providerExecuted: true }] }] },
    ],
    [
      "messages[0].content[0]",
      { messages: [{ role: "assistant", content: [{ type: "tool-approval-request" }] }] },
    ],
    ["messages[0].content[0].output", { messages: [output("execution-denied", null)] }],
    [
      "messages[0].content[0].image",
      { messages: [{ role: "user", content: [{ type: "image", image: 1 }] }] },
    ],
    ["tools.f", withTool({ type: "provider-defined", id: "a.b", name: "f", args: {} })],
    ["tools.f.inputSchema", withTool({ inputSchema: () => ({}) })],
    ["tools.f.inputSchema", withTool({ inputSchema: { jsonSchema: Promise.resolve({}) } })],
  ])("refuses %s", (path, request) => {
    expect(refusalOf(fromAiSdk, request).split(":")[0]).toBe(path);
  });
});

describe("fromOllama", () => {
  const call = { function: { name: "f", arguments: { a: 1 } } };
  const messages = [
    { role: "user", content: "Hi", images: ["AA==", new Uint8Array([1])] },
    { role: "assistant", content: "", thinking: "R", tool_calls: [call, call] },
    { role: "tool", content: "1", tool_name: "f" },
    { role: "tool", content: "2", tool_name: "f" },
  ];

  it("gives calls ids, and their results the same", () => {
    expect(messagesOf(fromOllama, messages)).toEqual([
      {
        role: "user",
        content: [
          { type: "image", image: "data:image/*;base64,AA==" },
          { type: "image", image: "data:image/*;base64,AQ==" },
          { type: "text", text: "Hi" },
        ],
      },
      {
        role: "assistant",
        thinking: "R",
        tool_calls: ["call00001", "call00002"].map((id) => ({ ...call, id, type: "function" })),
      },
      { role: "tool", content: "1", name: "f", tool_call_id: "call00001" },
      { role: "tool", content: "2", name: "f", tool_call_id: "call00002" },
    ]);
  });

  it("keeps its own shape for Ollama's templates, with tags for images", () => {
    const numbered = { function: { ...call.function, index: 1 } };
    const input = fromOllama(
      {
        messages: [messages[0], { ...messages[1], tool_calls: [call, numbered] }, messages[2]],
        tools: [TOOL],
        think: "high",
      },
      { ...META, dialect: "ollama" },
    );
    expect(input).toEqual({
      messages: [
        { role: "user", content: "[img-0][img-1]Hi", images: ["AA==", "AQ=="] },
        { role: "assistant", content: "", thinking: "R", tool_calls: [call, numbered] },
        { role: "tool", content: "1", tool_name: "f" },
      ],
      tools: [TOOL],
      think: "high",
    });
  });

  it.each([
    [true, { enable_thinking: true }],
    [false, { enable_thinking: false }],
    ["low", { enable_thinking: true, reasoning_effort: "low" }],
  ])("think %j becomes the template's switches", (think, expected) => {
    expect(fromOllama({ messages: [USER], think }, META)).toMatchObject(expected);
  });

  it.each<[string, object]>([
    ["template", { messages: [USER], template: "{{ .Prompt }}" }],
    ["think", { messages: [USER], think: 1 }],
    [
      "messages[0].tool_calls[0].function.arguments",
      { messages: [{ ...USER, tool_calls: [{ function: { name: "f", arguments: "{}" } }] }] },
    ],
  ])("refuses %s", (path, request) => {
    expect(refusalOf(fromOllama, request).split(":")[0]).toBe(path);
  });
});

describe("a system text beside the messages", () => {
  it("is refused at its place where the template has no role for it", () => {
    const meta = metaOf({}, { system: false });
    const request = { system: "S", messages: [USER] };
    expect(refusalOf(fromAnthropic, request, meta).split(":")[0]).toBe("system");
  });
});

describe("a message of Ollama", () => {
  const call = { function: { name: "f", arguments: {} } };

  it.each<[string, object, object]>([
    ["a text beside calls", { content: "x", tool_calls: [call] }, { content: "x" }],
    ["an empty text", { content: "" }, { content: "" }],
    ["no text", {}, { content: "" }],
  ])("keeps %s", (_, given, expected) => {
    const messages = [USER, { role: "assistant", ...given }, USER];
    expect(messagesOf(fromOllama, messages)[1]).toMatchObject(expected);
  });

  it("has no content where there are calls alone", () => {
    const messages = [USER, { role: "assistant", content: "", tool_calls: [call] }, USER];
    expect(messagesOf(fromOllama, messages)[1]).not.toHaveProperty("content");
  });
});

describe("a tool's definition", () => {
  it("has no description where none is given", () => {
    const tools = [{ type: "function", name: "f", parameters: {} }];
    const { tools: shown } = fromResponses({ input: "Hi", tools }, META);
    expect(shown).toStrictEqual([{ type: "function", function: { name: "f", parameters: {} } }]);
  });

  const shown = { name: "f", description: "D", parameters: { type: "object" } };
  const { parameters, ...told } = shown;

  it.each<[string, typeof fromAnthropic, object]>([
    ["fromResponses", fromResponses, { input: "Hi", tools: [{ type: "function", ...shown }] }],
    [
      "fromAnthropic",
      fromAnthropic,
      { messages: [USER], tools: [{ ...told, input_schema: parameters }] },
    ],
    [
      "fromAiSdk",
      fromAiSdk,
      { prompt: "Hi", tools: { f: { description: "D", inputSchema: { jsonSchema: parameters } } } },
    ],
  ])("keeps its description: %s", (_, adapter, request) => {
    expect(adapter(request, META)["tools"]).toEqual([{ type: "function", function: shown }]);
  });
});
