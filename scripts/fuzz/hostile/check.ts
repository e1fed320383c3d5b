/** What a render on a hostile input may do: give a text or throw a RenderError, and leave the input alone. */
import { isDeepStrictEqual } from "node:util";
import { RenderError } from "../../../runtime/index.js";

/** Renders so; undefined where that is as promised, else what was wrong. */
export function wrongOf(render: (input: object) => unknown, input: object): string | undefined {
  const before = described(input);
  const first = outcomeOf(render, input);
  if (typeof first !== "string") return first.wrong;
  if (described(input) !== before) return "the input was changed";
  const second = outcomeOf(render, input);
  return isDeepStrictEqual(first, second)
    ? undefined
    : `then ${JSON.stringify(second)}, first ${JSON.stringify(first)}`;
}

function outcomeOf(render: (input: object) => unknown, input: object): string | { wrong: string } {
  try {
    const text = render(input);
    return typeof text === "string" ? `text ${text}` : { wrong: `gives a ${typeof text}` };
  } catch (error) {
    if (error instanceof RenderError) return `${error.phase} ${error.type} ${error.message}`;
    return { wrong: `throws ${nameOf(error)}` };
  }
}

function nameOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : String(error);
  } catch {
    return "what cannot be printed";
  }
}

/** The data of an input as text, by descriptors: no getter and no trap of it is asked. */
export function described(value: unknown): string {
  const seen = new Map<object, number>();
  const parts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) {
      parts.push(
        typeof next === "symbol" || typeof next === "function"
          ? typeof next
          : `${typeof next} ${String(next)}`,
      );
      continue;
    }
    const known = seen.get(next);
    parts.push(known === undefined ? "object" : `object ${String(known)}`);
    if (known !== undefined) continue;
    seen.set(next, seen.size);
    for (const [name, field] of fieldsOf(next)) {
      parts.push(name);
      open.push(field);
    }
  }
  return parts.join("\n");
}

function fieldsOf(object: object): readonly (readonly [string, unknown])[] {
  try {
    const fields = Object.entries(Object.getOwnPropertyDescriptors(object));
    return fields.map(([name, { value }]: [string, PropertyDescriptor]) => [name, value]);
  } catch {
    return [];
  }
}
