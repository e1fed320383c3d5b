/** `getattr` on every type, and the sandbox's rules about what a template may reach (jinja2/sandbox.py). */
import { bindNative } from "./jinja-arguments.js";
import { formatTemplate } from "./jinja-format.js";
import { Loop } from "./jinja-loop.js";
import { objectMethod } from "./jinja-methods.js";
import { textMethod } from "./jinja-str-methods.js";
import { subscript } from "./jinja-operators.js";
import { failUndefined, repr, textRepr } from "./jinja-text.js";
import {
  ADDRESS,
  bool,
  DictView,
  FALSE,
  GroupTuple,
  Instance,
  int,
  isError,
  Macro,
  Markup,
  Namespace,
  NONE,
  PyComplex,
  MappingProxy,
  PyDict,
  PyFloat,
  PyFunction,
  PyInt,
  PyIterator,
  PyList,
  PyNone,
  PyRange,
  PySet,
  PySlice,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";
import { truth } from "./jinja-operators.js";

/** Every object has these. */
const objectNames =
  "class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr setattr sizeof str subclasshook";
const numberNames =
  "abs add bool divmod float floordiv getnewargs int mod mul neg pos pow radd rdivmod rfloordiv rmod rmul round rpow rsub rtruediv sub truediv trunc ceil floor";
const setNames = "and contains iter len or rand reversed ror rsub rxor sub xor";
const iteratorNames = "iter length_hint next setstate";

/** The other names between double underscores that a type has; all of them are unsafe. */
const dunderNames: Readonly<Record<string, string>> = {
  str: "add contains getitem getnewargs iter len mod mul rmod rmul",
  Markup:
    "add contains getitem getnewargs iter len mod mul rmod rmul html html_format module radd slots",
  int: `${numberNames} and index invert lshift or rand rlshift ror rrshift rshift rxor xor`,
  bool: `${numberNames} and index invert lshift or rand rlshift ror rrshift rshift rxor xor`,
  float: `${numberNames} getformat`,
  list: "add class_getitem contains delitem getitem iadd imul iter len mul reversed rmul setitem",
  tuple: "add class_getitem contains getitem getnewargs iter len mul rmul",
  _GroupTuple:
    "add class_getitem contains getitem getnewargs iter len mul rmul annotations match_args module orig_bases slots",
  dict: "class_getitem contains delitem getitem ior iter len or reversed ror setitem",
  mappingproxy: "class_getitem contains getitem ior iter len or reversed ror",
  NoneType: "bool",
  range: "bool contains getitem iter len reversed",
  dict_keys: setNames,
  dict_items: setNames,
  dict_values: "iter len reversed",
  set: `${setNames} class_getitem iand ior isub ixor`,
  bytes: "add bytes contains getitem getnewargs iter len mod mul rmod rmul",
  complex:
    "abs add bool complex getnewargs mul neg pos pow radd rmul rpow rsub rtruediv sub truediv",
  generator: "del iter name next qualname",
  function:
    "annotations builtins call closure code defaults dict get globals kwdefaults module name qualname",
  builtin_function_or_method: "call module name qualname self text_signature",
  method: "call func self",
  list_reverseiterator: iteratorNames,
  reversed: iteratorNames,
  range_iterator: iteratorNames,
  dict_reversekeyiterator: "iter length_hint next",
  type: "abstractmethods annotations base bases basicsize call dict dictoffset flags instancecheck itemsize module mro name or prepare qualname ror subclasscheck subclasses text_signature weakref weakrefoffset",
  LoopContext: "annotations call dict iter len module next weakref",
  Macro: "call dict module weakref",
  TemplateReference: "dict getitem module weakref",
  BlockReference: "call dict module weakref",
  Cycler: "dict module next weakref",
  Joiner: "call dict module weakref",
  TemplateDict: "call dict module weakref",
  Undefined:
    "add aiter bool call complex div float floordiv getitem int iter len mod module mul neg pos pow radd rdiv rfloordiv rmod rmul rpow rsub rtruediv slots sub truediv",
};

/** The names with one underscore that Jinja2's own classes have. */
const privateNames: Readonly<Record<string, string>> = {
  LoopContext:
    "_after _before _current _last_changed_value _length _peek_next _to_iterator _iterable _iterator _undefined _recurse",
  Macro: "_async_invoke _invoke _environment _func _argument_count _default_autoescape",
  BlockReference: "_async_call _context _stack _depth",
  TemplateReference: "_TemplateReference__context",
  Undefined:
    "_fail_with_undefined_error _undefined_exception _undefined_hint _undefined_message _undefined_name _undefined_obj",
  _GroupTuple: "_asdict _field_defaults _fields _make _replace",
};

const mutating: Readonly<Record<string, string>> = {
  list: "append clear pop reverse insert sort extend remove",
  dict: "clear pop popitem setdefault update",
  set: "add clear difference_update discard pop remove symmetric_difference_update update",
};

function names(list: string | undefined, name: string): boolean {
  return list?.split(" ").includes(name) === true;
}

/** Whether a type has this name that starts with an underscore. */
function hasPrivate(object: Value, name: string): boolean {
  const bare = /^__(.+)__$/.exec(name)?.[1];
  if (object instanceof Namespace) return name === "__class__";
  if (bare === undefined) return names(privateNames[object.typeName], name);
  return names(objectNames, bare) || names(dunderNames[object.typeName], bare);
}

/** A method that exists but that the sandbox hides; nothing ever calls it. */
function hidden(object: Value, name: string): Value {
  const representation = `<built-in method ${name} of ${object.typeName} object at ${ADDRESS}>`;
  return new PyFunction("builtin_function_or_method", name, representation, () => NONE);
}

/** The methods that markupsafe writes in Python: they print as bound methods. */
const markupMethods =
  "capitalize casefold center expandtabs join ljust lower lstrip partition removeprefix removesuffix replace " +
  "rjust rpartition rsplit rstrip split splitlines strip striptags swapcase title translate unescape upper zfill";

/** Methods of the class itself. */
const classMethods = "fromkeys from_bytes fromhex maketrans";

/** The one argument of this method may be given by name. */
function namedSuffix(body: PyFunction["body"]): PyFunction["body"] {
  return (args, kwargs, context) => {
    const suffix = kwargs.size === 1 ? kwargs.get("suffix") : undefined;
    return suffix === undefined || args.length > 0
      ? body(args, kwargs, context)
      : body([suffix], new Map(), context);
  };
}

function bound(object: Value, name: string, body: PyFunction["body"]): PyFunction {
  if (object instanceof Markup && names(markupMethods, name)) {
    return new PyFunction(
      "method",
      name,
      `<bound method Markup.${name} of ${repr(object)}>`,
      name === "removesuffix" ? namedSuffix(body) : body,
      object,
    );
  }
  if (object instanceof Markup && name === "escape") {
    const representation = "<bound method Markup.escape of <class 'markupsafe.Markup'>>";
    return new PyFunction("method", name, representation, body, object);
  }
  const owner = names(classMethods, name) ? "type" : object.typeName;
  const representation = `<built-in method ${name} of ${owner} object at ${ADDRESS}>`;
  return new PyFunction("builtin_function_or_method", name, representation, body, object);
}

function macroAttribute(macro: Macro, name: string): Value | undefined {
  if (name === "name") return macro.name === null ? NONE : str(macro.name);
  if (name === "arguments") return new PyTuple(macro.parameters.map(str));
  if (name === "catch_kwargs") return bool(macro.catchKwargs);
  if (name === "catch_varargs") return bool(macro.catchVarargs);
  if (name === "caller") return bool(macro.usesCaller);
  return name === "explicit_caller" ? bool(macro.parameters.includes("caller")) : undefined;
}

function numberAttribute(value: PyInt | PyFloat, name: string): Value | undefined {
  if (value instanceof PyFloat) {
    if (name === "real") return value;
    return name === "imag" ? new PyFloat(0) : undefined;
  }
  if (name === "real" || name === "numerator") return int(value.value);
  if (name === "imag") return int(0);
  return name === "denominator" ? int(1) : undefined;
}

function dataAttribute(object: Value, name: string): Value | undefined {
  if (object instanceof Namespace) return object.attributes.getText(name);
  if (object instanceof Loop) return object.attribute(name);
  if (object instanceof Instance) return object.attribute(name);
  if (object instanceof Macro) return macroAttribute(object, name);
  if (object instanceof PyInt || object instanceof PyFloat) return numberAttribute(object, name);
  if (object instanceof PyComplex && name === "real") return new PyFloat(object.real);
  if (object instanceof PyComplex && name === "imag") return new PyFloat(object.imaginary);
  if (object instanceof GroupTuple && name === "grouper") return object.items[0];
  if (object instanceof GroupTuple && name === "list") return object.items[1];
  if (object instanceof PyRange || object instanceof PySlice) {
    const part = name === "start" || name === "stop" || name === "step" ? object[name] : undefined;
    return typeof part === "bigint" ? int(part) : part;
  }
  if (object instanceof DictView && name === "mapping") {
    return new MappingProxy(object.dict);
  }
  return undefined;
}

function iteratorAttribute(object: PyIterator, name: string): Value | undefined {
  if (object.typeName !== "generator") return undefined;
  if (name === "gi_running" || name === "gi_suspended") return FALSE;
  if (name === "gi_yieldfrom") return NONE;
  if (names("gi_code gi_frame", name)) return hidden(object, name);
  const method = generatorMethod(object, name);
  return method === undefined ? undefined : bound(object, name, method);
}

function generatorMethod(object: PyIterator, name: string): PyFunction["body"] | undefined {
  switch (name) {
    case "send":
      return (args, kwargs) => {
        const [given = NONE] = bindNative("generator", name, { kind: "one" }, args, kwargs);
        if (!object.isStarted && given !== NONE) {
          raise("TypeError", "can't send non-None value to a just-started generator");
        }
        const step = object.iterator.next();
        // Jinja2's Context.call makes this of a StopIteration.
        const hint = "value was undefined because a callable raised a StopIteration exception";
        return step.done === true ? new Undefined({ hint }) : step.value;
      };
    case "close":
      return (args, kwargs) => {
        bindNative("generator", name, { kind: "none" }, args, kwargs);
        object.isClosed = true;
        return NONE;
      };
    case "throw":
      return (args, kwargs) => {
        const signature = { kind: "fast", least: 1, most: 3 } as const;
        const [given = NONE] = bindNative("generator", name, signature, args, kwargs);
        const message = "exceptions must be classes or instances deriving from BaseException";
        return raise("TypeError", `${message}, not ${given.typeName}`);
      };
    default:
      return undefined;
  }
}

/** Python's `getattr(object, name)`, or undefined for an AttributeError. */
export function pythonAttribute(object: Value, name: string): Value | undefined {
  if (object instanceof Undefined) {
    if (hasPrivate(object, name)) return hidden(object, name);
    return /^__.*__$/s.test(name) ? undefined : failUndefined(object);
  }
  const data = dataAttribute(object, name);
  if (data !== undefined) return data;
  if (hasPrivate(object, name)) return hidden(object, name);
  if (object instanceof Namespace || object instanceof PyNone) return undefined;
  if (object instanceof PyIterator) return iteratorAttribute(object, name);
  if (object instanceof PyStr) {
    if (name === "format" || name === "format_map") return formatMethod(object, name);
    const method = textMethod(object, name);
    return method === null ? undefined : bound(object, name, method);
  }
  if (object instanceof PyFunction && object.typeName === "type" && name === "mro") {
    return hidden(object, name);
  }
  if (names(mutating[object.typeName], name)) return hidden(object, name);
  const method = objectMethod(object, name);
  return method === null ? undefined : bound(object, name, method);
}

/** Jinja2's `wrap_str_format`: the sandbox's own `format` in place of `str.format`. */
function formatMethod(self: PyStr, name: "format" | "format_map"): PyFunction {
  const owner = self instanceof Markup ? "Markup" : "str";
  const representation = `<function ${owner}.${name} at ${ADDRESS}>`;
  return new PyFunction("function", name, representation, (args, kwargs) => {
    if (name === "format") {
      const named = new PyDict();
      for (const [key, value] of kwargs) named.set(str(key), value);
      return formatTemplate(self, args, named);
    }
    if (kwargs.size > 0) raise("TypeError", "format_map() takes no keyword arguments");
    const [mapping] = args;
    if (mapping === undefined || args.length !== 1) {
      raise("TypeError", `format_map() takes exactly one argument (${args.length} given)`);
    }
    return formatTemplate(self, [], mapping);
  });
}

/** Jinja2's `is_safe_attribute` of the immutable sandbox. */
function isSafe(object: Value, name: string): boolean {
  if (name.startsWith("_")) return false;
  if (object instanceof PyList || object instanceof PyDict || object instanceof PySet) {
    return !names(mutating[object.typeName], name);
  }
  if (object instanceof PyFunction && object.typeName === "type") return name !== "mro";
  return !(object instanceof PyIterator && (name === "gi_frame" || name === "gi_code"));
}

/** `key`: the name as it was given, which may be a Markup. */
function safeOrUndefined(object: Value, key: PyStr, value: Value): Value {
  const name = key.text;
  const sandboxed = value instanceof PyFunction && (name === "format" || name === "format_map");
  if ((sandboxed && object instanceof PyStr) || isSafe(object, name)) return value;
  const hint = `access to attribute ${repr(key)} of ${textRepr(object.typeName)} object is unsafe.`;
  return new Undefined({ hint, object, key, exception: "SecurityError" });
}

/** `object[key]` where TypeErrors and missing items are answered with undefined. */
function itemOrUndefined(object: Value, key: Value): Value | undefined {
  try {
    return subscript(object, key);
  } catch (error) {
    if (isError(error, "TypeError", "KeyError", "IndexError")) return undefined;
    throw error;
  }
}

/** Jinja2's `environment.getattr`, for `object.name`: the attribute first. */
export function environmentAttribute(object: Value, name: string, key = str(name)): Value {
  const value = pythonAttribute(object, name);
  if (value !== undefined) return safeOrUndefined(object, key, value);
  return itemOrUndefined(object, str(name)) ?? new Undefined({ object, key: str(name) });
}

/** Jinja2's `environment.getitem`, for `object[key]`: the item first. */
export function environmentItem(object: Value, key: Value): Value {
  const item = itemOrUndefined(object, key);
  if (item !== undefined) return item;
  if (key instanceof PyStr) {
    const value = pythonAttribute(object, key.text);
    if (value !== undefined) return safeOrUndefined(object, key, value);
  }
  return new Undefined({ object, key });
}

/** Jinja2's `is_safe_callable`. */
export function isSafeCallable(object: Value): boolean {
  const marks = ["unsafe_callable", "alters_data"].map((name) => pythonAttribute(object, name));
  return !marks.some((mark) => mark !== undefined && truth(mark));
}

export function isCallable(value: Value): boolean {
  if (value instanceof Instance) return value.body !== null;
  return (
    value instanceof PyFunction ||
    value instanceof Macro ||
    value instanceof Loop ||
    value instanceof Undefined
  );
}
