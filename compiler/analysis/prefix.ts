/**
 * Whether prompts grow: is the prompt of a conversation's beginning the beginning of the conversation's prompt? A cache of
 * keys and values, and training on whole conversations, need that. Found by rendering conversations, the shortest first.
 */
import type { Dialect } from "../ir/nodes.js";
import { DOCUMENTS, NINE_SIGNS, TOOLS, type Message } from "./conversations.js";

/** Two prompts that part. */
export interface PrefixBreak {
  /** The longer conversation, and how many of its messages the shorter one has. */
  readonly messages: readonly object[];
  readonly shorter: number;
  /** What the messages are, as "assistant with reasoning". */
  readonly kinds: readonly string[];
  /** What else the prompts were rendered with: "tools", "documents", "thinking" or "no thinking"; empty for nothing. */
  readonly options: string;
  /** Whether the shorter prompt ended with the start of an answer. */
  readonly generationPrompt: boolean;
  /** The UTF-16 unit at which they part. */
  readonly offset: number;
  /** What each goes on with there. */
  readonly before: string;
  readonly after: string;
  /** The template's line that wrote the longer prompt's first differing unit, where one did. */
  readonly line?: number;
}

/** The verdict on a template. */
export interface PrefixStability {
  /** Whether prompts grow in whatever order messages come. */
  readonly stable: boolean;
  /** Whether they do in conversations as people and models have them. */
  readonly stableInUse: boolean;
  /** How many pairs of prompts were compared. */
  readonly compared: number;
  /** The first of the shortest conversations whose prompts part. */
  readonly counterExample?: PrefixBreak;
}

interface Kind {
  readonly name: string;
  readonly isAssistant: boolean;
  /** What stands before it in a conversation as people and models have it; null is the start. */
  readonly after: readonly (string | null)[];
  message(at: number): Message;
}

const USERS = ["user", "user without text"] as const;
const ASSISTANTS = [
  "assistant",
  "assistant without text",
  "assistant with reasoning",
  "assistant with a thought in its content",
] as const;
const CALLS = ["assistant with a call", "assistant with text and two calls"] as const;

function call(at: number, name: string): object {
  const id = NINE_SIGNS;
  return { id, type: "function", function: { name, arguments: { step: `value ${at}` } } };
}

const KINDS: readonly Kind[] = [
  {
    name: "system",
    isAssistant: false,
    after: [null],
    message: (at) => ({ role: "system", content: `rule ${at}` }),
  },
  {
    name: "user",
    isAssistant: false,
    after: [null, "system", ...ASSISTANTS],
    message: (at) => ({ role: "user", content: `question ${at}` }),
  },
  {
    name: "user without text",
    isAssistant: false,
    after: [null, "system", ...ASSISTANTS],
    message: () => ({ role: "user", content: "" }),
  },
  {
    name: "assistant",
    isAssistant: true,
    after: [...USERS, "tool"],
    message: (at) => ({ role: "assistant", content: ` answer ${at}\n` }),
  },
  {
    name: "assistant without text",
    isAssistant: true,
    after: [...USERS, "tool"],
    message: () => ({ role: "assistant", content: "" }),
  },
  {
    name: "assistant with reasoning",
    isAssistant: true,
    after: [...USERS, "tool"],
    message: (at) => {
      const thought = `thought ${at}`;
      const reasoning = { reasoning_content: thought, reasoning: thought, thinking: thought };
      return { role: "assistant", ...reasoning, content: `answer ${at}` };
    },
  },
  {
    name: "assistant with a thought in its content",
    isAssistant: true,
    after: [...USERS, "tool"],
    message: (at) => ({
      role: "assistant",
      content: `<think>\nthought ${at}\n</think>\n\nanswer ${at}`,
    }),
  },
  {
    name: "assistant with a call",
    isAssistant: true,
    after: [...USERS, "tool"],
    message: (at) => ({ role: "assistant", content: "", tool_calls: [call(at, "zqtoolqz")] }),
  },
  {
    name: "assistant with text and two calls",
    isAssistant: true,
    after: [...USERS, "tool"],
    message: (at) => ({
      role: "assistant",
      content: `answer ${at}`,
      tool_calls: [call(at, "zqtoolqz"), call(at, "zqothertoolqz")],
    }),
  },
  {
    name: "tool",
    isAssistant: false,
    after: [...CALLS, "tool"],
    message: (at) => ({
      role: "tool",
      name: "zqtoolqz",
      tool_name: "zqtoolqz",
      tool_call_id: NINE_SIGNS,
      content: `result ${at}`,
    }),
  },
  {
    name: "query",
    isAssistant: false,
    after: [],
    message: (at) => ({ role: "query", content: `question ${at}` }),
  },
  {
    name: "document",
    isAssistant: false,
    after: [],
    message: (at) => ({ role: "document", content: `passage ${at}` }),
  },
];

