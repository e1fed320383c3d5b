/** What is told from the origin of a prompt's characters: messages' spans, masks, an open end. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import {
  applyChatSegments,
  applyChatTemplate,
  assistantMask,
  continueFinal,
  messageSpans,
  type AssistantMaskOptions,
  type Segment,
  type Unit,
} from "../runtime/chat/index.js";

const CHAT =
  "{% for m in messages %}<|im_start|>{{ m.role }}\n" +
  "{% if m.reasoning_content %}<think>{{ m.reasoning_content|trim }}</think>{% endif %}" +
  "{{ m.content|trim }}" +
  "{% for call in m.tool_calls or [] %}<call>{{ call.function|tojson }}</call>{% endfor %}" +
  "<|im_end|>\n{% endfor %}";

const MESSAGES = [
  { role: "user", content: "Ünïcode 😀?" },
  {
    role: "assistant",
    reasoning_content: "hm",
    content: " yes ",
    tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }],
  },
  { role: "tool", content: "yes" },
  { role: "assistant", content: "done" },
];

function segmentsOf(source: string, input: object = { messages: MESSAGES }): Segment[] {
  return new Template(source).renderSegments(input);
}

function textOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("");
}

/** The masked texts, cut in the unit that the mask counts. */
function masked(segments: readonly Segment[], options: AssistantMaskOptions = {}): string[] {
  const { unit = "utf16" } = options;
  return assistantMask(segments, options).map((span) => cut(textOf(segments), span, unit));
}

function cut(text: string, { start, end }: { start: number; end: number }, unit: Unit): string {
  if (unit === "utf16") return text.slice(start, end);
  if (unit === "codePoints") return Array.from(text).slice(start, end).join("");
  return Buffer.from(text).subarray(start, end).toString();
}

describe("messageSpans", () => {
  const segments = segmentsOf(CHAT);
  const text = textOf(segments);

  it.each(["utf16", "codePoints", "bytes"] as const)("finds each part, in %s", (unit) => {
    const shown = messageSpans(segments, unit).map(
      ({ index, role, content, reasoning, toolCalls }) => ({
        index,
        role,
        content: content.map((span) => cut(text, span, unit)),
        reasoning: reasoning.map((span) => cut(text, span, unit)),
        toolCalls: toolCalls.map((span) => cut(text, span, unit)),
      }),
    );
    expect(shown).toEqual([
      { index: 0, role: "user", content: ["Ünïcode 😀?"], reasoning: [], toolCalls: [] },
      {
        index: 1,
        role: "assistant",
        content: ["yes"],
        reasoning: ["hm"],
        toolCalls: ['{"name": "f", "arguments": {"a": 1}}'],
      },
      { index: 2, role: "tool", content: ["yes"], reasoning: [], toolCalls: [] },
      { index: 3, role: "assistant", content: ["done"], reasoning: [], toolCalls: [] },
    ]);
  });

  it("has a span for each time that a field is shown", () => {
    const twice = segmentsOf("{% for m in messages %}{{ m.content }}|{{ m.content }}{% endfor %}", {
      messages: [{ role: "user", content: "a" }],
    });
    expect(messageSpans(twice)[0]?.content).toEqual([
      { start: 0, end: 1 },
      { start: 2, end: 3 },
    ]);
  });

  it("leaves out messages that the prompt does not show", () => {
    const last = segmentsOf("{{ messages[-1].content }}");
    expect(messageSpans(last).map(({ index }) => index)).toEqual([3]);
  });
});

