/** The intrinsics by which code counts what a render does; only where limits were asked for. */
import type { Intrinsic } from "./intrinsic.js";
import { Any, Never } from "./kinds.js";

/** A rule whose only effect is that the render may end here. */
function counting(gives: number): Intrinsic {
  return { gives, undefinedUse: ["keeps"], throws: true, pure: false };
}

export const limitIntrinsics = {
  "limits.step": counting(Never),
  "limits.round": counting(Never),
  "limits.enter": counting(Never),
  "limits.leave": { ...counting(Never), throws: false },
  // These two give their argument.
  "limits.mark": counting(Any),
  "limits.weigh": counting(Any),
} satisfies Record<`limits.${string}`, Intrinsic>;