/** What prompts are rendered with, by its name. */
const OPTIONS: ReadonlyMap<string, Readonly<Record<Exclude<Dialect, "go">, object>>> = new Map([
  ["", { jinja: {}, ollama: {} }],
  ["tools", { jinja: { tools: TOOLS[0] }, ollama: { tools: TOOLS[0] } }],
  ["no thinking", { jinja: { enable_thinking: false, thinking: false }, ollama: { think: false } }],
  ["thinking", { jinja: { enable_thinking: true, thinking: true }, ollama: { think: true } }],
  ["documents", { jinja: { documents: DOCUMENTS }, ollama: {} }],
]);

/** How many messages the longest conversations have: those as in use, and those in any order. */
const LONGEST = { inUse: 5, anyOrder: 5 };
/** In any order, more messages than this are of the three common roles only. */
const ALL_KINDS = 3;
const COMMON: ReadonlySet<string> = new Set(["system", "user", "assistant"]);
/** Characters shown where two prompts part. */
const SHOWN = 60;

interface Prompt {
  /** How many messages it shows. */
  readonly length: number;
  readonly text: string;
  readonly generationPrompt: boolean;
}

/** A conversation, with the prompts that those of longer ones must go on from. */
interface Conversation {
  readonly kinds: readonly Kind[];
  readonly messages: readonly Message[];
  readonly prompts: readonly Prompt[];
}

const EMPTY: Conversation = { kinds: [], messages: [], prompts: [] };

/**
 * Searches conversations with and without tools, documents and thinking: first those as they are in use, then those in
 * any order, of up to five messages. `render` gives a prompt, or throws for a conversation that the template refuses,
 * which then says nothing; `lineAt` finds the template's line of the break. An unstable template parts early, a stable
 * one takes some thousand renders.
 */
export function prefixStability(
  dialect: Exclude<Dialect, "go">,
  render: (input: object) => string,
  lineAt?: LineAt,
): PrefixStability {
  let compared = 0;
  for (const order of ["inUse", "anyOrder"] as const) {
    const searches = [...OPTIONS.keys()].map(
      (name) => new Search(dialect, { render, lineAt }, name, order),
    );
    let counterExample: PrefixBreak | undefined;
    for (let length = 1; length <= LONGEST[order]; length++) {
      for (const search of searches) counterExample ??= search.lengthen();
    }
    compared += searches.reduce((sum, search) => sum + search.compared, 0);
    if (counterExample !== undefined) {
      return { stable: false, stableInUse: order === "anyOrder", compared, counterExample };
    }
  }
  return { stable: true, stableInUse: true, compared };
}

/** What a prompt is rendered with, the options by their name. */
export function inputOf(
  dialect: Exclude<Dialect, "go">,
  options: string,
  messages: readonly unknown[],
  generationPrompt: boolean,
): object {
  // transformers passes None for what is not given.
  const absent = { tools: null, documents: null, bos_token: "<s>", eos_token: "</s>" };
  const common = dialect === "jinja" ? { ...absent, add_generation_prompt: generationPrompt } : {};
  return { messages, ...common, ...OPTIONS.get(options)?.[dialect] };
}

/** How many UTF-16 units two texts begin with alike. */
export function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** The template's line that wrote the UTF-16 unit of the input's prompt; undefined where none did. */
type LineAt = (input: object, offset: number) => number | undefined;

interface Renders {
  readonly render: (input: object) => string;
  readonly lineAt: LineAt | undefined;
}

