/**
 * The values that a template sees, one class for each Python type that CPython, Jinja2 or transformers would
 * create. They are written for obviousness: nothing here is fast, and nothing is taken from the product.
 */

/** What a render raises: Python's exception type and its exact text. */
export class InterpreterError extends Error {
  readonly phase = "render";
  /** The name of the Python exception class. */
  readonly type: string;
  /** The template line of the innermost template function; the executor fills it in. */
  line?: number;

  constructor(type: string, message: string) {
    super(message);
    this.name = "InterpreterError";
    this.type = type;
  }
}

export function raise(type: string, message: string): never {
  throw new InterpreterError(type, message);
}

/** Python's `except (A, B)` for the exception types that have no subclasses of interest. */
export function isError(error: unknown, ...types: readonly string[]): error is InterpreterError {
  return error instanceof InterpreterError && types.includes(error.type);
}

abstract class PyObject {
  /** `type(x).__name__`. */
  abstract readonly typeName: string;
  /** `type(x).__module__`. */
  readonly module: string = "builtins";
}

/** An object whose representation depends on its state. */
export abstract class Described extends PyObject {
  abstract repr(): string;
}

export type Value = PyObject;
export type Kwargs = Map<string, Value>;

export class PyNone extends PyObject {
  readonly typeName = "NoneType";
}
export const NONE = new PyNone();

export class PyInt extends PyObject {
  readonly typeName: string = "int";
  readonly value: bigint;

  constructor(value: bigint | number) {
    super();
    this.value = BigInt(value);
  }
}

/** In Python a bool is an int. */
export class PyBool extends PyInt {
  override readonly typeName = "bool";
}
export const TRUE = new PyBool(1n);
export const FALSE = new PyBool(0n);

export function bool(value: boolean): PyBool {
  return value ? TRUE : FALSE;
}

export class PyFloat extends PyObject {
  readonly typeName = "float";
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }
}

/** Only a negative number to a broken power is complex; a template can do no more than print it. */
export class PyComplex extends PyObject {
  readonly typeName = "complex";
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    super();
    this.real = real;
    this.imaginary = imaginary;
  }
}

export class PyBytes extends PyObject {
  readonly typeName = "bytes";
  readonly values: readonly number[];

  constructor(values: readonly number[]) {
    super();
    this.values = values;
  }

  /** A text with a character for each byte. */
  get octets(): string {
    return this.values.map((byte) => String.fromCharCode(byte)).join("");
  }
}

export class PyStr extends PyObject {
  readonly typeName: string = "str";
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }
}

/** markupsafe's Markup: a str that is already escaped. */
export class Markup extends PyStr {
  override readonly typeName = "Markup";
  override readonly module = "markupsafe";
}

export class PyList extends PyObject {
  readonly typeName = "list";
  readonly items: Value[];

  constructor(items: Value[]) {
    super();
    this.items = items;
  }
}

export class PyTuple extends PyObject {
  readonly typeName: string = "tuple";
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }
}

/** The pairs of `groupby`: a tuple with the names `grouper` and `list`. */
export class GroupTuple extends PyTuple {
  override readonly typeName = "_GroupTuple";
  override readonly module = "jinja2.filters";
}

/** A slice object, which only a subscript inside a tuple or a folded constant creates. */
export class PySlice extends PyObject {
  readonly typeName = "slice";
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;

  constructor(start: Value, stop: Value, step: Value) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

/** A dict keeps its keys in order; the hash key of a key decides which keys are the same. */
export class PyDict extends PyObject {
  readonly typeName: string = "dict";
  readonly entries = new Map<string, { readonly key: Value; value: Value }>();

  get(key: Value): Value | undefined {
    return this.entries.get(hashKey(key))?.value;
  }

  /** Replacing a value keeps the first key, as CPython does. */
  set(key: Value, value: Value): void {
    const hash = hashKey(key);
    const entry = this.entries.get(hash);
    if (entry === undefined) this.entries.set(hash, { key, value });
    else entry.value = value;
  }

  getText(key: string): Value | undefined {
    return this.get(new PyStr(key));
  }

  keys(): Value[] {
    return [...this.entries.values()].map((entry) => entry.key);
  }

  values(): Value[] {
    return [...this.entries.values()].map((entry) => entry.value);
  }

