/**
 * One conversation with two calls at once, reasoning and an image, through the adapters of five APIs: for each real
 * template the prompt is the one that the template's own form of the conversation gives. The templates are other
 * people's and stand beside the repository; without them this file has nothing to run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commonLength } from "../compiler/analysis/prefix.js";
import { CompileError, Template } from "../compiler/template.js";
import {
  fromAiSdk,
  fromAnthropic,
  fromOllama,
  fromOpenAI,
  fromResponses,
} from "../runtime/chat/index.js";
import { RenderError, type Dialect } from "../runtime/index.js";
import {
  aiSdkRequest,
  anthropicRequest,
  ollamaRequest,
  openAIRequest,
  ownInput,
  responsesRequest,
  type Features,
} from "./requests.js";
import { sample } from "./samples.js";

const CORPUS = new URL("../../shared/corpus/", import.meta.url);
const LANGUAGES: readonly (readonly [folder: string, dialect: Dialect])[] = [
  ["jinja", "jinja"],
  ["go", "ollama"],
];
const TOKENS = { bos_token: "<s>", eos_token: "</s>", pad_token: "<pad>", unk_token: "<unk>" };
const NOW = "2026-01-02T03:04:05";
/** What a template takes is found by many renders. */
const STEP = 6;

interface Named {
  readonly name: string;
  readonly template: Template;
}

const known = new Map<string, readonly Named[]>();

/** The templates that compile; what was found out about one serves all tests. */
function templatesOf(language: (typeof LANGUAGES)[number]): readonly Named[] {
  const found = known.get(language[0]) ?? readTemplates(language);
  known.set(language[0], found);
  return found;
}

function readTemplates([folder, dialect]: (typeof LANGUAGES)[number]): readonly Named[] {
  const templates = new URL(`${folder}/templates/`, CORPUS);
  return sample(readdirSync(templates), STEP).flatMap((name) => {
    try {
      const source = readFileSync(new URL(name, templates), "utf8");
      return [{ name, template: new Template(source, { dialect, codegen: false }) }];
    } catch (error) {
      if (error instanceof CompileError) return [];
      throw error;
    }
  });
}

/** The prompt, or what the template says against it: a template may take no two calls at once. */
function answerOf(template: Template, input: object): string {
  const tokens = template.meta.dialect === "jinja" ? TOKENS : {};
  try {
    return template.render({ ...input, ...tokens }, { now: NOW });
  } catch (error) {
    if (error instanceof RenderError && error.phase === "render")
      return `refused: ${error.message}`;
    throw error;
  }
}

function firstDifference(own: string, prompt: string): string {
  const at = commonLength(own, prompt);
  const [a, b] = [own, prompt].map((text) =>
    JSON.stringify(text.slice(Math.max(0, at - 20), at + 60)),
  );
  return `${String(a)} is ${String(b)}`;
}

/** Null where the template shows no system message, no tools, no calls or no results. */
function featuresOf({ meta: { capabilities, forms } }: Template): Features | null {
  const { system, tools } = capabilities;
  if (!system || !tools || !forms.toolCalls || !forms.toolResults) return null;
  return { image: forms.imagesIn.includes("user"), reasoning: forms.reasoning !== null };
}

const isHere = existsSync(CORPUS);
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, nothing to adapt to`);

/** A developer's word, a text in parts, two messages of the user. */
const SPOKEN = {
  messages: [
    { role: "developer", content: "zqsystemqz" },
    { role: "user", content: [{ type: "text", text: "zqfirstqz" }] },
    { role: "user", content: "zqsecondqz" },
  ],
};

/** The same in the template's own form, with one message of the user. */
function ownSpoken({ dialect, forms }: Template["meta"]): object {
  const written = (role: "system" | "user", text: string): object => {
    const isParts = dialect === "jinja" && forms.content[role] === "parts";
    return { role, content: isParts ? [{ type: "text", text }] : text };
  };
  const messages = [written("system", "zqsystemqz"), written("user", "zqfirstqz zqsecondqz")];
  return { messages, ...(dialect === "jinja" ? { add_generation_prompt: true } : {}) };
}

function marksIn(prompt: string): readonly string[] {
  return ["zqsystemqz", "zqfirstqz", "zqsecondqz"].filter((mark) =>
    prompt.toLowerCase().includes(mark),
  );
}

describe.runIf(isHere)("what only some templates know", () => {
  it.each(LANGUAGES)(
    "fails none that can show it otherwise: %s",
    (...language) => {
      const lost: string[] = [];
      let count = 0;
      for (const { name, template } of templatesOf(language)) {
        if (!template.meta.capabilities.system) continue;
        const own = answerOf(template, ownSpoken(template.meta));
        if (own.startsWith("refused: ")) continue;
        count++;
        const prompt = answerOf(template, fromOpenAI(SPOKEN, template.meta));
        const missing = marksIn(own).filter((mark) => !marksIn(prompt).includes(mark));
        if (missing.length > 0)
          lost.push(`${name}: ${missing.join(", ")} in ${prompt.slice(0, 80)}`);
      }
      console.log(`${language[0]}: ${String(count)} templates show a system message`);
      expect(lost).toEqual([]);
    },
    400_000,
  );
});

describe.runIf(isHere)("one conversation in five shapes", () => {
  it.each(LANGUAGES)(
    "is the same prompt for every capable template: %s",
    (...language) => {
      const counts = { capable: 0, renders: 0, all: 0 };
      const differences: string[] = [];
      for (const { name, template } of templatesOf(language)) {
        const features = featuresOf(template);
        if (features === null) continue;
        const own = answerOf(template, ownInput(template.meta, features));
        counts.capable++;
        if (!own.startsWith("refused: ")) counts.renders++;
        if (features.image && features.reasoning) counts.all++;
        const inputs = {
          openAI: fromOpenAI(openAIRequest(features, template.meta), template.meta),
          responses: fromResponses(responsesRequest(features), template.meta),
          anthropic: fromAnthropic(anthropicRequest(features), template.meta),
          aiSdk: fromAiSdk(aiSdkRequest(features), template.meta),
          ollama: fromOllama(ollamaRequest(features, language[1] === "ollama"), template.meta),
        };
        for (const [shape, input] of Object.entries(inputs)) {
          const prompt = answerOf(template, input);
          if (prompt !== own) differences.push(`${name} ${shape}: ${firstDifference(own, prompt)}`);
        }
      }
      console.log(
        `${language[0]}: ${String(counts.capable)} capable templates, ${String(counts.renders)} render two calls at ` +
          `once, ${String(counts.all)} show reasoning and an image too`,
      );
      expect(differences).toEqual([]);
      expect(counts.renders).toBeGreaterThan(50 / STEP - 2);
    },
    400_000,
  );
});
