/** The globals of transformers' Jinja environment, as values and as calls. */
import { fail } from "../errors.js";
import { value, type Value } from "../values.js";
import { cycler, joiner } from "./cycling.js";
import { fromkeys } from "./dict-methods.js";
import { lipsum } from "./lipsum.js";
import { Method, type Body } from "./method.js";
import { dictArguments, namespace } from "./namespace.js";
import { str } from "./print.js";
import { ADDRESS, BaseObject } from "./object.js";
import { ABSENT, ATTRIBUTE, CALL, CALLABLE, HIDDEN, REPR } from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { range } from "./range.js";
import { bind, notTwice } from "./signature.js";
import { strftimeNow } from "./strftime.js";
import { Undefined } from "./undefined.js";

/** `raise_exception(message)`. */
export function raiseException(message: unknown, place: string): never {
  return fail("TemplateError", str(message), place);
}

const LOCALS = "_cached_compile_jinja_template.<locals>";

/** The global `dict`: callable, with `fromkeys`. */
class TemplateDict extends BaseObject {
  constructor() {
    super("transformers.utils.chat_template_utils.TemplateDict");
  }

  override [ATTRIBUTE](name: string): unknown {
    return name === "fromkeys"
      ? new Method(`${LOCALS}.TemplateDict.fromkeys`, fromkeys, "method")
      : ABSENT;
  }

  override [REPR](): string {
    return `<transformers.utils.chat_template_utils.${LOCALS}.TemplateDict object at ${ADDRESS}>`;
  }

  override [CALLABLE](): boolean {
    return true;
  }

  override [CALL](args: readonly unknown[], kwargs: Keywords, place: string): unknown {
    notTwice(`${LOCALS}.TemplateDict.__call__`, ["self"], kwargs, place);
    return dictArguments("dict", args, kwargs, place);
  }
}

/** A class that templates may call; the sandbox hides `mro`. */
class TypeValue extends Method {
  override [ATTRIBUTE](name: string): unknown {
    return name === "mro" ? HIDDEN : ABSENT;
  }
}

function only(name: string, parameter: string, body: (v: unknown, place: string) => unknown): Body {
  return (args, kwargs, place) => {
    const signature = {
      name: `${LOCALS}.${name}`,
      subject: "",
      hidden: -1,
      parameters: [[parameter]] as const,
    };
    return body(bind(signature, args, kwargs, place)[0], place);
  };
}

/** The value of a global; `now` is the clock for `strftime_now`. */
export function globalValue(name: string, now?: Date | string): Value {
  // What needs no clock is the same object wherever it is named.
  if (name === "strftime_now") return value(globalObject(name, now));
  if (!known.has(name)) known.set(name, globalObject(name, now));
  return value(known.get(name));
}

/** As many as there are globals: compiled templates ask for nothing else. */
const known = /* @__PURE__ */ new Map<string, unknown>();

function globalObject(name: string, now: Date | string | undefined): unknown {
  switch (name) {
    case "range":
      return new Method("function safe_range", range, "function");
    case "dict":
      return new TemplateDict();
    case "lipsum":
      return new Method("function generate_lorem_ipsum", lipsum, "function");
    case "cycler":
      return new TypeValue("class 'jinja2.utils.Cycler'", cycler, "type");
    case "joiner":
      return new TypeValue("class 'jinja2.utils.Joiner'", joiner, "type");
    case "namespace":
      return new TypeValue(
        `class 'transformers.utils.chat_template_utils.${LOCALS}.TemplateNamespace'`,
        namespace,
        "type",
      );
    case "raise_exception":
      return new Method(
        `function ${LOCALS}.raise_exception`,
        only(name, "message", raiseException),
        "function",
      );
    case "strftime_now":
      return new Method(
        `function ${LOCALS}.strftime_now`,
        only(name, "format", (v, place) => strftimeNow(v, now, place)),
        "function",
      );
    default:
      return new Undefined(`'${name}' is undefined`);
  }
}
