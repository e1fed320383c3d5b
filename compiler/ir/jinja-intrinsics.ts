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
function total(gives: Kinds, ...undefinedUse: UndefinedUse[]): Intrinsic {
  return { gives, undefinedUse, throws: false, pure: true };
}

/** A rule that throws on some arguments, without other effect. */
function partial(gives: Kinds, ...undefinedUse: UndefinedUse[]): Intrinsic {
  return { gives, undefinedUse, throws: true, pure: true };
}

/** A rule that throws unless its first argument is one of the kinds. */
function safeOn(safe: Kinds, rule: Intrinsic): Intrinsic {
  return { ...rule, safe };
}

/** A rule with an effect: it calls code of the template, consumes a generator or changes a namespace. */
function effect(gives: Kinds, ...undefinedUse: UndefinedUse[]): Intrinsic {
  return { gives, undefinedUse, throws: true, pure: false };
}

/** A rule that cannot throw but depends on the render's state, or changes it. */
function stateful(gives: Kinds): Intrinsic {
  return { gives, undefinedUse: ["keeps"], throws: false, pure: false };
}

const textFilter: Intrinsic = partial(Text | Markup, "keeps");
const lazyFilter: Intrinsic = effect(Generator, "keeps");
const anyFilter: Intrinsic = effect(Any, "keeps");
const numberFilter: Intrinsic = partial(Any, "keeps");
const test: Intrinsic = total(Bool, "silent");
const strictTest: Intrinsic = partial(Bool, "strict", "keeps");

