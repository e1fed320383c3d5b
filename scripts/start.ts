/** `npm start`: compiles templates/ into generated/, and shows what each module renders. */
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { generate } from "../compiler/cli/generate.js";
import type { Renderer } from "../runtime/index.js";
import { isRecord } from "./rows.js";

const tools = [
  {
    type: "function",
    function: {
      name: "find_trains",
      description: "Find trains between two cities.",
      parameters: {
        type: "object",
        properties: {
          from: { type: "string", description: "City of departure" },
          to: { type: "string", description: "City of arrival" },
          limit: { type: "integer", description: "How many to find" },
        },
        required: ["from", "to"],
      },
    },
  },
];

const messages = [
  { role: "system", content: "You help people to travel by train." },
  { role: "user", content: "How do I get from Zürich to Lyon in the morning?" },
  {
    role: "assistant",
    content: "",
    tool_calls: [
      {
        type: "function",
        function: { name: "find_trains", arguments: { from: "Zürich", to: "Lyon", limit: 2 } },
      },
    ],
  },
  { role: "tool", tool_name: "find_trains", content: '[{"leaves": "07:34", "arrives": "12:26"}]' },
];

/** Ollama's request has fixed fields; a Jinja template reads what it is given. */
const CONVERSATIONS = {
  jinja: { messages, tools, add_generation_prompt: true },
  go: { messages, tools },
  ollama: { messages, tools },
};

async function compileAll(): Promise<readonly string[]> {
  let json = "";
  const code = await generate(
    [],
    { json: true },
    {
      directory: process.cwd(),
      color: false,
      out: (text) => {
        json += text;
      },
      error: (text) => {
        process.stderr.write(text);
      },
      input: () => Readable.from([]),
    },
  );
  if (code !== 0) throw new Error(`a template was refused:\n${json}`);
  const report: unknown = JSON.parse(json);
  const files: unknown = isRecord(report) ? report["files"] : [];
  if (!Array.isArray(files)) return [];
  return files.flatMap((each: unknown) =>
    isRecord(each) && typeof each["file"] === "string" ? [each["file"]] : [],
  );
}

function isRenderer(value: unknown): value is Renderer<object> {
  return isRecord(value) && typeof value["render"] === "function" && isRecord(value["meta"]);
}

// A reader that closes the pipe has seen enough.
process.stdout.on("error", () => process.exit());
for (const file of await compileAll()) {
  const module: unknown = await import(pathToFileURL(resolve(file)).href);
  if (!isRenderer(module)) throw new Error(`${file} exports no render and meta`);
  console.log(`── ${file} ──`);
  console.log(`${module.render(CONVERSATIONS[module.meta.dialect])}\n`);
}
