/** applyChatTemplate: the recorded answers of transformers in every column, and what JSON cannot say. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import * as glm from "../generated/glm.js";
import { applyChatTemplate, type ChatOptions } from "../runtime/chat/index.js";
import type { Renderer } from "../runtime/index.js";
import { createEngine } from "../scripts/engines.js";
import { parseRow } from "../scripts/rows.js";
import { COLUMNS } from "./columns.js";
import { difference, readCase } from "./compare.js";
import { failureOf } from "./failure.js";

const RULES = new URL("conformance/chat-rules.jsonl", import.meta.url);

describe.each(COLUMNS)("%s", (column) => {
  it("answers as transformers' apply_chat_template", async () => {
    const engine = await createEngine(column);
    const lines = readFileSync(RULES, "utf8").split("\n").filter(Boolean);
    expect(lines.length).toBeGreaterThan(150);
    const wrong = lines.flatMap((line) => {
      const test = readCase(line);
      const differs = difference(test, engine(parseRow(line)), { spans: false, vars: false });
      return differs === undefined ? [] : [`${test.id}: ${differs}`];
    });
    expect(wrong).toEqual([]);
  });
});

const CHAT = new Template(
  "{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endfor %}",
);
const DUMP = new Template("{{ messages|tojson }}{{ tools|tojson }}{{ documents|tojson }}");
const QUESTION = [{ role: "user", content: "When does it leave?" }];

/** The same function for callers without types. */
const untyped: {
  apply(template: unknown, messages: unknown, options: object): string;
} = { apply: applyChatTemplate };

