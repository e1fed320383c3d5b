/** The conversations that benchmarks render: made from a fixed seed, so that every run measures the same text. */

export interface Message {
  role: string;
  content: string | readonly object[];
  reasoning_content?: string;
  tool_calls?: readonly object[];
  tool_call_id?: string;
}

export interface Workload {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly tools: readonly object[] | null;
}

const WORDS = (
  "the model should read this file and then call a function to update state before it returns an answer with careful " +
  "reasoning about edge cases in parser code for large inputs while keeping memory low and latency small"
).split(" ");
const CODE = [
  "const x = foo(bar, 10);",
  "if (a < b && c > d) { return a; }",
  "for i in range(10):\n    print(i)",
  '{"ok": true, "n": 3}',
  "SELECT id FROM t WHERE a = 1;",
  "def f(x): return x + 1",
];
const UNICODE = ["naïve café", "漢字テスト", "🙂🚀", "Привет мир", "→ “quoted” …", "데이터"];
const ESCAPED = [
  '"key": "va\\lue"',
  "\n\t",
  "<b>&amp;</b>",
  "it's",
  "漢字",
  "🙂",
  "\\path\\to\\file",
  "“q”",
  "\r\n",
  "é",
  '{"a":"b"}',
  "\u0001",
  "abc def ",
];
const NAMES = [
  "get_weather",
  "read_file",
  "write_file",
  "search_web",
  "run_shell",
  "list_dir",
  "send_mail",
  "query_db",
];

interface Shape {
  readonly user: number;
  readonly args: number;
  readonly result: number;
  readonly answer: number;
  readonly thinking: number;
  readonly rounds: number;
  readonly style: "plain" | "unicode" | "escaped";
}

const SHORT: Shape = {
  user: 100,
  args: 60,
  result: 150,
  answer: 120,
  thinking: 60,
  rounds: 1,
  style: "plain",
};
const LONG: Shape = {
  ...SHORT,
  user: 800,
  args: 500,
  result: 1300,
  answer: 900,
  thinking: 160,
  rounds: 6,
};
const ESCAPING: Shape = {
  ...SHORT,
  user: 400,
  args: 3000,
  result: 4000,
  answer: 300,
  rounds: 4,
  style: "escaped",
};

/** A generator of conversations with its own random numbers. */
class Generator {
  #seed = 12345;

  random(): number {
    this.#seed = (this.#seed * 1103515245 + 12345) & 0x7fffffff;
    return this.#seed / 0x7fffffff;
  }

  pick(list: readonly string[]): string {
    return list[Math.floor(this.random() * list.length)] ?? "";
  }

  text(length: number, isUnicode = false): string {
    let text = "";
    while (text.length < length) {
      const r = this.random();
      if (isUnicode && r < 0.06) text += `${this.pick(UNICODE)} `;
      else if (r < 0.09) text += `\n${this.pick(CODE)}\n`;
      else if (r < 0.12) text += ".\n\n";
      else text += `${this.pick(WORDS)} `;
    }
    return cut(text, length).trimEnd();
  }

  escaped(length: number): string {
    let text = "";
    while (text.length < length) text += this.pick(ESCAPED);
    return cut(text, length);
  }

  tools(): object[] {
    return NAMES.map((name, i) => ({
      type: "function",
      function: {
        name,
        description: `Tool ${name}: ${this.text(120)}`,
        parameters: this.#parameters(i % 2 === 1),
      },
    }));
  }

