/** Ollama's types printed and written; what is expected here Ollama 0.32.15 has printed. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { roundsOf } from "../runtime/go/rounds.js";
import { parseJson } from "../runtime/json.js";
import { failureOf } from "./failure.js";
import {
  jsonMessage,
  jsonProperty,
  jsonToolCalls,
  jsonTypes,
  ollamaValues,
  print,
  printf,
  printMessage,
  printProperty,
  printTool,
  printToolFunction,
  printTypes,
  PropertyType,
  text,
  textJson,
  Tool,
  ToolCalls,
  ToolFunction,
  typeCount,
  typed,
  Message,
  type OllamaInput,
} from "../runtime/go/index.js";

function isInput(_v: unknown): _v is OllamaInput {
  return true;
}

const input = parseJson(`{
  "messages": [{"role": "assistant", "content": "c", "images": ["aGk="], "tool_calls": [
    {"id": "1", "function": {"name": "f", "arguments": {"z": 1e6, "a": [1, "x", null, {"k": 2.5}]}}},
    {"function": {"name": "g"}}]}],
  "tools": [{"type": "function", "function": {"name": "<f>", "description": "d", "parameters": {
    "type": "object", "required": ["a"], "$defs": {"b": 12345678, "a": null},
    "properties": {"z": {"type": "object", "properties": {"y": {}, "10": {"type": "x"}}}, "a": {"type": ["s", "t"], "enum": [1, null]}}}}}]
}`);
const values = ollamaValues(isInput(input) ? input : {});
const [message] = values.messages;
const [tool] = values.tools;
if (message === undefined || tool === undefined) {
  throw new Error("the request has a message and a tool");
}

const PROPERTIES =
  '{"a":{"type":["s","t"],"enum":[1,null]},"z":{"type":"object","properties":{"y":{},"10":{"type":"x"}}}}';

describe("tools", () => {
  it("print as JSON, their functions as structs", () => {
    expect(printTool(tool)).toBe(
      '{"type":"function","function":{"name":"\\u003cf\\u003e","description":"d","parameters":' +
        `{"type":"object","$defs":{"a":null,"b":12345678},"required":["a"],"properties":${PROPERTIES}}}}`,
    );
    const struct = `{<f> d {object map[a:<nil> b:1.2345678e+07] <nil> [a] ${PROPERTIES}}}`;
    expect(printToolFunction(tool.function)).toBe(struct);
    expect(text(typed(ToolFunction, tool.function))).toBe(struct);
    expect(printf("%T", [typed(Tool, tool)], "")).toBe("template.templateTool");
  });

  it("have properties that print as structs", () => {
    const property = tool.function.parameters.properties?.["a"] ?? {};
    expect(printProperty(property)).toBe("{[] [s t] <nil>  [1 <nil>] <nil> []}");
    expect(jsonProperty(property)).toBe('{"type":["s","t"],"enum":[1,null]}');
  });
});

describe("property types", () => {
  it.each([
    [undefined, "", "null", 0],
    ["string", "string", '"string"', 1],
    [[""], "", '""', 1],
    [[], "", "[]", 0],
    [["a", "b"], "[a b]", '["a","b"]', 2],
  ] as const)("%s", (type, printed, json, count) => {
    expect([printTypes(type), jsonTypes(type), typeCount(type)]).toEqual([printed, json, count]);
    expect(text(typed(PropertyType, type))).toBe(printed);
  });
});

describe("messages", () => {
  const calls = '[{1 {0 f {"a":[1,"x",null,{"k":2.5}],"z":1000000}}} { {0 g {}}}]';

  it("print as structs", () => {
    const struct = `{assistant c  [[104 105]] ${calls}  }`;
    expect(printMessage(message)).toBe(struct);
    expect(text(typed(Message, message))).toBe(struct);
    expect(print([typed(Message, message)])).toBe("&" + struct);
    expect(printf("%v", [typed(ToolCalls, message.tool_calls)], "")).toBe(calls);
  });

  it("are written with Go's names", () => {
    const json =
      '[{"ID":"1","Function":{"Index":0,"Name":"f","Arguments":{"a":[1,"x",null,{"k":2.5}],"z":1000000}}},' +
      '{"ID":"","Function":{"Index":0,"Name":"g","Arguments":null}}]';
    expect(jsonToolCalls(message.tool_calls)).toBe(json);
    expect(jsonToolCalls([])).toBe("null");
    expect(jsonMessage(message)).toBe(
      `{"Role":"assistant","Content":"c","Thinking":"","Images":["aGk="],"ToolCalls":${json},"ToolName":"","ToolCallID":""}`,
    );
  });

  it("have arguments whose numbers are float64", () => {
    const args = message.tool_calls?.[0]?.function.arguments;
    expect([textJson(args?.["z"]), textJson(args?.["a"]), textJson(null)]).toEqual([
      "1e+06",
      "[1 x <nil> map[k:2.5]]",
      "<no value>",
    ]);
  });
});

describe("ranges", () => {
  it("name the target of a pointer where it is no list", () => {
    const text =
      "{{ range .Messages }}{{ end }}{{ range .Tools }}{{ range .Function.Parameters.Properties }}" +
      "{{ range .Properties }}{{ end }}{{ end }}{{ end }}";
    const properties = { b: { properties: { c: { type: "string" } } } };
    const tool = { type: "function", function: { name: "f", parameters: { properties } } };
    const input = { messages: [{ role: "user", content: "x" }], tools: [tool] };
    const template = new Template(text, { dialect: "ollama" });
    // What is in it is an address, which differs from run to run.
    expect(failureOf(() => template.render(input)).message).toMatch(
      /range can't iterate over \{0x[0-9a-f]+\}$/,
    );
  });

  it("count as far as a list of the rounds can be held", () => {
    expect(roundsOf(2 ** 24)).toBe(2 ** 24);
    expect(roundsOf(-1)).toBe(0);
    expect(failureOf(() => roundsOf(2 ** 24 + 1)).type).toBe("MemoryError");
  });
});
