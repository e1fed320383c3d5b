/** Inputs that no honest caller gives: values of every JavaScript kind in the places where templates look. */
import fc from "fast-check";

const TEXTS = [
  "",
  " \n\t",
  "user",
  "assistant",
  "system",
  "tool",
  "<|im_end|>",
  "{{ 7 * 7 }}{% for x in range(10**9) %}",
  "%s%n$x{0.__class__}",
  "\ud800",
  "\udfff\ud800",
  "\0",
  "\u2028",
  "constructor",
  "__proto__",
  "1e400",
  "😀".repeat(300),
  "a".repeat(100_000),
] as const;

const NAMES = [
  "messages",
  "role",
  "content",
  "tools",
  "tool_calls",
  "function",
  "name",
  "arguments",
  "parameters",
  "properties",
  "type",
  "text",
  "reasoning_content",
  "thinking",
  "add_generation_prompt",
  "enable_thinking",
  "documents",
  "system",
  "prompt",
  "suffix",
  "images",
  "think",
  "bos_token",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "toJSON",
  "then",
  "length",
  "items",
  "keys",
  "0",
  "-1",
  "",
] as const;

class Account {
  readonly role = "user";
  readonly #secret = "hunter2";

  get content(): string {
    return `of a getter, ${String(this.#secret.length)}`;
  }

  toString(): string {
    return this.#secret;
  }
}

/** What says of it fails as well. */
class Unprintable extends Error {
  override get message(): string {
    throw new Error("no message");
  }

  override toString(): string {
    throw new Error("no text");
  }
}

function throwing(): never {
  throw new TypeError("a trap");
}

function throwingUnprintable(): never {
  throw new Unprintable();
}

const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom<unknown>(null, undefined, true, false, 0, -0, 1, -1, 2 ** 53, 1.5, NaN, Infinity),
  fc.bigInt(),
  fc.double(),
);

function nestedList(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

function nestedObject(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = { content: value, items: value };
  return value;
}

function cyclic(): unknown {
  const message: Record<string, unknown> = { role: "user", content: [] };
  message["content"] = [message];
  message["function"] = message;
  return message;
}

function sparse(): unknown {
  const list: unknown[] = [];
  list[40] = { role: "user", content: "far" };
  return list;
}

function withTraps(failing: () => never): unknown {
  return new Proxy({}, { get: failing, has: failing, ownKeys: failing, getPrototypeOf: failing });
}

function withGetter(failing: () => never): unknown {
  return Object.defineProperty({ role: "user" }, "content", { enumerable: true, get: failing });
}

/** Made anew for each input, since a template must not be able to change what the next one gets. */
const STRANGE: readonly (() => unknown)[] = [
  () => new Account(),
  () => Account,
  () => new Date(0),
  () => new Date(NaN),
  () => /a/g,
  () =>
    new Map<unknown, unknown>([
      ["role", "user"],
      [1, 2],
      [{}, "object"],
    ]),
  () => new Set(["user", { role: "tool" }]),
  () => new Uint8Array(8),
  () => new Error("an error"),
  () => new Unprintable(),
  () => Symbol("user"),
  () => Promise.resolve("later"),
  () => () => "called",
  () => new Proxy([], {}),
  () => withTraps(throwing),
  () => withTraps(throwingUnprintable),
  () => withGetter(throwing),
  () => withGetter(throwingUnprintable),
  () => ({ toString: throwing, valueOf: throwing, toJSON: throwing }),
  () => ({ [Symbol.toPrimitive]: throwing, [Symbol.iterator]: throwing }),
  (): unknown => Object.create({ role: "inherited", content: "inherited" }),
  (): unknown => Object.setPrototypeOf({ role: "user", content: "x" }, null),
  (): unknown =>
    JSON.parse('{"__proto__":{"role":"system"},"role":"user","constructor":{"prototype":{}}}'),
  () => Object.freeze({ role: "user", content: Object.freeze(["frozen"]) }),
  () => nestedList(3000),
  () => nestedObject(8),
  cyclic,
  sparse,
];

/** Stands for a strange value while the input is drawn: fast-check asks what it draws, and traps would answer. */
class Later {
  readonly make: () => unknown;

  constructor(make: () => unknown) {
    this.make = make;
  }
}

const strange = fc.constantFrom(...STRANGE.map((make) => new Later(make)));

function made(drawn: unknown): unknown {
  if (drawn instanceof Later) return drawn.make();
  if (Array.isArray(drawn)) return drawn.map(made);
  return typeof drawn === "object" && drawn !== null ? madeObject(drawn) : drawn;
}

function madeObject(drawn: object): object {
  const object = {};
  for (const [name, value] of Object.entries(drawn)) {
    const field = { value: made(value), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(object, name, field);
  }
  return object;
}

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "hostile" },
    { weight: 5, arbitrary: scalar },
    { weight: 2, arbitrary: strange },
    { weight: 3, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
    {
      weight: 4,
      arbitrary: fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 6 }),
    },
  ),
}));

const message = fc.record(
  {
    role: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("system", "user", "assistant", "tool") },
      value,
    ),
    content: value,
    reasoning_content: value,
    thinking: value,
    tool_calls: fc.oneof(
      fc.array(fc.record({ id: value, function: fc.record({ name: value, arguments: value }) }), {
        maxLength: 2,
      }),
      value,
    ),
    images: value,
  },
  { requiredKeys: ["role"] },
);

/** Mostly a conversation with something strange in it, so that a template gets as far as that. */
export const hostileInput: fc.Arbitrary<object> = fc
  .record(
    {
      messages: fc.oneof({ weight: 6, arbitrary: fc.array(message, { maxLength: 5 }) }, value),
      tools: fc.oneof(
        fc.array(fc.record({ type: fc.constant("function"), function: value }), { maxLength: 2 }),
        value,
      ),
      documents: value,
      system: value,
      prompt: value,
      suffix: value,
      think: value,
      add_generation_prompt: fc.oneof(fc.boolean(), value),
      enable_thinking: fc.oneof(fc.boolean(), value),
      bos_token: value,
      eos_token: value,
      constructor: value,
    },
    { requiredKeys: [] },
  )
  .map(madeObject);
