/**
 * Prompts of real templates that go on: what is appended makes the whole prompt, or is refused where the longer prompt
 * does not begin with the shorter one. The corpus is other people's and stands beside the repository; without it there is
 * nothing to run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PrefixStability } from "../compiler/analysis/prefix.js";
import { PromptAppender, type GrowingPrompt } from "../compiler/appending.js";
import { engineOf } from "../compiler/engines.js";
import { toModule } from "../compiler/pipeline.js";
import { CompileError, compileTemplate } from "../compiler/template.js";
import { longConversations, type Conversation } from "./conversations.js";
import { sample } from "./samples.js";

const CORPUS = new URL("../../shared/corpus/", import.meta.url);
const OWN = new URL("../templates/", import.meta.url);
const LANGUAGES = [
  { language: "jinja", dialect: "jinja", least: 1 / 3 },
  { language: "go", dialect: "ollama", least: 3 / 4 },
] as const;
/** Every so manieth template, unless the whole corpus is asked for: all of them take minutes. */
const STEP = 8;
const NOW = "2024-07-26T13:14:15.678901";
/** Every template is taken as one whose prompts grow: those that part are found out at run time. */
const STABLE: PrefixStability = { stable: true, stableInUse: true, compared: 0 };

type Subjects = "jinja" | "ollama";

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface Subject {
  readonly dialect: Subjects;
  readonly appender: PromptAppender;
  readonly whole: (input: object) => string;
}

function subjectOf(file: URL, dialect: Subjects, codegen: boolean): Subject | null {
  const source = readFileSync(file, "utf8");
  try {
    const template = compileTemplate(source, { dialect, name: file.pathname, codegen: false });
    const { module } = toModule(source, { dialect, name: file.pathname });
    const whole = (input: object): string => template.render(input, { now: NOW });
    const code = codegen ? { mapped: null } : null;
    const appender = new PromptAppender({
      dialect,
      module: () => module,
      engine: (other) => engineOf(other, { code, limits: false }),
      prepared: (input) => input,
      whole: (data) => whole(isObject(data) ? data : {}),
      stability: () => STABLE,
    });
    return { dialect, appender, whole };
  } catch (error) {
    if (error instanceof CompileError) return null;
    throw error;
  }
}

function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return `! ${String(error)}`;
  }
}

/** How often messages are read that are neither the first two of a prompt nor one of its last two. */
let reads = 0;

function counted(message: object): object {
  return new Proxy(message, {
    get(target, key, receiver): unknown {
      reads++;
      return Reflect.get(target, key, receiver);
    },
  });
}

/** What is wrong with the prompts of a conversation that go on from its first messages. */
function faultOf(subject: Subject, conversation: Conversation): string[] {
  const { appender, whole } = subject;
  const { name, input } = conversation;
  const messages = conversation.messages.filter(isObject);
  const found: string[] = [];
  for (let start = 1; start < messages.length; start++) {
    const given = messages.slice(0, start);
    const shorter = outcome(() => whole({ ...input, messages: given }));
    if (shorter.startsWith("!")) continue;
    const old = given.map((one, i) => (i > 1 && i < start - 2 ? counted(one) : one));
    const prompt = appender.start({ ...input, messages: old }, { now: NOW });
    if (prompt.text !== shorter) found.push(`${name}: the first ${start} differ`);
    for (let end = start + 1; end <= messages.length; end++) {
      const longer = outcome(() => whole({ ...input, messages: messages.slice(0, end) }));
      const more = messages.slice(start, end);
      const mayRead =
        !appender.isIncremental || changesOld(subject, { ...input, messages: old }, more);
      const wrong = wrongIn(appender, prompt, more, { shorter, longer, mayRead });
      if (wrong !== null) found.push(`${name}: ${start} and ${end - start}: ${wrong}`);
    }
  }
  return found;
}

/** Whether Ollama's server merges the messages with old ones, or puts them before others. */
function changesOld({ dialect }: Subject, input: object, more: readonly object[]): boolean {
  if (dialect !== "ollama") return false;
  const values: unknown[] = [Reflect.get(input, "prompt"), Reflect.get(input, "response")];
  const old: unknown = Reflect.get(input, "messages");
  const last: unknown = Array.isArray(old) ? old.at(-1) : undefined;
  const roles = [last, ...more].map((one): unknown => isObject(one) && Reflect.get(one, "role"));
  const isMerged = roles[0] === roles[1] && roles[0] !== "tool";
  return values.some(Boolean) || isMerged || roles.slice(1).includes("system");
}

interface Expected {
  readonly shorter: string;
  readonly longer: string;
  /** Whether old messages may be read again. */
  readonly mayRead: boolean;
}

function wrongIn(
  appender: PromptAppender,
  prompt: GrowingPrompt,
  added: readonly object[],
  { shorter, longer, mayRead }: Expected,
): string | null {
  reads = 0;
  const appended = outcome(() => appender.append(prompt, added).text);
  if (longer.startsWith("!") || !longer.startsWith(shorter)) {
    return appended.startsWith("!") ? null : `rendered, and whole ${JSON.stringify(longer)}`;
  }
  if (appended !== longer)
    return `${JSON.stringify(appended)}, and whole ${JSON.stringify(longer)}`;
  return !mayRead && reads > 0 ? `${reads} reads of old messages` : null;
}

const isHere = existsSync(CORPUS);
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, no prompts to go on`);

describe.runIf(isHere)("prompts of real templates that go on", () => {
  it.each(LANGUAGES)(
    "are those of all messages, and old messages are left alone where that is said: $dialect",
    ({ language, dialect, least }) => {
      const found: string[] = [];
      let [all, incremental] = [0, 0];
      const given = longConversations(language);
      const folder = new URL(`${language}/templates/`, CORPUS);
      for (const file of sample(readdirSync(folder), STEP)) {
        // Code and closures by turns.
        const subject = subjectOf(new URL(file, folder), dialect, all % 2 === 1);
        if (subject === null) continue;
        all++;
        if (subject.appender.isIncremental) incremental++;
        for (const one of given)
          found.push(...faultOf(subject, one).map((text) => `${file}: ${text}`));
      }
      console.info(`${dialect}: ${incremental} of ${all} templates leave old messages alone`);
      expect(found.slice(0, 5)).toEqual([]);
      expect(incremental).toBeGreaterThan(all * least);
    },
  );

  it.each(readdirSync(OWN))("are those of all messages: templates/%s", (file) => {
    const [language, dialect] = file.endsWith("jinja")
      ? (["jinja", "jinja"] as const)
      : (["go", "ollama"] as const);
    const subject = subjectOf(new URL(file, OWN), dialect, true);
    expect(subject).not.toBeNull();
    if (subject === null) return;
    const found = longConversations(language).flatMap((one) => faultOf(subject, one));
    expect(found.slice(0, 5)).toEqual([]);
  });
});
