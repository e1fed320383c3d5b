/** The intrinsics by which code counts what a render does; only where limits were asked for. */
import type { Intrinsic } from "./intrinsic.js";
import { Any, Never } from "./kinds.js";

/** A rule whose only effect is that the render may end here. */
function counting(runtime: string, gives: number): Intrinsic {
  return { runtime, gives, undefinedUse: ["keeps"], throws: true, pure: false };
}

export const limitIntrinsics = {
  "limits.step": counting("step", Never),
  "limits.round": counting("round", Never),
  "limits.enter": counting("enter", Never),
  "limits.leave": { ...counting("leave", Never), throws: false },
  // These two give their argument.
  "limits.mark": counting("mark", Any),
  "limits.weigh": counting("weigh", Any),
} satisfies Record<`limits.${string}`, Intrinsic>;
