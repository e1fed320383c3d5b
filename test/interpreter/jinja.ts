/**
 * The reference interpreter for chat templates in Jinja: a tree walker with its own values, independent of the
 * compiler beyond the parser. It exists to be compared with, so it prefers the obvious to the fast.
 */
import { parse } from "../../compiler/jinja/parser.js";
import { Diagnostics } from "../../compiler/diagnostics.js";
import { Source } from "../../compiler/source.js";
import { Context } from "./jinja-context.js";
import { Executor } from "./jinja-execute.js";
import { Constants } from "./jinja-fold.js";
import { makeGlobals } from "./jinja-globals.js";
import { readJson } from "./jinja-json.js";
import { makePlan } from "./jinja-plan.js";
import { InterpreterError, PyDict, PyStr, raise } from "./jinja-values.js";

export interface InterpretOptions {
  /** The local time for `strftime_now`, as ISO 8601. */
  readonly now?: string | undefined;
}

export interface Interpreted {
  readonly output: string;
  /** Generation spans in code points, where transformers' tracker puts them. */
  readonly spans: [number, number][];
}

export interface PreparedJinja {
  render(inputJson: string, options?: InterpretOptions): Interpreted;
}

/** What JavaScript itself refuses: a stack too deep is Python's recursion limit, anything too big its memory. */
function asInterpreterError(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  if (error.message.includes("call stack")) {
    return new InterpreterError("RecursionError", "maximum recursion depth exceeded");
  }
  return new InterpreterError("MemoryError", "");
}

function contextOf(inputJson: string, options: InterpretOptions): Context {
  const input = readJson(inputJson);
  if (!(input instanceof PyDict)) raise("TypeError", "the input is not an object");
  const variables = makeGlobals();
  for (const { key, value } of input.entries.values()) {
    if (key instanceof PyStr) variables.set(key.text, value);
  }
  return new Context(variables, { autoescape: false, now: options.now });
}

/** Parses a template once, to render it many times. Throws what the parser throws. */
export function prepareJinja(template: string): PreparedJinja {
  const source = new Source(template, "template");
  const tree = parse(source, new Diagnostics(source));
  const plan = makePlan(tree);
  const constants = new Constants();
  return {
    render(inputJson, options = {}) {
      try {
        const executor = new Executor(plan, constants);
        const output = executor.render(tree.body, contextOf(inputJson, options));
        return { output, spans: executor.spans };
      } catch (error) {
        throw asInterpreterError(error);
      }
    },
  };
}

/** Renders a template with an input given as JSON text. */
export function interpretJinja(
  template: string,
  inputJson: string,
  options: InterpretOptions = {},
): Interpreted {
  return prepareJinja(template).render(inputJson, options);
}
