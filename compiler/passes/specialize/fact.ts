/** What is known of one path, and how that changes from point to point. */
import { union, type Kinds } from "../../ir/kinds.js";
import type { FunctionName, Local } from "../../ir/nodes.js";

export interface Fact {
  readonly kinds: Kinds;
  readonly isTrue?: boolean;
  /** The one text, number or boolean that it is. */
  readonly literal?: string | number | boolean;
  /** Whether TypeScript sees too, from the tests in the code, that it is neither null nor undefined. */
  readonly isNarrowed?: boolean;
  /** Whether TypeScript sees its kind too, from a typeof or a comparison with a literal. */
  readonly isTyped?: boolean;
  /** The function of the module that its macro value stands for. */
  readonly macro?: FunctionName;
  /** The local that holds the list of this path. */
  readonly list?: Local;
}

/** Where the path that it is kept under is true, `then` holds of the path `of`. */
export interface Implication {
  readonly of: string;
  readonly then: Fact;
}

/** A fact replaced, all that concerns a local gone, or what follows from a path. */
export type Change =
  | { readonly op: "fact"; readonly path: string; readonly fact: Fact | undefined }
  | { readonly op: "forget"; readonly local: Local }
  | { readonly op: "imply"; readonly when: string; readonly implications: readonly Implication[] };

/** What holds after either of two ways. */
export function joinFacts(a: Fact | undefined, b: Fact | undefined): Fact | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    kinds: union(a.kinds, b.kinds),
    ...(a.isTrue === true && b.isTrue === true ? { isTrue: true } : {}),
    ...(a.isNarrowed === true && b.isNarrowed === true ? { isNarrowed: true } : {}),
    ...(a.isTyped === true && b.isTyped === true ? { isTyped: true } : {}),
    ...(a.literal !== undefined && a.literal === b.literal ? { literal: a.literal } : {}),
    ...(a.macro !== undefined && a.macro === b.macro ? { macro: a.macro } : {}),
    ...(a.list !== undefined && a.list === b.list ? { list: a.list } : {}),
  };
}

/** The implications that hold on both ways. */
export function joinImplications(
  ours: readonly Implication[],
  theirs: readonly Implication[],
): readonly Implication[] {
  return ours.filter((one) =>
    theirs.some((two) => one.of === two.of && sameFact(one.then, two.then)),
  );
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.kinds === b.kinds && a.macro === b.macro && a.literal === b.literal && a.list === b.list;
}
