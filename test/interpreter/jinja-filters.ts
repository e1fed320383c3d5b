/** Jinja2's filters (jinja2/filters.py) and transformers' `tojson`: the table, and how a filter is called. */
import { bind } from "./jinja-arguments.js";
import type { CallContext, Kwargs, Value } from "./jinja-values.js";
import { raise } from "./jinja-values.js";
import { sequenceFilters } from "./jinja-filters-sequence.js";
import { textFilters } from "./jinja-filters-text.js";
import { valueFilters } from "./jinja-filters-value.js";
import { lazyFilters } from "./jinja-filters-lazy.js";

export type FilterArguments = readonly (Value | undefined)[];

export interface FilterDefinition {
  /** The Python function's name, as its TypeErrors show it. */
  readonly name: string;
  /** The parameters after those that Jinja2 passes itself; the first is the value. */
  readonly parameters?: string;
  /** How many arguments Jinja2 passes first: the environment, the eval context or the context. */
  readonly implicit?: number;
  /** Context filters are never folded to constants. */
  readonly needsContext?: boolean;
  readonly run: (args: FilterArguments, context: CallContext) => Value;
  /** For `*args, **kwargs`: gets everything unbound. */
  readonly open?: (args: readonly Value[], kwargs: Kwargs, context: CallContext) => Value;
  /** A builtin that takes exactly one argument words its refusals in its own way. */
  readonly builtin?: boolean;
}

export const filters: ReadonlyMap<string, FilterDefinition> = new Map<string, FilterDefinition>([
  ...valueFilters,
  ...textFilters,
  ...sequenceFilters,
  ...lazyFilters,
]);

/** Calls a filter or a test with the value as the first argument. */
export function callDefinition(
  definition: FilterDefinition,
  args: readonly Value[],
  kwargs: Kwargs,
  context: CallContext,
): Value {
  if (definition.open !== undefined) return definition.open(args, kwargs, context);
  if (definition.builtin === true) {
    if (kwargs.size > 0) raise("TypeError", `${definition.name}() takes no keyword arguments`);
    if (args.length !== 1) {
      raise("TypeError", `${definition.name}() takes exactly one argument (${args.length} given)`);
    }
    return definition.run(args, context);
  }
  const { name, parameters = "value", implicit = 0 } = definition;
  return definition.run(bind({ name, parameters, implicit }, args, kwargs), context);
}
