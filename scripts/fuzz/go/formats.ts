/** Formats of printf, and literals, in all spellings that Go's lexer knows. */
import type { Random } from "./random.js";
import type { Kind } from "./shapes.js";

const VERBS = "v s d q x X t T c U b o O e E f F g G".split(" ");
const RARE_VERBS = "p w z ! é".split(" ");
export const ALL_VERBS: readonly string[] = [...VERBS, ...RARE_VERBS];
export const FLAGS = ["+", "-", "#", " ", "0"] as const;

export interface Format {
  readonly text: string;
  /** The kinds of the arguments that it takes. */
  readonly takes: readonly Kind[];
}

function takenBy(random: Random, verb: string): Kind {
  if (random.chance(0.3)) return "any";
  if ("sq".includes(verb)) return random.pick(["string", "string", "list"]);
  if ("dcUboO".includes(verb)) return "int";
  if ("xX".includes(verb)) return random.pick(["string", "int", "float"]);
  if ("eEfFgG".includes(verb)) return "float";
  return verb === "t" ? "bool" : "any";
}

function size(random: Random): string {
  return random.weighted([
    [6, String(random.between(0, 12))],
    [5, "*"],
    [1, `[${String(random.between(1, 3))}]*`],
  ]);
}

/** A directive with flags, width, precision and argument index as it happens. */
function directive(random: Random): { text: string; takes: Kind[] } {
  const verb = random.weighted([
    [80, random.pick(VERBS)],
    [18, random.pick(RARE_VERBS)],
    [2, "%"],
  ]);
  const takes: Kind[] = [];
  let text = "%";
  if (random.chance(0.5))
    text += random.times(random.between(1, 3), () => random.pick(FLAGS)).join("");
  if (random.chance(0.38)) text += size(random);
  if (random.chance(0.4)) text += `.${random.chance(0.9) ? size(random) : ""}`;
  if (random.chance(0.12)) text += `[${random.pick(["1", "1", "2", "3", "0", "x", "9"])}]`;
  for (const _ of text.matchAll(/\*/g)) takes.push(random.chance(0.9) ? "int" : "any");
  if (verb !== "%" || random.chance(0.1)) takes.push(takenBy(random, verb));
  return { text: text + verb, takes };
}

export function format(random: Random): Format {
  let text = "";
  const takes: Kind[] = [];
  const count = random.weighted([
    [3, 1],
    [3, 2],
    [2, 3],
    [1, 5],
  ]);
  for (let left = count; left > 0; left--) {
    const next = directive(random);
    text += random.pick(["", "", " ", "a", "é="]) + next.text;
    takes.push(...next.takes);
  }
  if (random.chance(0.05)) text += "%";
  if (random.chance(0.06)) takes.pop();
  if (random.chance(0.05)) takes.push("any");
  return { text, takes };
}

const TEXTS = [
  "",
  "a",
  "user",
  "assistant",
  "system",
  "tool",
  "Hello <b> & 'x' \"y\"",
  "é",
  "日本",
  "😀!",
  "line\nbreak\ttab",
  "\u2028\u00a0",
  "10",
  "get_weather",
  "city",
] as const;

export function someText(random: Random): string {
  return random.pick(TEXTS);
}

/** A string literal; `\x` escapes make bytes that are no characters. */
export function stringLiteral(random: Random): string {
  if (random.chance(0.04)) {
    return random.pick(['"\\xc3"', '"a\\xff"', '"\\xa9"', '"\\xe6\\x97"', '"\\x9c\\xac."']);
  }
  const text = someText(random);
  if (random.chance(0.15) && !text.includes("`")) {
    return `\`${text}\``;
  }
  return JSON.stringify(text);
}

export function intLiteral(random: Random): string {
  return random.weighted([
    [24, String(random.between(0, 4))],
    [4, String(random.between(-3, 40))],
    [2, random.pick(RARE_INTS)],
    [1, random.pick(RUNES)],
  ]);
}

const RUNES = ["'a'", "'\\n'", "'é'", "'z'", "'\\u4e2d'"] as const;

const RARE_INTS = [
  "0x1F",
  "0X_1f",
  "0b11",
  "0o7",
  "012",
  "1_0",
  "0b101",
  "0o17",
  "017",
  "1_000",
  "1e3",
  "9007199254740993",
  "9223372036854775807",
  "-9223372036854775808",
  "9223372036854775808",
  "+5",
  "2i",
  "1.5i",
  "-0",
  "0x7f",
  "0b1_0",
] as const;

export function floatLiteral(random: Random): string {
  const rare = ["1e21", "1e-7", "-0.0", "0x1p-2", "123456789.0", "1e20", ".5", "1e6", "2.50"];
  return random.chance(0.6)
    ? random.pick(["0.5", "1.5", "2.0", "3.0", "-1.25"])
    : (random.pickOf(rare) ?? "1.5");
}
