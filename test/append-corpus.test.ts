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

const CORPUS = new URL("../../shared/corpus/jinja/", import.meta.url);
/** Every so manieth template, unless the whole corpus is asked for: all of them take minutes. */
const STEP = 8;
const NOW = "2024-07-26T13:14:15.678901";
/** Every template is taken as one whose prompts grow: those that part are found out at run time. */
const STABLE: PrefixStability = { stable: true, stableInUse: true, compared: 0 };

function read(path: string): string {
  return readFileSync(new URL(path, CORPUS), "utf8");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface Subject {
  readonly appender: PromptAppender;
  readonly whole: (input: object) => string;
}

function subjectOf(file: string): Subject | null {
  const source = read(`templates/${file}`);
  try {
    const template = compileTemplate(source, { dialect: "jinja", name: file, codegen: false });
    const { module } = toModule(source, { dialect: "jinja", name: file });
    const whole = (input: object): string => template.render(input, { now: NOW });
    const appender = new PromptAppender({
      dialect: "jinja",
      module: () => module,
      engine: (other) => engineOf(other, { code: null, limits: false }),
      prepared: (input) => input,
      whole: (data) => whole(isObject(data) ? data : {}),
      stability: () => STABLE,
    });
    return { appender, whole };
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
function faultOf({ appender, whole }: Subject, conversation: Conversation): string[] {
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
      const wrong = wrongIn(appender, prompt, messages.slice(start, end), { shorter, longer });
      if (wrong !== null) found.push(`${name}: ${start} and ${end - start}: ${wrong}`);
    }
  }
  return found;
}

function wrongIn(
  appender: PromptAppender,
  prompt: GrowingPrompt,
  added: readonly object[],
  { shorter, longer }: { readonly shorter: string; readonly longer: string },
): string | null {
  reads = 0;
  const appended = outcome(() => appender.append(prompt, added).text);
  if (longer.startsWith("!") || !longer.startsWith(shorter)) {
    return appended.startsWith("!") ? null : `rendered, and whole ${JSON.stringify(longer)}`;
  }
  if (appended !== longer)
    return `${JSON.stringify(appended)}, and whole ${JSON.stringify(longer)}`;
  return appender.isIncremental && reads > 0 ? `${reads} reads of old messages` : null;
}

const isHere = existsSync(CORPUS);
if (!isHere) console.warn(`skipped: no corpus at ${CORPUS.pathname}, no prompts to go on`);

describe.runIf(isHere)("prompts of real templates that go on", () => {
  it("are those of all messages, and old messages are left alone where that is said", () => {
    const found: string[] = [];
    let [all, incremental] = [0, 0];
    const given = longConversations("jinja");
    for (const file of sample(readdirSync(new URL("templates/", CORPUS)), STEP)) {
      const subject = subjectOf(file);
      if (subject === null) continue;
      all++;
      if (subject.appender.isIncremental) incremental++;
      for (const one of given)
        found.push(...faultOf(subject, one).map((text) => `${file}: ${text}`));
    }
    console.info(`${incremental} of ${all} templates leave old messages alone`);
    expect(found.slice(0, 5)).toEqual([]);
    expect(incremental).toBeGreaterThan(all / 3);
  });
});
