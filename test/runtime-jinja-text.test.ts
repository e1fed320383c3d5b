/** Python's text, printing and formatting: each row is a Jinja expression, the same by the runtime, and what the real engine printed or raised. */
import { expect, test } from "vitest";
import { RenderError } from "../runtime/index.js";
import * as r from "../runtime/jinja/index.js";

const P = "3:5";

type Row = readonly [expression: string, run: () => unknown, expected: string];

const rows: readonly Row[] = [
  ["s.title()", () => r.title("they're ß ǆx"), "They'Re Ss ǅx"],
  ["s.capitalize()", () => r.capitalize("ﬁNE ΑΣ"), "Fine ας"],
  ["s.swapcase()", () => r.swapcase("aßC"), "ASSc"],
  ["s|title", () => r.titleFilter("it's (a) b-c", P), "It's (A) B-C"],
  ["s.strip()|tojson", () => r.json(r.strip("\x1c\u2003a\u200b \x85")), '"a​"'],
  ["s.strip('xy')", () => r.stripChars("xyaxyy", "xy"), "a"],
  ["s[1:-1]", () => r.sliceText("a🌍bé", 1, -1), "🌍b"],
  ["s[::-2]", () => r.slice("a🌍bé", null, null, -2, P), "é🌍"],
  ["s|length", () => r.textLength("🌍🌎é"), "3"],
  ["s.split('aa')[-1]", () => r.afterLast("xaaay", "aa"), "ay"],
  [
    "s.split(none, 1)",
    () => r.callMethod("  a b  c ", "split", [null, 1], null, P),
    "['a', 'b  c ']",
  ],
  ["s.rsplit('.', 1)", () => r.callMethod("a.b.c", "rsplit", [".", 1], null, P), "['a.b', 'c']"],
  ["s.replace('', '-')", () => r.replaceText("a🌍", "", "-"), "-a-🌍-"],
  ["s.center(8, '*')", () => r.callMethod("abc", "center", [8, "*"], null, P), "**abc***"],
  ["s.zfill(6)", () => r.callMethod("-42", "zfill", [6], null, P), "-00042"],
  [
    "l",
    () => ["it's", "a\"b'c", "\xa0\u200b🌍\x7f", null, true, 1.5, { k: r.tuple([]) }],
    "[\"it's\", 'a\"b\\'c', '\\xa0\\u200b🌍\\x7f', None, True, 1.5, {'k': ()}]",
  ],
  ["t", () => r.tuple([1]), "(1,)"],
  [
    "'%05.1f|%-4s|%+d|%x|%r|%%' % (2.25, 'a', 3, 255, 'q')",
    () => r.mod("%05.1f|%-4s|%+d|%x|%r|%%", r.tuple([2.25, "a", 3, 255, "q"]), P),
    "002.2|a   |+3|ff|'q'|%",
  ],
  [
    "'{:>6,}|{0!r}|{k[0]}'.format(1234, k='z')",
    () => r.callMethod("{:>6,}|{0!r}|{k[0]}", "format", [1234], { k: "z" }, P),
    "ValueError: cannot switch from manual field specification to automatic field numbering",
  ],
  [
    "'{:08.3f}|{:#x}|{:e}|{:.3}'.format(3.14159, 255, 12345.678, 1234.5)",
    () =>
      r.callMethod(
        "{:08.3f}|{:#x}|{:e}|{:.3}",
        "format",
        [3.14159, 255, 12345.678, 1234.5],
        null,
        P,
      ),
    "0003.142|0xff|1.234568e+04|1.23e+03",
  ],
  ["('<b>'|safe) + '<i>'", () => r.add(r.safeFilter("<b>"), "<i>", P), "<b>&lt;i&gt;"],
  ["'%s' % ('<'|e)", () => r.mod("%s", r.escapeFilter("<"), P), "&lt;"],
  [
    "s|wordwrap(9)",
    () => r.wordwrapFilter("the well-known quick--brown", 9, true, null, true, P),
    "the well-\nknown\nquick--\nbrown",
  ],
  [
    "s|truncate(9)",
    () => r.truncateFilter("the quick brown fox", 9, false, "...", null, P),
    "the...",
  ],
  ["s|indent(2)", () => r.indentFilter("a\n\nb", 2, false, false, P), "a\n\n  b"],
  [
    "s|urlize",
    () => r.urlizeFilter("see (http://x.org/a_(b)), me@x.org.", null, false, null, null, null, P),
    'see (<a href="http://x.org/a_(b)" rel="noopener">http://x.org/a_(b)</a>), <a href="mailto:me@x.org">me@x.org</a>.',
  ],
  ["s|striptags", () => r.striptagsFilter("<p>a &amp; &eacute;<!-- x --> b</p>", P), "a & é b"],
];

function outcome(run: () => unknown): string {
  try {
    return r.str(run());
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    expect([error.phase, error.line, error.column]).toEqual(["render", 3, 5]);
    return `${error.type}: ${error.message}`;
  }
}

test.each(rows)("%s", (_expression, run, expected) => {
  expect(outcome(run)).toBe(expected);
});
