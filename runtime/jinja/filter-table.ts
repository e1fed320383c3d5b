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
import { bind, type ParameterRule, type Signature } from "./signature.js";
import type { Keywords } from "./protocol.js";
import { urlizeFilter } from "./urlize.js";
import { wordwrapFilter } from "./wordwrap.js";

interface Rule {
  readonly signature: Signature | string;
  readonly run: (v: unknown, args: readonly unknown[], place: string) => unknown;
}

/** A filter that takes whatever arguments there are. */
type Variadic = (v: unknown, args: readonly unknown[], kwargs: Keywords, place: string) => unknown;

function python(
  name: string,
  subject: string,
  hidden: number,
  parameters: readonly ParameterRule[],
): Signature {
  return { name, subject, hidden, parameters };
}

/** A function of Python itself that takes the value only. */
function builtin(name: string): string {
  return name;
}

/* Functions are there before any module runs, so these tables may name those of a module that needs this one. */

const VARIADIC: Readonly<Record<string, Variadic>> = {
  format: formatFilter,
  map: mapFilter,
  reject: rejectFilter,
  rejectattr: rejectattrFilter,
  select: selectFilter,
  selectattr: selectattrFilter,
};

const ALIASES: Readonly<Record<string, string>> = { count: "length", d: "default", e: "escape" };

const RULES = /* @__PURE__ */ makeRules();