  pairs(): PyTuple[] {
    return [...this.entries.values()].map((entry) => new PyTuple([entry.key, entry.value]));
  }
}

/** What views give as their mapping. */
export class MappingProxy extends PyDict {
  override readonly typeName = "mappingproxy";

  constructor(dict: PyDict) {
    super();
    for (const { key, value } of dict.entries.values()) this.set(key, value);
  }
}

export type ViewKind = "dict_keys" | "dict_values" | "dict_items";

export class DictView extends PyObject {
  readonly typeName: ViewKind;
  readonly dict: PyDict;

  constructor(typeName: ViewKind, dict: PyDict) {
    super();
    this.typeName = typeName;
    this.dict = dict;
  }

  items(): Value[] {
    if (this.typeName === "dict_keys") return this.dict.keys();
    return this.typeName === "dict_values" ? this.dict.values() : this.dict.pairs();
  }
}

/** A set: its members by their hash keys. */
export class PySet extends PyObject {
  readonly typeName = "set";
  readonly members = new Map<string, Value>();
}

export class PyRange extends PyObject {
  readonly typeName = "range";
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;

  constructor(start: bigint, stop: bigint, step: bigint) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  get length(): bigint {
    const distance = this.step > 0n ? this.stop - this.start : this.start - this.stop;
    const step = this.step > 0n ? this.step : -this.step;
    return distance <= 0n ? 0n : (distance + step - 1n) / step;
  }

  at(index: bigint): PyInt {
    return new PyInt(this.start + index * this.step);
  }
}

/** Where every object seems to be: an address as CPython on Linux prints it. */
export const ADDRESS = "0x7f0000000000";

/** A generator or another one-pass iterator; `typeName` says which of Python's. */
export class PyIterator extends PyObject {
  readonly typeName: string;
  readonly name: string;
  readonly iterator: Iterator<Value>;
  isStarted = false;
  isClosed = false;

  constructor(typeName: string, name: string, iterator: Iterator<Value>) {
    super();
    this.typeName = typeName;
    this.name = name;
    const next = (): IteratorResult<Value> => {
      this.isStarted = true;
      return this.isClosed ? { done: true, value: undefined } : iterator.next();
    };
    this.iterator = { next };
  }
}

/** Jinja2's sentinel for a local without a value. */
export class MissingType extends PyObject {
  readonly typeName = "_MissingType";
  override readonly module = "jinja2.utils";
}
export const MISSING = new MissingType();

/** Jinja2's Undefined: prints as nothing, and remembers why it is undefined. */
export class Undefined extends PyObject {
  readonly typeName = "Undefined";
  override readonly module = "jinja2.runtime";
  readonly hint: string | null;
  readonly object: Value;
  readonly key: Value;
  readonly exception: string;

  constructor(from: { hint?: string; object?: Value; key?: Value; exception?: string }) {
    super();
    this.hint = from.hint ?? null;
    this.object = from.object ?? MISSING;
    this.key = from.key ?? NONE;
    this.exception = from.exception ?? "UndefinedError";
  }
}

export function undefinedName(name: string): Undefined {
  return new Undefined({ key: new PyStr(name) });
}

/** transformers' TemplateNamespace. */
export class Namespace extends PyObject {
  readonly typeName = "TemplateNamespace";
  override readonly module = "transformers.utils.chat_template_utils";
  readonly attributes: PyDict;
  /** Python's repr() notes what it is in the middle of. */
  isShown = false;

  constructor(attributes: PyDict) {
    super();
    this.attributes = attributes;
  }
}

/** What a callable may need of the render that calls it. */
export interface CallContext {
  /** The autoescape setting at this moment. */
  readonly autoescape: boolean;
  readonly now: string | undefined;
}

export type NativeBody = (args: readonly Value[], kwargs: Kwargs, context: CallContext) => Value;

/** A function, a builtin, a bound method or a class, by `typeName`. */
export class PyFunction extends PyObject {
  readonly typeName: string;
  readonly name: string;
  readonly representation: string;
  readonly body: NativeBody;
  /** The object that a method is bound to. */
  readonly self: Value | null;

