/** The code of a whole render: the look at the input, the prompt under its limits, and errors as RenderErrors. */
import { renderError } from "../../runtime/errors.js";
import { begin, end, refuse, within } from "../../runtime/limits.js";
import { lookCode, LOOK_RULES } from "./look-code.js";
import type { Reads } from "./reads.js";

/** What the code calls, beside the rule for inputs. */
export const RENDER_RULES = { ...LOOK_RULES, renderError, begin, end, refuse, within } as const;

/** Declarations, the last of which is `render(input, options)`; `call` is the prompt of `input` and `options`. */
export function renderCode(call: string, reads: Reads, limits: boolean): string {
  return `${lookCode(reads)}
function render(input, options) {
try {
if (!look(input)) input = prepare(input);
${limits ? underLimits(call) : `return ${call};`}
} catch (error) {
throw renderError(error);
}
}`;
}

function underLimits(call: string): string {
  return `const outer = begin(options?.limits);
try {
return within(${call});
} catch (error) {
refuse(error);
} finally {
end(outer);
}`;
}