  #parameters(hasFilter: boolean): object {
    return {
      type: "object",
      properties: {
        path: {
          type: "string",
          description: 'The path or location to use, for example "Paris, France"',
        },
        mode: { type: "string", description: this.text(60), enum: ["fast", "slow", "auto"] },
        limit: { type: "integer", description: "Upper limit on the number of results" },
        ...(hasFilter ? { filter: { type: "string", description: this.text(40) } } : {}),
        flags: { type: "array", description: "A list of flags" },
      },
      required: ["path", "mode"],
    };
  }

  #arguments(shape: Shape): object {
    const { style, args } = shape;
    const isEscaped = style === "escaped";
    return {
      path: `/srv/data/${String(Math.floor(this.random() * 1e6))}.txt`,
      mode: "auto",
      limit: Math.floor(this.random() * 100),
      content: isEscaped ? this.escaped(args) : this.text(args, style === "unicode"),
      flags: ["a", "b", "long-flag"],
      opts: {
        deep: true,
        level: 3,
        note: isEscaped ? this.escaped(args >> 2) : this.text(30, style === "unicode"),
        none: null,
      },
    };
  }

  /** Blocks of a user, rounds of a call and its result, and an answer; the last message is no assistant's. */
  conversation(count: number, shape: Shape): Message[] {
    const isUnicode = shape.style === "unicode";
    const say = (length: number): string =>
      shape.style === "escaped" ? this.escaped(length) : this.text(length, isUnicode);
    const system = `You are a helpful assistant. ${this.text(shape.user, isUnicode)}`;
    const messages: Message[] = [{ role: "system", content: system }];
    while (messages.length < count) {
      messages.push({ role: "user", content: say(shape.user) });
      for (let round = 0; round < shape.rounds; round++) {
        messages.push(this.#call(shape, round === 0), this.#result(shape));
      }
      messages.push({
        role: "assistant",
        content: say(shape.answer),
        reasoning_content: this.text(shape.thinking, isUnicode),
      });
    }
    return this.#ended(messages.slice(0, count));
  }

  #call(shape: Shape, isFirst: boolean): Message {
    const isUnicode = shape.style === "unicode";
    return {
      role: "assistant",
      content: isFirst ? this.text(40, isUnicode) : "",
      reasoning_content: this.text(shape.thinking, isUnicode),
      tool_calls: [
        {
          type: "function",
          function: { name: this.pick(NAMES), arguments: this.#arguments(shape) },
        },
      ],
    };
  }

  #result(shape: Shape): Message {
    const content =
      shape.style === "escaped"
        ? JSON.stringify({ result: this.escaped(shape.result) })
        : this.text(shape.result, shape.style === "unicode");
    return { role: "tool", content };
  }

  #ended(messages: Message[]): Message[] {
    const last = messages.at(-1);
    if (last?.role !== "assistant") return messages;
    const before = messages.at(-2)?.role;
    const role = before === "assistant" || before === "user" ? "tool" : "user";
    return [...messages.slice(0, -1), { role, content: this.text(60) }];
  }
}

function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "x");
}

/** a: a short chat; b: 8 tools, 20 messages; c: 400 messages (~450 KB); cu: with unicode; e: much to escape; d: growth. */
export function workloads(): Workload[] {
  const make = new Generator();
  const withTools = (name: string, count: number, shape: Shape): Workload => {
    const messages = make.conversation(count, shape);
    return { name, messages, tools: make.tools() };
  };
  const growth = (count: number): Workload => ({
    name: `d${String(count)}`,
    messages: make.conversation(count, SHORT),
    tools: null,
  });
  return [
    {
      name: "a",
      messages: [
        { role: "system", content: "You are a helpful assistant." },
        { role: "user", content: "Hey, what's the temperature in Paris right now?" },
      ],
      tools: null,
    },
    withTools("b", 20, SHORT),
    withTools("c", 400, LONG),
    withTools("cu", 400, { ...LONG, style: "unicode" }),
    ...[10, 100, 1000, 10000].map(growth),
    withTools("e", 40, ESCAPING),
  ];
}

/** A workload as transformers' templates take it. */
export function jinjaInput({ messages, tools }: Workload): Record<string, unknown> {
  return { messages, ...(tools === null ? {} : { tools }), add_generation_prompt: true };
}

/** A workload as Ollama's API takes it. */
export function ollamaInput({ messages, tools }: Workload): Record<string, unknown> {
  const renamed = messages.map(({ reasoning_content, ...rest }) =>
    reasoning_content === undefined ? rest : { ...rest, thinking: reasoning_content },
  );
  return { messages: renamed, ...(tools === null ? {} : { tools }), think: true };
}
