/** Which rules take long for long arguments, and which make more than they are given. */
import { intrinsics, type IntrinsicName } from "../ir/intrinsics.js";
import { Generator, List, Markup, may, Text, Tuple } from "../ir/kinds.js";

/** Rules that look at no more than the outside of their arguments, or that spend what they need themselves. */
const QUICK = new Set<IntrinsicName>([
  ...named(
    "jinja",
    "truth str json pieceText unjoined checkJoined textBefore text attr item itemOf neg pos",
  ),
  ...named(
    "jinja",
    "list filtered unpack selectable named unset missing missingName absent strict isDefined noElse",
  ),
  ...named(
    "jinja",
    "unprovided noCaller noItem tuple namespace asNamespace setAttr macro setItem finite",
  ),
  ...named(
    "jinja",
    "float splat kwSplat noteSpan loop loopNext loopItem selfReference noSuper evalContext",
  ),
  ...named(
    "jinja",
    "isAutoescape setAutoescape macroIn recurseIn range raiseException globalValue fail includeTemplate",
  ),
  ...named(
    "jinja",
    "isString isMapping isIterable isSequence isNumber isInteger isFloat isBoolean isNone isTrue",
  ),
  ...named(
    "jinja",
    "isFalse isCallable isOdd isEven safeFilter defaultFilter firstFilter lastFilter dictFor textFor",
  ),
  ...named(
    "jinja",
    "batchFilter sliceFilter uniqueFilter itemsFilter call items itemPairs fieldsOf fieldsIn",
  ),
  ...named(
    "go",
    "ollamaValues ollamaValuesStrict wellFormed fail after truth text textOrFail field fieldUnwrapped",
  ),
  ...named(
    "go",
    "fieldWithArguments asText lengthOfSlice call float complex upTo currentDate yesterdayDate",
  ),
  ...named(
    "go",
    "toTypeScriptType typeScriptType item sliceList types typeCount argument propertyOf textJson joinBytes",
  ),
  ...named("limits", "step round enter leave mark weigh"),
]);

/** Rules whose result is no longer than what they read, which has been weighed, or that give a part of it. */
const SHRINKING = new Set<IntrinsicName>([
  ...named(
    "jinja",
    "strip lstrip rstrip stripChars lstripChars rstripChars upper lower capitalize title before",
  ),
  ...named(
    "jinja",
    "afterLast sliceText splitText trimFilter upperFilter lowerFilter capitalizeFilter titleFilter",
  ),
  ...named(
    "jinja",
    "truncateFilter slice minFilter maxFilter randomFilter attrFilter reverseFilter strftimeNow",
  ),
  ...named("go", "sliceBytes slice index"),
]);

/** Rules that take what is quick to be handed on, but may make much of it. */
const MAKING = new Set<IntrinsicName>(named("jinja", "call str json items itemPairs"));

/** Rules that look at two values side by side, no further than the shorter one goes. */
const COMPARING = new Set<IntrinsicName>([
  ...named("jinja", "eq lt le gt ge"),
  ...named("go", "eq ne lt le gt ge"),
]);

function named(prefix: string, names: string): IntrinsicName[] {
  return names.split(" ").map((name) => ruleOf(`${prefix}.${name}`));
}

function ruleOf(name: string): IntrinsicName {
  if (isRule(name)) return name;
  throw new Error(`no rule ${name}`);
}

function isRule(name: string): name is IntrinsicName {
  return Object.hasOwn(intrinsics, name);
}

/** Whether the rule reads all of its arguments. */
export function linear(name: IntrinsicName): boolean {
  return !QUICK.has(name) && !name.startsWith("go.box") && !name.startsWith("go.unwrap");
}

/** Whether the rule may make more than it reads. */
export function growing(name: IntrinsicName): boolean {
  if (MAKING.has(name)) return true;
  if (!linear(name) || SHRINKING.has(name)) return false;
  return may(intrinsics[name].gives, Text | Markup | List | Tuple | Generator);
}

/** Whether it is enough to weigh the first argument. */
export function compares(name: IntrinsicName): boolean {
  return COMPARING.has(name);
}

/** Rules that count by themselves, as they go, but know no place. */
const SPENDING = new Set<IntrinsicName>([
  ...named("jinja", "str json jsonOf tojsonFilter"),
  ...named("go", "upTo iterate iteratePairs"),
]);

/** Whether the rule counts by itself, and must be told its place. */
export function spending(name: IntrinsicName): boolean {
  return SPENDING.has(name);
}
