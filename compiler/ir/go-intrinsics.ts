/** The intrinsics of Go's text/template and of Ollama's data model. */
import type { Intrinsic } from "./intrinsic.js";
import {
  Any,
  Bool,
  Boxed,
  Deep,
  Dict,
  Index,
  Json,
  List,
  Never,
  Text,
  Undefined,
  type Kinds,
} from "./kinds.js";

/** A rule that cannot throw. */
function total(runtime: string, gives: Kinds): Intrinsic {
  return { runtime, gives, undefinedUse: ["silent"], throws: false, pure: true };
}

/** A rule that fails on some arguments, with Go's message at its place. */
function partial(runtime: string, gives: Kinds): Intrinsic {
  return { runtime, gives, undefinedUse: ["silent"], throws: true, pure: true };
}

const text = (runtime: string): Intrinsic => total(runtime, Text);
const boxing = (runtime: string): Intrinsic => total(runtime, Boxed);

export const goIntrinsics = {
  // the request
  "go.ollamaValues": { ...partial("ollamaValues", Dict), throws: false, pure: false },
  "go.ollamaValuesStrict": { ...partial("ollamaValuesStrict", Dict), throws: false, pure: false },
  "go.wellFormed": { ...partial("wellFormed", Any), throws: false, pure: false },

  // failing
  "go.fail": { ...partial("fail", Never), pure: false },
  "go.after": total("after", Any),

  // any value
  "go.truth": total("truth", Bool),
  "go.text": text("text"),
  "go.textOrFail": partial("text", Text),
  "go.json": text("json"),
  "go.jsonAny": text("jsonAny"),
  "go.field": partial("member", Any),
  "go.fieldUnwrapped": partial("memberUnwrapped", Any),
  "go.fieldWithArguments": partial("fieldWithArguments", Any),
  "go.asText": partial("asText", Text),
  "go.len": partial("length", Index),
  "go.lenUnwrapped": partial("lenUnwrapped", Index),
  "go.lengthOfSlice": partial("lengthOfSlice", Index),
  "go.index": partial("index", Any),
  "go.slice": partial("slice", Any),
  "go.iterate": partial("iterate", List),
  "go.iteratePairs": partial("iteratePairs", List),
  "go.call": partial("call", Any),
  "go.eq": partial("eq", Bool),
  "go.ne": partial("ne", Bool),
  "go.lt": partial("lt", Bool),
  "go.le": partial("le", Bool),
  "go.gt": partial("gt", Bool),
  "go.ge": partial("ge", Bool),

  // numbers
  "go.float": total("float", Any),
  "go.complex": boxing("complex"),
  "go.upTo": total("upTo", List | Deep),

  // text
  "go.print": text("print"),
  "go.println": text("println"),
  "go.printf": text("sprintf"),
  "go.html": text("html"),
  "go.js": text("js"),
  "go.urlquery": text("urlquery"),
  "go.byteLength": total("byteLength", Index),
  "go.sliceBytes": partial("sliceBytes", Text),
  "go.joinBytes": text("joinBytes"),
  "go.currentDate": { ...text("currentDate"), pure: false },
  "go.yesterdayDate": { ...text("yesterdayDate"), pure: false },
  "go.toTypeScriptType": text("toTypeScriptType"),

  // Ollama's data
  "go.sorted": total("sorted", List),
  "go.size": total("size", Index),
  "go.item": partial("item", Any),
  "go.sliceList": partial("sliceList", List),
  "go.types": total("types", List | Deep),
  "go.typeCount": total("typeCount", Index),
  "go.typeScriptType": text("typeScriptType"),
  "go.argument": total("argument", Json | Undefined),
  "go.propertyOf": total("propertyOf", Dict),
  "go.textJson": text("textJson"),

  "go.printMessages": text("printMessages"),
  "go.printMessage": text("printMessage"),
  "go.printImages": text("printImages"),
  "go.printImage": text("printImage"),
  "go.printToolCalls": text("printToolCalls"),
  "go.printToolCall": text("printToolCall"),
  "go.printToolCallFunction": text("printToolCallFunction"),
  "go.printArgs": text("printArgs"),
  "go.printTools": text("printTools"),
  "go.printTool": text("printTool"),
  "go.printToolFunction": text("printToolFunction"),
  "go.printToolParameters": text("printToolParameters"),
  "go.printProperties": text("printProperties"),
  "go.printProperty": text("printProperty"),
  "go.printAnyOf": text("printAnyOf"),
  "go.printTypes": text("printTypes"),
  "go.printStrings": text("printStrings"),
  "go.printEnum": text("printEnum"),
  "go.printNestedProperties": text("printNestedProperties"),

  "go.jsonMessages": text("jsonMessages"),
  "go.jsonMessage": text("jsonMessage"),
  "go.jsonImages": text("jsonImages"),
  "go.jsonImage": text("jsonImage"),
  "go.jsonToolCalls": text("jsonToolCalls"),
  "go.jsonToolCall": text("jsonToolCall"),
  "go.jsonToolCallFunction": text("jsonToolCallFunction"),
  "go.jsonArgs": text("jsonArgs"),
  "go.jsonTools": text("jsonTools"),
  "go.jsonTool": text("jsonTool"),
  "go.jsonToolFunction": text("jsonToolFunction"),
  "go.jsonToolParameters": text("jsonToolParameters"),
  "go.jsonProperties": text("jsonProperties"),
  "go.jsonProperty": text("jsonProperty"),
  "go.jsonAnyOf": text("jsonAnyOf"),
  "go.jsonTypes": text("jsonTypes"),
  "go.jsonStrings": text("jsonStrings"),
  "go.jsonEnum": text("jsonEnum"),
  "go.jsonNestedProperties": text("jsonNestedProperties"),

  "go.boxInterface": boxing("boxInterface"),
  "go.unwrap": total("unwrap", Any),
  "go.boxJson": boxing("boxJson"),
  "go.unwrapJson": total("unwrapJson", Any),
  "go.boxTurn": boxing("boxTurn"),
  "go.boxMessages": boxing("boxMessages"),
  "go.boxMessage": boxing("boxMessage"),
  "go.boxImages": boxing("boxImages"),
  "go.boxImage": boxing("boxImage"),
  "go.boxToolCalls": boxing("boxToolCalls"),
  "go.boxToolCall": boxing("boxToolCall"),
  "go.boxToolCallFunction": boxing("boxToolCallFunction"),
  "go.boxArgs": boxing("boxArgs"),
  "go.boxTools": boxing("boxTools"),
  "go.boxTool": boxing("boxTool"),
  "go.boxToolFunction": boxing("boxToolFunction"),
  "go.boxToolParameters": boxing("boxToolParameters"),
  "go.boxProperties": boxing("boxProperties"),
  "go.boxProperty": boxing("boxProperty"),
  "go.boxAnyOf": boxing("boxAnyOf"),
  "go.boxTypes": boxing("boxTypes"),
  "go.boxStrings": boxing("boxStrings"),
  "go.boxEnum": boxing("boxEnum"),
  "go.boxNestedProperties": boxing("boxNestedProperties"),
} satisfies Record<`go.${string}`, Intrinsic>;
