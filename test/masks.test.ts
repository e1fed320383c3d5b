/** Masks from origin against the tag `generation`: where the two may differ, and what must never differ. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { assistantMask } from "../runtime/chat/index.js";
import { fromCodePoints } from "../runtime/chat/segments/units.js";
import { compareMasks, type Comparison } from "../scripts/verify-masks/kinds.js";

const call = (name: string): object => ({ id: "c1", function: { name, arguments: { a: 1 } } });
const MESSAGES = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Yes." },
  { role: "user", content: "Bye" },
];
const EMPTY = MESSAGES.map((each) => (each.role === "user" ? each : { ...each, content: "" }));
const THINKING = MESSAGES.map((each) =>
  each.role === "user" ? each : { ...each, thinking: "hm" },
);
const CALLS = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "", tool_calls: [call("f"), call("g")] },
  { role: "tool", content: "1" },
  { role: "tool", content: "2" },
  { role: "assistant", content: "Done." },
];

/** A template of turns between `<|start|>role` and `<|end|>`, with the text of the assistant's in its own words. */
function turns(assistant: string): string {
  return (
    "{% for m in messages %}{% if m.role == 'assistant' %}" +
    assistant +
    "{% else %}<|start|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endif %}{% endfor %}"
  );
}

function compared(source: string, messages: readonly object[] = MESSAGES): Comparison {
  const template = new Template(source);
  const { text, spans } = template.renderWithSpans({ messages });
  const segments = template.renderSegments({ messages });
  return compareMasks(segments, fromCodePoints(text, spans), assistantMask(segments));
}

function masked(source: string, messages: readonly object[]): string[] {
  const segments = new Template(source).renderSegments({ messages });
  const text = segments.map((segment) => segment.text).join("");
  return assistantMask(segments).map(({ start, end }) => text.slice(start, end));
}

const G = "{% generation %}";
const END = "{% endgeneration %}";

describe("a mask and the tag", () => {
  it.each([
    ["equal", [], `<|start|>assistant\n${G}{{ m.content }}<|end|>${END}\n`, MESSAGES],
    ["empty", ["empty"], `<|start|>assistant\n${G}{{ m.content }}<|end|>${END}\n`, EMPTY],
    ["previousEnd", ["previousEnd"], `${G}<|turns_end|>{{ m.content }}<|end|>${END}\n`, MESSAGES],
    ["header", ["header"], `${G}<|start|>assistant\n{{ m.content }}<|end|>${END}\n`, MESSAGES],
    [
      "a header of several marks",
      ["header"],
      `${G}<|start|>assistant to=user<|message|>{{ m.content }}<|end|>${END}\n`,
      MESSAGES,
    ],
    [
      "emptyThought",
      ["emptyThought"],
      `<|start|>assistant\n${G}<think>\n</think>\n{{ m.content }}<|end|>${END}\n`,
      MESSAGES,
    ],
    [
      "thought",
      ["thought"],
      `<|start|>assistant\n${G}<think>{{ m.thinking }}</think>{{ m.content }}<|end|>${END}\n`,
      THINKING,
    ],
    [
      "header and emptyThought",
      ["header", "emptyThought"],
      `${G}<|start|>assistant\n</think>{{ m.content }}<|end|>${END}\n`,
      MESSAGES,
    ],
    [
      "blankBefore",
      ["blankBefore"],
      `<|start|>assistant${G} {{ m.content }}<|end|>${END}\n`,
      MESSAGES,
    ],
    [
      "blankAfter",
      ["blankAfter"],
      `<|start|>assistant\n${G}{{ m.content }}<|end|>\n${END}`,
      MESSAGES,
    ],
    ["nextTurn", ["nextTurn"], `<|assistant|>${G}{{ m.content }}<|user|>${END}`, MESSAGES],
    [
      "apart",
      ["apart"],
      `<|start|>assistant\n${G}{{ m.content }}${END}${G}<|end|>${END}\n`,
      MESSAGES,
    ],
  ])("may differ: %s", (_name, kinds, assistant, messages) => {
    expect(compared(turns(assistant), messages)).toEqual({ kinds, unexplained: [] });
  });

  it.each([
    ["the end of the turn", `<|start|>assistant\n${G}{{ m.content }}${END}<|end|>\n`, MESSAGES],
    ["text before", `<|start|>assistant\n${G}Well: {{ m.content }}<|end|>${END}\n`, MESSAGES],
    ["text after", `<|start|>assistant\n${G}{{ m.content }}<|end|> So.${END}\n`, MESSAGES],
    [
      "a thought that does not follow",
      `<|start|>assistant\n${G}<think>{{ m.content }}<|end|>${END}\n`,
      MESSAGES,
    ],
    [
      "a part of the message",
      `<|start|>assistant\n{{ m.thinking }}${G}{{ m.content }}<|end|>${END}\n`,
      THINKING,
    ],
    [
      "two messages in one span",
      `<|start|>assistant\n${G}{{ m.content }} {{ messages[0].content }} {{ m.content }}<|end|>${END}`,
      MESSAGES,
    ],
  ])("differ without excuse: %s", (_name, assistant, messages) => {
    expect(compared(turns(assistant), messages).unexplained).not.toEqual([]);
  });
});

