/** The conversations of the corpus, which is other people's and stands beside the repository. */
import { readFileSync } from "node:fs";
import { parseJson } from "../runtime/index.js";
import { isRecord, rawMember } from "../scripts/rows.js";

export interface Conversation {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly messages: readonly unknown[];
}

/** Those of more than one message. */
export function longConversations(language: "jinja" | "go"): readonly Conversation[] {
  const file = new URL(`../../shared/corpus/${language}/conversations.json`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const all: unknown = JSON.parse(text);
  return Object.keys(isRecord(all) ? all : {}).flatMap((name) => {
    const input = parseJson(rawMember(text, name) ?? "");
    const messages: unknown = isRecord(input) ? input["messages"] : undefined;
    const isLong = isRecord(input) && Array.isArray(messages) && messages.length > 1;
    return isLong ? [{ name, input, messages }] : [];
  });
}
