/** Generated input types take what other packages' clients hand over, and refuse what the template cannot read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";
import { compile } from "../compiler/index.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = join(ROOT, "test");

const TEMPLATE = `
{%- if tools %}{% for tool in tools %}{% set f = tool.function %}{{ f.name }}{{ f.description }}
{%- for k, v in f.parameters.properties.items() %}{{ k }}{{ v.type }}{% endfor %}{{ f.parameters.type }}{% endfor %}{% endif %}
{%- if effort is not defined %}{% set effort = "low" %}{% endif %}{% if effort == "high" %}!{% endif %}
{%- for m in messages %}{% if m.role == "user" %}{% if m.content is string %}{{ m.content }}{% else %}
{%- for part in m.content %}{% if part.type == "image_url" %}{{ part.image_url.url }}{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}
{%- else %}{{ m.content }}{% for call in m.tool_calls or [] %}{{ call.function.name }}{{ ARGUMENTS }}{% endfor %}{% endif %}{% endfor %}
{%- if add_generation_prompt %}{{ bos_token + "a" }}{% endif %}`;

const OBJECT = "call.function.arguments | tojson";
const EITHER = `${OBJECT} if call.function.arguments is mapping else call.function.arguments`;

/** The messages and tools of the clients, as their packages declare them. */
const CLIENTS: Readonly<Record<string, string>> = {
  openai: `export type {
  ChatCompletionMessageParam as Message, ChatCompletionTool as Tool,
} from "openai/resources/chat/completions";`,
  ai: `export type { ModelMessage as Message } from "ai";`,
  ollama: `export type { Message, Tool } from "ollama";`,
  anthropic: `export type { MessageParam as Message } from "@anthropic-ai/sdk/resources/messages";`,
};

/** Asks inputs for values of several kinds: none of the comparisons may look pointless to TypeScript. */
const MIXED =
  '{% if e is true or e == "high" %}a{% endif %}{% if e == 3 or e is none %}b{% endif %}{{ e ~ d | default("a") }}' +
  '{% if d is true or d == 2 %}c{% endif %}{% if bos_token is true %}d{% endif %}{% if tools == "none" %}e{% endif %}' +
  "{% for m in messages %}{{ m.content }}{% for t in m.tool_calls %}{% set a = t.function.arguments %}" +
  '{% if a == "{}" %}f{% else %}{{ a | items | list }}{% endif %}{% endfor %}{% endfor %}';

/** A text or another text: TypeScript must not take the one for an object where both come together. */
const JOINED =
  '{% macro shown(x) %}{{ x }}{% endmacro %}{% for m in messages %}{% set d = m.name if m.content else "x" %}' +
  '{{ shown(d) }}{% if d == "y" or d == 3 %}c{% endif %}{% endfor %}';

/** Rendered turn by turn, as templates that mention no messages are. */
const TURNS = "{{ .System }}{{ .Prompt }}{{ .Response }}";

/** The programs, each with what TypeScript says of it: nothing, or a part of the message. */
const PROGRAMS: Readonly<Record<string, readonly [program: string, refusal: string | null]>> = {
  ...Object.fromEntries(
    Object.keys(CLIENTS).map((name) => [`${name} declares it`, declared(name)]),
  ),
  openai: [call("either", "openai", "{ messages, tools, bos_token }", true), null],
  "openai, to arguments as an object": [
    call("object", "openai", "{ messages, tools, bos_token }", true),
    "Type 'string' is not assignable to type 'object'",
  ],
  anthropic: [call("object", "anthropic", "{ messages, bos_token }"), null],
  "anthropic, to a template that reads text": [call("text", "anthropic", "{ messages }"), null],
  "the AI SDK": [call("object", "ai", "{ messages, bos_token }"), null],
  ollama: [call("object", "ollama", "{ messages, tools, bos_token }", true), null],
  "ollama, to a template of Ollama": [call("go", "ollama", "{ messages, tools }", true), null],
  "openai, to a template that reads text": [call("text", "openai", "{ messages }"), null],
  "the AI SDK, to a template that reads text": [call("text", "ai", "{ messages }"), null],
  ...Object.fromEntries(
    ["object", "either", "text", "mixed", "go"].map((template) => [
      `what an adapter gives, to ${template}`,
      [adapted(template), null] as const,
    ]),
  ),
  "null and undefined": [
    literal("object", `{ messages: [], bos_token: "", tools: null, effort: undefined }`),
    null,
  ],
  "a literal with more fields": [
    literal(
      "object",
      `{ bos_token: "", messages: [{ role: "user", content: "a", name: "b", id: 1 }] }`,
    ),
    null,
  ],
  "a text that the template does not know": [
    literal("object", `{ messages: [], bos_token: "", effort: "extreme" }`),
    null,
  ],
  "an unknown key": [
    literal("object", `{ messages: [], bos_token: "", add_generation_promt: true }`),
    "Did you mean to write 'add_generation_prompt'?",
  ],
  "an unknown key, to a template of Ollama": [
    literal("go", `{ messages: [], efort: "low" }`),
    "'efort' does not exist in type 'OllamaInput'",
  ],
  "a number for a text": [
    literal("object", `{ messages: [], bos_token: "", effort: 3 }`),
    "Type 'number' is not assignable to type",
  ],
  "a message without a role": [
    literal("object", `{ messages: [{ content: "a" }], bos_token: "" }`),
    "'role' is missing",
  ],
  "what a render fails without": [literal("object", `{ messages: [] }`), "'bos_token' is missing"],
  "no messages": [literal("object", `{ bos_token: "" }`), "'messages' is missing"],
};

