/** The global functions of Jinja2's sandbox and of transformers' chat templates. */
import { bind, bindNative } from "./jinja-arguments.js";
import { momentOf, strftime } from "./jinja-clock.js";
import { dictFromKeys } from "./jinja-methods.js";
import { lipsum } from "./jinja-lipsum.js";
import { checkNamespaceName } from "./jinja-namespace.js";
import { iterate, listOf, requireWhole } from "./jinja-operators.js";
import { failUndefined, text } from "./jinja-text.js";
import {
  ADDRESS,
  bool,
  Instance,
  int,
  Namespace,
  NONE,
  PyDict,
  PyFunction,
  PyRange,
  PyStr,
  raise,
  str,
  PyTuple,
  Undefined,
} from "./jinja-values.js";
import type { Kwargs, NativeBody, Value } from "./jinja-values.js";

const transformers = "transformers.utils.chat_template_utils";
const compileName = "_cached_compile_jinja_template.<locals>";

function pythonFunction(name: string, body: NativeBody): PyFunction {
  return new PyFunction("function", name, `<function ${name} at ${ADDRESS}>`, body);
}

function pythonClass(module: string, name: string, body: NativeBody): PyFunction {
  return new PyFunction("type", name, `<class '${module}.${name}'>`, body);
}

// ---------------------------------------------------------------- range

const MAX_RANGE = 100000n;

/** The sandbox's `safe_range`. */
function range(args: readonly Value[], kwargs: Kwargs): Value {
  for (const key of kwargs.keys()) {
    raise("TypeError", `safe_range() got an unexpected keyword argument '${key}'`);
  }
  bindNative("", "range", { kind: "fast", least: 1, most: 3 }, args, kwargs);
  const numbers = args.map((arg) => requireWhole(arg));
  const [first = 0n, second, step = 1n] = numbers;
  if (step === 0n) raise("ValueError", "range() arg 3 must not be zero");
  const made = second === undefined ? new PyRange(0n, first, 1n) : new PyRange(first, second, step);
  if (made.length >= 1n << 63n) {
    raise("OverflowError", "Python int too large to convert to C ssize_t");
  }
  if (made.length > MAX_RANGE) {
    const limit = `ranges larger than MAX_RANGE (${MAX_RANGE}).`;
    raise("OverflowError", `Range too big. The sandbox blocks ${limit}`);
  }
  return made;
}

// ---------------------------------------------------------------- dict and namespace

function pairOf(item: Value, at: number): readonly [Value, Value] {
  let parts: Value[];
  try {
    parts = listOf(item);
  } catch (error) {
    if (item instanceof Undefined) throw error;
    return raise(
      "TypeError",
      `cannot convert dictionary update sequence element #${at} to a sequence`,
    );
  }
  const [key, value] = parts;
  if (key === undefined || value === undefined || parts.length !== 2) {
    const found = `has length ${parts.length}; 2 is required`;
    raise("ValueError", `dictionary update sequence element #${at} ${found}`);
  }
  return [key, value];
}

/** Python's `dict(mapping or pairs, **names)`. */
function makeDict(args: readonly Value[], kwargs: Kwargs): PyDict {
  if (args.length > 1) raise("TypeError", `dict expected at most 1 argument, got ${args.length}`);
  const dict = new PyDict();
  const [source] = args;
  // dict() asks an object for its keys, which an Undefined refuses.
  if (source instanceof Undefined) failUndefined(source);
  if (source instanceof PyDict) {
    for (const { key, value } of source.entries.values()) dict.set(key, value);
  } else if (source !== undefined) {
    const items = iterate(source);
    for (let at = 0, step = items.next(); step.done !== true; at++, step = items.next()) {
      dict.set(...pairOf(step.value, at));
    }
  }
  for (const [key, value] of kwargs) dict.set(str(key), value);
  return dict;
}

function namespace(args: readonly Value[], kwargs: Kwargs): Value {
  const attributes = makeDict(args, kwargs);
  for (const name of attributes.keys()) checkNamespaceName(name);
  return new Namespace(attributes);
}

