/** Filters by name, for names and arguments that are known only at run time. */
import { fail } from "../errors.js";
import { Float } from "../values.js";
import {
  attrFilter,
  batchFilter,
  defaultFilter,
  dictsortFilter,
  firstFilter,
  groupbyFilter,
  itemsFilter,
  joinFilter,
  lastFilter,
  lengthFilter,
  listFilter,
  maxFilter,
  minFilter,
  randomFilter,
  reverseFilter,
  sliceFilter,
  sortFilter,
  sumFilter,
  uniqueFilter,
} from "./filters-list.js";
import {
  absFilter,
  filesizeformatFilter,
  floatFilter,
  intFilter,
  roundFilter,
} from "./filters-number.js";
import {
  mapFilter,
  rejectFilter,
  rejectattrFilter,
  selectFilter,
  selectattrFilter,
} from "./filters-select.js";
import {
  upperFilter,
  lowerFilter,
  capitalizeFilter,
  centerFilter,
  escapeFilter,
  forceescapeFilter,
  formatFilter,
  indentFilter,
  replaceFilter,
  safeFilter,
  stringFilter,
  striptagsFilter,
  titleFilter,
  trimFilter,
  truncateFilter,
  urlencodeFilter,
  wordcountFilter,
  xmlattrFilter,
} from "./filters-text.js";
import { tojsonFilter } from "./json-dump.js";
import { pprintFilter } from "./pprint.js";
import { noKeywords } from "./sequence.js";
import { bind, notTwice, type ParameterRule, type Signature } from "./signature.js";
import type { Keywords } from "./protocol.js";
import { urlizeFilter } from "./urlize.js";
import { wordwrapFilter } from "./wordwrap.js";

type Plain = (v: unknown, place: string) => unknown;

/** A filter that takes whatever arguments there are. */
type Variadic = (v: unknown, args: readonly unknown[], kwargs: Keywords, place: string) => unknown;

/** What Python's messages say of the function: its name, its parameter for the value, and what the environment adds. */
type InMessages = readonly [name: string, subject: string, hidden: number];

interface Rule {
  readonly python: InMessages;
  readonly parameters: readonly ParameterRule[];
  /** `args` holds a value for each parameter. */
  readonly run: (v: unknown, args: readonly unknown[], place: string) => unknown;
}

type Table<Entry> = Readonly<Record<string, Entry>>;

/* Functions are there before any module runs, so these tables may name those of a module that needs this one. */

const VARIADIC: Table<readonly [run: Variadic, name: string, taken: readonly string[]]> = {
  format: [formatFilter, "do_format", ["value"]],
  map: [mapFilter, "sync_do_map", ["value", "context"]],
  reject: [rejectFilter, "sync_do_reject", ["value", "context"]],
  rejectattr: [rejectattrFilter, "sync_do_rejectattr", ["value", "context"]],
  select: [selectFilter, "sync_do_select", ["value", "context"]],
  selectattr: [selectattrFilter, "sync_do_selectattr", ["value", "context"]],
};

const ALIASES: Table<string> = { count: "length", d: "default", e: "escape" };

/** Functions of Python itself, which take the value only. */
const BUILTINS: Table<readonly [run: Plain, name: string]> = {
  abs: [absFilter, "abs"],
  length: [lengthFilter, "len"],
};

/** Jinja2's functions that take the value only. */
const PLAIN: Table<readonly [run: Plain, ...InMessages]> = {
  capitalize: [capitalizeFilter, "do_capitalize", "s", 0],
  escape: [escapeFilter, "escape", "", 0],
  first: [firstFilter, "sync_do_first", "seq", 1],
  forceescape: [forceescapeFilter, "do_forceescape", "value", 0],
  items: [itemsFilter, "do_items", "value", 0],
  last: [lastFilter, "do_last", "seq", 1],
  list: [listFilter, "sync_do_list", "value", 0],
  lower: [lowerFilter, "do_lower", "s", 0],
  pprint: [pprintFilter, "do_pprint", "value", 0],
  random: [randomFilter, "do_random", "seq", 1],
  reverse: [reverseFilter, "do_reverse", "value", 0],
  safe: [safeFilter, "do_mark_safe", "value", 0],
  string: [stringFilter, "soft_str", "", 0],
  striptags: [striptagsFilter, "do_striptags", "value", 0],
  title: [titleFilter, "do_title", "s", 0],
  upper: [upperFilter, "do_upper", "s", 0],
  urlencode: [urlencodeFilter, "do_urlencode", "value", 0],
  wordcount: [wordcountFilter, "do_wordcount", "s", 0],
};

