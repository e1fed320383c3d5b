/**
 * Verdicts on real templates against real conversations: no conversation's prompt parts from that of its beginning where
 * the search has found none that does. The corpus is other people's and stands beside the repository; without it there is
 * nothing to run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prefixStability } from "../compiler/analysis/prefix.js";
import { CompileError, compileTemplate } from "../compiler/template.js";
import { isRecord } from "../scripts/rows.js";
import { longConversations, type Conversation } from "./conversations.js";
import { sample } from "./samples.js";

const CORPUS = new URL("../../shared/corpus/", import.meta.url);
/** Every so manieth template, unless the whole corpus is asked for: all of them take minutes. */
const STEP = 20;
const NOW = "2024-07-26T13:14:15.678901";
/** Conversations that people and models do not have: two turns of one role, unusual roles, an answer first. */
const UNUSUAL: ReadonlySet<string> = new Set(
  "same-roles collate assistant-first odd-roles kwargs rerank".split(" "),
);

type Dialect = "jinja" | "ollama";
type Render = (input: object) => string;

function read(path: string): string {
  return readFileSync(new URL(path, CORPUS), "utf8");
}

function rendererOf(language: string, file: string, dialect: Dialect): Render | null {
  try {
    const source = read(`${language}/templates/${file}`);
    const template = compileTemplate(source, { dialect, name: file });
    return (input) => template.render(input, { now: NOW });
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

interface Prompt {
  readonly length: number;
  readonly text: string;
  /** Whether it begins an answer. */
  readonly isOpen: boolean;
}

function isAnswer(message: unknown): boolean {
  return isRecord(message) && message["role"] === "assistant";
}

/** The prompts of a conversation's beginning; one that the template refuses is none. */
function promptsOf(
  { input, messages }: Conversation,
  length: number,
  dialect: Dialect,
  render: Render,
): readonly Prompt[] {
  const prompt = (isOpen: boolean): Prompt[] => {
    const given = { ...input, messages: messages.slice(0, length) };
    const flag = dialect === "jinja" ? { add_generation_prompt: isOpen } : {};
    try {
      return [{ length, text: render({ ...given, ...flag }), isOpen }];
    } catch {
      return [];
    }
  };
  const isAnswered = isAnswer(messages[length - 1]);
  // Ollama's templates leave an answer open that stands last, and begin one after anything else.
  if (dialect === "ollama") return isAnswered ? [] : prompt(true);
  return isAnswered ? prompt(false) : [...prompt(false), ...prompt(true)];
}

/** Where two prompts of a conversation part; null: nowhere. */
function breakOf(conversation: Conversation, dialect: Dialect, render: Render): string | null {
  const { name, input, messages } = conversation;
  const before: Prompt[] = [];
  for (let length = 1; length <= messages.length; length++) {
    const flag = dialect === "jinja" ? { add_generation_prompt: false } : {};
    let text: string;
    try {
      text = render({ ...input, messages: messages.slice(0, length), ...flag });
    } catch {
      continue;
    }
    for (const prompt of before) {
      if (prompt.isOpen && !isAnswer(messages[prompt.length])) continue;
      if (!text.startsWith(prompt.text)) return `${name}: ${prompt.length} and ${length}`;
    }
    before.push(...promptsOf(conversation, length, dialect, render));
  }
  return null;
}

const isHere = existsSync(CORPUS);
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, no verdicts to compare`);

describe.runIf(isHere)("verdicts on real templates", () => {
  it.each([
    ["jinja", "jinja"],
    ["go", "ollama"],
  ] as const)("miss no break of a real conversation: %s", (language, dialect) => {
    const given = longConversations(language);
    const missed: string[] = [];
    const files = readdirSync(new URL(`${language}/templates/`, CORPUS));
    for (const file of sample(files, STEP)) {
      const render = rendererOf(language, file, dialect);
      if (render === null) continue;
      const { stable, stableInUse } = prefixStability(dialect, render);
      if (!stableInUse) continue;
      for (const conversation of given) {
        if (!stable && UNUSUAL.has(conversation.name)) continue;
        const found = breakOf(conversation, dialect, render);
        if (found !== null) missed.push(`${file}: ${found}`);
      }
    }
    expect(missed).toEqual([]);
  });
});