type Order = keyof typeof LONGEST;

class Search {
  readonly #dialect: Exclude<Dialect, "go">;
  readonly #template: Renders;
  readonly #options: string;
  readonly #order: Order;
  #conversations: readonly Conversation[] = [EMPTY];
  compared = 0;

  constructor(dialect: Exclude<Dialect, "go">, template: Renders, options: string, order: Order) {
    this.#dialect = dialect;
    this.#template = template;
    this.#options = options;
    this.#order = order;
  }

  /** Lengthens each conversation by a message of each kind; gives the first break. */
  lengthen(): PrefixBreak | undefined {
    const longer: Conversation[] = [];
    for (const conversation of this.#conversations) {
      for (const kind of KINDS) {
        if (!this.#mayFollow(conversation.kinds, kind)) continue;
        const next = this.#with(conversation, kind);
        if ("offset" in next) return next;
        longer.push(next);
      }
    }
    this.#conversations = longer;
    return undefined;
  }

  #with({ kinds, messages, prompts }: Conversation, kind: Kind): Conversation | PrefixBreak {
    const all = {
      kinds: [...kinds, kind],
      messages: [...messages, kind.message(messages.length + 1)],
    };
    const text = this.#prompt(all.messages, false);
    // What a template refuses is no prompt; the conversation may become one that it takes.
    if (text === undefined) return { ...all, prompts };
    for (const prompt of prompts) {
      // A prompt that opens an answer is followed by that answer.
      if (prompt.generationPrompt && all.kinds[prompt.length]?.isAssistant !== true) continue;
      this.compared++;
      if (!text.startsWith(prompt.text)) return this.#broken(all, prompt, text);
    }
    // Those before stay: between a prompt that opens an answer and what is no answer nothing is compared.
    return this.#isAsked(all.kinds)
      ? { ...all, prompts: [...prompts, ...this.#prompts(all, text)] }
      : { ...all, prompts };
  }

  #mayFollow(kinds: readonly Kind[], kind: Kind): boolean {
    if (this.#order === "inUse") return kind.after.includes(kinds.at(-1)?.name ?? null);
    const all = [...kinds, kind];
    return all.length <= ALL_KINDS || all.every(({ name }) => COMMON.has(name));
  }

  /** Whether anybody renders a conversation that ends so. */
  #isAsked(kinds: readonly Kind[]): boolean {
    if (this.#order === "anyOrder") return true;
    const last = kinds.at(-1);
    if (last?.name === "system") return false;
    // Ollama's templates leave an answer open that stands last.
    return this.#dialect === "jinja" || last?.isAssistant === false;
  }

  #prompts(
    { kinds, messages }: Pick<Conversation, "kinds" | "messages">,
    text: string,
  ): readonly Prompt[] {
    const { length } = messages;
    const isAnswered = this.#order === "inUse" && kinds.at(-1)?.isAssistant === true;
    // Ollama's templates decide by the last message whether an answer begins.
    if (this.#dialect !== "jinja") return [{ length, text, generationPrompt: !isAnswered }];
    const whole = { length, text, generationPrompt: false };
    const open = isAnswered ? undefined : this.#prompt(messages, true);
    return open === undefined ? [whole] : [whole, { length, text: open, generationPrompt: true }];
  }

  #broken(
    { kinds, messages }: Pick<Conversation, "kinds" | "messages">,
    { length, text, generationPrompt }: Prompt,
    longer: string,
  ): PrefixBreak {
    const offset = commonLength(text, longer);
    const line = this.#template.lineAt?.(
      inputOf(this.#dialect, this.#options, messages, false),
      offset,
    );
    return {
      messages,
      shorter: length,
      kinds: kinds.map(({ name }) => name),
      options: this.#options,
      generationPrompt,
      offset,
      before: text.slice(offset, offset + SHOWN),
      after: longer.slice(offset, offset + SHOWN),
      ...(line === undefined ? {} : { line }),
    };
  }

  #prompt(messages: readonly Message[], generationPrompt: boolean): string | undefined {
    try {
      return this.#template.render(
        inputOf(this.#dialect, this.#options, messages, generationPrompt),
      );
    } catch {
      return undefined;
    }
  }
}
