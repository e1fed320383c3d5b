/** The known differences from Go and Ollama that docs/compatibility.md lists, so that the list stays true. */
import { expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { parseJson } from "../runtime/index.js";

function render(template: string, input: object): string {
  return new Template(template, { dialect: "ollama" }).render(input);
}

const CONTENTS = "{{ range .Messages }}{{ .Content }}{{ end }}";

it("endless recursion: fails, but not with Go's message", () => {
  const template = '{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}';
  expect(() => render(template, {})).toThrow();
  expect(() => render(template, {})).not.toThrow("exceeded maximum template depth");
});

it("lone surrogates: inside a text they are left to the encoder", () => {
  const messages = [{ role: "user", content: "a\ud800b" }];
  expect(render(CONTENTS, { messages })).toBe("a\ud800b");
  const cut = "{{ range .Messages }}{{ slice .Content 0 }}{{ end }}";
  expect(render(cut, { messages })).toBe("a\ufffdb");
});

it("minus zero: parseJson reads the integer 0", () => {
  const call = (text: string) =>
    parseJson(`{"function": {"name": "f", "arguments": {"x": ${text}}}}`);
  const template =
    "{{ range .Messages }}{{ range .ToolCalls }}{{ .Function.Arguments.x }}{{ end }}{{ end }}";
  const printed = (text: string) =>
    render(template, { messages: [{ role: "assistant", content: "", tool_calls: [call(text)] }] });
  expect([printed("-0"), printed("-0.0")]).toEqual(["0", "-0"]);
});

it("numbers out of range: parseJson reads them as infinite", () => {
  const call = parseJson('{"function": {"name": "f", "arguments": {"x": 1e400}}}');
  const template =
    "{{ range .Messages }}{{ range .ToolCalls }}{{ .Function.Arguments.x }}{{ end }}{{ end }}";
  const messages = [{ role: "assistant", content: "", tool_calls: [call] }];
  expect(render(template, { messages })).toBe("+Inf");
});

it("long indexes: digits past 2^53 are lost, what is no int64 is refused", () => {
  const rendered = (index: string) => {
    const call = parseJson(`{"function": {"index": ${index}, "name": "f", "arguments": {}}}`);
    const template =
      "{{ range .Messages }}{{ range .ToolCalls }}{{ .Function.Index }}{{ end }}{{ end }}";
    return render(template, { messages: [{ role: "assistant", content: "", tool_calls: [call] }] });
  };
  expect(rendered("9007199254740993")).toBe("9007199254740992");
  expect(() => rendered("9223372036854775808")).toThrow("number 9223372036854775808");
});

it("doubled members: the last one counts, whatever the first one is", () => {
  const input = parseJson('{"messages": [{"role": "user", "content": 1, "content": "a"}]}');
  expect(typeof input === "object" && input !== null && render(CONTENTS, input)).toBe("a");
});

it("addresses: pointers print as some address", () => {
  expect(render("{{ .Messages }}", { prompt: "a" })).toMatch(/^\[0x[0-9a-f]+\]$/);
});

it("keys of the request: only in their own letters", () => {
  const messages = [{ ROLE: "user", CONTENT: "a" }];
  expect(render(CONTENTS, { messages })).toBe("a");
  expect(render(CONTENTS, { MESSAGES: messages })).toBe("");
});
