/** What Python's variables hold where none has set them: only macros that outlive a frame can come upon it. */
import { value, type Value } from "../values.js";
import { BaseObject } from "./object.js";
import { REPR, TRUTH } from "./protocol.js";

/** Jinja2's `missing`. */
class Missing extends BaseObject {
  constructor() {
    super("jinja2.utils._MissingType");
  }

  override [TRUTH](): boolean {
    return true;
  }

  override [REPR](): string {
    return "missing";
  }
}

const MISSING: Value = /* @__PURE__ */ value(/* @__PURE__ */ new Missing());

/** Jinja2's `missing`, as a value. */
export function missingObject(): Value {
  return MISSING;
}

/** What a variable holds, undefined where nothing has set it. */
export function found(v: unknown): Value {
  return value(v === MISSING ? undefined : v);
}