function call(template: string, client: string, input: string, hasTools = false): string {
  const tools = hasTools ? "tools: Tool[], " : "";
  return `import { render } from "./${template}.js"; import type { Message${hasTools ? ", Tool" : ""} } from "./${client}.js";
export const prompt = (messages: Message[], ${tools}bos_token: string): string => { void bos_token; return render(${input}); };`;
}

/** What a request does not hold is added: special tokens. */
function adapted(template: string): string {
  const token = template === "object" || template === "either" ? `, bos_token: ""` : "";
  return `import { render } from "./${template}.js"; import type { ConversationInput } from "../runtime/chat/index.js";
export const prompt = (input: ConversationInput): string => render({ ...input${token} });`;
}

/** A type that could not be found would be any, which is assignable to all. */
function declared(client: string): readonly [program: string, refusal: null] {
  return [
    `import type { Message } from "./${client}.js"; export const isAny: 0 extends 1 & Message ? true : false = false;`,
    null,
  ];
}

function literal(template: string, input: string): string {
  return `import { render } from "./${template}.js"; export const prompt: string = render(${input});`;
}

const names = Object.keys(PROGRAMS);
let said: ReadonlyMap<string, string>;
let modules: ReadonlyMap<string, string>;

beforeAll(async () => {
  modules = new Map([
    ["object", await moduleOf(TEMPLATE.replace("ARGUMENTS", OBJECT), "jinja")],
    ["either", await moduleOf(TEMPLATE.replace("ARGUMENTS", EITHER), "jinja")],
    [
      "text",
      await moduleOf("{% for m in messages %}{{ m.role ~ m.content }}{% endfor %}", "jinja"),
    ],
    ["go", await moduleOf("{{ range .Messages }}{{ .Content }}{{ end }}{{ .Tools }}", "ollama")],
    ["mixed", await moduleOf(MIXED, "jinja")],
    ["joined", await moduleOf(JOINED, "jinja")],
    ["turns", await moduleOf(TURNS, "ollama")],
    ...(await segmentModules()),
    ...Object.entries(CLIENTS),
  ]);
  said = check([
    ...modules,
    ...names.map((name, i) => [fileOf(i), PROGRAMS[name]?.[0] ?? ""] as const),
  ]);
}, 120_000);

function fileOf(position: number): string {
  return `program-${String(position)}`;
}

async function moduleOf(source: string, dialect: "jinja" | "ollama"): Promise<string> {
  const { code } = await compile(source, { name: "template", dialect, runtime: "../runtime" });
  return code;
}

/** Modules with renderSegments: of templates, and of what those hold that gives values an origin. */
const WITH_SEGMENTS: Readonly<
  Record<string, readonly [file: string, dialect: "jinja" | "ollama"]>
> = {
  "glm with segments": ["templates/glm.jinja", "jinja"],
  "mimo with segments": ["templates/mimo.gotmpl", "ollama"],
  "qwen3-coder with segments": ["templates/qwen3-coder.gotmpl", "ollama"],
  "rules with segments": ["", "jinja"],
  "variables with segments": ["", "ollama"],
};