/** Jinja2's functions that take arguments; a literal without calls, so that a bundler can drop it. */
const WITH_ARGUMENTS: Table<Rule> = {
  attr: {
    python: ["do_attr", "obj", 1],
    parameters: [["name"]],
    run: (v, [a], place) => attrFilter(v, a, place),
  },
  batch: {
    python: ["do_batch", "value", 0],
    parameters: [["linecount"], ["fill_with", null]],
    run: (v, [a, b], place) => batchFilter(v, a, b, place),
  },
  center: {
    python: ["do_center", "value", 0],
    parameters: [["width", 80]],
    run: (v, [a], place) => centerFilter(v, a, place),
  },
  default: {
    python: ["do_default", "value", 0],
    parameters: [
      ["default_value", ""],
      ["boolean", false],
    ],
    run: (v, [a, b], place) => defaultFilter(v, a, b, place),
  },
  dictsort: {
    python: ["do_dictsort", "value", 0],
    parameters: [
      ["case_sensitive", false],
      ["by", "key"],
      ["reverse", false],
    ],
    run: (v, [a, b, c], place) => dictsortFilter(v, a, b, c, place),
  },
  filesizeformat: {
    python: ["do_filesizeformat", "value", 0],
    parameters: [["binary", false]],
    run: (v, [a], place) => filesizeformatFilter(v, a, place),
  },
  float: {
    python: ["do_float", "value", 0],
    parameters: [["default", /* @__PURE__ */ new Float(0)]],
    run: (v, [a], place) => floatFilter(v, a, place),
  },
  groupby: {
    python: ["sync_do_groupby", "value", 1],
    parameters: [["attribute"], ["default", null], ["case_sensitive", false]],
    run: (v, [a, b, c], place) => groupbyFilter(v, a, b, c, place),
  },
  indent: {
    python: ["do_indent", "s", 0],
    parameters: [
      ["width", 4],
      ["first", false],
      ["blank", false],
    ],
    run: (v, [a, b, c], place) => indentFilter(v, a, b, c, place),
  },
  int: {
    python: ["do_int", "value", 0],
    parameters: [
      ["default", 0],
      ["base", 10],
    ],
    run: (v, [a, b], place) => intFilter(v, a, b, place),
  },
  join: {
    python: ["sync_do_join", "value", 1],
    parameters: [
      ["d", ""],
      ["attribute", null],
    ],
    run: (v, [a, b], place) => joinFilter(v, a, b, place),
  },
  max: {
    python: ["do_max", "value", 1],
    parameters: [
      ["case_sensitive", false],
      ["attribute", null],
    ],
    run: (v, [a, b], place) => maxFilter(v, a, b, place),
  },
  min: {
    python: ["do_min", "value", 1],
    parameters: [
      ["case_sensitive", false],
      ["attribute", null],
    ],
    run: (v, [a, b], place) => minFilter(v, a, b, place),
  },
  replace: {
    python: ["do_replace", "s", 1],
    parameters: [["old"], ["new"], ["count", null]],
    run: (v, [a, b, c], place) => replaceFilter(v, a, b, c, place),
  },
  round: {
    python: ["do_round", "value", 0],
    parameters: [
      ["precision", 0],
      ["method", "common"],
    ],
    run: (v, [a, b], place) => roundFilter(v, a, b, place),
  },
  slice: {
    python: ["sync_do_slice", "value", 0],
    parameters: [["slices"], ["fill_with", null]],
    run: (v, [a, b], place) => sliceFilter(v, a, b, place),
  },
  sort: {
    python: ["do_sort", "value", 1],
    parameters: [
      ["reverse", false],
      ["case_sensitive", false],
      ["attribute", null],
    ],
    run: (v, [a, b, c], place) => sortFilter(v, a, b, c, place),
  },
  sum: {
    python: ["sync_do_sum", "iterable", 1],
    parameters: [
      ["attribute", null],
      ["start", 0],
    ],
    run: (v, [a, b], place) => sumFilter(v, a, b, place),
  },
  tojson: {
    python: ["_cached_compile_jinja_template.<locals>.tojson", "x", 0],
    parameters: [
      ["ensure_ascii", false],
      ["indent", null],
      ["separators", null],
      ["sort_keys", false],
    ],
    run: (v, [a, b, c, d], place) => tojsonFilter(v, a, b, c, d, place),
  },
  trim: {
    python: ["do_trim", "value", 0],
    parameters: [["chars", null]],
    run: (v, [a], place) => trimFilter(v, a, place),
  },
  truncate: {
    python: ["do_truncate", "s", 1],
    parameters: [
      ["length", 255],
      ["killwords", false],
      ["end", "..."],
      ["leeway", null],
    ],
    run: (v, [a, b, c, d], place) => truncateFilter(v, a, b, c, d, place),
  },
  unique: {
    python: ["sync_do_unique", "value", 1],
    parameters: [
      ["case_sensitive", false],
      ["attribute", null],
    ],
    run: (v, [a, b], place) => uniqueFilter(v, a, b, place),
  },
  urlize: {
    python: ["do_urlize", "value", 1],
    parameters: [
      ["trim_url_limit", null],
      ["nofollow", false],
      ["target", null],
      ["rel", null],
      ["extra_schemes", null],
    ],
    run: (v, [a, b, c, d, e], place) => urlizeFilter(v, a, b, c, d, e, place),
  },
  wordwrap: {
    python: ["do_wordwrap", "s", 1],
    parameters: [
      ["width", 79],
      ["break_long_words", true],
      ["wrapstring", null],
      ["break_on_hyphens", true],
    ],
    run: (v, [a, b, c, d], place) => wordwrapFilter(v, a, b, c, d, place),
  },
  xmlattr: {
    python: ["do_xmlattr", "d", 1],
    parameters: [["autospace", true]],
    run: (v, [a], place) => xmlattrFilter(v, a, place),
  },
};

