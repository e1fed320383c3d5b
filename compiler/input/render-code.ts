/** The code of a whole render: the look at the input, the prompt under its limits, and errors as RenderErrors. */
import { renderError } from "../../runtime/errors.js";
import { begin, end, refuse, within } from "../../runtime/limits.js";
import { lookCode, LOOK_RULES } from "./look-code.js";
import { plainInput } from "./plain-input.js";
import type { Reads } from "./reads.js";

/** What the code calls. */
export const RENDER_RULES = {
  ...LOOK_RULES,
  plainInput,
  renderError,
  begin,
  end,
  refuse,
  within,
} as const;

/** Declarations: `prepare(input)`, and `render(input, options)`, where `call` is the prompt of `input` and `options`. */
export function renderCode(call: string, reads: Reads, limits: boolean): string {
  return `${lookCode(reads)}
function prepare(input) {
return look(input) ? input : plainInput(input);
}
function render(input, options) {
try {
input = prepare(input);
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