function makeRules(): Readonly<Record<string, Rule>> {
  return {
    abs: { signature: builtin("abs"), run: (v, [], place) => absFilter(v, place) },
    attr: {
      signature: python("do_attr", "obj", 1, [["name"]]),
      run: (v, [a], place) => attrFilter(v, a, place),
    },
    batch: {
      signature: python("do_batch", "value", 0, [["linecount"], ["fill_with", null]]),
      run: (v, [a, b], place) => batchFilter(v, a, b, place),
    },
    capitalize: {
      signature: python("do_capitalize", "s", 0, []),
      run: (v, [], place) => capitalizeFilter(v, place),
    },
    center: {
      signature: python("do_center", "value", 0, [["width", 80]]),
      run: (v, [a], place) => centerFilter(v, a, place),
    },
    default: {
      signature: python("do_default", "value", 0, [
        ["default_value", ""],
        ["boolean", false],
      ]),
      run: (v, [a, b], place) => defaultFilter(v, a, b, place),
    },
    dictsort: {
      signature: python("do_dictsort", "value", 0, [
        ["case_sensitive", false],
        ["by", "key"],
        ["reverse", false],
      ]),
      run: (v, [a, b, c], place) => dictsortFilter(v, a, b, c, place),
    },
    escape: {
      signature: python("escape", "", 0, []),
      run: (v, [], place) => escapeFilter(v, place),
    },
    filesizeformat: {
      signature: python("do_filesizeformat", "value", 0, [["binary", false]]),
      run: (v, [a], place) => filesizeformatFilter(v, a, place),
    },
    first: {
      signature: python("sync_do_first", "seq", 1, []),
      run: (v, [], place) => firstFilter(v, place),
    },
    float: {
      signature: python("do_float", "value", 0, [["default", new Float(0)]]),
      run: (v, [a], place) => floatFilter(v, a, place),
    },
    forceescape: {
      signature: python("do_forceescape", "value", 0, []),
      run: (v, [], place) => forceescapeFilter(v, place),
    },
    groupby: {
      signature: python("sync_do_groupby", "value", 1, [
        ["attribute"],
        ["default", null],
        ["case_sensitive", false],
      ]),
      run: (v, [a, b, c], place) => groupbyFilter(v, a, b, c, place),
    },
    indent: {
      signature: python("do_indent", "s", 0, [
        ["width", 4],
        ["first", false],
        ["blank", false],
      ]),
      run: (v, [a, b, c], place) => indentFilter(v, a, b, c, place),
    },
    int: {
      signature: python("do_int", "value", 0, [
        ["default", 0],
        ["base", 10],
      ]),
      run: (v, [a, b], place) => intFilter(v, a, b, place),
    },
    items: {
      signature: python("do_items", "value", 0, []),
      run: (v, [], place) => itemsFilter(v, place),
    },
    join: {
      signature: python("sync_do_join", "value", 1, [
        ["d", ""],
        ["attribute", null],
      ]),
      run: (v, [a, b], place) => joinFilter(v, a, b, place),
    },
    last: {
      signature: python("do_last", "seq", 1, []),
      run: (v, [], place) => lastFilter(v, place),
    },
    length: { signature: builtin("len"), run: (v, [], place) => lengthFilter(v, place) },
    list: {
      signature: python("sync_do_list", "value", 0, []),
      run: (v, [], place) => listFilter(v, place),
    },
    lower: {
      signature: python("do_lower", "s", 0, []),
      run: (v, [], place) => lowerFilter(v, place),
    },
    max: {
      signature: python("do_max", "value", 1, [
        ["case_sensitive", false],
        ["attribute", null],
      ]),
      run: (v, [a, b], place) => maxFilter(v, a, b, place),
    },
    min: {
      signature: python("do_min", "value", 1, [
        ["case_sensitive", false],
        ["attribute", null],
      ]),
      run: (v, [a, b], place) => minFilter(v, a, b, place),
    },
    pprint: {
      signature: python("do_pprint", "value", 0, []),
      run: (v, [], place) => pprintFilter(v, place),
    },
    random: {
      signature: python("do_random", "seq", 1, []),
      run: (v, [], place) => randomFilter(v, place),
    },
    replace: {
      signature: python("do_replace", "s", 1, [["old"], ["new"], ["count", null]]),
      run: (v, [a, b, c], place) => replaceFilter(v, a, b, c, place),
    },
    reverse: {
      signature: python("do_reverse", "value", 0, []),
      run: (v, [], place) => reverseFilter(v, place),
    },
    round: {
      signature: python("do_round", "value", 0, [
        ["precision", 0],
        ["method", "common"],
      ]),
      run: (v, [a, b], place) => roundFilter(v, a, b, place),
    },
    safe: {
      signature: python("do_mark_safe", "value", 0, []),
      run: (v, [], place) => safeFilter(v, place),
    },
    slice: {
      signature: python("sync_do_slice", "value", 0, [["slices"], ["fill_with", null]]),
      run: (v, [a, b], place) => sliceFilter(v, a, b, place),
    },
    sort: {
      signature: python("do_sort", "value", 1, [
        ["reverse", false],
        ["case_sensitive", false],
        ["attribute", null],
      ]),
      run: (v, [a, b, c], place) => sortFilter(v, a, b, c, place),
    },
    string: {
      signature: python("soft_str", "", 0, []),
      run: (v, [], place) => stringFilter(v, place),
    },
    striptags: {
      signature: python("do_striptags", "value", 0, []),
      run: (v, [], place) => striptagsFilter(v, place),
    },
    sum: {
      signature: python("sync_do_sum", "iterable", 1, [
        ["attribute", null],
        ["start", 0],
      ]),
      run: (v, [a, b], place) => sumFilter(v, a, b, place),
    },
    title: {
      signature: python("do_title", "s", 0, []),
      run: (v, [], place) => titleFilter(v, place),
    },
    tojson: {
      signature: python("_cached_compile_jinja_template.<locals>.tojson", "x", 0, [
        ["ensure_ascii", false],
        ["indent", null],
        ["separators", null],
        ["sort_keys", false],
      ]),
      run: (v, [a, b, c, d], place) => tojsonFilter(v, a, b, c, d, place),
    },
    trim: {
      signature: python("do_trim", "value", 0, [["chars", null]]),
      run: (v, [a], place) => trimFilter(v, a, place),
    },
    truncate: {
      signature: python("do_truncate", "s", 1, [
        ["length", 255],
        ["killwords", false],
        ["end", "..."],
        ["leeway", null],
      ]),
      run: (v, [a, b, c, d], place) => truncateFilter(v, a, b, c, d, place),
    },
    unique: {
      signature: python("sync_do_unique", "value", 1, [
        ["case_sensitive", false],
        ["attribute", null],
      ]),
      run: (v, [a, b], place) => uniqueFilter(v, a, b, place),
    },
    upper: {
      signature: python("do_upper", "s", 0, []),
      run: (v, [], place) => upperFilter(v, place),
    },
    urlencode: {
      signature: python("do_urlencode", "value", 0, []),
      run: (v, [], place) => urlencodeFilter(v, place),
    },
    urlize: {
      signature: python("do_urlize", "value", 1, [
        ["trim_url_limit", null],
        ["nofollow", false],
        ["target", null],
        ["rel", null],
        ["extra_schemes", null],
      ]),
      run: (v, [a, b, c, d, e], place) => urlizeFilter(v, a, b, c, d, e, place),
    },
    wordcount: {
      signature: python("do_wordcount", "s", 0, []),
      run: (v, [], place) => wordcountFilter(v, place),
    },
    wordwrap: {
      signature: python("do_wordwrap", "s", 1, [
        ["width", 79],
        ["break_long_words", true],
        ["wrapstring", null],
        ["break_on_hyphens", true],
      ]),
      run: (v, [a, b, c, d], place) => wordwrapFilter(v, a, b, c, d, place),
    },
    xmlattr: {
      signature: python("do_xmlattr", "d", 1, [["autospace", true]]),
      run: (v, [a], place) => xmlattrFilter(v, a, place),
    },
  };
}

/** Whether Jinja2 has a filter of that name. */
export function isFilterName(name: string): boolean {
  return (
    Object.hasOwn(RULES, name) || Object.hasOwn(VARIADIC, name) || Object.hasOwn(ALIASES, name)
  );
}

/** Runs a filter that exists, its arguments bound as Python binds them. */
export function runFilter(
  name: string,
  v: unknown,
  args: readonly unknown[],
  kwargs: Keywords,
  place: string,
): unknown {
  const variadic = Object.hasOwn(VARIADIC, name) ? VARIADIC[name] : undefined;
  if (variadic !== undefined) {
    return variadic(v, args, kwargs, place);
  }
  const rule = RULES[Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name];
  if (rule === undefined) {
    return fail("TemplateRuntimeError", `No filter named '${name}' found.`, place);
  }
  const { signature, run } = rule;
  if (typeof signature !== "string") {
    return run(v, bind(signature, args, kwargs, place), place);
  }
  noKeywords(signature, kwargs, place);
  if (args.length > 0) {
    const message = `${signature}() takes exactly one argument (${args.length + 1} given)`;
    return fail("TypeError", message, place);
  }
  return run(v, [], place);
}