  constructor(
    typeName: string,
    name: string,
    representation: string,
    body: NativeBody,
    self: Value | null = null,
  ) {
    super();
    this.typeName = typeName;
    this.name = name;
    this.representation = representation;
    this.body = body;
    this.self = self;
  }
}

/** An object of a Python class that Jinja2 or transformers define, with the attributes a template can reach. */
export class Instance extends PyObject {
  readonly typeName: string;
  override readonly module: string;
  /** What `repr` gives; null for Python's default with an address. */
  readonly representation: string | null;
  readonly attribute: (name: string) => Value | undefined;
  readonly item: ((key: Value) => Value) | null;
  readonly body: NativeBody | null;

  constructor(
    module: string,
    typeName: string,
    parts: {
      representation?: string;
      attribute?: (name: string) => Value | undefined;
      item?: (key: Value) => Value;
      body?: NativeBody;
    },
  ) {
    super();
    this.module = module;
    this.typeName = typeName;
    this.representation = parts.representation ?? null;
    this.attribute = parts.attribute ?? (() => undefined);
    this.item = parts.item ?? null;
    this.body = parts.body ?? null;
  }
}

/** A macro, and the `caller` of a call block. */
export class Macro extends PyObject {
  readonly typeName = "Macro";
  override readonly module = "jinja2.runtime";
  readonly name: string | null;
  readonly parameters: readonly string[];
  readonly catchKwargs: boolean;
  readonly catchVarargs: boolean;
  readonly usesCaller: boolean;
  readonly defaultAutoescape: boolean;
  /** Runs the body with the arguments in Jinja2's order. */
  readonly run: (args: readonly Value[]) => string;

  constructor(parts: {
    name: string | null;
    parameters: readonly string[];
    catchKwargs: boolean;
    catchVarargs: boolean;
    usesCaller: boolean;
    defaultAutoescape: boolean;
    run: (args: readonly Value[]) => string;
  }) {
    super();
    this.name = parts.name;
    this.parameters = parts.parameters;
    this.catchKwargs = parts.catchKwargs;
    this.catchVarargs = parts.catchVarargs;
    this.usesCaller = parts.usesCaller;
    this.defaultAutoescape = parts.defaultAutoescape;
    this.run = parts.run;
  }
}

// ---------------------------------------------------------------- text and hashing

/** Python's strings are sequences of code points. */
export function chars(text: string): string[] {
  return Array.from(text);
}

export function str(text: string): PyStr {
  return new PyStr(text);
}

export function int(value: number | bigint): PyInt {
  return new PyInt(value);
}

const identities = new WeakMap<Value, number>();
let lastIdentity = 0;

function identityOf(value: Value): number {
  let identity = identities.get(value);
  if (identity === undefined) identities.set(value, (identity = ++lastIdentity));
  return identity;
}

/** Two values get the same text exactly when Python holds them for the same dict key. */
export function hashKey(value: Value): string {
  if (value instanceof PyInt) return `number ${value.value}`;
  if (value instanceof PyFloat) {
    if (Number.isInteger(value.value)) return `number ${BigInt(value.value)}`;
    return Number.isNaN(value.value) ? `nan ${identityOf(value)}` : `number ${value.value}`;
  }
  if (value instanceof PyComplex) {
    return value.imaginary === 0
      ? hashKey(new PyFloat(value.real))
      : `complex ${value.real + 0} ${value.imaginary}`;
  }
  if (value instanceof PyStr) return `text ${value.text}`;
  if (value instanceof PyTuple) {
    const keys = value.items.map((item) => hashKey(item));
    return `tuple ${keys.map((key) => `${key.length}:${key}`).join("")}`;
  }
  if (value instanceof PyBytes) return `bytes ${value.values.join()}`;
  if (value instanceof Undefined) return "undefined";
  if (value instanceof PyRange) {
    const { length } = value;
    const start = length > 0n ? value.start : 0n;
    return `range ${length} ${start} ${length > 1n ? value.step : 0n}`;
  }
  const unhashable =
    value instanceof PyList ||
    value instanceof PyDict ||
    value instanceof PySet ||
    value instanceof PySlice ||
    (value instanceof DictView && value.typeName !== "dict_values");
  if (unhashable) raise("TypeError", `unhashable type: '${value.typeName}'`);
  return `object ${identityOf(value)}`;
}
