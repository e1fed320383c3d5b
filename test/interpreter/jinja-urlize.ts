/** Jinja2's `urlize` (jinja2/utils.py): makes links of what looks like an address. */
import { escape } from "./jinja-text.js";
import type { Value } from "./jinja-values.js";

const w = "[\\p{L}\\p{N}_%-]";
const addressPattern = new RegExp(
  `^(?:(?:https?://|www\\.)(?:(?:${w}+\\.)+)?(?:[a-z]{2,63}|xn--[\\p{L}\\p{N}_%]{2,59})` +
    `|(?:${w}{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)` +
    "|(?:https?://)(?:\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){3}" +
    "|\\[(?:[\\p{Nd}a-f]{0,4}:){2}(?:[\\p{Nd}a-f]{0,4}:?){1,6}\\]))" +
    "(?::\\p{Nd}{1,5})?(?:[/?#]\\S*)?\\n?$",
  "iu",
);
const emailPattern = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+\n?$/u;

export interface UrlizeOptions {
  readonly trim: (text: string) => string;
  readonly rel: string;
  readonly target: Value | null;
  readonly schemes: readonly string[];
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Splits brackets and punctuation off both ends, then takes back the closing ones that belong. */
function splitWord(word: string): { head: string; middle: string; tail: string } {
  const head = /^(?:[(<]|&lt;)+/.exec(word)?.[0] ?? "";
  let middle = word.slice(head.length);
  let tail = /(?:[)>.,\n]|&gt;)+$/.exec(middle)?.[0] ?? "";
  middle = middle.slice(0, middle.length - tail.length);
  const brackets = [
    ["(", ")"],
    ["<", ">"],
    ["&lt;", "&gt;"],
  ] as const;
  for (const [open, close] of brackets) {
    const opened = count(middle, open);
    if (opened <= count(middle, close)) continue;
    for (let left = Math.min(opened, count(tail, close)); left > 0; left--) {
      const end = tail.indexOf(close) + close.length;
      middle += tail.slice(0, end);
      tail = tail.slice(end);
    }
  }
  return { head, middle, tail };
}

function linked(middle: string, options: UrlizeOptions): string {
  const rel = options.rel === "" ? "" : ` rel="${options.rel}"`;
  const target = options.target === null ? "" : ` target="${escape(options.target).text}"`;
  const anchor = (href: string, shown: string): string =>
    `<a href="${href}"${rel}${target}>${shown}</a>`;
  if (addressPattern.test(middle)) {
    const whole = middle.startsWith("https://") || middle.startsWith("http://");
    return anchor(whole ? middle : `https://${middle}`, options.trim(middle));
  }
  if (middle.startsWith("mailto:") && emailPattern.test(middle.slice(7))) {
    return `<a href="${middle}">${middle.slice(7)}</a>`;
  }
  const bare = !/^(?:www\.|@)/.test(middle) && middle.includes("@") && !middle.includes(":");
  if (bare && emailPattern.test(middle)) return `<a href="mailto:${middle}">${middle}</a>`;
  return options.schemes
    .filter((scheme) => middle !== scheme && middle.startsWith(scheme))
    .reduce((shown) => anchor(shown, shown), middle);
}

export function urlize(value: Value, options: UrlizeOptions): string {
  return escape(value)
    .text.split(/(\s+)/u)
    .map((word) => {
      const { head, middle, tail } = splitWord(word);
      return head + linked(middle, options) + tail;
    })
    .join("");
}
