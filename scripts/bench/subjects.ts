/** The templates that are measured: the seeds, and five of our own in the manner of the large families. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { jinjaInput, ollamaInput, workloads, type Message, type Workload } from "./workloads.js";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Subject {
  readonly name: string;
  readonly dialect: "jinja" | "ollama";
  /** Relative to the root. */
  readonly file: string;
  /** Hand-written code for this template. */
  readonly limit: boolean;
  readonly input: (workload: Workload) => Readonly<Record<string, unknown>>;
}

export interface Case {
  readonly workload: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const SEEDS: readonly Subject[] = [
  seed("glm", "jinja", jinjaInput),
  seed("mimo", "ollama", ollamaInput),
  seed("qwen3-coder", "ollama", ollamaInput),
];

const OWN: readonly Subject[] = [
  own("plain-headers", (workload) => ({ ...jinjaInput(workload), date_string: "26 Jul 2025" })),
  own("thinking-turns", (workload) => ({ ...jinjaInput(workload), enable_thinking: true })),
  own("checked-roles", (workload) => ({ ...jinjaInput(withCallIds(workload)), eos_token: "</s>" })),
  own("split-reasoning", (workload) => ({ ...jinjaInput(workload), thinking: true })),
  own("image-parts", (workload) => jinjaInput(withParts(workload))),
];

export const SUBJECTS: readonly Subject[] = [...SEEDS, ...OWN];

export const WORKLOAD_NAMES: readonly string[] = workloads().map(({ name }) => name);

export function sourceOf({ file }: Subject): string {
  return readFileSync(ROOT + file, "utf8");
}

/** The subject's inputs of the named workloads, in their order here. */
export function casesOf(subject: Subject, names: readonly string[]): readonly Case[] {
  return workloads()
    .filter(({ name }) => names.includes(name))
    .map((workload) => ({ workload: workload.name, input: subject.input(workload) }));
}

function seed(name: string, dialect: Subject["dialect"], input: Subject["input"]): Subject {
  const ending = dialect === "jinja" ? "jinja" : "gotmpl";
  return { name, dialect, file: `templates/${name}.${ending}`, limit: true, input };
}

function own(name: string, input: Subject["input"]): Subject {
  const withTokens = (workload: Workload) => ({ bos_token: "<s>", ...input(workload) });
  const file = `scripts/bench/templates/${name}.jinja`;
  return { name, dialect: "jinja", file, limit: false, input: withTokens };
}

/** Calls with the nine-character ids that some families insist on; a result names the call before it. */
function withCallIds(workload: Workload): Workload {
  let id = "";
  const messages = workload.messages.map((message, i): Message => {
    if (message.role === "tool") return { ...message, tool_call_id: id };
    if (message.tool_calls === undefined) return message;
    id = String(100_000_000 + i);
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id })) };
  });
  return { ...workload, messages };
}

/** What users say as a list of parts, every second with an image. */
function withParts(workload: Workload): Workload {
  const messages = workload.messages.map((message, i): Message => {
    if (message.role !== "user" || typeof message.content !== "string") return message;
    const text = { type: "text", text: message.content };
    return { ...message, content: i % 2 === 0 ? [text] : [{ type: "image" }, text] };
  });
  return { ...workload, messages };
}
