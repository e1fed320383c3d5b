/** Jinja2's filters that are generators: nothing in them runs before the first item is asked for. */
import { arithmetic } from "./jinja-arithmetic.js";
import { bind } from "./jinja-arguments.js";
import { callDefinition, filters } from "./jinja-filters.js";
import type { FilterArguments, FilterDefinition } from "./jinja-filters.js";
import { getter, sortKey } from "./jinja-lookup.js";
import { compare, equal, iterate, listOf, requireIndex, truth } from "./jinja-operators.js";
import { repr, undefinedMessage } from "./jinja-text.js";
import { tests } from "./jinja-tests.js";
import {
  hashKey,
  int,
  NONE,
  PyDict,
  PyIterator,
  PyInt,
  PyList,
  PyNone,
  PyStr,
  raise,
  Undefined,
} from "./jinja-values.js";
import type { CallContext, Kwargs, Value } from "./jinja-values.js";

function generator(name: string, items: Iterator<Value>): PyIterator {
  return new PyIterator("generator", name, items);
}

function* each(value: Value): Generator<Value> {
  const iterator = iterate(value);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) yield step.value;
}

function* items(value: Value): Generator<Value> {
  if (value instanceof Undefined) return;
  if (!(value instanceof PyDict)) raise("TypeError", "Can only get item pairs from a mapping.");
  yield* value.pairs();
}

function* unique([
  value = NONE,
  caseSensitive,
  attribute = NONE,
]: FilterArguments): Generator<Value> {
  const key = sortKey(attribute, caseSensitive !== undefined && truth(caseSensitive));
  const seen = new Set<string>();
  for (const item of each(value)) {
    const hash = hashKey(key(item));
    if (!seen.has(hash)) yield item;
    seen.add(hash);
  }
}

function* batch([value = NONE, size = NONE, fill = NONE]: FilterArguments): Generator<Value> {
  let row: Value[] = [];
  for (const item of each(value)) {
    if (equal(int(row.length), size)) {
      yield new PyList(row);
      row = [];
    }
    row.push(item);
  }
  if (row.length === 0) return;
  if (!(fill instanceof PyNone) && compare("<", int(row.length), size)) {
    const missing = Number(requireIndex(size)) - row.length;
    for (let at = 0; at < missing; at++) row.push(fill);
  }
  yield new PyList(row);
}

function* sliced([value = NONE, slices = NONE, fill = NONE]: FilterArguments): Generator<Value> {
  const sequence = listOf(value);
  arithmetic("//", int(sequence.length), slices);
  // A range of a negative number of any size is empty.
  if (slices instanceof PyInt && slices.value < 0n) return;
  const count = Number(requireIndex(slices));
  const size = Math.floor(sequence.length / count);
  const extra = sequence.length - size * count;
  let offset = 0;
  for (let at = 0; at < count; at++) {
    const start = offset + at * size;
    if (at < extra) offset++;
    const part = sequence.slice(start, offset + (at + 1) * size);
    if (!(fill instanceof PyNone) && at >= extra) part.push(fill);
    yield new PyList(part);
  }
}

// ---------------------------------------------------------------- by name

/** Jinja2's `call_filter` and `call_test`. */
function callNamed(
  kind: "filter" | "test",
  name: Value,
  args: readonly Value[],
  kwargs: Kwargs,
  context: CallContext,
): Value {
  const table = kind === "filter" ? filters : tests;
  const definition = name instanceof PyStr ? table.get(name.text) : undefined;
  if (definition !== undefined) return callDefinition(definition, args, kwargs, context);
  hashKey(name);
  const message = `No ${kind} named ${repr(name)}.`;
  const hint =
    name instanceof Undefined
      ? ` (${undefinedMessage(name)}; did you forget to quote the callable name?)`
      : "";
  return raise("TemplateRuntimeError", message + hint);
}

