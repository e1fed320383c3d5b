/** What a module with segments calls beside the rules of its dialect: values that remember their origin. */
import type { Intrinsic } from "./intrinsic.js";
import { Any, Dict, Function, List, Text, type Kinds } from "./kinds.js";

/** None of them fails by itself: what can fail is a rule that it applies, which gets its place as an argument. */
function tracing(runtime: string, gives: Kinds): Intrinsic {
  return { runtime, gives, undefinedUse: ["keeps"], throws: false, pure: false };
}

export const segmentIntrinsics = {
  "segments.start": tracing("startTrace", Any),
  "segments.startOllama": tracing("startOllamaTrace", Any),
  "segments.startWriters": tracing("startWriters", Any),
  "segments.written": tracing("written", Text),
  "segments.ollamaValues": tracing("tracedOllamaValues", Dict),
  "segments.ollamaValuesStrict": tracing("tracedOllamaValuesStrict", Dict),
  "segments.plain": tracing("plain", Any),
  "segments.plainAs": tracing("plainAs", Any),
  "segments.plainText": tracing("plainText", Text),
  "segments.join": tracing("joinTexts", Text),
  "segments.read": tracing("traceRead", Any),
  "segments.at": tracing("traceAt", Any),
  "segments.items": tracing("traceItems", List),
  "segments.entries": tracing("traceEntries", List),
  "segments.pairs": tracing("tracePairs", List),
  "segments.list": tracing("traceList", List),
  "segments.record": tracing("traceRecord", Dict),
  "segments.function": tracing("traceFunction", Function),
  "segments.set": tracing("traceSet", Any),
  "segments.push": tracing("tracePush", Any),
  "segments.slice": tracing("traceSlice", Any),
  "segments.rule": tracing("traceRule", Any),
  "segments.add": tracing("traceAdd", Any),
  "segments.cut": tracing("traceCut", Any),
  "segments.head": tracing("traceHead", Any),
  "segments.sliced": tracing("traceSliced", Any),
  "segments.split": tracing("traceSplit", Any),
  "segments.replace": tracing("traceReplace", Any),
  "segments.case": tracing("traceCase", Any),
  "segments.joinRule": tracing("traceJoin", Any),
  "segments.format": tracing("traceFormat", Any),
  "segments.item": tracing("traceItem", Any),
  "segments.method": tracing("traceMethod", Any),
  "segments.call": tracing("traceCall", Any),
  "segments.json": tracing("traceJson", Any),
  "segments.derived": tracing("derived", Any),
  "segments.printed": tracing("printed", Any),
  "segments.made": tracing("made", Any),
  "segments.goPrint": tracing("tracePrint", Any),
  "segments.goPrintln": tracing("tracePrintln", Any),
  "segments.goPrintf": tracing("tracePrintf", Any),
  "segments.goSlice": tracing("traceSliceAny", Any),
  "segments.goSliceBytes": tracing("traceSliceBytes", Any),
  "segments.goJoinBytes": tracing("traceJoinBytes", Any),
  "segments.goField": tracing("traceField", Any),
  "segments.goIndex": tracing("traceIndex", Any),
  "segments.goBox": tracing("traceBox", Any),
  "segments.goAfter": tracing("traceAfter", Any),
} satisfies Record<`segments.${string}`, Intrinsic>;
