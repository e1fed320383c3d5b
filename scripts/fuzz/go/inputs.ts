/** Random inputs as JSON texts: data for dialect go, requests for dialect ollama. */
import { someText } from "./formats.js";
import type { Random } from "./random.js";
import { ARGUMENT_KEYS } from "./shapes.js";

type Make = (random: Random) => string;

const ODD_TEXTS = [
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\u0000"',
  '"\\u007f\\u2028"',
  '"<\\/b>&"',
  '"\uff5e\u{1f600}"',
  '"  x\\r\\n"',
];

function text(random: Random): string {
  return random.chance(0.06) ? random.pick(ODD_TEXTS) : JSON.stringify(someText(random));
}

function number(random: Random): string {
  if (random.chance(0.6)) return String(random.between(-2, 12));
  return random.pick(
    "0.5 1.5 -0.25 2.0 1e6 1e21 1e-7 -0.0 12345678 123456789012 9007199254740993 1E+2 0.1 3.0e0 100000 1000000 1e20".split(
      " ",
    ),
  );
}

const bool: Make = (random) => random.pick(["true", "false"]);

/** `{"key":value,…}` */
function object(keys: readonly string[], make: (key: string) => string): string {
  return `{${keys.map((key) => `${JSON.stringify(key)}:${make(key)}`).join(",")}}`;
}

function array(random: Random, most: number, make: Make): string {
  return `[${random.times(random.between(0, most), () => make(random)).join(",")}]`;
}

function some(random: Random, keys: readonly string[], probability: number): string[] {
  return keys.filter(() => random.chance(probability));
}

const KEYS = [
  "a",
  "b",
  "z",
  "é",
  "10",
  "9",
  "A",
  "\uff5e",
  "\u{1f600}",
  "constructor",
  "__proto__",
  "length",
  "<x>",
];

function json(random: Random, depth: number): string {
  if (depth > 0 && random.chance(0.25)) return array(random, 3, () => json(random, depth - 1));
  if (depth > 0 && random.chance(0.25))
    return object(some(random, KEYS, 0.25), () => json(random, depth - 1));
  return random.weighted<Make>([
    [3, text],
    [3, number],
    [1, bool],
    [1, () => "null"],
  ])(random);
}

/** The field of the input, or anything else now and then. */
function mostly(random: Random, make: Make): string {
  return random.chance(0.04) ? json(random, 1) : make(random);
}

const goMap: Make = (random) =>
  object(some(random, KEYS, 0.3), (key) =>
    key === "a" ? text(random) : key === "b" ? number(random) : json(random, 1),
  );

const goMessage: Make = (random) =>
  object(some(random, ["role", "content", "calls", "n", "f"], 0.85), (key) => {
    if (key === "role") return random.pick(['"user"', '"assistant"', '"system"', '"tool"']);
    if (key === "calls") return array(random, 2, () => json(random, 1));
    return key === "n" ? String(random.below(5)) : key === "f" ? "1.5" : text(random);
  });

const GO_FIELDS: Readonly<Record<string, Make>> = {
  name: text,
  text,
  n: (random) => String(random.between(-3, 10)),
  f: (random) => random.pick(["0.5", "1.5", "2.0", "1e21", "-0.0", "100000.0"]),
  yes: bool,
  none: () => "null",
  words: (random) => array(random, 4, text),
  ints: (random) => array(random, 4, (each) => String(each.between(-2, 9))),
  mixed: (random) => array(random, 4, () => json(random, 1)),
  messages: (random) => array(random, 3, goMessage),
  map: goMap,
  deep: (random) =>
    object(["one", "two", "three"], (key) =>
      key === "one" ? goMap(random) : key === "two" ? array(random, 3, text) : goMessage(random),
    ),
  odd: (random) => json(random, 3),
};

/** Data for dialect go: the fields that its shapes know. */
export function goInput(random: Random): string {
  if (random.chance(0.02)) return json(random, 2);
  return fields(random, GO_FIELDS, 0.9);
}

/** An object of the fields that it has, each with a value of another kind now and then. */
function fields(
  random: Random,
  makers: Readonly<Record<string, Make>>,
  probability: number,
  oddCase = 0.01,
): string {
  const keys = some(random, Object.keys(makers), probability);
  const spelled = keys.map(
    (key) => [random.chance(oddCase) ? key.toUpperCase() : key, key] as const,
  );
  const members = spelled.map(([name, key]) => {
    const make = makers[key];
    return `${JSON.stringify(name)}:${make === undefined ? "null" : make(random)}`;
  });
  return `{${members.join(",")}}`;
}

const orNull =
  (make: Make, probability = 0.06): Make =>
  (random) =>
    random.chance(probability) ? "null" : make(random);

const argumentsOf: Make = (random) =>
  object(twice(random, some(random, [...ARGUMENT_KEYS, "\u{1f600}", "\uff5e"], 0.35)), (key) =>
    key === "days" ? number(random) : json(random, 2),
  );

/** Now and then a key comes twice: the last one counts. */
function twice(random: Random, keys: readonly string[]): readonly string[] {
  return random.chance(0.03) ? [...keys, ...keys.slice(0, 1)] : keys;
}

const toolCall: Make = (random) =>
  fields(
    random,
    {
      id: orNull(text),
      type: () => '"function"',
      function: (each) =>
        fields(
          each,
          {
            name: (one) => JSON.stringify(one.pick(["get_weather", "f", "<x>"])),
            arguments: orNull(argumentsOf),
            index: (one) => String(one.below(3)),
          },
          0.9,
        ),
    },
    0.9,
  );