const RULES =
  "{% macro shown(x, y=bos_token) %}<{{ x }}{{ y }}>{{ caller() if caller }}{% endmacro %}{% set f = shown %}" +
  "{% for m in messages %}{% set c = m.content.split('</think>')[-1].strip() if m.content is string else m.content %}" +
  "{{ f(c) }}{% call shown(m.role ~ '!') %}{{ m.name|upper }}{% endcall %}{% for k, v in (m.data or {}).items() %}{{ k }}={{ v|tojson }}{% endfor %}" +
  "{{ {'a': m.role, 'b': [1, c]}|tojson }}{{ '%s %s' % (m.role, c) }}{{ [c, 'x']|join(', ') }}{{ 'a' + c + 'b' }}{% endfor %}" +
  "{% set ns = namespace(text='', list=[]) %}{% for t in tools %}{% set ns.text = ns.text ~ t.name %}{% set ns.list = ns.list + [t] %}{% endfor %}" +
  "{{ ns.text|replace('a', 'b')|trim }}{% for t in ns.list %}{{ t.name }}{% endfor %}{% set body %}[{{ bos_token }}]{% endset %}{{ body }}";

const VARIABLES =
  '{{ $system := "" }}{{ range $i, $m := .Messages }}{{ if eq .Role "system" }}{{ $system = .Content }}{{ else }}{{ $t := .Content }}{{ $t }}' +
  '{{ range .ToolCalls }}{{ range $k, $v := .Function.Arguments }}{{ $k }}={{ $v }}{{ printf "%s:%v" $k $v }}{{ end }}{{ json .Function.Arguments }}{{ end }}{{ end }}{{ end }}' +
  "{{ $system }}{{ range $i, $t := .Tools }}{{ $t }}{{ range $n, $p := .Function.Parameters.Properties }}{{ $n }}{{ $p.Type }}{{ end }}{{ end }}";

async function segmentModules(): Promise<readonly (readonly [name: string, code: string])[]> {
  return Promise.all(
    Object.entries(WITH_SEGMENTS).map(async ([name, [file, dialect]]) => {
      const own = dialect === "jinja" ? RULES : VARIABLES;
      const source = file === "" ? own : readFileSync(join(ROOT, file), "utf8");
      const targets = ["text", "segments"] as const;
      const options = { name: "template", dialect, runtime: "../runtime", targets } as const;
      return [name, (await compile(source, options)).code] as const;
    }),
  );
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2024.d.ts", "lib.dom.d.ts"],
  types: [],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  skipLibCheck: true,
};

/** What TypeScript says of each of the files, which stand in this folder as far as it can tell. */
function check(files: readonly (readonly [name: string, text: string])[]): Map<string, string> {
  const texts = new Map(files.map(([name, text]) => [join(FOLDER, `${name}.ts`), text]));
  const disk = ts.createCompilerHost(OPTIONS);
  const program = ts.createProgram([...texts.keys()], OPTIONS, {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile(path, language) {
      const text = texts.get(path) ?? disk.readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, language, true);
    },
  });
  return new Map(
    files.map(([name]) => {
      const file = program.getSourceFile(join(FOLDER, `${name}.ts`));
      const found = [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ];
      const messages = found.map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, "\n"),
      );
      return [name, messages.join("\n")];
    }),
  );
}

it.each([
  ...["object", "either", "text", "mixed", "joined", "go", "turns"],
  ...Object.keys(WITH_SEGMENTS),
  ...Object.keys(CLIENTS),
])("%s compiles", (name) => {
  expect(said.get(name)).toBe("");
});

it.each(names)("%s", (name) => {
  const message = said.get(fileOf(names.indexOf(name)));
  const refusal = PROGRAMS[name]?.[1] ?? null;
  if (refusal === null) expect(message).toBe("");
  else expect(message).toContain(refusal);
});

it("a type names the texts that the template knows, and what stands in for none", () => {
  const code = modules.get("object") ?? "";
  expect(code).toContain(`readonly effort?: "high" | "low" | (string & {}) | null | undefined;`);
  expect(code).toContain(`/** Default: "low". */`);
  expect(code).toContain("readonly bos_token: string;");
  expect(code).toContain("readonly arguments?: object | null | undefined;");
  expect(modules.get("either")).toContain(
    "readonly arguments?: string | object | null | undefined;",
  );
});
