/** The attributes with an underscore that Python's objects have: the sandbox hides them, others are merely absent. */
import { typeName } from "./types.js";

const OBJECT =
  "class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr setattr sizeof str subclasshook";
const NUMBER =
  "abs add bool divmod float floor ceil floordiv getnewargs int mod mul neg pos pow radd rdivmod rfloordiv rmod rmul round rpow rsub rtruediv sub truediv trunc";
const INT = `${NUMBER} and index invert lshift or rand rlshift ror rrshift rshift rxor xor`;
const TEXT = "add contains getitem getnewargs iter len mod mul rmod rmul";
const VIEW = "and contains iter len or rand reversed ror rsub rxor sub xor";
const PLAIN = "dict module weakref";

/** By the name of the type, without the underscores around each name. */
const DUNDERS: Readonly<Record<string, string>> = {
  str: TEXT,
  Markup: `${TEXT} html html_format module radd slots`,
  int: INT,
  bool: INT,
  float: `${NUMBER} getformat`,
  NoneType: "bool",
  list: "add class_getitem contains delitem getitem iadd imul iter len mul reversed rmul setitem",
  dict: "class_getitem contains delitem getitem ior iter len or reversed ror setitem",
  mappingproxy: "class_getitem contains getitem ior iter len or reversed ror",
  tuple: "add class_getitem contains getitem getnewargs iter len mul rmul",
  range: "bool contains getitem iter len reversed",
  generator: "del iter name next qualname",
  dict_keys: VIEW,
  dict_items: VIEW,
  dict_values: "iter len reversed",
  set: "and class_getitem contains iand ior isub iter ixor len or rand ror rsub rxor sub xor",
  bytes: "add bytes contains getitem getnewargs iter len mod mul rmod rmul",
  complex:
    "abs add bool complex getnewargs mul neg pos pow radd rmul rpow rsub rtruediv sub truediv",
  slice: "",
  Undefined:
    "add aiter bool call complex div float floordiv getattr getitem int iter len mod module mul neg pos pow radd rdiv rfloordiv rmod rmul rpow rsub rtruediv slots sub truediv",
  Macro: `call ${PLAIN}`,
  LoopContext: `annotations call iter len next ${PLAIN}`,
  Cycler: `next ${PLAIN}`,
  Joiner: `call ${PLAIN}`,
  TemplateDict: `call ${PLAIN}`,
  function:
    "annotations builtins call closure code defaults dict get globals kwdefaults module name qualname",
  type: "abstractmethods annotations base bases basicsize call dict dictoffset flags instancecheck itemsize module mro name or prepare qualname ror subclasscheck subclasses text_signature weakrefoffset",
  builtin_function_or_method: "call module name qualname self text_signature",
  method: "call func self",
};

const PRIVATE: Readonly<Record<string, string>> = {
  Undefined:
    "_fail_with_undefined_error _undefined_exception _undefined_hint _undefined_message _undefined_name _undefined_obj",
  Macro: "_argument_count _async_invoke _default_autoescape _environment _func _invoke",
  LoopContext:
    "_after _before _current _iterable _iterator _last_changed_value _length _peek_next _recurse _to_iterator _undefined",
};

/** Whether the object has that attribute, whose name begins with an underscore. */
export function hasPrivate(v: unknown, name: string): boolean {
  const type = typeName(v);
  if (type === "TemplateNamespace") {
    return name === "__class__" || name === "_Namespace__attrs";
  }
  const [, dunder] = /^__(.+)__$/.exec(name) ?? [];
  if (dunder === undefined) {
    return words(PRIVATE[type]).includes(name);
  }
  return words(OBJECT).includes(dunder) || words(DUNDERS[type]).includes(dunder);
}

function words(text: string | undefined): readonly string[] {
  return text?.split(" ") ?? [];
}
