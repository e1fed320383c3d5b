/** Which line of a template wrote what of a prompt: as values, at the command line, and as a page. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prefixStability } from "../compiler/analysis/prefix.js";
import { explainRender, segmentAt } from "../compiler/explain.js";
import { Template } from "../compiler/template.js";
import { chatTemplate } from "./terminal.js";

type Dialect = "jinja" | "ollama" | "go";

/** The pieces as `line:column text`. */
function written(source: string, input: object = {}, dialect: Dialect = "jinja"): string[] {
  const segments = explainRender({ source, dialect }, input);
  const text = segments.map((segment) => segment.text).join("");
  expect(text).toBe(new Template(source, { dialect }).render(input));
  for (const { start, text: piece } of segments) {
    expect(text.slice(start, start + piece.length)).toBe(piece);
  }
  return segments.map(
    ({ line, column, text: piece }) => `${String(line)}:${String(column)} ${piece}`,
  );
}

const CHAT = {
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Yo" },
  ],
};

describe("the line that wrote a piece", () => {
  it("is the line of a text that stands so in the template, line by line", () => {
    expect(written("one\ntwo\n  three{# four #}\nfive")).toEqual([
      "1:1 one\n",
      "2:1 two\n",
      "3:1   three",
      "4:1 five",
    ]);
  });

  it("is right where lines end as on other systems", () => {
    expect(written("a\r\nb\rc\n{{ x }}", { x: "X" })).toEqual([
      "1:1 a\n",
      "2:1 b\n",
      "3:1 c\n",
      "4:4 X",
    ]);
  });

  it("is right after white space that tags take away", () => {
    expect(written("  {%- if true -%}\n\n  a\n{%- endif %}\n\nb")).toEqual([
      "3:3 a",
      "5:1 \n",
      "6:1 b",
    ]);
  });

  it("is the expression's", () => {
    const source = "{{ a }}\n{{- b ~\n 'c' }}{{ 'd' | upper }}";
    expect(written(source, { a: "A", b: "B" })).toEqual(["1:4 A", "2:5 B", "2:5 c", "3:11 D"]);
  });

  it("is the macro's, not that which prints what the macro gives", () => {
    const source =
      "{% macro turn(m) %}\n<{{ m.role }}>\n{% endmacro %}\n{% for m in messages %}{{ turn(m) }}{% endfor %}";
    const turn = (role: string): string[] => ["2:1 <", `2:5 ${role}`, "2:14 >\n"];
    expect(written(source, CHAT)).toEqual([...turn("user"), ...turn("assistant")]);
  });

  it("is the block's whose text is set, and the caller's in a call", () => {
    const source =
      "{% macro box() %}[{{ caller() }}]{% endmacro %}\n{%- set a -%}\nset {{ x }}\n{%- endset -%}\n{{ a }}{% call box() %}\nbody{% endcall %}";
    expect(written(source, { x: "X" })).toEqual([
      "3:1 set ",
      "3:8 X",
      "1:18 [",
      "6:1 body",
      "1:33 ]",
    ]);
  });

  it("is the loop's body in each round", () => {
    const source = "{% for m in messages %}\n- {{ m.content }}\n{% endfor %}end";
    expect(written(source, CHAT)).toEqual([
      "2:1 - ",
      "2:6 Hi",
      "2:18 \n",
      "2:1 - ",
      "2:6 Yo",
      "2:18 \n",
      "3:13 end",
    ]);
  });

  it("is the define's in Go templates, also where the template is Ollama's", () => {
    const source =
      '{{- define "turn" }}<{{ .Role }}>\n{{ .Content }}{{ end }}\n{{- range .Messages }}\n{{ template "turn" . }}\n{{- end }}\n!';
    const turn = (role: string, text: string): string[] => [
      "3:23 \n",
      "1:21 <",
      `1:25 ${role}`,
      "1:33 >\n",
      `2:4 ${text}`,
    ];
    const found = written(source, CHAT, "ollama");
    expect(found).toEqual([...turn("user", "Hi"), ...turn("assistant", "Yo"), "5:11 \n", "6:1 !"]);
    expect(written('{{ define "x" }}\n{{ . }}{{ end }}a{{ template "x" "b" }}', {}, "go")).toEqual([
      "2:17 a",
      "1:17 \n",
      "2:4 b",
    ]);
  });

  it("goes with the origin: one piece of one source by one statement", () => {
    const segments = explainRender(
      { source: "<{{ 'a ' ~ messages[0].content }}>", dialect: "jinja" },
      CHAT,
    );
    expect(segments).toMatchObject([
      { text: "<", from: "template", column: 1 },
      { text: "a ", from: "template", column: 5 },
      { text: "Hi", from: "input", path: ["messages", 0, "content"], role: "user", column: 5 },
      { text: ">", from: "template", column: 34 },
    ]);
    expect(segmentAt(segments, 3)?.text).toBe("Hi");
    expect(segmentAt(segments, 6)).toBeUndefined();
  });

  it("is told of the message that makes prompts part", () => {
    const source =
      "{% for m in messages %}\n<{{ m.role }}>{{ m.content }}\n{% if loop.last %}\n<last>\n{% endif %}\n{% endfor %}";
    const template = new Template(source);
    const { counterExample } = prefixStability(
      "jinja",
      (input) => template.render(input),
      (input, offset) =>
        segmentAt(explainRender({ source, dialect: "jinja" }, input), offset)?.line,
    );
    expect(counterExample?.line).toBe(2);
  });
});

