/** Builtin functions and bound methods as values. */
import { CALL, CALLABLE, PythonObject, REPR } from "./protocol.js";
import type { Keywords } from "./protocol.js";

/** What a builtin does with its arguments. */
export type Body = (args: readonly unknown[], kwargs: Keywords, place: string) => unknown;

/** A function that is a value: a bound method, a global. */
export class Method extends PythonObject {
  readonly #body: Body;
  readonly #description: string;

  constructor(description: string, body: Body, type = "builtin_function_or_method") {
    super(type);
    this.#body = body;
    this.#description = description;
  }

  override [REPR](): string {
    return `<${this.#description}>`;
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    return this.#body(args, kwargs, place);
  }
}
