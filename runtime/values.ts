/** How template values are held in JavaScript (docs: the model of values), and the two classes JSON data may need. */

/** Anything that has fields. */
export interface Fields {
  readonly [name: string]: Value;
}

declare const isObject: unique symbol;

/** Fields of an object: no text has all of them, or TypeScript would leave texts out of the type of `a ?? b`. */
export interface ObjectFields extends Fields {
  readonly [isObject]?: never;
}

/** A value of a template: reads on it compile, give a Value again, and narrow by `typeof`. */
export type Value =
  ((string | number | bigint | boolean) & Fields) | (object & ObjectFields) | null | undefined;

/** What generated input types extend: an index signature that interfaces of other packages satisfy too. */
export type Open = Readonly<Record<string, any>>;

/**
 * The same value, typed as a Value: every JavaScript value is one. Bundlers drop calls of a function that only gives its
 * argument.
 */
export function value(v: unknown): Value;
export function value<T>(v: T): T {
  return v;
}

/**
 * The base of the runtime's own classes: none of them is a dict. Each keeps its state in private fields, so that a
 * plain property read finds only what a template may see.
 */
export class Opaque {}

/** A Python float whose value is integral: 1.0, 1e16. Others are plain numbers. */
export class Float extends Opaque {
  readonly #value: number;

  constructor(value: number) {
    super();
    this.#value = value;
  }

  override valueOf(): number {
    return this.#value;
  }
}

/** The float as a value: a Float if it is integral, which a plain number could not tell from an int. */
export function float(n: number): number | Float {
  return Number.isInteger(n) && !Object.is(n, -0) ? new Float(n) : n;
}

/**
 * A dict whose order or keys a plain object cannot keep: integer-like keys, keys that are no text. Its text keys are
 * own properties, so plain reads work on it; order and other keys are private.
 */
export class OrderedDict {
  readonly [name: string]: unknown;
  readonly #keys = new Map<unknown, unknown>();
  readonly #others = new Map<unknown, unknown>();

  /** All keys, in Python's order, by their canonical form: of equal ones the first. */
  static keys(dict: OrderedDict): Map<unknown, unknown> {
    return dict.#keys;
  }

  /** The values of the keys that are no text, by the canonical form of the key. */
  static others(dict: OrderedDict): Map<unknown, unknown> {
    return dict.#others;
  }
}

/** Sets a text key; `shown` is the key as it prints, which may be Markup. */
export function setText(
  dict: OrderedDict,
  key: string,
  value: unknown,
  shown: unknown = key,
): void {
  addKey(dict, key, shown);
  Object.defineProperty(dict, key, property(value));
}

/** Sets another key; `canonical` is the same for keys that Python takes as equal. */
export function setOther(
  dict: OrderedDict,
  key: unknown,
  canonical: unknown,
  value: unknown,
): void {
  addKey(dict, canonical, key);
  OrderedDict.others(dict).set(canonical, value);
}

function addKey(dict: OrderedDict, canonical: unknown, key: unknown): void {
  const keys = OrderedDict.keys(dict);
  if (!keys.has(canonical)) keys.set(canonical, key);
}

function property(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

/** Whether the key is one that JavaScript would move to the front of a plain object. */
export function isIndexKey(key: string): boolean {
  const first = key.charCodeAt(0);
  if (first < 48 || first > 57 || key.length > 10) {
    return false;
  }
  const index = Number(key);
  return index < 4294967295 && String(index) === key;
}

/** Whether the object is a dict: anything but a list and the runtime's own classes. */
export function isDict(v: unknown): v is Readonly<Record<string, unknown>> {
  return typeof v === "object" && v !== null && !Array.isArray(v) && !(v instanceof Opaque);
}

/** Whether the value is a dict as JSON.parse makes it: most are, and this is the fastest test. */
export function isPlain(v: unknown): v is object & Fields {
  return value(v)?.constructor === Object;
}

/** Sets an own property of a dict under construction, `__proto__` included. */
export function setField(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, property(value));
  } else {
    target[key] = value;
  }
}
