/** Jinja2's `lipsum`: random words, so only its shape and its refusals can be compared. */
import { bind } from "./jinja-arguments.js";
import { requireIndex, truth } from "./jinja-operators.js";
import { capitalize } from "./jinja-unicode.js";
import { int, Markup, raise, str, TRUE } from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";

const words =
  "a ac accumsan ad adipiscing aenean aliquam amet ante arcu at auctor bibendum blandit commodo congue consectetuer cras cubilia cum curae dapibus diam dictum dolor donec dui duis egestas eget elit enim erat eros est et etiam eu euismod facilisis fames felis fusce gravida hac iaculis id in integer ipsum justo lacus lectus leo libero ligula lorem luctus magna massa mauris metus mi molestie nec neque nibh nisl non nulla nunc odio orci ornare pede pharetra porta purus quam quis risus rutrum sapien sed sem sit sodales suscipit tellus tempor tortor turpis ultrices urna ut varius vel velit vitae".split(
    " ",
  );

/** Python's `randrange(low, high)`. */
function randomBetween(low: bigint, high: bigint): number {
  if (low >= high) {
    raise("ValueError", `empty range for randrange() (${low}, ${high}, ${high - low})`);
  }
  return Number(low) + Math.floor(Math.random() * Number(high - low));
}

function paragraph(count: number): string {
  let starts = true;
  const shown = Array.from({ length: count }, (_, at) => {
    const chosen = words[Math.floor(Math.random() * words.length)] ?? "";
    const word = starts ? capitalize(chosen) : chosen;
    starts = at % 12 === 11;
    return word + (starts ? "." : at % 5 === 4 ? "," : "");
  });
  return `${shown.join(" ").replace(/[.,]$/, "")}.`;
}

export function lipsum(args: readonly Value[], kwargs: Kwargs): Value {
  const signature = { name: "generate_lorem_ipsum", parameters: "n? html? min? max?" };
  const [n = int(5), html = TRUE, min = int(20), max = int(100)] = bind(signature, args, kwargs);
  const paragraphs: string[] = [];
  for (let left = requireIndex(n); left > 0n; left--) {
    paragraphs.push(paragraph(randomBetween(requireIndex(min), requireIndex(max))));
  }
  if (!truth(html)) return str(paragraphs.join("\n\n"));
  return new Markup(paragraphs.map((each) => `<p>${each}</p>`).join("\n"));
}