/** The object and all that it holds, frozen. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

describe("the caller's objects", () => {
  const parts = [
    { type: "text", text: "It leaves " },
    { type: "image", url: null },
  ];
  const messages = [
    { role: "user", content: "When?", name: null },
    { role: "assistant", content: parts, reasoning: [{ type: "text", text: "hm" }] },
  ];
  const template = new Template(
    "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{{ m.reasoning_content|map(attribute='text')|join if m.reasoning_content }};{% endfor %}",
  );

  it("may be frozen, and stay as they are", () => {
    const before = structuredClone(messages);
    const options: ChatOptions = deepFreeze({
      continueFinalMessage: true,
      tools: [{ name: "f", description: null }],
      documents: [{ text: "d" }],
      kwargs: { list: [1] },
      specialTokens: { bos_token: "<s>" },
    });
    expect(applyChatTemplate(template, deepFreeze(messages), options)).toBe(";It leaves ");
    expect(applyChatTemplate(template, messages, options)).toBe(";It leaves ");
    expect(messages).toEqual(before);
  });

  it("are found in another field when reasoning is continued", () => {
    const shared = deepFreeze([{ type: "text", text: "hm " }]);
    const message = deepFreeze({ role: "assistant", reasoning: shared, thinking: shared });
    const fields = new Template("{{ messages[-1].thinking|tojson }}{# thinking #}");
    // transformers copies both lists: the tag is in the one that was asked for.
    expect(applyChatTemplate(fields, [message], { continueFinalMessage: "thinking" })).toBe(
      '[{"type": "text", "text": "hm ',
    );
    expect(
      failureOf(() => applyChatTemplate(fields, [message], { continueFinalMessage: "reasoning" }))
        .message,
    ).toContain("the final message does not appear in the chat");
  });

  it("may be class instances, Maps, and what has a JSON form", () => {
    class Message {
      readonly role: string;
      readonly content: string | null;
      readonly sent = new Date(0);

      constructor(role: string, content: string | null) {
        this.role = role;
        this.content = content;
      }
    }
    const map = new Map<string, unknown>([
      ["role", "tool"],
      ["content", new Set(["a", 1])],
      ["name", null],
    ]);
    const rendered = applyChatTemplate(DUMP, [new Message("user", null), map], {
      tools: [new Map([["name", "f"]])],
      documents: [{ toJSON: () => ({ text: "d" }) }],
    });
    expect(rendered).toBe(
      '[{"role": "user", "sent": "1970-01-01T00:00:00.000Z"}, {"role": "tool", "content": ["a", 1]}]' +
        '[{"name": "f"}][{"text": "d"}]',
    );
  });

  it("have absent fields where they hold undefined", () => {
    const message = { role: "user", content: "q", name: undefined, reasoning: undefined };
    expect(applyChatTemplate(DUMP, [message])).toBe('[{"role": "user", "content": "q"}]nullnull');
  });

  it("bring no property of a prototype", () => {
    const template = new Template("{{ toString is defined }}{{ messages[0].toString is defined }}");
    const kwargs: unknown = JSON.parse('{"__proto__": {"toString": 1}}');
    expect(untyped.apply(template, QUESTION, { kwargs })).toBe("FalseFalse");
  });
});

describe("several templates", () => {
  const named = {
    default: new Template("D{{ tools|length if tools is not none }}"),
    tool_use: new Template("T{{ tools|length }}"),
    rag: new Template("R"),
  };
  const { tool_use: toolUse, rag } = named;

  it.each<[string, Readonly<Record<string, Renderer<object>>>, ChatOptions]>([
    ["D", named, {}],
    ["T1", named, { tools: [{}] }],
    ["T0", named, { tools: [] }],
    ["R", named, { use: "rag" }],
    ["R", named, { use: "rag", tools: [{}] }],
    ["D1", { default: named.default }, { tools: [{}] }],
    ["T0", { tool_use: toolUse, rag }, { tools: [] }],
    ["R", { render: rag, default: toolUse }, { use: "render" }],
  ])("chooses %s", (expected, templates, options) => {
    expect(applyChatTemplate(templates, QUESTION, options)).toBe(expected);
  });

  it.each<[string, Readonly<Record<string, Renderer<object>>>, ChatOptions]>([
    ["Available template names are ['rag', 'tool_use'].", { tool_use: toolUse, rag }, {}],
    ["no default specified! Please either pass", { rag }, { tools: [{}] }],
    ["Available template names are [].", {}, {}],
    ["There is no template 'toString'", named, { use: "toString" }],
    ["Available template names are ['default', 'rag', 'tool_use']", named, { use: "tools" }],
  ])("fails: %s", (message, templates, options) => {
    const failure = failureOf(() => applyChatTemplate(templates, QUESTION, options));
    expect(failure.message).toContain(message);
    expect(failure.type).toBe("ValueError");
  });

  it("has no names for a single one", () => {
    const failure = failureOf(() => applyChatTemplate(rag, QUESTION, { use: "default" }));
    expect([failure.phase, failure.path]).toEqual(["input", "use"]);
  });

  it("refuses templates of another engine", () => {
    const ollama = new Template("{{ .Prompt }}", { dialect: "ollama" });
    expect(failureOf(() => applyChatTemplate(ollama, QUESTION)).message).toContain("ollama");
  });

  it("takes generated modules", () => {
    const prompt = applyChatTemplate(glm, QUESTION, { addGenerationPrompt: true });
    expect(prompt).toContain("When does it leave?");
    expect(applyChatTemplate({ default: glm }, QUESTION, { addGenerationPrompt: true })).toBe(
      prompt,
    );
  });
});

describe("options", () => {
  it.each([
    ["sanitize_control_tokens", "use applyChatSegments"],
    ["sanitizeControlTokens", "use applyChatSegments"],
    ["tokenize", "give it to the tokenizer"],
    ["returnTensors", "give it to the tokenizer"],
    ["return_assistant_tokens_mask", "spans"],
    ["chat_template", "use names one of several"],
    ["add_generation_prompt", "write addGenerationPrompt"],
    ["enable_thinking", "kwargs: { enable_thinking: … }"],
  ])("refuses %s and says what to use", (name, instead) => {
    const failure = failureOf(() => untyped.apply(CHAT, QUESTION, { [name]: false }));
    expect(failure.message).toContain(`no option "${name}"`);
    expect(failure.message).toContain(instead);
    expect([failure.phase, failure.type, failure.path]).toEqual(["input", "TypeError", name]);
  });

  it("takes an option that holds undefined for none", () => {
    const options = { sanitize_control_tokens: undefined, tools: undefined, use: undefined };
    expect(untyped.apply(CHAT, QUESTION, options)).toBe("<user>When does it leave?</user>");
    expect(untyped.apply(DUMP, QUESTION, { tools: null, kwargs: null })).toContain("nullnull");
  });

  it("says both where both ways to end the prompt are asked for", () => {
    const options = { continueFinalMessage: true, addGenerationPrompt: true };
    expect(failureOf(() => applyChatTemplate(CHAT, QUESTION, options))).toMatchObject({
      message:
        "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you " +
        "want the model to continue the final message, and add_generation_prompt when you want to add a header that " +
        "will prompt it to start a new assistant message instead.",
      type: "ValueError",
    });
  });

  it("refuses an empty conversation before all else but the choice of the template", () => {
    const both = { continueFinalMessage: true, addGenerationPrompt: true };
    expect(failureOf(() => applyChatTemplate(CHAT, [], both)).message).toBe(
      "Cannot apply chat template to an empty conversation. Provide at least one message.",
    );
  });

  it("refuses functions as tools, and messages that are no list", () => {
    expect(failureOf(() => untyped.apply(CHAT, QUESTION, { tools: [() => 1] })).message).toContain(
      "a JavaScript function has no type hints",
    );
    expect(failureOf(() => untyped.apply(CHAT, { role: "user" }, {})).type).toBe("TypeError");
    expect(failureOf(() => untyped.apply(CHAT, [undefined], {})).type).toBe("TypeError");
  });

  it.each([
    ...["add_generation_prompt", "chat_template", "continue_final_message", "conversation"],
    ...["documents", "max_length", "messages", "padding", "return_assistant_tokens_mask"],
    ...["return_dict", "return_tensors", "sanitize_control_tokens", "tokenize", "tools"],
    ...["tokenizer_kwargs", "truncation"],
  ])("brings no variable %s to the template, which is a parameter of Python's", (name) => {
    const failure = failureOf(() => untyped.apply(CHAT, QUESTION, { kwargs: { [name]: 1 } }));
    expect(failure).toMatchObject({ type: "TypeError", path: `kwargs.${name}` });
  });

  it("sets no special token that the tokenizer has not", () => {
    const template = new Template("{{ bos_token is defined }}{{ x }}{{ eos_token }}");
    const specialTokens = { bos_token: null, eos_token: "</s>" };
    expect(untyped.apply(template, QUESTION, { specialTokens, kwargs: { x: 1 } })).toBe(
      "False1</s>",
    );
  });

  it("hands the clock to the template", () => {
    const template = new Template("{{ strftime_now('%Y-%m-%d') }}");
    expect(applyChatTemplate(template, QUESTION, { now: "2024-02-29T12:00:00" })).toBe(
      "2024-02-29",
    );
  });
});
