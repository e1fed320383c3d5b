/** Random inputs of chat templates as JSON text, which keeps what JSON.parse would lose. */
import type { Random } from "../random.js";
import type { Node } from "../tree.js";

const TEXTS = [
  "",
  "",
  "a",
  "Hello",
  "Hello World",
  "é🌍",
  "<b>&\"'</b>",
  "  padded ",
  "line\nbreak\n",
  "\n\n",
  "42",
  "3.5",
  " 7 ",
  "<think>\nwhy\n</think>\n\nanswer",
  "<think>",
  "</think>x",
  "it's",
  "ß",
  "ΑΣ",
  "a\u00a0b\u200b",
  "x\u2028y",
  "A,b;C",
  "%s and %d",
  "{0} {a}",
  "tab\there",
  "user",
  "system",
  "assistant",
  "tool",
  "true",
  "None",
  "http://example.com/a?b=1&c",
  "UPPER lower",
  "the quick brown fox jumps over the lazy dog again and again",
  "\\ \" '",
  "ǆ",
  "\u001c",
  '{"a": 1}',
  "\r\n",
  "1e3",
  "٣",
] as const;
const KEYS = [
  "a",
  "b",
  "c",
  "role",
  "content",
  "name",
  "type",
  "items",
  "keys",
  "get",
  "values",
  "0",
  "",
  "a b",
  "_x",
  "__class__",
  "length",
  "constructor",
  "toString",
  "__proto__",
  "é",
  "function",
  "arguments",
  "properties",
  "Z",
  "count",
  "title",
  "index",
  "text",
  "value",
] as const;
const INTS = ["0", "1", "-1", "2", "3", "7", "42", "255", "-12", "1000000"] as const;
const BIG_INTS = [
  "9007199254740993",
  "-9007199254740993",
  "123456789012345678901234567890",
  "18446744073709551616",
] as const;
const FLOATS = [
  "1.0",
  "0.0",
  "-0.0",
  "2.5",
  "3.5",
  "0.1",
  "1e16",
  "1e-7",
  "1.5e300",
  "-2.675",
  "1e22",
  "123456.789",
] as const;
const ROLES = [
  "system",
  "user",
  "user",
  "assistant",
  "assistant",
  "tool",
  "developer",
  "ipython",
  "",
] as const;

type Make = (random: Random) => Node;

/** What has been generated of each kind of value. */
export type KindCounter = (kind: string) => void;

export class Inputs {
  readonly #random: Random;
  readonly #count: KindCounter;

  constructor(random: Random, count: KindCounter) {
    this.#random = random;
    this.#count = count;
  }

