/** Small templates through every stage, each in a file of its own: source, syntax tree, IR, IR after passes, generated code. */
import { describe, expect, it } from "vitest";
import { compile } from "../compiler/index.js";
import { Diagnostics } from "../compiler/diagnostics.js";
import { parse as parseGo } from "../compiler/go/parser.js";
import type { Dialect } from "../compiler/ir/nodes.js";
import { printModule } from "../compiler/ir/print.js";
import { parse as parseJinja } from "../compiler/jinja/parser.js";
import { Source } from "../compiler/source.js";
import { stagesOf } from "./stages.js";

const JINJA = `{#- Every feature that chat templates lean on, once. -#}
{%- macro call(c) -%}
<call>{{ c.function.name }}({{ c.function.arguments | tojson }})</call>
{%- endmacro -%}
{%- set ns = namespace(system='You are helpful.') -%}
{%- for m in messages -%}
    {%- if m.role == 'system' %}{% set ns.system = m.content %}{% endif -%}
{%- endfor -%}
<|system|>{{ ns.system | trim }}
{% if tools %}
{%- for tool in tools %}
{{ tool | tojson }}
{% endfor %}
{%- endif %}
{%- for m in messages if m.role != 'system' %}
<|{{ m.role }}|>{{ m.content if m.content is string else '' }}
{%- for c in m.tool_calls or [] %}{{ call(c) }}{% endfor %}
{%- if not loop.last %}<|end|>{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}
`;

const OLLAMA = `{{- define "call" }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}{{ end }}
{{- if .System }}<|system|>{{ .System }}
{{ end }}
{{- range $i, $m := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<|user|>{{ .Content }}
{{ else if eq .Role "assistant" }}<|assistant|>{{ .Content }}
{{- range .ToolCalls }}{{ template "call" . }}{{ end }}
{{- if not $last }}<|end|>{{ end }}
{{ end }}
{{- if and $last (ne .Role "assistant") }}<|assistant|>{{ end }}
{{- end }}`;

const GO = `{{- $total := 0 }}
{{- range $name, $count := .counts }}
{{- printf "%-8s|%3d" $name $count }}
{{ else }}nothing
{{ end }}
{{- with .owner }}{{ .name | printf "%q" }}{{ else }}nobody{{ end }}
{{- if and .done (gt (len .counts) 1) }} done{{ end }}`;

/** The syntax tree: a node a line, its own values beside it. */
function dump(node: unknown, depth = 0): string {
  const indent = "  ".repeat(depth);
  if (Array.isArray(node)) return node.map((item: unknown) => dump(item, depth)).join("");
  if (typeof node !== "object" || node === null) return `${indent}${String(node)}\n`;
  const entries = Object.entries(node).filter(([key]) => key !== "span" && key !== "type");
  const type = "type" in node ? String(node.type) : "";
  const plain = entries.filter(([, value]) => !isTree(value));
  const values = plain.map(([key, value]) => `${key}=${scalar(value)}`);
  const head = `${indent}${[type, ...values].filter(Boolean).join(" ")}\n`;
  const inner = entries
    .filter(([, value]) => isTree(value))
    .map(([key, value]) => `${indent}  .${key}\n${dump(value, depth + 2)}`);
  return head + inner.join("");
}

function isTree(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && !(Array.isArray(value) && value.length === 0)
  );
}

function scalar(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return value === undefined ? "undefined" : JSON.stringify(value);
}

function tree(text: string, dialect: Dialect): string {
  const source = new Source(text, "template");
  const diagnostics = new Diagnostics(source);
  if (dialect === "jinja") return dump(parseJinja(source, diagnostics).body);
  const { main, defines } = parseGo(source, diagnostics, { dialect });
  const named = [...defines].map(([name, list]) => `define ${name}\n${dump(list, 1)}`);
  return [dump(main), ...named].join("");
}

async function allStages(text: string, dialect: Dialect, name: string): Promise<string> {
  const stages = stagesOf(text, dialect);
  const [first] = stages;
  const last = stages.at(-1);
  if (first === undefined || last === undefined) throw new Error("no stages");
  const { code } = await compile(text, { dialect, name, file: name });
  return [
    section("SOURCE", dialect, text),
    section("AST", "text", tree(text, dialect)),
    section("IR", "text", printModule(first.module)),
    section("IR AFTER PASSES", "text", printModule(last.module)),
    section("TYPESCRIPT", "ts", code),
  ].join("\n");
}

function section(title: string, language: string, text: string): string {
  return `# ${title}\n\n\`\`\`${language}\n${text.replace(/\n?$/, "\n")}\`\`\`\n`;
}

/** The module that has renderSegments too. */
async function withSegments(text: string, dialect: Dialect, name: string): Promise<string> {
  const { code } = await compile(text, {
    dialect,
    name,
    file: name,
    targets: ["text", "segments"],
  });
  return section("TYPESCRIPT WITH SEGMENTS", "ts", code);
}

describe("modules with segments", () => {
  it.each([
    ["features.jinja", "jinja", JINJA],
    ["turns.gotmpl", "ollama", OLLAMA],
  ] as const)("%s", async (name, dialect, text) => {
    const module = await withSegments(text, dialect, name);
    await expect(module).toMatchFileSnapshot(`golden/${name}.segments.md`);
  });
});

describe("every stage", () => {
  it.each([
    ["features.jinja", "jinja", JINJA],
    ["turns.gotmpl", "ollama", OLLAMA],
    ["report.gotmpl", "go", GO],
  ] as const)("%s", async (name, dialect, text) => {
    await expect(await allStages(text, dialect, name)).toMatchFileSnapshot(`golden/${name}.md`);
  });
});
