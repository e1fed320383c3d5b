/** What the intrinsic table says of one rule. */
import type { Kinds } from "./kinds.js";

/**
 * What an argument's being Undefined means: `silent`: the rule does not care which Undefined it is; `strict`: it raises the Undefined's
 * own error at once; `keeps`: the value lives on, so that its message may be asked for later.
 */
export type UndefinedUse = "silent" | "strict" | "keeps";

export interface Intrinsic {
  /** The runtime's export, where it is not named as the rule is behind its dialect. */
  readonly runtime?: string;
  readonly gives: Kinds;
  /** One for each argument; the last repeats. */
  readonly undefinedUse: readonly UndefinedUse[];
  /** Whether it can throw: then its last argument is its place. */
  readonly throws: boolean;
  /** Whether it neither changes anything nor depends on anything but its arguments. */
  readonly pure: boolean;
  /** The kinds of the first argument with which it cannot throw. */
  readonly safe?: Kinds;
  /** Whether the runtime function wants its first argument typed as a Value. */
  readonly takesValue?: boolean;
}
