/** Ollama's request as runtime/go decodes and collates it; what is expected here Ollama 0.32.15 has printed. */
import { describe, expect, it } from "vitest";
import { RenderError } from "../runtime/errors.js";
import { parseJson } from "../runtime/json.js";
import {
  jsonMessages,
  jsonTools,
  NIL_LIST,
  NIL_MAP,
  ollamaValues,
  ollamaValuesStrict,
  printArgs,
  printTools,
  type OllamaInput,
} from "../runtime/go/index.js";

function isInput(_v: unknown): _v is OllamaInput {
  return true;
}

/** The request that the JSON text holds, right or wrong. */
function request(text: string): OllamaInput {
  const v = parseJson(text);
  return isInput(v) ? v : {};
}

function refusal(text: string): RenderError {
  try {
    ollamaValues(request(text));
  } catch (error) {
    if (error instanceof RenderError) {
      return error;
    }
  }
  throw new Error(`not refused: ${text}`);
}

function roles(text: string): string {
  const { messages } = ollamaValues(request(text));
  return messages.map(({ role, content }) => `${role}:${content}`).join(";");
}

function freeze(v: unknown): void {
  if (typeof v === "object" && v !== null) {
    Object.freeze(v);
    Object.values(v).forEach(freeze);
  }
}

describe("canonical objects", () => {
  it("are used as they are", () => {
    const input = {
      messages: [
        { role: "user", content: "a", images: ["aGk="] },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ function: { name: "f", arguments: {} } }],
        },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "f",
            strict: true,
            parameters: { properties: { a: { type: "string", default: 1 } } },
          },
        },
      ],
    };
    const { messages, tools } = ollamaValues(input);
    expect(messages[0]).toBe(input.messages[0]);
    expect(messages[1]).toBe(input.messages[1]);
    expect(tools).toBe(input.tools);
  });

  it("are copied where they are not canonical, and never written", () => {
    const input = request(
      `{"messages": [{"role": "User", "content": null}, {"role": "user", "content": "b"},
        {"ROLE": "assistant", "tool_calls": [null, {"function": {"name": "f"}}]}],
       "tools": [null, {"Type": "x", "function": {"parameters": {"properties": {"a": null, "b": {"type": ""}}}}}]}`,
    );
    freeze(input);
    const { messages, tools } = ollamaValues(input);
    expect(messages.map(({ content }) => content)).toEqual(["\n\nb", ""]);
    expect(messages[1]?.tool_calls?.map((call) => call.function.arguments)).toEqual([{}, {}]);
    expect(messages[1]?.tool_calls?.[1]?.function.arguments).toBe(NIL_MAP);
    expect(printTools(tools)).toBe(
      '[{"type":"","function":{"name":"","description":"","parameters":{"type":"","properties":null}}},' +
        '{"type":"x","function":{"name":"","description":"","parameters":{"type":"","properties":{"a":{},"b":{"type":""}}}}}]',
    );
  });

  it("keep what JavaScript's own lower case changes in roles", () => {
    expect(roles(`{"messages": [{"role": "ΑΣİ", "content": "x"}]}`)).toBe("ασi:x");
  });
});

describe("collation", () => {
  it("merges neighbours of one role into the first, but no tool messages", () => {
    const text = `{"messages": [
      {"role": "user", "content": "a"}, {"role": "user", "content": "b", "images": ["aGk="]},
      {"role": "tool", "content": "1"}, {"role": "tool", "content": "2"}]}`;
    expect(roles(text)).toBe("user:a\n\nb;tool:1;tool:2");
    expect(ollamaValues(request(text)).messages[0]).not.toHaveProperty("images");
  });

  it("makes messages of system, prompt and response", () => {
    const text = `{"system": "s", "messages": [{"role": "system", "content": "t"}], "prompt": "p", "response": "r"}`;
    expect(roles(text)).toBe("system:s\n\nt;user:p;assistant:r");
    expect(ollamaValues(request(text)).system).toBe("s\n\nt");
  });

  it("takes a suffix with a prompt as a gap to fill", () => {
    const { prompt, suffix, fillInMiddle } = ollamaValues({ prompt: "p", suffix: "s" });
    expect([prompt, suffix, fillInMiddle]).toEqual(["p", "s", true]);
    expect(ollamaValues({ suffix: "s" }).fillInMiddle).toBe(false);
  });

  it("tells nil lists from empty ones", () => {
    const none = ollamaValues({});
    expect([none.tools, none.messages]).toEqual([NIL_LIST, NIL_LIST]);
    expect([jsonTools(none.tools), jsonMessages(none.messages)]).toEqual(["null", "null"]);
    expect(jsonTools(ollamaValues({ tools: [] }).tools)).toBe("[]");
  });
});

describe("thinking", () => {
  it.each([
    [null, [false, "", false]],
    [true, [true, "medium", true]],
    [false, [false, "", true]],
    ["max", [true, "max", true]],
  ] as const)("%s", (think, expected) => {
    const values = ollamaValues({ think });
    expect([values.think, values.thinkLevel, values.isThinkSet]).toEqual(expected);
  });

  it("refuses other levels", () => {
    expect(refusal(`{"think": "x"}`).message).toContain(`invalid think value: "x"`);
  });
});

describe("refusals", () => {
  it.each([
    [`{"messages": [{"content": 5}]}`, "number", "ChatRequest.messages.content", "string"],
    [`{"messages": [{"content": []}]}`, "array", "ChatRequest.messages.content", "string"],
    [`{"messages": {}}`, "object", "ChatRequest.messages", "[]api.Message"],
    [`{"tools": [{"type": true}]}`, "bool", "Tool.tools.type", "string"],
    [
      `{"tools": [{"function": {"parameters": {"properties": {"a": {"type": 5}}}}}]}`,
      "number",
      "ToolFunctionParameters.tools.function.parameters.properties.type",
      "[]string",
    ],
    [
      `{"messages": [{"tool_calls": [{"function": {"index": 1.5}}]}]}`,
      "number 1.5",
      "ChatRequest.messages.tool_calls.function.index",
      "int",
    ],
  ])("%s", (text, kind, field, type) => {
    expect(refusal(text).message).toBe(
      `json: cannot unmarshal ${kind} into Go struct field ${field} of type ${type}`,
    );
  });

  it("name the place in the request", () => {
    const error = refusal(
      `{"messages": [{}, {"tool_calls": [{"function": {"arguments": "{}"}}]}]}`,
    );
    expect([error.phase, error.path]).toEqual([
      "input",
      "messages[1].tool_calls[0].function.arguments",
    ]);
    expect(refusal(`{"messages": [{"images": ["data:x"]}]}`).message).toBe(
      "messages[0].images[0]: illegal base64 data at input byte 4",
    );
  });
});

describe("lone surrogates", () => {
  const text = `{"messages": [{"role": "user", "content": "\\udc00a\\udc81b\\ud83d"}]}`;

  it("at an end cannot join with a neighbour", () => {
    const content = ollamaValues(request(text)).messages[0]?.content;
    expect(content?.at(0)).toBe("\ufffd");
    expect(content?.at(-1)).toBe("\ufffd");
  });

  it("are all replaced where a template cuts by bytes", () => {
    const input = request(
      `{"messages": [{"role": "a", "tool_calls": [{"function": {"name": "f",
        "arguments": {"a": ["\\udc80", {"\\udc90": "\\ud83d"}]}}}]}]}`,
    );
    const call = ollamaValuesStrict(input).messages[0]?.tool_calls?.[0];
    expect(printArgs(call?.function.arguments)).toBe('{"a":["\ufffd",{"\ufffd":"\ufffd"}]}');
  });
});
