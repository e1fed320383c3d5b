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
function total(gives: Kinds): Intrinsic {
  return { gives, undefinedUse: ["silent"], throws: false, pure: true };
}

/** A rule that fails on some arguments, with Go's message at its place. */
function partial(gives: Kinds): Intrinsic {
  return { gives, undefinedUse: ["silent"], throws: true, pure: true };
}

const text: Intrinsic = total(Text);
const boxing: Intrinsic = total(Boxed);

export const goIntrinsics = {
  // the request
  "go.ollamaValues": { ...partial(Dict), throws: false, pure: false },
  "go.ollamaValuesStrict": { ...partial(Dict), throws: false, pure: false },
  "go.wellFormed": { ...partial(Any), throws: false, pure: false },

  // failing
  "go.fail": { ...partial(Never), pure: false },
  "go.after": total(Any),

  // any value
  "go.truth": total(Bool),
  "go.text": text,
  "go.textOrFail": { ...partial(Text), runtime: "text" },
  "go.json": text,
  "go.jsonAny": text,
  "go.field": { ...partial(Any), runtime: "member" },
  "go.fieldUnwrapped": { ...partial(Any), runtime: "memberUnwrapped" },
  "go.fieldWithArguments": partial(Any),
  "go.asText": partial(Text),
  "go.len": { ...partial(Index), runtime: "length" },
  "go.lenUnwrapped": partial(Index),
  "go.lengthOfSlice": partial(Index),
  "go.index": partial(Any),
  "go.slice": partial(Any),
  "go.iterate": partial(List),
  "go.iteratePairs": partial(List),
  "go.call": partial(Any),
  "go.eq": partial(Bool),
  "go.ne": partial(Bool),
  "go.lt": partial(Bool),
  "go.le": partial(Bool),
  "go.gt": partial(Bool),
  "go.ge": partial(Bool),

  // numbers
  "go.float": total(Any),
  "go.complex": boxing,
  "go.upTo": total(List | Deep),

  // text
  "go.print": text,
  "go.println": text,
  "go.printf": { ...text, runtime: "sprintf" },
  "go.html": text,
  "go.js": text,
  "go.urlquery": text,
  "go.byteLength": total(Index),
  "go.sliceBytes": partial(Text),
  "go.joinBytes": text,
  "go.currentDate": { ...text, pure: false },
  "go.yesterdayDate": { ...text, pure: false },
  "go.toTypeScriptType": text,

  // Ollama's data
  "go.sorted": total(List),
  "go.sortedKeys": total(List),
  "go.size": total(Index),
  "go.item": partial(Any),
  "go.sliceList": partial(List),
  "go.types": total(List | Deep),
  "go.typeCount": total(Index),
  "go.typeScriptType": text,
  "go.argument": total(Json | Undefined),
  "go.propertyOf": total(Dict),
  "go.textJson": text,

  "go.printMessages": text,
  "go.printMessage": text,
  "go.printImages": text,
  "go.printImage": text,
  "go.printToolCalls": text,
  "go.printToolCall": text,
  "go.printToolCallFunction": text,
  "go.printArgs": text,
  "go.printTools": text,
  "go.printTool": text,
  "go.printToolFunction": text,
  "go.printToolParameters": text,
  "go.printProperties": text,
  "go.printProperty": text,
  "go.printAnyOf": text,
  "go.printTypes": text,
  "go.printStrings": text,
  "go.printEnum": text,
  "go.printNestedProperties": text,

  "go.jsonMessages": text,
  "go.jsonMessage": text,
  "go.jsonImages": text,
  "go.jsonImage": text,
  "go.jsonToolCalls": text,
  "go.jsonToolCall": text,
  "go.jsonToolCallFunction": text,
  "go.jsonArgs": text,
  "go.jsonTools": text,
  "go.jsonTool": text,
  "go.jsonToolFunction": text,
  "go.jsonToolParameters": text,
  "go.jsonProperties": text,
  "go.jsonProperty": text,
  "go.jsonAnyOf": text,
  "go.jsonTypes": text,
  "go.jsonStrings": text,
  "go.jsonEnum": text,
  "go.jsonNestedProperties": text,

  "go.boxInterface": boxing,
  "go.unwrap": total(Any),
  "go.boxJson": boxing,
  "go.unwrapJson": total(Any),
  "go.boxTurn": boxing,
  "go.boxMessages": boxing,
  "go.boxMessage": boxing,
  "go.boxImages": boxing,
  "go.boxImage": boxing,
  "go.boxToolCalls": boxing,
  "go.boxToolCall": boxing,
  "go.boxToolCallFunction": boxing,
  "go.boxArgs": boxing,
  "go.boxTools": boxing,
  "go.boxTool": boxing,
  "go.boxToolFunction": boxing,
  "go.boxToolParameters": boxing,
  "go.boxProperties": boxing,
  "go.boxProperty": boxing,
  "go.boxAnyOf": boxing,
  "go.boxTypes": boxing,
  "go.boxStrings": boxing,
  "go.boxEnum": boxing,
  "go.boxNestedProperties": boxing,
} satisfies Record<`go.${string}`, Intrinsic>;