/** Jinja2's `prepare_map`. */
function mapper(
  args: readonly Value[],
  kwargs: Kwargs,
  context: CallContext,
): (item: Value) => Value {
  const [name, ...rest] = args;
  const attribute = kwargs.get("attribute");
  if (name === undefined && attribute !== undefined) {
    for (const key of kwargs.keys()) {
      if (key !== "attribute" && key !== "default") {
        raise("FilterArgumentError", `Unexpected keyword argument '${key}'`);
      }
    }
    return getter(attribute, kwargs.get("default"));
  }
  if (name === undefined) raise("FilterArgumentError", "map requires a filter argument");
  return (item) => callNamed("filter", name, [item, ...rest], kwargs, context);
}

function* mapped(
  value: Value,
  args: readonly Value[],
  kwargs: Kwargs,
  context: CallContext,
): Generator<Value> {
  if (!truth(value)) return;
  const apply = mapper(args, kwargs, context);
  for (const item of each(value)) yield apply(item);
}

interface Selection {
  /** Whether the test asks an attribute of the item. */
  readonly byAttribute: boolean;
  /** Whether the items that fail are kept. */
  readonly reject: boolean;
}

/** Jinja2's `select_or_reject`. */
function* selected(
  selection: Selection,
  [value = NONE, ...args]: readonly Value[],
  kwargs: Kwargs,
  context: CallContext,
): Generator<Value> {
  if (!truth(value)) return;
  const [attribute] = args;
  if (selection.byAttribute && attribute === undefined) {
    raise("FilterArgumentError", "Missing parameter for attribute name");
  }
  const get = selection.byAttribute ? getter(attribute ?? NONE) : (item: Value) => item;
  const [name, ...rest] = selection.byAttribute ? args.slice(1) : args;
  for (const item of each(value)) {
    const asked = get(item);
    const answer =
      name === undefined ? asked : callNamed("test", name, [asked, ...rest], kwargs, context);
    if (truth(answer) !== selection.reject) yield item;
  }
}

function selecting(name: string, selection: Selection): FilterDefinition {
  return {
    name,
    needsContext: true,
    run: () => NONE,
    open: (args, kwargs, context) => {
      bindValue(name, args, kwargs);
      return generator("select_or_reject", selected(selection, args, kwargs, context));
    },
  };
}

function bindValue(name: string, args: readonly Value[], kwargs: Kwargs): Value {
  const [value] = bind({ name, parameters: "value", implicit: 1 }, args.slice(0, 1), new Map());
  for (const taken of ["value", "context"]) {
    if (value !== undefined && kwargs.has(taken)) {
      raise("TypeError", `${name}() got multiple values for argument '${taken}'`);
    }
  }
  return value ?? NONE;
}

const mapping: FilterDefinition = {
  name: "sync_do_map",
  needsContext: true,
  run: () => NONE,
  open: (args, kwargs, context) => {
    const value = bindValue("sync_do_map", args, kwargs);
    return generator("sync_do_map", mapped(value, args.slice(1), kwargs, context));
  },
};

export const lazyFilters: readonly (readonly [string, FilterDefinition])[] = [
  ["items", { name: "do_items", run: ([value = NONE]) => generator("do_items", items(value)) }],
  [
    "unique",
    {
      name: "sync_do_unique",
      parameters: "value case_sensitive? attribute?",
      implicit: 1,
      run: (args) => generator("sync_do_unique", unique(args)),
    },
  ],
  [
    "batch",
    {
      name: "do_batch",
      parameters: "value linecount fill_with?",
      run: (args) => generator("do_batch", batch(args)),
    },
  ],
  [
    "slice",
    {
      name: "sync_do_slice",
      parameters: "value slices fill_with?",
      run: (args) => generator("sync_do_slice", sliced(args)),
    },
  ],
  ["map", mapping],
  ["select", selecting("sync_do_select", { byAttribute: false, reject: false })],
  ["reject", selecting("sync_do_reject", { byAttribute: false, reject: true })],
  ["selectattr", selecting("sync_do_selectattr", { byAttribute: true, reject: false })],
  ["rejectattr", selecting("sync_do_rejectattr", { byAttribute: true, reject: true })],
];