describe("assistantMask", () => {
  it("takes the assistant's messages with the tags between and the mark that ends the turn", () => {
    expect(masked(segmentsOf(CHAT))).toEqual([
      'hm</think>yes<call>{"name": "f", "arguments": {"a": 1}}</call><|im_end|>',
      "done<|im_end|>",
    ]);
  });

  it("takes the given marks only", () => {
    const segments = segmentsOf(CHAT);
    expect(masked(segments, { endOfTurn: ["<|im_end|>"] }).at(-1)).toBe("done<|im_end|>");
    expect(masked(segments, { endOfTurn: [] }).at(-1)).toBe("done");
  });

  it("takes the end token that the input gives", () => {
    const source =
      "{% for m in messages %}[{{ m.role }}]{{ m.content }}{{ eos_token }}{% endfor %}";
    const input = { messages: [{ role: "assistant", content: "x" }], eos_token: "</s>" };
    expect(masked(segmentsOf(source, input))).toEqual(["x</s>"]);
  });

  it("takes no header of the next turn for an end", () => {
    const source = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>";
    const input = { messages: [{ role: "assistant", content: "x" }] };
    expect(masked(segmentsOf(source, input))).toEqual(["x"]);
  });

  it.each(["utf16", "codePoints", "bytes"] as const)(
    "is the tag's where there is one, in %s",
    (unit) => {
      const source =
        "{% for m in messages %}{{ m.role }}: {% generation %}{{ m.content }}.{% endgeneration %}\n{% endfor %}";
      const input = {
        messages: [
          { role: "user", content: "😀" },
          { role: "assistant", content: "é😀" },
        ],
      };
      const template = new Template(source);
      const { spans } = template.renderWithSpans(input);
      const segments = template.renderSegments(input);
      expect(masked(segments, { unit, generation: spans })).toEqual(["😀.", "é😀."]);
    },
  );
});

describe("applyChatSegments", () => {
  const template = new Template(CHAT);

  it("joins to what applyChatTemplate gives", () => {
    const segments = applyChatSegments(template, MESSAGES, { addGenerationPrompt: true });
    expect(textOf(segments)).toBe(
      applyChatTemplate(template, MESSAGES, { addGenerationPrompt: true }),
    );
    expect(messageSpans(segments)[1]?.reasoning).toHaveLength(1);
  });

  it("leaves the final message open, with spans and masks of what is left", () => {
    const segments = applyChatSegments(template, MESSAGES, { continueFinalMessage: true });
    expect(textOf(segments)).toBe(
      applyChatTemplate(template, MESSAGES, { continueFinalMessage: true }),
    );
    expect(masked(segments).at(-1)).toBe("done");
  });

  it("refuses what applyChatTemplate refuses", () => {
    const both = { continueFinalMessage: true, addGenerationPrompt: true };
    expect(() => applyChatSegments(template, MESSAGES, both)).toThrow("not compatible");
    expect(() => applyChatSegments(template, [])).toThrow("empty conversation");
  });
});

describe("continueFinal", () => {
  it("ends with the last character of the final message's text", () => {
    expect(textOf(continueFinal(segmentsOf(CHAT)))).toMatch(/<\|im_start\|>assistant\ndone$/);
  });

  it("finds a text that the template changed, and one that stands elsewhere too", () => {
    const source = "{% for m in messages %}<{{ m.content|upper }}>{% endfor %}";
    const messages = [
      { role: "user", content: "same" },
      { role: "assistant", content: "same" },
    ];
    expect(textOf(continueFinal(segmentsOf(source, { messages })))).toBe("<SAME><SAME");
  });

  it("takes another field, and parts of content", () => {
    const reasoning = continueFinal(segmentsOf(CHAT), { index: 1, field: "reasoning_content" });
    expect(textOf(reasoning)).toMatch(/<think>hm$/);
    const parts =
      "{% for m in messages %}{% for p in m.content %}{{ p.text }};{% endfor %}{% endfor %}";
    const input = { messages: [{ role: "assistant", content: [{ text: "a" }, { text: "b" }] }] };
    expect(textOf(continueFinal(segmentsOf(parts, input)))).toBe("a;b");
  });

  it("refuses a prompt that shows nothing of the field", () => {
    expect(() => continueFinal(segmentsOf("nothing"))).toThrow(
      expect.objectContaining({ name: "RenderError", phase: "input", path: "messages" }),
    );
    expect(() => continueFinal(segmentsOf(CHAT), { field: "thought" })).toThrow(
      expect.objectContaining({ path: "messages[3].thought" }),
    );
  });
});
