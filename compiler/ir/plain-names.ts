/**
 * Names that a plain property read may not stand for: those that JavaScript's own prototypes have, and those that are
 * attributes of Python's str, list, dict, tuple, int, float (there `x.items` is the method).
 */

const JAVASCRIPT: ReadonlySet<string> = new Set(
  (
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ anchor at " +
    "big blink bold charAt charCodeAt codePointAt concat constructor copyWithin " +
    "endsWith entries every fill filter find findIndex findLast findLastIndex fixed flat " +
    "flatMap fontcolor fontsize forEach group groupBy groupToMap hasOwnProperty includes " +
    "indexOf isPrototypeOf isWellFormed italics join keys lastIndexOf length link " +
    "localeCompare map match matchAll normalize padEnd padStart pop propertyIsEnumerable push " +
    "reduce reduceRight repeat replace replaceAll reverse search shift slice small some sort " +
    "splice split startsWith strike sub substr substring sum sup toExponential toFixed " +
    "toLocaleLowerCase toLocaleString toLocaleUpperCase toLowerCase toPrecision toReversed " +
    "toSorted toSpliced toString toUpperCase toWellFormed trim trimEnd trimLeft trimRight " +
    "trimStart unshift valueOf values with"
  ).split(" "),
);

const PYTHON: ReadonlySet<string> = new Set(
  (
    "append as_integer_ratio bit_count bit_length capitalize casefold center clear conjugate " +
    "copy count denominator encode endswith expandtabs extend find format format_map " +
    "from_bytes fromhex fromkeys get hex imag index insert is_integer isalnum isalpha isascii " +
    "isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper " +
    "items join keys ljust lower lstrip maketrans numerator partition pop popitem real remove " +
    "removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit rstrip " +
    "setdefault sort split splitlines startswith strip swapcase title to_bytes translate " +
    "update upper values zfill"
  ).split(" "),
);

/** Whether `o?.name` means Jinja's `o.name` for every value but Undefined, macros and loops. */
export function isPlainName(name: string): boolean {
  return /^[^_0-9]/.test(name) && !JAVASCRIPT.has(name) && !PYTHON.has(name);
}
