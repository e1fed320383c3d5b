/** The intrinsics of Jinja as transformers runs it: Python's operators, Jinja2's lookups, filters, tests and globals. */
import type { Intrinsic, UndefinedUse } from "./intrinsic.js";
import {
  Any,
  Bool,
  Deep,
  Dict,
  Float,
  Function,
  Generator,
  Index,
  List,
  Loop,
  Markup,
  Namespace,
  Never,
  None,
  Range,
  Text,
  Tuple,
  Undefined,
  View,
  type Kinds,
} from "./kinds.js";

const Container: Kinds = Text | Markup | List | Tuple | Dict | Undefined | Range | Generator | View;

/** A rule that cannot throw. */
function total(runtime: string, gives: Kinds, ...undefinedUse: UndefinedUse[]): Intrinsic {
  return { runtime, gives, undefinedUse, throws: false, pure: true };
}

/** A rule that throws on some arguments, without other effect. */
function partial(runtime: string, gives: Kinds, ...undefinedUse: UndefinedUse[]): Intrinsic {
  return { runtime, gives, undefinedUse, throws: true, pure: true };
}

/** A rule that throws unless its first argument is one of the kinds. */
function safeOn(safe: Kinds, rule: Intrinsic): Intrinsic {
  return { ...rule, safe };
}

/** A rule with an effect: it calls code of the template, consumes a generator or changes a namespace. */
function effect(runtime: string, gives: Kinds, ...undefinedUse: UndefinedUse[]): Intrinsic {
  return { runtime, gives, undefinedUse, throws: true, pure: false };
}

/** A rule that cannot throw but depends on the render's state, or changes it. */
function stateful(runtime: string, gives: Kinds): Intrinsic {
  return { runtime, gives, undefinedUse: ["keeps"], throws: false, pure: false };
}

const textFilter = (runtime: string): Intrinsic => partial(runtime, Text | Markup, "keeps");
const lazyFilter = (runtime: string): Intrinsic => effect(runtime, Generator, "keeps");
const anyFilter = (runtime: string): Intrinsic => effect(runtime, Any, "keeps");
const numberFilter = (runtime: string): Intrinsic => partial(runtime, Any, "keeps");
const test = (runtime: string): Intrinsic => total(runtime, Bool, "silent");
const strictTest = (runtime: string): Intrinsic => partial(runtime, Bool, "strict", "keeps");