const image: Make = (random) => random.pick(['"iVBO"', '""', '"AAEC/w=="']);

const role: Make = (random) =>
  random.weighted([
    [5, '"user"'],
    [5, '"assistant"'],
    [2, '"system"'],
    [2, '"tool"'],
    [0.3, '"User"'],
    [0.3, '"other"'],
    [0.2, '""'],
  ]);

const MESSAGE: Readonly<Record<string, readonly [number, Make]>> = {
  role: [0.99, role],
  content: [0.95, orNull(text, 0.04)],
  thinking: [0.2, orNull(text)],
  images: [0.12, orNull((random) => array(random, 2, image))],
  tool_calls: [0.25, orNull((random) => array(random, 5, toolCall))],
  tool_name: [0.12, orNull(text)],
  tool_call_id: [0.1, orNull(text)],
  other: [0.02, (random) => json(random, 1)],
};

const message: Make = (random) => chosen(random, MESSAGE);

/** Each field as often as its own probability says. */
function chosen(
  random: Random,
  makers: Readonly<Record<string, readonly [number, Make]>>,
  oddCase = 0.01,
): string {
  const present = Object.entries(makers).filter(([, [probability]]) => random.chance(probability));
  return fields(
    random,
    Object.fromEntries(present.map(([key, [, make]]) => [key, make])),
    1,
    oddCase,
  );
}

const typeName: Make = (random) =>
  random.pick([
    '"string"',
    '"integer"',
    '"number"',
    '"boolean"',
    '"array"',
    '"object"',
    '"null"',
    '""',
    '"é"',
  ]);

const propertyType: Make = (random) => {
  if (random.chance(0.2)) return array(random, 3, typeName);
  return random.chance(0.03) ? "null" : typeName(random);
};

function property(random: Random, depth: number): string {
  const nested: Make = (each) => property(each, depth - 1);
  const isDeep = depth > 0;
  return chosen(random, {
    type: [0.9, propertyType],
    description: [0.6, orNull(text)],
    enum: [0.25, orNull((each) => array(each, 5, () => json(each, 1)))],
    items: [0.15, (each) => json(each, 2)],
    anyOf: [isDeep ? 0.15 : 0, orNull((each) => array(each, 3, nested))],
    properties: [isDeep ? 0.2 : 0, orNull((each) => properties(each, depth - 1))],
    required: [0.15, orNull(names)],
    default: [0.05, (each) => json(each, 1)],
  });
}

function properties(random: Random, depth: number): string {
  const keys = some(random, [...ARGUMENT_KEYS, "\u{1f600}", "\uff5e", "zeta"], 0.3);
  return object(keys, () => property(random, depth));
}

const names: Make = (random) =>
  array(random, 5, (each) => JSON.stringify(each.pick(ARGUMENT_KEYS)));

const tool: Make = (random) =>
  chosen(random, {
    type: [0.95, () => '"function"'],
    items: [0.04, (each) => json(each, 1)],
    function: [
      0.98,
      (each) =>
        chosen(each, {
          name: [0.98, (one) => JSON.stringify(one.pick(["get_weather", "f", "é"]))],
          description: [0.85, orNull(text)],
          parameters: [0.95, orNull(parameters, 0.03)],
        }),
    ],
  });

const parameters: Make = (random) =>
  chosen(random, {
    type: [0.95, () => '"object"'],
    $defs: [0.06, (each) => json(each, 1)],
    items: [0.05, (each) => json(each, 1)],
    required: [0.6, orNull(names)],
    properties: [0.92, orNull((each) => properties(each, 2))],
    additionalProperties: [0.05, bool],
  });

const REQUEST: Readonly<Record<string, readonly [number, Make]>> = {
  messages: [0.93, orNull((random) => array(random, 5, message), 0.02)],
  tools: [0.5, orNull((random) => array(random, 3, tool), 0.04)],
  system: [0.25, text],
  prompt: [0.2, text],
  suffix: [0.12, text],
  response: [0.12, text],
  images: [0.04, (random) => array(random, 2, image)],
  think: [
    0.3,
    orNull((random) => random.pick(["true", "false", '"low"', '"high"', '"medium"', '"max"'])),
  ],
  isThinkSet: [0.05, bool],
};

/** A request of Ollama's API; a value of a wrong kind, here and there, that its decoder refuses. */
export function ollamaInput(random: Random): string {
  // Misspelt keys of the request itself are refused by the oracle's program, not by Ollama.
  const request = chosen(random, REQUEST, 0);
  if (!random.chance(0.04)) return request;
  const values = [...request.matchAll(/:("(?:[^"\\]|\\.)*"|true|null|-?\d[\d.eE+-]*)/g)];
  const value = random.pickOf(values);
  if (value?.[1] === undefined) return request;
  const start = value.index + 1;
  return (
    request.slice(0, start) +
    mostly(random, (each) => json(each, 1)).replaceAll("-0.0", "1.5") +
    request.slice(start + value[1].length)
  );
}

/** Whether a request sets what only Ollama's tests set. */
export function withForceLegacy(input: string): string {
  return input === "{}" ? '{"forceLegacy":true}' : input.replace("{", '{"forceLegacy":true,');
}
