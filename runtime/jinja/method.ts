/** Builtin functions and bound methods as values. */
import { ADDRESS, BaseObject } from "./object.js";
import { CALL, CALLABLE, EQUALS, PythonObject, REPR, TYPE } from "./protocol.js";
import type { Keywords } from "./protocol.js";

/** What a builtin does with its arguments. */
export type Body = (args: readonly unknown[], kwargs: Keywords, place: string) => unknown;

/** A function that is a value: a bound method, a global. */
export class Method extends BaseObject {
  readonly #body: Body;
  readonly #description: string;
  #owner: unknown = undefined;

  constructor(description: string, body: Body, type = "builtin_function_or_method") {
    super(type);
    this.#body = body;
    this.#description = description;
  }

  /** What an object gives as its attribute: a method that is bound to nothing yet is bound to the object. */
  static override bind(attribute: unknown, owner: unknown): unknown {
    if (attribute instanceof Method && attribute.#owner === undefined) attribute.#owner = owner;
    return attribute;
  }

  /** Python makes a bound method anew for each access: those of one name and one object are equal. */
  override [EQUALS](other: unknown): boolean {
    if (this === other || !(other instanceof Method) || this.#owner === undefined) {
      return this === other;
    }
    return this.#owner === other.#owner && this.#description === other.#description;
  }

  override [REPR](): string {
    switch (this[TYPE]) {
      case "type":
        return `<${this.#description}>`;
      case "method":
        return `<bound method ${this.#description} of ${this.#ownersText()}>`;
      default:
        return `<${this.#description} at ${ADDRESS}>`;
    }
  }

  /** Only classes that Python code defines have bound methods. */
  #ownersText(): string {
    return this.#owner instanceof PythonObject ? this.#owner[REPR]() : "";
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    return this.#body(args, kwargs, place);
  }
}