export const jinjaIntrinsics = {
  // printing
  "jinja.truth": total("truth", Bool, "silent"),
  "jinja.str": total("str", Text, "silent"),
  "jinja.json": total("json", Text, "keeps"),
  "jinja.jsonOf": partial("jsonOf", Text, "silent"),
  "jinja.pieceText": total("pieceText", Text, "silent"),
  "jinja.unjoined": total("unjoined", Text | None, "silent"),
  "jinja.checkJoined": effect("checkJoined", Never, "silent"),
  "jinja.textBefore": safeOn(Text, partial("textBefore", Text, "keeps")),
  "jinja.text": safeOn(Text, partial("text", Text, "strict")),

  // lookup
  "jinja.attr": partial("attr", Any, "strict"),
  "jinja.item": partial("item", Any, "strict", "keeps"),
  /** An item that must be there. */
  "jinja.itemOf": partial("itemOf", Any, "strict", "keeps"),
  "jinja.slice": partial("slice", Any, "strict", "keeps"),

  // calls
  "jinja.call": effect("call", Any, "strict", "keeps"),
  "jinja.callMethod": effect("callMethod", Any, "strict", "keeps"),

  // operators
  "jinja.add": partial("add", Any, "strict"),
  "jinja.sub": partial("sub", Any, "strict", "keeps"),
  "jinja.mul": partial("mul", Any, "strict"),
  "jinja.div": partial("div", Any, "strict"),
  "jinja.floordiv": partial("floordiv", Any, "strict"),
  "jinja.mod": partial("mod", Any, "keeps"),
  "jinja.pow": partial("pow", Any, "strict"),
  "jinja.powOfFolded": partial("powOfFolded", Any, "strict"),
  "jinja.neg": partial("neg", Any, "strict"),
  "jinja.pos": partial("pos", Any, "strict"),
  "jinja.eq": total("eq", Bool, "silent"),
  "jinja.lt": partial("lt", Bool, "strict"),
  "jinja.le": partial("le", Bool, "strict"),
  "jinja.gt": partial("gt", Bool, "strict"),
  "jinja.ge": partial("ge", Bool, "strict"),
  "jinja.isIn": effect("isIn", Bool, "silent"),
  "jinja.has": { ...safeOn(Container, partial("has", Bool, "silent")), takesValue: true },

  // iteration
  "jinja.list": safeOn(Container, effect("list", List, "silent")),
  "jinja.filtered": effect("filtered", Any, "silent"),
  "jinja.unpack": effect("unpack", List, "silent"),
  "jinja.selectable": safeOn(Container | None, partial("selectable", List, "silent")),
  "jinja.items": { ...safeOn(Dict, partial("items", List, "strict")), takesValue: true },

  "jinja.itemPairs": safeOn(Dict | Undefined, partial("itemPairs", List, "silent")),

  // Undefined
  "jinja.named": total("named", Any, "silent"),
  "jinja.unset": total("unset", Any, "silent"),
  "jinja.missing": partial("missing", None, "silent"),
  "jinja.missingName": partial("missingName", None, "silent"),
  "jinja.absent": total("absent", None | Undefined, "silent"),
  "jinja.strict": partial("strict", Any, "strict"),
  "jinja.isDefined": test("isDefined"),
  "jinja.noElse": total("noElse", Undefined),
  "jinja.unprovided": total("unprovided", Undefined),
  "jinja.noCaller": total("noCaller", Any),
  "jinja.noItem": total("noItem", Undefined),

  // building
  "jinja.tuple": total("tuple", Tuple, "keeps"),
  "jinja.dict": partial("dict", Dict, "keeps"),
  "jinja.namespace": effect("namespace", Namespace, "keeps"),
  "jinja.asNamespace": safeOn(Namespace, partial("asNamespace", Namespace, "silent")),
  "jinja.setAttr": effect("setAttr", Never, "silent", "silent", "keeps"),
  "jinja.macro": total("macro", Function),
  "jinja.setItem": effect("setItem", Never, "silent", "silent", "keeps"),
  "jinja.finite": partial("finite", Any, "keeps"),
  "jinja.foldedSlice": partial("foldedSlice", Any, "silent"),
  "jinja.float": total("float", Float),
  "jinja.splat": effect("splat", List, "silent"),
  "jinja.kwSplat": partial("kwSplat", Any, "keeps"),

  // generation spans
  "jinja.noteSpan": { ...effect("noteSpan", Never, "silent"), throws: false },

  // loops that keep a loop object
  "jinja.loop": effect("loop", Loop, "silent"),
  "jinja.loopNext": effect("loopNext", Bool),
  "jinja.loopItem": total("loopItem", Any),

  // blocks
  "jinja.selfReference": stateful("selfReference", Any),
  "jinja.noSuper": total("noSuper", Any),
  "jinja.pieces": stateful("pieces", Any),
  "jinja.unjoinedPiece": stateful("unjoinedPiece", Text | None),
  "jinja.notePiece": stateful("notePiece", Never),
  "jinja.startPieces": stateful("startPieces", Never),
  "jinja.takePieces": stateful("takePieces", Text | None),

  // variables that macros outlive
  "jinja.missingObject": total("missingObject", Any),
  "jinja.found": total("found", Any, "keeps"),

  // autoescape
  "jinja.evalContext": stateful("evalContext", Any),
  "jinja.isAutoescape": stateful("isAutoescape", Bool),
  "jinja.setAutoescape": stateful("setAutoescape", Never),
  "jinja.escapeIn": stateful("escapeIn", Text),
  "jinja.markIn": stateful("markIn", Any),
  "jinja.macroIn": stateful("macroIn", Any),
  "jinja.recurseIn": stateful("recurseIn", Any),
  "jinja.markupJoin": total("markupJoin", Text | Markup, "silent"),
  "jinja.callFilterIn": effect("callFilterIn", Any, "silent", "silent", "keeps"),

  // globals
  "jinja.range": partial("range", Range, "keeps"),
  "jinja.raiseException": effect("raiseException", Never, "silent"),
  "jinja.strftimeNow": partial("strftimeNow", Text, "keeps", "silent"),
  "jinja.globalValue": total("globalValue", Function),
  "jinja.fail": effect("fail", Never),
  "jinja.includeTemplate": effect("includeTemplate", None, "keeps"),

  // tests
  "jinja.callTest": effect("callTest", Bool, "keeps"),
  "jinja.isString": test("isString"),
  "jinja.isMapping": test("isMapping"),
  "jinja.isIterable": test("isIterable"),
  "jinja.isSequence": test("isSequence"),
  "jinja.isNumber": test("isNumber"),
  "jinja.isInteger": test("isInteger"),
  "jinja.isFloat": test("isFloat"),
  "jinja.isBoolean": test("isBoolean"),
  "jinja.isNone": test("isNone"),
  "jinja.isTrue": test("isTrue"),
  "jinja.isFalse": test("isFalse"),
  "jinja.isCallable": test("isCallable"),
  "jinja.isOdd": strictTest("isOdd"),
  "jinja.isEven": strictTest("isEven"),
  "jinja.isDivisibleBy": strictTest("isDivisibleBy"),

  // filters
  "jinja.callFilter": effect("callFilter", Any, "keeps"),
  "jinja.absFilter": numberFilter("absFilter"),
  "jinja.attrFilter": anyFilter("attrFilter"),
  "jinja.batchFilter": lazyFilter("batchFilter"),
  "jinja.capitalizeFilter": textFilter("capitalizeFilter"),
  "jinja.centerFilter": textFilter("centerFilter"),
  "jinja.defaultFilter": partial("defaultFilter", Any, "keeps"),
  "jinja.dictsortFilter": partial("dictsortFilter", List, "keeps"),
  "jinja.escapeFilter": textFilter("escapeFilter"),
  "jinja.filesizeformatFilter": textFilter("filesizeformatFilter"),
  "jinja.firstFilter": effect("firstFilter", Any, "silent"),
  "jinja.floatFilter": numberFilter("floatFilter"),
  "jinja.forceescapeFilter": textFilter("forceescapeFilter"),
  "jinja.groupbyFilter": effect("groupbyFilter", Any, "keeps"),
  "jinja.indentFilter": textFilter("indentFilter"),
  "jinja.intFilter": numberFilter("intFilter"),
  "jinja.itemsFilter": effect("itemsFilter", Generator, "silent"),
  "jinja.joinFilter": effect("joinFilter", Text, "keeps"),
  "jinja.lastFilter": effect("lastFilter", Any, "silent"),
  "jinja.lengthFilter": partial("lengthFilter", Index, "silent"),
  "jinja.listFilter": safeOn(Container, effect("listFilter", List, "silent")),
  "jinja.lowerFilter": textFilter("lowerFilter"),
  "jinja.maxFilter": anyFilter("maxFilter"),
  "jinja.minFilter": anyFilter("minFilter"),
  "jinja.pprintFilter": textFilter("pprintFilter"),
  "jinja.randomFilter": anyFilter("randomFilter"),
  "jinja.replaceFilter": textFilter("replaceFilter"),
  "jinja.reverseFilter": anyFilter("reverseFilter"),
  "jinja.roundFilter": numberFilter("roundFilter"),
  "jinja.safeFilter": total("safeFilter", Markup, "silent"),
  "jinja.sliceFilter": lazyFilter("sliceFilter"),
  "jinja.sortFilter": effect("sortFilter", List, "keeps"),
  "jinja.stringFilter": total("stringFilter", Text | Markup, "silent"),
  "jinja.striptagsFilter": textFilter("striptagsFilter"),
  "jinja.sumFilter": anyFilter("sumFilter"),
  "jinja.titleFilter": textFilter("titleFilter"),
  "jinja.tojsonFilter": partial("tojsonFilter", Text, "keeps"),
  "jinja.trimFilter": textFilter("trimFilter"),
  /** What is short enough is given back as it is, whatever it is. */
  "jinja.truncateFilter": partial("truncateFilter", Any, "keeps"),
  "jinja.uniqueFilter": lazyFilter("uniqueFilter"),
  "jinja.upperFilter": textFilter("upperFilter"),
  "jinja.urlencodeFilter": textFilter("urlencodeFilter"),
  "jinja.urlizeFilter": textFilter("urlizeFilter"),
  "jinja.wordcountFilter": numberFilter("wordcountFilter"),
  "jinja.wordwrapFilter": textFilter("wordwrapFilter"),
  "jinja.xmlattrFilter": textFilter("xmlattrFilter"),

  // rules on text that is known to be text
  "jinja.dictFor": safeOn(Dict, partial("dictFor", Dict | Deep, "keeps")),
  "jinja.textFor": safeOn(Text, partial("textFor", Text, "keeps")),
  "jinja.strip": total("strip", Text),
  "jinja.lstrip": total("lstrip", Text),
  "jinja.rstrip": total("rstrip", Text),
  "jinja.stripChars": total("stripChars", Text),
  "jinja.lstripChars": total("lstripChars", Text),
  "jinja.rstripChars": total("rstripChars", Text),
  "jinja.upper": total("upper", Text),
  "jinja.lower": total("lower", Text),
  "jinja.capitalize": total("capitalize", Text),
  "jinja.title": total("title", Text),
  "jinja.before": total("before", Text),
  "jinja.afterLast": total("afterLast", Text),
  "jinja.splitText": total("splitText", List | Deep),
  "jinja.replaceText": total("replaceText", Text),
  "jinja.textLength": total("textLength", Index),
  "jinja.sliceText": total("sliceText", Text),
} satisfies Record<`jinja.${string}`, Intrinsic>;
