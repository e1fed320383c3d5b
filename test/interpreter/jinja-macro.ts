/** Jinja2's `Macro.__call__`: how arguments reach a macro's variables. */
import { textRepr } from "./jinja-text.js";
import { Markup, MISSING, PyDict, PyNone, PyTuple, raise, str, Undefined } from "./jinja-values.js";
import type { Kwargs, Macro, Value } from "./jinja-values.js";

function refuseNames(macro: Macro, kwargs: Kwargs): void {
  const [first] = kwargs.keys();
  if (first === undefined) return;
  const name = macro.name === null ? "None" : textRepr(macro.name);
  if (kwargs.has("caller")) {
    const twice = "two values for the special caller argument. This is most likely a bug.";
    raise("TypeError", `macro ${name} was invoked with ${twice}`);
  }
  raise("TypeError", `macro ${name} takes no keyword argument ${textRepr(first)}`);
}

/** The values in the order of the macro's variables: parameters, caller, kwargs, varargs. */
function argumentsOf(macro: Macro, args: readonly Value[], given: Kwargs): Value[] {
  const kwargs: Kwargs = new Map(given);
  if (kwargs.has("self")) {
    raise("TypeError", "Macro.__call__() got multiple values for argument 'self'");
  }
  const take = (name: string): Value | undefined => {
    const value = kwargs.get(name);
    kwargs.delete(name);
    return value;
  };
  const { parameters } = macro;
  const values = args.slice(0, parameters.length);
  const byName = parameters.slice(values.length);
  const explicitCaller = parameters.includes("caller");
  const foundCaller = byName.length > 0 ? byName.includes("caller") : explicitCaller;
  for (const name of byName) values.push(take(name) ?? MISSING);
  if (macro.usesCaller && !foundCaller) {
    const caller = take("caller");
    const none = caller === undefined || caller instanceof PyNone;
    values.push(none ? new Undefined({ hint: "No caller defined", key: str("caller") }) : caller);
  }
  if (macro.catchKwargs) {
    const rest = new PyDict();
    for (const [name, value] of kwargs) rest.set(str(name), value);
    values.push(rest);
  } else refuseNames(macro, kwargs);
  if (macro.catchVarargs) values.push(new PyTuple(args.slice(parameters.length)));
  else if (args.length > parameters.length) {
    const name = macro.name === null ? "None" : textRepr(macro.name);
    raise("TypeError", `macro ${name} takes not more than ${parameters.length} argument(s)`);
  }
  return values;
}

export function invokeMacro(
  macro: Macro,
  args: readonly Value[],
  kwargs: Kwargs,
  autoescape: boolean,
): Value {
  const text = macro.run(argumentsOf(macro, args, kwargs));
  return autoescape ? new Markup(text) : str(text);
}
