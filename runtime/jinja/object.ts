/** Python's `object`: what the runtime's own classes answer where they say nothing else. */
import {
  CONTAINS,
  EQUALS,
  ITERATE,
  LENGTH,
  PythonObject,
  REPR,
  SEQUENCE,
  STR,
  TEXT,
  TRUTH,
  TYPE,
  type Equality,
} from "./protocol.js";
import { failIn } from "./types.js";

/** Where every object seems to be: an address as CPython on Linux prints it. */
export const ADDRESS = "0x7f0000000000";

/** The base of all classes of PythonObject. */
export class BaseObject extends PythonObject {
  readonly [TYPE]: string;

  /** `type` is the class with its module, "jinja2.utils.Cycler"; builtins have none. */
  constructor(type: string) {
    super();
    this[TYPE] = type;
  }

  [TRUTH](): boolean {
    return this[LENGTH]() !== 0;
  }

  [LENGTH](): number | null {
    return null;
  }

  [REPR](): string {
    return `<${this[TYPE]} object at ${ADDRESS}>`;
  }

  [STR](): string {
    return this[REPR]();
  }

  [TEXT](): string | null {
    return null;
  }

  [ITERATE](_place: string): Iterator<unknown> | null {
    return null;
  }

  [EQUALS](other: unknown): boolean {
    return this === other;
  }

  [CONTAINS](needle: unknown, place: string, equal: Equality): boolean {
    const iterator = this[ITERATE](place) ?? failIn(this, place);
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      if (equal(next.value, needle)) return true;
    }
    return false;
  }

  [SEQUENCE](): boolean {
    return false;
  }
}
