/**
 * Generated input types take what other packages' clients hand over, and refuse what the template cannot read. The
 * types below are those of the OpenAI, AI SDK and ollama clients, written out as far as messages and tools go.
 */
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

const OPENAI = `
interface TextPart { type: "text"; text: string }
interface ImagePart { type: "image_url"; image_url: { url: string; detail?: "auto" | "low" | "high" } }
interface AudioPart { type: "input_audio"; input_audio: { data: string; format: "wav" | "mp3" } }
interface FilePart { type: "file"; file: { file_data?: string; file_id?: string; filename?: string } }
interface RefusalPart { type: "refusal"; refusal: string }
interface FunctionCall { id: string; type: "function"; function: { name: string; arguments: string } }
interface CustomCall { id: string; type: "custom"; custom: { name: string; input: string } }
interface DeveloperMessage { role: "developer"; content: string | TextPart[]; name?: string }
interface SystemMessage { role: "system"; content: string | TextPart[]; name?: string }
interface UserMessage { role: "user"; content: string | (TextPart | ImagePart | AudioPart | FilePart)[]; name?: string }
interface AssistantMessage {
  role: "assistant"; content?: string | (TextPart | RefusalPart)[] | null; name?: string; refusal?: string | null;
  audio?: { id: string } | null; function_call?: { name: string; arguments: string } | null; tool_calls?: (FunctionCall | CustomCall)[];
}
interface ToolMessage { role: "tool"; content: string | TextPart[]; tool_call_id: string }
interface FunctionMessage { role: "function"; content: string | null; name: string }
export type Message = DeveloperMessage | SystemMessage | UserMessage | AssistantMessage | ToolMessage | FunctionMessage;
interface FunctionTool { type: "function"; function: { name: string; description?: string; parameters?: { [key: string]: unknown }; strict?: boolean | null } }
interface CustomTool { type: "custom"; custom: { name: string; description?: string; format?: { type: "text" } } }
export type Tool = FunctionTool | CustomTool;`;

const AI_SDK = `
type Options = Record<string, Record<string, unknown>>;
type Data = string | Uint8Array | ArrayBuffer;
interface TextPart { type: "text"; text: string; providerOptions?: Options }
interface ImagePart { type: "image"; image: Data | URL; mediaType?: string; providerOptions?: Options }
interface FilePart { type: "file"; data: Data | URL; filename?: string; mediaType: string; providerOptions?: Options }
interface ReasoningPart { type: "reasoning"; text: string; providerOptions?: Options }
interface ToolCallPart { type: "tool-call"; toolCallId: string; toolName: string; input: unknown; providerExecuted?: boolean }
interface ToolResultPart { type: "tool-result"; toolCallId: string; toolName: string; output: { type: "text"; value: string } | { type: "json"; value: unknown } }
export type Message =
  | { role: "system"; content: string; providerOptions?: Options }
  | { role: "user"; content: string | (TextPart | ImagePart | FilePart)[]; providerOptions?: Options }
  | { role: "assistant"; content: string | (TextPart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart)[]; providerOptions?: Options }
  | { role: "tool"; content: ToolResultPart[]; providerOptions?: Options };`;

const OLLAMA = `
interface ToolCall { function: { name: string; arguments: { [key: string]: any } } }
export interface Message { role: string; content: string; thinking?: string; images?: Uint8Array[] | string[]; tool_calls?: ToolCall[]; tool_name?: string }
export interface Tool {
  type: string;
  function: {
    name?: string; description?: string; type?: string;
    parameters?: {
      type?: string; $defs?: any; items?: any; required?: string[];
      properties?: { [key: string]: { type?: string | string[]; items?: any; description?: string; enum?: any[] } };
    };
  };
}`;

/** Asks inputs for values of several kinds: none of the comparisons may look pointless to TypeScript. */
const MIXED =
  '{% if e is true or e == "high" %}a{% endif %}{% if e == 3 or e is none %}b{% endif %}{{ e ~ d | default("a") }}' +
  '{% if d is true or d == 2 %}c{% endif %}{% if bos_token is true %}d{% endif %}{% if tools == "none" %}e{% endif %}' +
  "{% for m in messages %}{{ m.content }}{% for t in m.tool_calls %}{% set a = t.function.arguments %}" +
  '{% if a == "{}" %}f{% else %}{{ a | items | list }}{% endif %}{% endfor %}{% endfor %}';

/** The programs, each with what TypeScript says of it: nothing, or a part of the message. */
const PROGRAMS: Readonly<Record<string, readonly [program: string, refusal: string | null]>> = {
  openai: [call("either", "openai", "{ messages, tools, bos_token }", true), null],
  "openai, to arguments as an object": [
    call("object", "openai", "{ messages, tools, bos_token }", true),
    "Type 'string' is not assignable to type 'object'",
  ],
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
    ["openai", OPENAI],
    ["ai", AI_SDK],
    ["ollama", OLLAMA],
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

it.each(["object", "either", "text", "mixed", "go", "openai", "ai", "ollama"])(
  "%s compiles",
  (name) => {
    expect(said.get(name)).toBe("");
  },
);

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
