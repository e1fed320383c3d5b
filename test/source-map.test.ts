/** Maps of generated code: every statement leads back to the template, and every text to where it stands. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { eachMapping, originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import fc from "fast-check";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { emitBody } from "../compiler/emit/body.js";
import { withoutMarks } from "../compiler/emit/marks.js";
import { compile, CompileError, type CompileResult, type Dialect } from "../compiler/index.js";
import type { Module } from "../compiler/ir/nodes.js";
import { toModule } from "../compiler/pipeline.js";
import { Source } from "../compiler/source.js";
import { programText } from "../compiler/template.js";

interface Named {
  readonly file: string;
  readonly dialect: Dialect;
  readonly text: string;
}

function templatesIn(folder: URL): Named[] {
  return readdirSync(folder).map((file) => ({
    file,
    dialect: file.endsWith(".jinja") ? "jinja" : "ollama",
    text: readFileSync(new URL(file, folder), "utf8"),
  }));
}

const OWN = templatesIn(new URL("../templates/", import.meta.url));
const CORPUS = ["jinja", "go"]
  .map((language) => new URL(`../../shared/corpus/${language}/templates/`, import.meta.url))
  .filter((folder) => existsSync(folder));
if (CORPUS.length === 0) console.warn("skipped: no corpus of real templates beside the repository");
/** Every so manieth template of the corpus; all of them take minutes. */
const STEP = Number(process.env["STEP"] ?? 60);
const SOME = CORPUS.flatMap(templatesIn).filter((_, i) => i % STEP === 0);

function lowered({ dialect, text }: Named): Module | null {
  try {
    return toModule(text, { name: "mapped", dialect }).module;
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

async function compiled({ file, dialect, text }: Named): Promise<CompileResult | null> {
  try {
    return await compile(text, { name: "mapped", file, dialect, targets: ["text", "bytes"] });
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

// ------------------------------------------------------------ what a map says

/** Functions of a module that only call the prompt function. */
const ENTRIES = new Set(["render", "renderWithSpans", "renderBytes", "renderTo"]);

/** The nodes of the functions that the template became. */
function templateNodes(code: string): readonly ts.Node[] {
  const file = ts.createSourceFile("mapped.ts", code, ts.ScriptTarget.Latest, true);
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) {
    const isOwn = ts.isFunctionDeclaration(statement) && !ENTRIES.has(statement.name?.text ?? "");
    if (isOwn && statement.body !== undefined) ts.forEachChild(statement.body, visit);
  }
  return nodes;
}

/** `line:column` of the template, both 1-based, where the node comes from; null: from nowhere. */
function origin(map: TraceMap, node: ts.Node): string | null {
  const { line, character } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  const found = originalPositionFor(map, { line: line + 1, column: character });
  return found.line === null ? null : `${String(found.line)}:${String(found.column + 1)}`;
}

function unmappedStatements({ code, map }: CompileResult): string[] {
  const trace = new TraceMap(map);
  return templateNodes(code)
    .filter((node) => ts.isStatement(node) && !ts.isBlock(node) && origin(trace, node) === null)
    .map((node) => node.getText());
}

function placesOutside({ map }: CompileResult, { file, text }: Named): string[] {
  const source = new Source(text, file);
  const outside: string[] = [];
  eachMapping(new TraceMap(map), ({ originalLine: line, originalColumn: column }) => {
    if (line === null) return;
    const isInside = line <= source.lineCount && column <= source.lineText(line).length;
    if (!isInside) outside.push(`${String(line)}:${String(column + 1)}`);
  });
  return outside;
}

// ------------------------------------------------------------ templates

describe.each([...OWN, ...SOME])("the map of $file", (template) => {
  it("leads each statement into the template, and nothing beyond it", async () => {
    const result = await compiled(template);
    if (result === null) return;
    const map: unknown = JSON.parse(result.map);
    expect(map).toMatchObject({
      version: 3,
      names: [],
      sources: [template.file],
      sourcesContent: [template.text],
    });
    expect(unmappedStatements(result)).toEqual([]);
    expect(placesOutside(result, template)).toEqual([]);
  });

  it("changes nothing of the text that is emitted", () => {
    const module = lowered(template);
    if (module === null) return;
    const options = { typed: true, comments: true, inputType: "Input", bytes: true };
    const marked = programText(emitBody(module, { ...options, marked: true }));
    expect(withoutMarks(marked)).toBe(programText(emitBody(module, options)));
  });
});

// ------------------------------------------------------------ texts that name their own place

/** Pieces of a template: `@` stands for a text that names its own line and column. */
const PIECES = {
  jinja: [
    "@",
    "@{{ name }}",
    "\n@{# a remark #}",
    "\r\n@",
    "{% if name %}@{% else %}@{% endif %}",
    "\n  {%- if a is defined -%}\n  @ {% elif b is defined %}\n@ {% endif %}@\n",
    "{% for m in list %}@\n{{ m.x.y }}@{% endfor %}",
    "{% set x %}@{% endset %}{{ x }}",
    "{% macro f(a) %}@{{ a }}\n{% endmacro %}{{ f(name) }}",
    "{{ 'é😀' }}@\n",
    "{{ name | trim }}@",
  ],
  ollama: [
    "@",
    "@{{ .System }}",
    "\n@{{/* a remark */}}",
    "\r\n@",
    "{{ if .System }}@{{ else }}@{{ end }}",
    "\n  {{- if .Tools -}}\n  @ {{ else if .Prompt }}\n@ {{ end }}@\n",
    "{{ range .Messages }}@\n{{ .Content }}@{{ end }}",
    "{{ $x := .System }}@{{ $x }}",
    '{{ "é😀" }}@\n',
  ],
} as const;

/** Joins pieces, each `@` replaced by its own place: `<3:14>`. */
function selfNaming(pieces: readonly string[]): string {
  let text = "";
  for (const part of pieces.join("").split(/(@)/)) {
    const { line, column } = new Source(`${text}.`, "").position(text.length);
    text += part === "@" ? `<${String(line)}:${String(column)}>` : part;
  }
  return text;
}

const RUNS = Number(process.env["RUNS"] ?? 40);

describe.each(["jinja", "ollama"] as const)("texts of %s", (dialect) => {
  it("lead to where they stand", async () => {
    const template = fc
      .array(fc.constantFrom(...PIECES[dialect]), { minLength: 1, maxLength: 8 })
      .map(selfNaming);
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(template, async (text) => {
        const result = await compile(text, { name: "mapped", dialect });
        const map = new TraceMap(result.map);
        for (const node of templateNodes(result.code)) {
          if (!ts.isStringLiteral(node)) continue;
          const named = /^<(\d+:\d+)>/.exec(node.text)?.[1];
          if (named === undefined) continue;
          expect(origin(map, node), result.code).toBe(named);
          seen++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen).toBeGreaterThan(RUNS);
  });
});
