/** Tool calls and their results: ids where the request has none, names where it has only ids, arguments. */
import { json } from "../../jinja/json.js";
import { parseJson } from "../../json.js";
import type { TemplateMeta } from "../../index.js";
import { isDict } from "../../values.js";
import type { Call, Turn } from "./conversation.js";
import { refuse, type Dict } from "./fields.js";

const NINE = /^[a-zA-Z0-9]{9}$/;

/** Which ids calls get: those they have, those and new ones where there is none, or only such of nine signs. */
type IdForm = "given" | "any" | "nine";

/** The turns with ids for calls and their results, and the tool's name for every result whose call is there. */
export function withIds(turns: readonly Turn[], form: IdForm): readonly Turn[] {
  const ids = new CallIds(form);
  return turns.map((turn) => ids.turn(turn));
}

class CallIds {
  readonly #form: IdForm;
  readonly #new = new Map<string, string>();
  /** Calls whose result has not come yet. */
  #open: { readonly id: string; readonly name: string }[] = [];
  readonly #names = new Map<string, string>();
  #count = 0;

  constructor(form: IdForm) {
    this.#form = form;
  }

  turn(turn: Turn): Turn {
    const { calls } = turn;
    if (calls !== undefined) return { ...turn, calls: calls.map((call) => this.#call(call)) };
    return turn.role === "tool" ? this.#result(turn) : turn;
  }

  #call(call: Call): Call {
    if (call.id === undefined && this.#form === "given") return call;
    const id = call.id === undefined ? this.#next() : this.#taken(call.id);
    this.#open.push({ id, name: call.name });
    this.#names.set(id, call.name);
    return { ...call, id };
  }

  /** A result without an id is that of the first open call of its name, or of the first open call. */
  #result(turn: Turn): Turn {
    const { callId, name } = turn;
    const open = this.#open.find((call) => name === undefined || call.name === name);
    const id = callId === undefined ? open?.id : this.#taken(callId);
    this.#open = this.#open.filter((call) => call.id !== id);
    const known = id === undefined ? undefined : this.#names.get(id);
    return { ...turn, callId: id, name: name ?? known };
  }

  #taken(id: string): string {
    if (this.#form !== "nine" || NINE.test(id)) return id;
    const known = this.#new.get(id) ?? this.#next();
    this.#new.set(id, known);
    return known;
  }

  /** Nine letters and digits, which every template takes. */
  #next(): string {
    return `call${String(++this.#count).padStart(5, "0")}`;
  }
}

/** A call's arguments in the form that the template reads. */
export function argumentsFor(call: Call, { capabilities }: TemplateMeta): unknown {
  const { arguments: args } = call;
  if (capabilities.arguments === "text") {
    return typeof args === "string" ? args : jsonText(args ?? {}, `${call.path}.arguments`);
  }
  const object = objectOf(args);
  if (object !== undefined) return object;
  return capabilities.arguments === "both" && typeof args === "string" ? args : noObject(call);
}

/** A call's arguments as an object. */
export function objectArguments(call: Call): Dict {
  return objectOf(call.arguments) ?? noObject(call);
}

function noObject({ path }: Call): never {
  return refuse(`${path}.arguments`, "the arguments of a call are an object, or its JSON text");
}

/** JSON text is read without loss; no text at all is how some models call a function without parameters. */
function objectOf(args: unknown): Dict | undefined {
  if (args === undefined || args === null || args === "") return {};
  const read = typeof args === "string" ? parsed(args) : args;
  return isDict(read) ? read : undefined;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** JSON as transformers' tojson spells it, which is how templates show models arguments; a RenderError where it has none. */
export function jsonText(v: unknown, path: string): string {
  try {
    return json(v);
  } catch (error) {
    return refuse(path, error instanceof Error ? error.message : "this is no JSON");
  }
}
