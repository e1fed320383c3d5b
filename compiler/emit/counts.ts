/**
 * What `round`, `step`, `enter` and `leave` of the runtime do, written out: an engine makes a short function one with
 * those that it calls only so far, and a render counts more often than it does anything else.
 */
import type { Expr } from "../ir/nodes.js";
import { quote } from "./names.js";

/** What the code needs of the runtime, by names that no template's own name becomes: those are ASCII. */
export const COUNTING =
  "const { budget: budget\u00b7, exceeded: exceeded\u00b7, STEP: step\u00b7 }";

const BUDGET = "budget\u00b7";
const SPENDS = `(${BUDGET}.left -= step\u00b7) < 0`;

/** A round of a loop that writes. */
export function countedRound(written: string, place: string): string {
  return counted(place, `${SPENDS} || ${written} > ${BUDGET}.output`);
}

/** A round of another loop, and the beginning and the end of a call; null: the expression is none of these. */
export function countedCall(value: Expr): string | null {
  if (value.op !== "intrinsic") return null;
  const { name, place } = value;
  if (name === "limits.leave") return `${BUDGET}.depth++;`;
  if (name === "limits.step") return counted(place, SPENDS);
  return name === "limits.enter" ? counted(place, `${SPENDS} || --${BUDGET}.depth < 0`) : null;
}

function counted(place: string | null, isSpent: string): string {
  const noted = place === null || place === "" ? "" : `${BUDGET}.place = ${quote(place)}; `;
  return `${noted}if (${isSpent}) exceeded\u00b7();`;
}