const HOSTILE = `</script><img src=x onerror=alert(1)>"'&\u001b[31m\u202e`;

function directory(source: string, input: object): string {
  const folder = mkdtempSync(join(tmpdir(), "explain-"));
  writeFileSync(join(folder, "t.jinja"), source);
  writeFileSync(join(folder, "i.json"), JSON.stringify(input));
  return folder;
}

const TURNS = "{% for m in messages %}\n<{{ m.role }}>{{ m.content }}\n{% endfor %}";

describe("chat-template explain", () => {
  const folder = directory(TURNS, CHAT);
  const explain = (...argv: string[]) =>
    chatTemplate(folder, ["explain", "t.jinja", "-i", "i.json", ...argv]);

  it("marks what is input where there are no colors", async () => {
    const { code, stdout } = await explain();
    expect(code).toBe(0);
    expect(stdout).toContain("2 │ <‹messages[0].role: user›>‹messages[0].content: Hi›\n");
  });

  it("shows spaces where a line ends, and no control character", async () => {
    const other = directory("a \n{{ x }}|", { x: "\u001b[2J\t\n\u202eb\u0085" });
    const { stdout } = await chatTemplate(other, ["explain", "t.jinja", "-i", "i.json"]);
    expect(stdout).toContain("a·\n");
    expect(stdout).toContain("‹x: ␛[2J→›\n");
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  });

  it("names the line and column of a unit", async () => {
    const { code, stdout } = await explain("--at", "5");
    expect(code).toBe(0);
    expect(stdout).toContain("t.jinja:2:14");
    expect(stdout).toContain("2 | <{{ m.role }}>{{ m.content }}\n");
    const { stdout: json } = await explain("--at", "6", "--json");
    expect(JSON.parse(json)).toMatchObject({
      offset: 6,
      line: 2,
      column: 18,
      segment: { text: "Hi", path: ["messages", 0, "content"] },
    });
  });

  it.each(["-1", "x", "1.5"])("refuses the offset %s", async (offset) => {
    expect((await explain(`--at=${offset}`)).code).toBe(2);
  });

  it("refuses an offset past the end, and an input that is not there", async () => {
    expect((await explain("--at", "26")).code).toBe(2);
    expect((await chatTemplate(folder, ["explain", "t.jinja"])).code).toBe(2);
  });

  it("gives the segments as JSON", async () => {
    const { stdout } = await explain("--json");
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      segments: [
        { text: "<", from: "template", start: 0, line: 2, column: 1 },
        { text: "user", from: "input", path: ["messages", 0, "role"], start: 1, line: 2 },
        { text: ">" },
        { text: "Hi" },
        { text: "\n" },
        { text: "<" },
        { text: "assistant", role: "assistant" },
        { text: ">" },
        { text: "Yo" },
        { text: "\n", line: 2, column: 30 },
      ],
    });
  });

  it("exits with 1 where the template is refused or fails", async () => {
    for (const source of ["{% if %}", "{{ raise_exception('no') }}"]) {
      const other = directory(source, {});
      const { code } = await chatTemplate(other, ["explain", "t.jinja", "-i", "i.json"]);
      expect(code).toBe(1);
    }
  });
});

describe("the page", () => {
  it("holds no text of input or template unescaped, and loads nothing", async () => {
    const source = `{# </style><script>alert(2)</script> #}{{ x }}{{ m["<b>"] }}`;
    const folder = directory(source, { x: HOSTILE, m: { "<b>": HOSTILE } });
    const { code } = await chatTemplate(folder, [
      "explain",
      "t.jinja",
      "-i",
      "i.json",
      "--html",
      "p.html",
    ]);
    expect(code).toBe(0);
    const page = readFileSync(join(folder, "p.html"), "utf8");
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<\/script/g)).toHaveLength(1);
    expect(page.match(/<\/style/g)).toHaveLength(1);
    expect(page).not.toMatch(/<img|<b>|\u001b|\u202e/);
    expect(page).not.toMatch(/\b(src|href)="(?!#)|url\(|@import|https?:/);
    expect(page).toContain("default-src 'none'");
  });

  it("leads from pieces to lines and back", async () => {
    const folder = directory(TURNS, CHAT);
    const argv = ["explain", "t.jinja", "-i", "i.json", "--html", "p.html", "--at", "6"];
    expect((await chatTemplate(folder, argv)).code).toBe(0);
    const page = readFileSync(join(folder, "p.html"), "utf8");
    expect(page).toContain('data-start="s3"');
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) {
      expect(page.split(`id="${String(id)}"`)).toHaveLength(2);
    }
  });
});
