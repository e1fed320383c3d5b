/** Filters and methods take time in proportion to their text, also where it makes patterns and searches start over. */
import { describe, expect, it } from "vitest";
import { Template } from "../compiler/template.js";
import { cpuRatio } from "./growth.js";

const SMALL = 16_000;
const TIMES = 8;
/** Linear growth is 8, quadratic 64. */
const MOST = 26;

interface Row {
  readonly expression: string;
  readonly text: (size: number) => string;
}

const repeated =
  (part: string, end = "") =>
  (size: number): string =>
    part.repeat(size / part.length) + end;

const ROWS: readonly Row[] = [
  { expression: "s|urlize", text: repeated(")", "x") },
  { expression: "s|urlize", text: repeated("&gt;", "x") },
  { expression: "s|urlize", text: (size) => `http://a.com/${">".repeat(size)}x` },
  { expression: "s|urlize", text: (size) => "(".repeat(size / 2) + "a" + ")".repeat(size / 2) },
  { expression: "s|urlize", text: repeated("a.") },
  { expression: "s|urlize", text: repeated("a@", "!") },
  { expression: "s|urlize", text: repeated("www.", "!") },
  { expression: "s|wordwrap(9)", text: repeated("a") },
  { expression: "s|wordwrap(2)", text: repeated("é🌍ab") },
  { expression: "s|wordwrap(9)", text: repeated("-", "x") },
  { expression: "s|wordwrap(9)", text: repeated("a-") },
  { expression: "s|striptags", text: repeated("<") },
  { expression: "s|striptags", text: repeated("<!--") },
  { expression: "s|striptags", text: repeated("&") },
  { expression: "s.rsplit()|length", text: repeated("a ") },
  { expression: "s.rsplit('a')|length", text: repeated("a") },
  { expression: "s.split()|length", text: repeated("a ") },
  { expression: "s.encode().rsplit()|length", text: repeated("a ") },
  { expression: "s.encode().rsplit()|length", text: repeated("a", " b") },
  { expression: "s.encode().split()|length", text: repeated("a", " b") },
  { expression: "s.isprintable()", text: repeated("'") },
  { expression: "s.isprintable()", text: repeated("\\'") },
  { expression: "s.translate(s)", text: repeated("é") },
  { expression: "s.translate(s.encode())", text: repeated("a") },
  { expression: "s.encode().translate(none, s.encode())", text: repeated("a", "b") },
  { expression: "s|pprint", text: repeated("a ") },
  { expression: "s|pprint", text: repeated("a") },
  { expression: "s % {}", text: repeated("%%") },
  { expression: "s.format()", text: repeated("{{}}") },
  { expression: "s.splitlines()|length", text: repeated("\r\n") },
  { expression: "s|title", text: repeated(" ", "x") },
  { expression: "s|trim", text: (size) => `a${" ".repeat(size)}b` },
  { expression: "s|wordcount", text: repeated("a'") },
  { expression: "s|replace('aa', 'b')", text: repeated("a") },
  { expression: "s|indent", text: repeated("\n") },
  { expression: "(s|e).unescape()", text: repeated("&am") },
];

describe("text of eight times the length takes no sixty-four times as long", () => {
  it.each(ROWS.map((row) => ({ ...row, shown: row.text(12) })))(
    "$expression of $shown …",
    ({ expression, text }) => {
      const template = new Template(`{{ ${expression} }}`);
      const texts = new Map([SMALL, SMALL * TIMES].map((size) => [size, text(size)]));
      const ratio = cpuRatio(
        (size) => {
          template.render({ s: texts.get(size) ?? "" });
        },
        [SMALL, SMALL * TIMES],
      );
      expect(ratio).toBeLessThan(MOST);
    },
  );
});
