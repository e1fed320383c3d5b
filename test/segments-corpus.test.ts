/**
 * Segments of real templates: joined they are the prompt, input is never the template's, and paths lead to where the
 * text comes from. The corpus is other people's and stands beside the repository; without it there is nothing to run.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseJson } from "../runtime/index.js";
import { CompileError, compileTemplate, type CompiledTemplate } from "../compiler/template.js";
import { isRecord, rawMember } from "../scripts/rows.js";
import { fault, mark, type Marked } from "./origin.js";
import { sample } from "./samples.js";

const CORPUS = new URL("../../shared/corpus/", import.meta.url);
/** Templates and conversations go round at different speeds, so each template gets some conversations. */
const STEP = 23;
const SHOWN = 10;

interface Case {
  readonly id: string;
  readonly template: CompiledTemplate;
  readonly input: () => unknown;
  readonly now: string | undefined;
}

function read(path: string): string {
  return readFileSync(new URL(path, CORPUS), "utf8");
}

const templates = new Map<string, CompiledTemplate | null>();

function* casesOf(language: string): Generator<Case> {
  const conversations = read(`${language}/conversations.json`);
  const lines = read(`${language}/cases.jsonl`).split("\n").filter(Boolean);
  for (const line of sample(lines, STEP)) {
    const row: unknown = JSON.parse(line);
    if (!isRecord(row)) throw new Error(`not a case: ${line.slice(0, 100)}`);
    const file = String(row["templateFile"]);
    const known = templates.get(file);
    const template = known === undefined ? compiled(language, file) : known;
    templates.set(file, template);
    if (template === null) continue;
    const raw = rawMember(conversations, String(row["conversation"])) ?? "";
    const now = typeof row["now"] === "string" ? row["now"] : undefined;
    yield { id: String(row["id"]), template, input: () => parseJson(raw), now };
  }
}

function compiled(language: string, file: string): CompiledTemplate | null {
  const dialect = language === "jinja" ? "jinja" : "ollama";
  try {
    return compileTemplate(read(`${language}/templates/${file}`), {
      dialect,
      name: file,
      codegen: false,
    });
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

/** What the render gives, or how it fails. */
function outcome(render: () => string): string {
  try {
    return render();
  } catch (error) {
    return String(error);
  }
}

interface Rendered {
  readonly difference: string | undefined;
  readonly segments: ReturnType<CompiledTemplate["renderSegments"]>;
}

function renderBoth({ template, now }: Case, given: unknown): Rendered {
  const options = now === undefined ? {} : { now };
  const input = isRecord(given) ? given : {};
  let segments: Rendered["segments"] = [];
  const plain = outcome(() => template.render(input, options));
  const joined = outcome(() => {
    segments = template.renderSegments(input, options);
    return segments.map(({ text }) => text).join("");
  });
  const difference =
    plain === joined
      ? undefined
      : `${JSON.stringify(plain)} and in segments ${JSON.stringify(joined)}`;
  return { difference, segments };
}

function firstOf(lines: readonly string[]): readonly string[] {
  return lines.length <= SHOWN ? lines : [...lines.slice(0, SHOWN), `… ${lines.length} in all`];
}

/** What is wrong in the cases of a language. */
function faults(
  language: string,
  change: (input: unknown) => Marked,
  wrongIn: (segments: Rendered["segments"], marked: Marked) => string | undefined,
): string[] {
  const found: string[] = [];
  for (const test of casesOf(language)) {
    const marked = change(test.input());
    const { difference, segments } = renderBoth(test, marked.input);
    const wrong = difference ?? wrongIn(segments, marked);
    if (wrong !== undefined) found.push(`${test.id}: ${wrong}`);
  }
  return found;
}

const isHere = existsSync(CORPUS);
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, nothing to take apart`);

describe.runIf(isHere)("segments of real templates", () => {
  it.each(["jinja", "go"])("joined are the prompt: %s", (language) => {
    const unmarked = (input: unknown): Marked => ({ input, places: [] });
    expect(firstOf(faults(language, unmarked, () => undefined))).toEqual([]);
  });

  it.each(["jinja", "go"])("show a mark in every text only as input: %s", (language) => {
    const marked = (input: unknown): Marked => mark(input, "ends", false);
    expect(firstOf(faults(language, marked, fault))).toEqual([]);
  });
});
