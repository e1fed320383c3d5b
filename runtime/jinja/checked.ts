/** Checks that leave a value as it is: what the compiler knows of it then spares the general rule. */
import { isDict, type Value } from "../values.js";
import { item } from "./access.js";
import { add } from "./arithmetic.js";
import { call } from "./call.js";
import { list } from "./iterate.js";
import { failJson, json } from "./json.js";
import { member } from "./lookup.js";
import { truth } from "./print.js";
import { isUndefined } from "./required.js";
import { strict } from "./undefined.js";

/** JSON data as the text whose method is called; other data has no such method, and the call fails as it would. */
export function textFor(v: unknown, method: string, place: string): string {
  if (typeof v === "string") return v;
  call(member(v, method, place), [], null, place);
  throw new TypeError(`a method ${method} of what is no text`);
}

/** JSON data as the dict whose method is called; other data has no such method, and the call fails as it would. */
export function dictFor(v: unknown, method: string, place: string): NonNullable<Value> {
  if (isDict(v) && hasFields(v)) return v;
  call(member(v, method, place), [""], null, place);
  throw new TypeError(`a method ${method} of what is no dict`);
}

/** What Jinja2's select and its like go through: a value that is false has nothing to select from. */
export function selectable(v: unknown, place: string): readonly Value[] {
  return truth(v) ? list(v, place) : [];
}

/** JSON data as the left side of `v + text`: only text can be one. */
export function textBefore(v: unknown, place: string): string {
  if (typeof v === "string") return v;
  add(v, "", place);
  throw new TypeError("text was added to what is no text");
}

/** `v | tojson` of a field of JSON data; where it is absent json.dumps refuses the Undefined. */
export function jsonOf(v: unknown, place: string): string {
  return isUndefined(v) ? failJson(v, place) : json(v);
}

/** What a list or dict holds at the key, which must be there: the error of an Undefined is raised at once. */
export function itemOf(v: unknown, key: unknown, place: string): Value {
  return strict(item(v, key, place), place);
}

/** Names may be read of any object; what they give is unknown until it is tested. */
function hasFields(_: object): _ is NonNullable<Value> {
  return true;
}