function templateDict(): Instance {
  const className = `${compileName}.TemplateDict`;
  const representation = `<${transformers}.${className} object at ${ADDRESS}>`;
  const fromKeys = new PyFunction(
    "method",
    "fromkeys",
    `<bound method ${className}.fromkeys of ${representation}>`,
    (args, kwargs) =>
      dictFromKeys(
        bindNative("dict", "fromkeys", { kind: "fast", least: 1, most: 2 }, args, kwargs),
      ),
  );
  return new Instance(transformers, "TemplateDict", {
    representation,
    attribute: (name) => (name === "fromkeys" ? fromKeys : undefined),
    body: (args, kwargs) => {
      if (kwargs.has("self")) {
        raise("TypeError", `${className}.__call__() got multiple values for argument 'self'`);
      }
      return makeDict(args, kwargs);
    },
  });
}

// ---------------------------------------------------------------- cycler and joiner

/** A method of a cycler. */
function method(name: string, body: () => Value): PyFunction {
  const representation = `<bound method ${name} of <jinja2.utils.Cycler object at ${ADDRESS}>>`;
  return new PyFunction("method", name, representation, (args, kwargs) => {
    bind({ name, parameters: "", implicit: 1 }, args, kwargs);
    return body();
  });
}

function cycler(args: readonly Value[], kwargs: Kwargs): Value {
  for (const key of kwargs.keys()) {
    raise("TypeError", `Cycler.__init__() got an unexpected keyword argument '${key}'`);
  }
  if (args.length === 0) raise("RuntimeError", "at least one item has to be provided");
  let position = 0;
  const current = (): Value => args[position] ?? NONE;
  const next = method("Cycler.next", () => {
    const item = current();
    position = (position + 1) % args.length;
    return item;
  });
  const reset = method("Cycler.reset", () => {
    position = 0;
    return NONE;
  });
  return new Instance("jinja2.utils", "Cycler", {
    attribute: (name) => {
      if (name === "current") return current();
      if (name === "pos") return int(position);
      if (name === "items") return new PyTuple(args);
      return name === "next" ? next : name === "reset" ? reset : undefined;
    },
  });
}

function joiner(args: readonly Value[], kwargs: Kwargs): Value {
  const signature = { name: "Joiner.__init__", parameters: "sep?", implicit: 1 };
  const [separator = str(", ")] = bind(signature, args, kwargs);
  let used = false;
  return new Instance("jinja2.utils", "Joiner", {
    attribute: (name) => (name === "sep" ? separator : name === "used" ? bool(used) : undefined),
    body: (given, named) => {
      bind({ name: "Joiner.__call__", parameters: "", implicit: 1 }, given, named);
      const result = used ? separator : str("");
      used = true;
      return result;
    },
  });
}

// ---------------------------------------------------------------- transformers

function raiseException(args: readonly Value[], kwargs: Kwargs): Value {
  const signature = { name: `${compileName}.raise_exception`, parameters: "message" };
  const [message = NONE] = bind(signature, args, kwargs);
  return raise("TemplateError", text(message));
}

const strftimeNow: NativeBody = (args, kwargs, context) => {
  const signature = { name: `${compileName}.strftime_now`, parameters: "format" };
  const [format = NONE] = bind(signature, args, kwargs);
  if (!(format instanceof PyStr)) {
    raise("TypeError", `strftime() argument 1 must be str, not ${format.typeName}`);
  }
  if (!format.text.isWellFormed()) {
    raise("UnicodeEncodeError", "'utf-8' codec can't encode: surrogates not allowed");
  }
  return str(strftime(format.text, momentOf(context.now), true));
};

/** A fresh table for each render. */
export function makeGlobals(): Map<string, Value> {
  return new Map<string, Value>([
    ["range", pythonFunction("safe_range", range)],
    ["dict", templateDict()],
    ["lipsum", pythonFunction("generate_lorem_ipsum", lipsum)],
    ["cycler", pythonClass("jinja2.utils", "Cycler", cycler)],
    ["joiner", pythonClass("jinja2.utils", "Joiner", joiner)],
    ["namespace", pythonClass(transformers, `${compileName}.TemplateNamespace`, namespace)],
    ["raise_exception", pythonFunction(`${compileName}.raise_exception`, raiseException)],
    ["strftime_now", pythonFunction(`${compileName}.strftime_now`, strftimeNow)],
  ]);
}
