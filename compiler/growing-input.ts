/** What a render reads of a conversation that grows: of old messages nothing is looked at again. */
import { isMerged } from "../runtime/go/values.js";
import { runtimeOf } from "./engines.js";
import { runtimeName, type IntrinsicName } from "./ir/intrinsics.js";
import type { Module } from "./ir/nodes.js";

export type Data = Readonly<Record<string, unknown>>;

/** How requests become what the template's rules read, once for the first messages and again for those that follow. */
export interface GrowingInput {
  /** Of a whole request; null: more messages would change what stands before them. */
  readonly start: (request: Data) => Data | null;
  /** With more messages behind those that were there; null: they change what stands before them. */
  readonly grown: (before: Data, more: readonly unknown[]) => Data | null;
}

/** The input of a module whose prompts can go on. */
export function growingInput({ dialect, prepare }: Module): GrowingInput {
  if (prepare === null) return AS_GIVEN;
  const collated = preparation(runtimeOf(dialect)[runtimeName(prepare)], prepare);
  return {
    start: (request) => (endsWithMessages(request) ? attempted(() => collated(request)) : null),
    grown: (before, more) => {
      const next = attempted(() => collated({ messages: more }));
      if (next === null) return null;
      const [old, added] = [listOf(before["messages"]), listOf(next["messages"])];
      return changesOld(old, added) ? null : { ...before, messages: [...old, ...added] };
    },
  };
}

const AS_GIVEN: GrowingInput = {
  start: (request) => request,
  grown: (before, more) => ({ ...before, messages: [...listOf(before["messages"]), ...more] }),
};

function preparation(rule: unknown, name: IntrinsicName): (request: Data) => Data {
  if (typeof rule !== "function") throw new TypeError(`the runtime has no ${name}`);
  return (request) => {
    const made: unknown = Reflect.apply(rule, undefined, [request]);
    return isData(made) ? made : {};
  };
}

/** `prompt` and `response` become messages behind all others (Ollama's handlers, server/routes.go). */
function endsWithMessages(request: Data): boolean {
  return [request["prompt"], request["response"]].every(
    (text) => text === undefined || text === null || text === "",
  );
}

/** Null where what is given is refused: the render of the whole request says why, and which message of all it is. */
function attempted<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** Whether more messages change what is before them: one is merged with it, or joins the system text before all. */
function changesOld(old: readonly unknown[], added: readonly unknown[]): boolean {
  const isOldMerged = isMerged(roleOf(old.at(-1)), roleOf(added[0]));
  return isOldMerged || added.some((message) => roleOf(message) === "system");
}

function roleOf(message: unknown): unknown {
  return isData(message) ? message["role"] : undefined;
}

export function isData(data: unknown): data is Data {
  return typeof data === "object" && data !== null && !Array.isArray(data);
}

export function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}
