/** The kinds of literals, of fields and of what lists hold. */
import {
  Any,
  Bool,
  Dict,
  Field,
  Float,
  Hinted,
  Index,
  Int,
  isDeep,
  Json,
  may,
  Never,
  None,
  Text,
  Undefined,
  type Kinds,
} from "../../ir/kinds.js";

/** Whether JSON can hold it. */
export function isJson(kinds: Kinds): boolean {
  return isDeep(kinds) && !may(kinds, Undefined | Hinted);
}

/** The kinds of a field of a value. */
export function kindsOfField(object: Kinds): Kinds {
  if (!isDeep(object)) return Any;
  return may(object, Dict) ? Field : Undefined;
}

/** The kinds of what a list holds. */
export function elementKinds(list: Kinds): Kinds {
  return isDeep(list) ? Json | Undefined : Any;
}

export function kindsOfLiteral(value: unknown): Kinds {
  switch (typeof value) {
    case "string":
      return Text;
    case "boolean":
      return Bool;
    case "number":
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? Index : Float;
    case "bigint":
      return Int;
    case "undefined":
      return Undefined;
    default:
      return value === null ? None : Never;
  }
}
