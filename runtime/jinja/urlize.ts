/** Jinja2's filter urlize: links for URLs and mail addresses in plain text. */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { compareText, gt } from "./compare.js";
import { escapeText } from "./escape.js";
import { list } from "./iterate.js";
import { escape } from "./markup.js";
import { str, truth } from "./print.js";
import { quote } from "./quote.js";
import { sliceString } from "./slice-text.js";
import { textLength } from "./text.js";
import { textOf, typeName } from "./types.js";

const SPACES = /([\s\x1c-\x1f\x85]+)/;
const W = "[\\p{L}\\p{N}_%";
const URL_PATTERN = new RegExp(
  `^(?:(?:https?://|www\\.)(?:(?:${W}-]+\\.)+)?(?:[a-z]{2,63}|xn--${W}]{2,59})` +
    `|(?:${W}-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)` +
    "|https?://(?:\\p{Nd}{1,3}(?:\\.\\p{Nd}{1,3}){3}|\\[(?:[\\p{Nd}a-f]{0,4}:){2}(?:[\\p{Nd}a-f]{0,4}:?){1,6}\\]))" +
    "(?::\\p{Nd}{1,5})?(?:[/?#]\\S*)?$",
  "iu",
);
const MAIL = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u;
const PAIRS: readonly (readonly [string, string])[] = [
  ["(", ")"],
  ["<", ">"],
  ["&lt;", "&gt;"],
];

interface Links {
  readonly attributes: string;
  readonly limit: (text: string) => string;
  readonly schemes: readonly string[];
}

/** `v | urlize(trim_url_limit, nofollow, target, rel, extra_schemes)`. */
export function urlizeFilter(
  v: unknown,
  limit: unknown,
  nofollow: unknown,
  target: unknown,
  rel: unknown,
  extraSchemes: unknown,
  place: string,
): Value {
  const given = truth(rel) ? relations(rel, place) : [];
  const parts = new Set([...given.filter((part) => part !== ""), "noopener"]);
  if (truth(nofollow)) {
    parts.add("nofollow");
  }
  const words = [...parts].sort(compareText).join(" ");
  const frame = truth(target) ? ` target="${str(escape(target))}"` : "";
  const links = {
    attributes: ` rel="${escapeText(words)}"${frame}`,
    limit: (shown: string) => trimmed(shown, limit, place),
    schemes: extraSchemes === null ? [] : list(extraSchemes, place).map((s) => scheme(s, place)),
  };
  const text = str(escape(v));
  return value(
    text
      .split(SPACES)
      .map((word) => linkWord(word, links))
      .join(""),
  );
}

function relations(rel: unknown, place: string): readonly string[] {
  const message = `'${typeName(rel)}' object has no attribute 'split'`;
  return (textOf(rel) ?? fail("AttributeError", message, place)).split(/\s+/);
}

function scheme(v: unknown, place: string): string {
  const text = textOf(v) ?? "";
  return /^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u.test(text)
    ? text
    : fail("FilterArgumentError", `${quote(text)} is not a valid URI scheme prefix.`, place);
}

/** Brackets and punctuation around the address stay outside the link. */
function linkWord(word: string, links: Links): string {
  const [head = ""] = /^(?:[(<]|&lt;)+/.exec(word) ?? [];
  const rest = word.slice(head.length);
  const end = rest.slice(tailStart(rest));
  const [middle, tail] = balance(rest.slice(0, rest.length - end.length), end);
  return head + link(middle, links) + tail;
}

/** Where the closing brackets and punctuation at the end begin: read backwards, since a pattern tries each beginning. */
function tailStart(word: string): number {
  let start = word.length;
  for (;;) {
    if (start > 0 && ")>.,\n".includes(word.charAt(start - 1))) start--;
    else if (word.endsWith("&gt;", start)) start -= 4;
    else return start;
  }
}

/** Closing brackets belong to the address as far as it opens them. */
function balance(middle: string, tail: string): readonly [string, string] {
  let [inside, outside] = [middle, tail];
  for (const [open, close] of PAIRS) {
    const opened = count(inside, open);
    if (opened <= count(inside, close)) {
      continue;
    }
    for (let i = Math.min(opened, count(outside, close)); i > 0; i--) {
      const end = outside.indexOf(close) + close.length;
      inside += outside.slice(0, end);
      outside = outside.slice(end);
    }
  }
  return [inside, outside];
}

function count(s: string, part: string): number {
  return s.split(part).length - 1;
}

function link(address: string, links: Links): string {
  if (URL_PATTERN.test(address)) {
    const isFull = /^https?:\/\//.test(address);
    return anchor(isFull ? address : `https://${address}`, address, links);
  }
  if (address.startsWith("mailto:") && MAIL.test(address.slice(7))) {
    return `<a href="${address}">${address.slice(7)}</a>`;
  }
  const isMail = address.includes("@") && !/^(?:www\.|@)/.test(address) && !address.includes(":");
  if (isMail && MAIL.test(address)) {
    return `<a href="mailto:${address}">${address}</a>`;
  }
  let linked = address;
  for (const prefix of links.schemes) {
    if (linked !== prefix && linked.startsWith(prefix)) {
      linked = `<a href="${linked}"${links.attributes}>${linked}</a>`;
    }
  }
  return linked;
}

function anchor(target: string, address: string, links: Links): string {
  return `<a href="${target}"${links.attributes}>${links.limit(address)}</a>`;
}

/** The limit is looked at only where there is something to cut. */
function trimmed(s: string, limit: unknown, place: string): string {
  if (limit === null || !gt(textLength(s), limit, place)) {
    return s;
  }
  return `${sliceString(s, null, limit, null, place)}...`;
}
