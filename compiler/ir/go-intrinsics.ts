/** The intrinsics of Go's text/template and of Ollama's data model. */
import type { Intrinsic } from "./intrinsics.js";

export const goIntrinsics = {} satisfies Record<`go.${string}`, Intrinsic>;