export const jinjaIntrinsics = {
  // printing
  "jinja.truth": total(Bool, "silent"),
  "jinja.str": total(Text, "silent"),
  "jinja.json": total(Text, "keeps"),
  "jinja.jsonOf": partial(Text, "silent"),
  "jinja.pieceText": total(Text, "silent"),
  "jinja.unjoined": total(Text | None, "silent"),
  "jinja.checkJoined": effect(Never, "silent"),
  "jinja.textBefore": safeOn(Text, partial(Text, "keeps")),
  "jinja.text": safeOn(Text, partial(Text, "strict")),

  // lookup
  "jinja.attr": partial(Any, "strict"),
  "jinja.item": partial(Any, "strict", "keeps"),
  /** An item that must be there. */
  "jinja.itemOf": partial(Any, "strict", "keeps"),
  "jinja.slice": partial(Any, "strict", "keeps"),

  // calls
  "jinja.call": effect(Any, "strict", "keeps"),
  "jinja.callMethod": effect(Any, "strict", "keeps"),

  // operators
  "jinja.add": partial(Any, "strict"),
  "jinja.sub": partial(Any, "strict", "keeps"),
  // Markup refuses an Undefined on its right as it refuses any other operand that is no integer.
  "jinja.mul": partial(Any, "strict", "keeps"),
  "jinja.div": partial(Any, "strict"),
  "jinja.floordiv": partial(Any, "strict"),
  "jinja.mod": partial(Any, "keeps"),
  "jinja.pow": partial(Any, "strict"),
  "jinja.powOfFolded": partial(Any, "strict"),
  "jinja.neg": partial(Any, "strict"),
  "jinja.pos": partial(Any, "strict"),
  "jinja.eq": total(Bool, "silent"),
  "jinja.lt": partial(Bool, "strict"),
  "jinja.le": partial(Bool, "strict"),
  "jinja.gt": partial(Bool, "strict"),
  "jinja.ge": partial(Bool, "strict"),
  "jinja.isIn": effect(Bool, "silent"),
  "jinja.has": { ...safeOn(Container, partial(Bool, "silent")), takesValue: true },

  // iteration
  "jinja.list": safeOn(Container, effect(List, "silent")),
  "jinja.filtered": effect(Any, "silent"),
  "jinja.unpack": effect(List, "silent"),
  "jinja.selectable": safeOn(Container | None, partial(List, "silent")),
  "jinja.items": { ...safeOn(Dict, partial(List, "strict")), takesValue: true },
  "jinja.fieldsOf": { ...safeOn(Dict, partial(Dict, "strict")), takesValue: true },
  "jinja.itemPairs": safeOn(Dict | Undefined, partial(List, "silent")),
  "jinja.fieldsIn": safeOn(Dict | Undefined, partial(Dict, "silent")),

  // Undefined
  "jinja.named": total(Any, "silent"),
  "jinja.unset": total(Any, "silent"),
  "jinja.missing": partial(None, "silent"),
  "jinja.missingName": partial(None, "silent"),
  "jinja.absent": total(None | Undefined, "silent"),
  "jinja.strict": partial(Any, "strict"),
  "jinja.isDefined": test,
  "jinja.noElse": total(Undefined),
  "jinja.unprovided": total(Undefined),
  "jinja.noCaller": total(Any),
  "jinja.noItem": total(Undefined),

  // building
  "jinja.tuple": total(Tuple, "keeps"),
  "jinja.dict": partial(Dict, "keeps"),
  "jinja.namespace": effect(Namespace, "keeps"),
  "jinja.asNamespace": safeOn(Namespace, partial(Namespace, "silent")),
  "jinja.setAttr": effect(Never, "silent", "silent", "keeps"),
  "jinja.macro": total(Function),
  "jinja.setItem": effect(Never, "silent", "silent", "keeps"),
  "jinja.finite": partial(Any, "keeps"),
  "jinja.foldedSlice": partial(Any, "silent"),
  "jinja.float": total(Float),
  "jinja.splat": effect(List, "silent"),
  "jinja.kwSplat": partial(Any, "keeps"),

  // generation spans
  "jinja.noteSpan": { ...effect(Never, "silent"), throws: false },

  // loops that keep a loop object
  "jinja.loop": effect(Loop, "silent"),
  "jinja.loopNext": effect(Bool),
  "jinja.loopItem": total(Any),

  // blocks
  "jinja.selfReference": stateful(Any),
  "jinja.noSuper": total(Any),
  "jinja.pieces": stateful(Any),
  "jinja.unjoinedPiece": stateful(Text | None),
  "jinja.notePiece": stateful(Never),
  "jinja.startPieces": stateful(Never),
  "jinja.takePieces": stateful(Text | None),

  // variables that macros outlive
  "jinja.missingObject": total(Any),
  "jinja.found": total(Any, "keeps"),

  // autoescape
  "jinja.evalContext": stateful(Any),
  "jinja.isAutoescape": stateful(Bool),
  "jinja.setAutoescape": stateful(Never),
  "jinja.escapeIn": stateful(Text),
  "jinja.markIn": stateful(Any),
  "jinja.macroIn": stateful(Any),
  "jinja.recurseIn": stateful(Any),
  "jinja.markupJoin": total(Text | Markup, "silent"),
  "jinja.callFilterIn": effect(Any, "silent", "silent", "keeps"),

  // globals
  "jinja.range": partial(Range, "keeps"),
  "jinja.raiseException": effect(Never, "silent"),
  "jinja.strftimeNow": partial(Text, "keeps", "silent"),
  "jinja.globalValue": total(Function),
  "jinja.fail": effect(Never),
  "jinja.includeTemplate": effect(None, "keeps"),

  // tests
  "jinja.callTest": effect(Bool, "keeps"),
  "jinja.isString": test,
  "jinja.isMapping": test,
  "jinja.isIterable": test,
  "jinja.isSequence": test,
  "jinja.isNumber": test,
  "jinja.isInteger": test,
  "jinja.isFloat": test,
  "jinja.isBoolean": test,
  "jinja.isNone": test,
  "jinja.isTrue": test,
  "jinja.isFalse": test,
  "jinja.isCallable": test,
  "jinja.isOdd": strictTest,
  "jinja.isEven": strictTest,
  "jinja.isDivisibleBy": strictTest,

  // filters
  "jinja.callFilter": effect(Any, "keeps"),
  "jinja.absFilter": numberFilter,
  "jinja.attrFilter": anyFilter,
  "jinja.batchFilter": lazyFilter,
  "jinja.capitalizeFilter": textFilter,
  "jinja.centerFilter": textFilter,
  "jinja.defaultFilter": partial(Any, "keeps"),
  "jinja.dictsortFilter": partial(List, "keeps"),
  "jinja.escapeFilter": textFilter,
  "jinja.filesizeformatFilter": textFilter,
  "jinja.firstFilter": effect(Any, "silent"),
  "jinja.floatFilter": numberFilter,
  "jinja.forceescapeFilter": textFilter,
  "jinja.groupbyFilter": effect(Any, "keeps"),
  "jinja.indentFilter": textFilter,
  "jinja.intFilter": numberFilter,
  "jinja.itemsFilter": effect(Generator, "silent"),
  "jinja.joinFilter": effect(Text, "keeps"),
  "jinja.lastFilter": effect(Any, "silent"),
  "jinja.lengthFilter": partial(Index, "silent"),
  "jinja.listFilter": safeOn(Container, effect(List, "silent")),
  "jinja.lowerFilter": textFilter,
  "jinja.maxFilter": anyFilter,
  "jinja.minFilter": anyFilter,
  "jinja.pprintFilter": textFilter,
  "jinja.randomFilter": anyFilter,
  "jinja.replaceFilter": textFilter,
  "jinja.reverseFilter": anyFilter,
  "jinja.roundFilter": numberFilter,
  "jinja.safeFilter": total(Markup, "silent"),
  "jinja.sliceFilter": lazyFilter,
  "jinja.sortFilter": effect(List, "keeps"),
  "jinja.stringFilter": total(Text | Markup, "silent"),
  "jinja.striptagsFilter": textFilter,
  "jinja.sumFilter": anyFilter,
  "jinja.titleFilter": textFilter,
  "jinja.tojsonFilter": partial(Text, "keeps"),
  "jinja.trimFilter": textFilter,
  /** What is short enough is given back as it is, whatever it is. */
  "jinja.truncateFilter": partial(Any, "keeps"),
  "jinja.uniqueFilter": lazyFilter,
  "jinja.upperFilter": textFilter,
  "jinja.urlencodeFilter": textFilter,
  "jinja.urlizeFilter": textFilter,
  "jinja.wordcountFilter": numberFilter,
  "jinja.wordwrapFilter": textFilter,
  "jinja.xmlattrFilter": textFilter,

  // rules on text that is known to be text
  "jinja.dictFor": safeOn(Dict, partial(Dict | Deep, "keeps")),
  "jinja.textFor": safeOn(Text, partial(Text, "keeps")),
  "jinja.strip": total(Text),
  "jinja.lstrip": total(Text),
  "jinja.rstrip": total(Text),
  "jinja.stripChars": total(Text),
  "jinja.lstripChars": total(Text),
  "jinja.rstripChars": total(Text),
  "jinja.upper": total(Text),
  "jinja.lower": total(Text),
  "jinja.capitalize": total(Text),
  "jinja.title": total(Text),
  "jinja.before": total(Text),
  "jinja.afterLast": total(Text),
  "jinja.splitText": total(List | Deep),
  "jinja.replaceText": total(Text),
  "jinja.textLength": total(Index),
  "jinja.sliceText": total(Text),
} satisfies Record<`jinja.${string}`, Intrinsic>;

/** Tests that ask for a value's own type, which no Undefined passes. */
export const TYPE_TESTS = [
  "jinja.isString",
  "jinja.isMapping",
  "jinja.isNumber",
  "jinja.isInteger",
  "jinja.isFloat",
  "jinja.isBoolean",
  "jinja.isNone",
  "jinja.isTrue",
  "jinja.isFalse",
] as const satisfies readonly (keyof typeof jinjaIntrinsics)[];
