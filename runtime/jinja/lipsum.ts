/** Jinja2's lipsum(): random filler text. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { integerArgument } from "./arguments.js";
import { Markup } from "./markup.js";
import { truth } from "./print.js";
import type { Keywords } from "./protocol.js";
import { bind } from "./signature.js";
import { capitalize } from "./text-case.js";

const WORDS =
  "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua enim ad minim veniam quis nostrud".split(
    " ",
  );

/** `lipsum(n, html, min, max)`: as many paragraphs of at least `min` and less than `max` words. */
export function lipsum(args: readonly unknown[], kwargs: Keywords, place: string): unknown {
  const signature = {
    name: "generate_lorem_ipsum",
    subject: "",
    hidden: -1,
    parameters: [
      ["n", 5],
      ["html", true],
      ["min", 20],
      ["max", 100],
    ] as const,
  };
  const [n, html, min, max] = bind(signature, args, kwargs, place);
  const count = Math.max(0, integerArgument(n, place));
  meter?.spendItems(count, place);
  const paragraphs = Array.from({ length: count }, () => paragraph(min, max, place));
  if (!truth(html)) {
    return paragraphs.join("\n\n");
  }
  return new Markup(paragraphs.map((text) => `<p>${text}</p>`).join("\n"));
}

function paragraph(min: unknown, max: unknown, place: string): string {
  const [low, high] = [integerArgument(min, place), integerArgument(max, place)];
  if (low >= high) {
    const message = `empty range for randrange() (${low}, ${high}, ${high - low})`;
    return fail("ValueError", message, place);
  }
  const length = low + Math.floor(Math.random() * (high - low));
  meter?.spendItems(length, place);
  const words = Array.from(
    { length },
    () => WORDS[Math.floor(Math.random() * WORDS.length)] ?? "lorem",
  );
  return `${capitalize(words.join(" "))}.`;
}