/** Whether Jinja2 has a filter of that name. */
export function isFilterName(name: string): boolean {
  return [VARIADIC, ALIASES, BUILTINS, PLAIN, WITH_ARGUMENTS].some((table) =>
    Object.hasOwn(table, name),
  );
}

/** The arguments of a filter in the order of its parameters, defaults filled in. */
export function boundArguments(
  name: string,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): readonly unknown[] {
  const rule = own(WITH_ARGUMENTS, name);
  return rule === undefined
    ? args
    : bind(signatureOf(rule.python, rule.parameters), args, kwargs, place);
}

/** Runs a filter that exists, its arguments bound as Python binds them. */
export function runFilter(
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): unknown {
  const variadic = own(VARIADIC, name);
  if (variadic !== undefined) {
    const [run, pythonName, taken] = variadic;
    notTwice(pythonName, taken, kwargs, place);
    return run(v, args, kwargs, place);
  }
  const known = own(ALIASES, name) ?? name;
  const builtin = own(BUILTINS, known);
  if (builtin !== undefined) {
    const [run, pythonName] = builtin;
    onlyValue(pythonName, args, kwargs, place);
    return run(v, place);
  }
  const plain = own(PLAIN, known);
  if (plain !== undefined) {
    const [run, ...inMessages] = plain;
    bind(signatureOf(inMessages, []), args, kwargs, place);
    return run(v, place);
  }
  const rule = own(WITH_ARGUMENTS, known);
  if (rule === undefined) {
    return fail("TemplateRuntimeError", `No filter named '${name}' found.`, place);
  }
  const signature = signatureOf(rule.python, rule.parameters);
  return rule.run(v, bind(signature, args, kwargs, place), place);
}

function own<Entry>(table: Table<Entry>, name: string): Entry | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function signatureOf(
  [name, subject, hidden]: InMessages,
  parameters: readonly ParameterRule[],
): Signature {
  return { name, subject, hidden, parameters };
}

function onlyValue(name: string, args: readonly unknown[], kwargs: Keywords, place: string): void {
  noKeywords(name, kwargs, place);
  if (args.length > 0) {
    const message = `${name}() takes exactly one argument (${args.length + 1} given)`;
    fail("TypeError", message, place);
  }
}