  /** The whole input: the names that the grammar's leaves know, each of them now and then of any kind. */
  input(): Node {
    const members = Object.entries(this.#names()).flatMap(([name, make]): [string, Node][] => {
      if (this.#random.chance(0.02)) return [];
      return [[name, this.#random.chance(0.02) ? this.any(2) : make(this.#random)]];
    });
    return object(members);
  }

  #names(): Readonly<Record<string, Make>> {
    const optional = (make: () => Node) => () => (this.#random.chance(0.25) ? this.none() : make());
    return {
      s: () => this.text(),
      u: () => this.text(),
      html: () => this.leaf("text", quoted("<b>&\"'</b>")),
      bos_token: () => this.leaf("text", '"<s>"'),
      eos_token: () => this.leaf("text", '"</s>"'),
      n: () => this.int(),
      m: () => this.int(),
      zero: () => this.leaf("int", "0"),
      big: () => this.bigInt(),
      f: () => this.float(),
      g: () => this.float(),
      t: () => this.leaf("bool", "true"),
      fa: () => this.leaf("bool", "false"),
      z: () => this.none(),
      x: () => this.any(2),
      y: () => this.any(1),
      ts: () => this.list(() => this.text()),
      ints: () => this.list(() => this.int()),
      l: () => this.list(() => this.any(1)),
      el: () => this.leaf("list", "[]"),
      ed: () => this.leaf("dict", "{}"),
      d: () => this.dict(2),
      nested: () => this.dict(3),
      messages: () => this.list(() => this.message(), 5, 1),
      tools: optional(() => this.list(() => this.tool(), 3, 1)),
      documents: optional(() => this.list(() => this.dict(1))),
      add_generation_prompt: () => this.bool(),
      enable_thinking: () => this.bool(),
      system_message: () => this.text(),
    };
  }

  leaf(kind: string, text: string): Node {
    this.#count(kind);
    return { category: "value", parts: [text] };
  }

  text(): Node {
    return this.leaf("text", quoted(this.#random.pick(TEXTS)));
  }
  int(): Node {
    return this.leaf("int", this.#random.pick(INTS));
  }
  bigInt(): Node {
    return this.leaf("big int", this.#random.pick(BIG_INTS));
  }
  float(): Node {
    return this.leaf("float", this.#random.pick(FLOATS));
  }
  bool(): Node {
    return this.leaf("bool", this.#random.pick(["true", "false"]));
  }
  none(): Node {
    return this.leaf("none", "null");
  }

  list(item: () => Node, limit = 4, least = 0): Node {
    this.#count("list");
    return array(Array.from({ length: least + this.#random.below(limit + 1 - least) }, item));
  }

  dict(depth: number): Node {
    this.#count("dict");
    const keys = Array.from({ length: this.#random.below(5) }, () => this.#random.pick(KEYS));
    return object([...new Set(keys)].map((key) => [key, this.any(depth - 1)]));
  }

  any(depth: number): Node {
    const leaves = [
      () => this.text(),
      () => this.text(),
      () => this.text(),
      () => this.int(),
      () => this.float(),
      () => this.bool(),
      () => this.none(),
      () => this.bigInt(),
    ];
    const nested = [
      () => this.list(() => this.any(depth - 1)),
      () => this.dict(depth),
      () => this.message(),
      () => this.tool(),
    ];
    return this.#random.pick(depth > 0 ? [...leaves, ...nested] : leaves)();
  }

  message(): Node {
    const random = this.#random;
    const members: [string, Node][] = [];
    if (!random.chance(0.03)) members.push(["role", this.leaf("text", quoted(random.pick(ROLES)))]);
    if (!random.chance(0.1)) members.push(["content", this.#content()]);
    if (random.chance(0.2)) members.push(["tool_calls", this.#toolCalls()]);
    if (random.chance(0.15)) members.push(["reasoning_content", this.text()]);
    if (random.chance(0.15)) members.push(["name", this.text()]);
    if (random.chance(0.05)) members.push([random.pick(KEYS), this.any(1)]);
    return object([...new Map(members)]);
  }

  #content(): Node {
    if (this.#random.chance(0.75)) return this.text();
    if (this.#random.chance(0.3)) return this.none();
    return this.list(() =>
      this.#random.chance(0.7)
        ? object([
            ["type", this.leaf("text", '"text"')],
            ["text", this.text()],
          ])
        : object([["type", this.leaf("text", '"image"')]]),
    );
  }

  #toolCalls(): Node {
    if (this.#random.chance(0.1)) return this.none();
    return this.list(() => {
      const call = object([
        ["name", this.text()],
        ["arguments", this.#random.chance(0.7) ? this.dict(2) : this.text()],
      ]);
      return this.#random.chance(0.9) ? object([["function", call]]) : call;
    }, 2);
  }

  tool(): Node {
    const parameters = object([
      ["type", this.leaf("text", '"object"')],
      ["properties", this.dict(2)],
      ["required", this.list(() => this.text(), 2)],
    ]);
    const body = object([
      ["name", this.text()],
      ["description", this.text()],
      ["parameters", parameters],
    ]);
    return this.#random.chance(0.8)
      ? object([
          ["type", this.leaf("text", '"function"')],
          ["function", body],
        ])
      : body;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function array(items: readonly Node[]): Node {
  return { category: "value", parts: ["[", ...separated(items.map((item) => [item])), "]"] };
}

function object(members: readonly (readonly [string, Node])[]): Node {
  const pairs = members.map(([key, value]) => [`${quoted(key)}:`, value]);
  return { category: "value", parts: ["{", ...separated(pairs), "}"] };
}

function separated(groups: readonly (readonly (string | Node)[])[]): (string | Node)[] {
  return groups.flatMap((group, at) => (at === 0 ? group : [",", ...group]));
}
