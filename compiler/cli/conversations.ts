/** The inputs that templates are compared with: conversations of our own, or the ones that a file holds. */
import type { Dialect } from "../../runtime/index.js";
import { parseInput, placeOf, readText, valuesOf, type Assignments } from "./arguments.js";
import { linesOf } from "./lines.js";
import { UsageError, type Terminal } from "./terminal.js";

/** An input as value, and as JSON objects in text of which later ones win: engines in other languages read the text. */
export interface NamedInput {
  readonly name: string;
  readonly texts: readonly string[];
  readonly value: object;
}

export interface InputOptions {
  readonly input?: string;
  readonly jsonl?: true;
  readonly set?: Assignments;
}

/** The inputs that the options name; without one, the conversations that a template of the dialect is made for. */
export async function inputsFor(
  dialect: Dialect,
  options: InputOptions,
  terminal: Terminal,
): Promise<readonly NamedInput[]> {
  const inputs = await readInputs(dialect, options, terminal);
  return inputs.map((each) => withSet(each, options.set));
}

async function readInputs(
  dialect: Dialect,
  { input, jsonl }: InputOptions,
  terminal: Terminal,
): Promise<readonly NamedInput[]> {
  if (jsonl) return readLines(input ?? "-", terminal);
  if (input !== undefined) {
    const text = await readText(input, terminal);
    return [{ name: placeOf(input), texts: [text], value: parseInput(text, placeOf(input)) }];
  }
  if (dialect === "go")
    throw new UsageError("templates of dialect go have no usual input: give one with -i");
  return conversationsOf(dialect);
}

async function readLines(file: string, terminal: Terminal): Promise<readonly NamedInput[]> {
  const inputs: NamedInput[] = [];
  for await (const { text, number } of linesOf(file, terminal)) {
    const name = `${placeOf(file)}:${String(number)}`;
    inputs.push({ name, texts: [text], value: parseInput(text, name) });
  }
  if (inputs.length === 0) throw new UsageError(`${placeOf(file)}: holds no input`);
  return inputs;
}

/** The single variables are laid over the input. */
function withSet(input: NamedInput, set: Assignments = new Map()): NamedInput {
  if (set.size === 0) return input;
  const fields = [...set].map(([name, { json }]) => `${JSON.stringify(name)}:${json}`);
  return {
    name: input.name,
    texts: [...input.texts, `{${fields.join(",")}}`],
    value: { ...input.value, ...valuesOf(set) },
  };
}

const user = { role: "user", content: "Is it far to Lyon?" };
const system = { role: "system", content: "You help people to travel." };
const answer = { role: "assistant", content: "Two hours by train." };
const followUp = { role: "user", content: "  And “à pied”? 🚶\n" };
const tools = [
  {
    type: "function",
    function: {
      name: "find_trains",
      description: "Finds trains <between> two cities.",
      parameters: {
        type: "object",
        properties: {
          to: { type: "string", description: "City of arrival" },
          limit: { type: "integer" },
        },
        required: ["to"],
      },
    },
  },
];
const call = {
  role: "assistant",
  content: "",
  tool_calls: [
    {
      id: "call00001",
      type: "function",
      function: { name: "find_trains", arguments: { to: "Lyon", limit: 2 } },
    },
  ],
};
const result = {
  role: "tool",
  name: "find_trains",
  tool_name: "find_trains",
  tool_call_id: "call00001",
  content: '[{"leaves": "07:34"}]',
};

const CONVERSATIONS: Readonly<Record<string, readonly object[]>> = {
  "one question": [user],
  "system text": [system, user],
  "several turns": [system, user, answer, followUp],
  "no content": [{ role: "user", content: "" }],
  "roles that do not alternate": [user, user],
  "a thought": [user, { ...answer, reasoning_content: "By car?", thinking: "By car?" }, followUp],
};

/** apply_chat_template passes None for what is not given. */
const ABSENT = { jinja: { tools: null, documents: null }, ollama: {} };

function conversationsOf(dialect: Exclude<Dialect, "go">): readonly NamedInput[] {
  const plain = Object.entries(CONVERSATIONS).map(([name, messages]) => ({ name, messages }));
  const withTools = [
    { name: "tools", messages: [system, user], tools },
    { name: "a tool's call and result", messages: [user, call, result, answer, followUp], tools },
  ];
  return [...plain, ...withTools].flatMap(({ name, ...input }) =>
    variantsOf(dialect).map(([suffix, options]) => {
      const value = { ...ABSENT[dialect], ...input, ...options };
      return { name: `${name}${suffix}`, texts: [JSON.stringify(value)], value };
    }),
  );
}

/** What a conversation is rendered for: an answer, or as it stands; with and without a thought. */
function variantsOf(dialect: Exclude<Dialect, "go">): readonly (readonly [string, object])[] {
  if (dialect === "ollama") {
    return [
      ["", {}],
      [", think", { think: true }],
      [", do not think", { think: false }],
    ];
  }
  return [
    ["", { add_generation_prompt: true }],
    [", as it stands", { add_generation_prompt: false }],
    [", do not think", { add_generation_prompt: true, enable_thinking: false }],
  ];
}