describe("the mask of calls", () => {
  const toolResult = (header: string): string =>
    `{% elif m.role == 'tool' %}${header}{{ m.content }}<|end|>`;
  const conversation = (calls: string, header = "<|start|>tool<|message|>"): string =>
    "{% for m in messages %}{% if m.role == 'assistant' %}<|start|>assistant<|message|>{{ m.content }}" +
    `{% for call in m.tool_calls or [] %}${calls}{% endfor %}<|end|>` +
    toolResult(header) +
    "{% else %}<|start|>user<|message|>{{ m.content }}<|end|>{% endif %}{% endfor %}";

  it.each([
    ["<tool_call>", "</tool_call>"],
    ["<|tool_call_start|>[", "]<|tool_call_end|>"],
    ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"],
    ["<|tool_call>call:", "<tool_call|>"],
    ["[TOOL_CALLS]", "[/TOOL_CALLS]"],
    ["[|tool_call|]", "[|end_of_call|]"],
  ])("has the frame of a call: %s %s", (open, close) => {
    const source = conversation(`${open}{{ call.function.name }}${close}`);
    expect(masked(source, CALLS)).toEqual([
      `${open}f${close}${open}g${close}<|end|>`,
      "Done.<|end|>",
    ]);
  });

  it("ends with the turn where the template speaks of the marks beforehand", () => {
    const source =
      "<|start|>system\nCall within <calls></calls> and <calls>:\n<calls>\n{name}\n</calls><|done|>\n" +
      "{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}" +
      "{% for call in m.tool_calls or [] %}<calls>\n{{ call.function.name }}\n</calls>{% endfor %}<|done|>\n{% endfor %}";
    expect(masked(source, CALLS)).toEqual([
      "<calls>\nf\n</calls><calls>\ng\n</calls><|done|>",
      "Done.<|done|>",
    ]);
  });

  it.each([
    "<|start|>functions.{{ messages[1].tool_calls[0].function.name }} to=assistant<|message|>",
    "<|tool_response>response:{{ messages[1].tool_calls[loop.index0 - 2].function.name }}:",
    "<|start|>tool<|id|>{{ messages[1].tool_calls[0].id }}<|message|>",
  ])("has no name that a tool's result shows again: %s", (header) => {
    const source = conversation("<call>{{ call.id }}:{{ call.function.name }}</call>", header);
    expect(masked(source, CALLS)).toEqual([
      "<call>c1:f</call><call>c1:g</call><|end|>",
      "Done.<|end|>",
    ]);
  });

  it("has a name that the call itself shows twice", () => {
    const source = conversation("<call>{{ call.function.name }}={{ call.function.name }}</call>");
    expect(masked(source, CALLS)[0]).toBe("<call>f=f</call><call>g=g</call><|end|>");
  });

  it("ends with the mark of the tools' end", () => {
    const source = conversation("<|calls|>{{ call.function.name }}<|tools_suffix|>");
    expect(masked(source, CALLS.slice(0, 3))).toEqual([
      "<|calls|>f<|tools_suffix|><|calls|>g<|tools_suffix|><|end|>",
    ]);
  });

  it("goes on over marks that stand within headers too", () => {
    const source =
      "<|open|>message system<|sep|>Rules.<|close|>message<|sep|>" +
      "{% for m in messages %}<|open|>message {{ m.role }}<|sep|>{{ m.content }}<|close|>message<|sep|>{% endfor %}";
    expect(masked(source, MESSAGES)).toEqual(["Yes.<|close|>message<|sep|>"]);
  });
});
