/** `datetime.now().strftime(format)` as glibc does it in the C locale, on a given local time. */

export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Reads ISO 8601 with up to six decimals; without one, the computer's clock. */
export function momentOf(iso: string | undefined): Moment {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?/.exec(
    iso ?? "",
  );
  if (found === null) return momentFromDate(new Date());
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = ""] = found;
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    microsecond: Number(fraction.padEnd(6, "0")),
  };
}

function momentFromDate(date: Date): Moment {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    microsecond: date.getMilliseconds() * 1000,
  };
}

function dayNumber(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return Math.round(date.getTime() / 86400000);
}

/** Days since Sunday. */
function weekday(moment: Moment): number {
  return (((dayNumber(moment.year, moment.month, moment.day) + 4) % 7) + 7) % 7;
}

/** Days since 1 January. */
function yearDay(moment: Moment): number {
  return dayNumber(moment.year, moment.month, moment.day) - dayNumber(moment.year, 1, 1);
}

/** The ISO year and week: the week belongs to the year of its Thursday. */
function isoWeek(moment: Moment): { year: number; week: number } {
  const thursday =
    dayNumber(moment.year, moment.month, moment.day) + 3 - ((weekday(moment) + 6) % 7);
  const { year } = { year: new Date(thursday * 86400000).getUTCFullYear() };
  return { year, week: Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1 };
}

/** A number with its width and what glibc fills it with. */
interface Numeral {
  readonly value: number;
  readonly width: number;
  readonly fill: "0" | " ";
}

function numeral(value: number, width: number, fill: "0" | " " = "0"): Numeral {
  return { value, width, fill };
}

function numeralOf(directive: string, moment: Moment): Numeral | null {
  const hour12 = moment.hour % 12 === 0 ? 12 : moment.hour % 12;
  const sunday = weekday(moment);
  const table: Readonly<Record<string, () => Numeral>> = {
    Y: () => numeral(moment.year, 1),
    C: () => numeral(Math.floor(moment.year / 100), 1),
    y: () => numeral(moment.year % 100, 2),
    m: () => numeral(moment.month, 2),
    d: () => numeral(moment.day, 2),
    e: () => numeral(moment.day, 2, " "),
    H: () => numeral(moment.hour, 2),
    k: () => numeral(moment.hour, 2, " "),
    I: () => numeral(hour12, 2),
    l: () => numeral(hour12, 2, " "),
    M: () => numeral(moment.minute, 2),
    S: () => numeral(moment.second, 2),
    j: () => numeral(yearDay(moment) + 1, 3),
    u: () => numeral(sunday === 0 ? 7 : sunday, 1),
    w: () => numeral(sunday, 1),
    U: () => numeral(Math.floor((yearDay(moment) + 7 - sunday) / 7), 2),
    W: () => numeral(Math.floor((yearDay(moment) + 7 - ((sunday + 6) % 7)) / 7), 2),
    G: () => numeral(isoWeek(moment).year, 1),
    g: () => numeral(isoWeek(moment).year % 100, 2),
    V: () => numeral(isoWeek(moment).week, 2),
  };
  return table[directive]?.() ?? null;
}

function secondsOf(moment: Moment): number {
  const { year, month, day, hour, minute, second } = moment;
  return Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
}

function wordOf(directive: string, moment: Moment): string | null {
  const day = days[weekday(moment)] ?? "";
  const month = months[moment.month - 1] ?? "";
  const words: Readonly<Record<string, string>> = {
    a: day.slice(0, 3),
    A: day,
    b: month.slice(0, 3),
    h: month.slice(0, 3),
    B: month,
    p: moment.hour < 12 ? "AM" : "PM",
    n: "\n",
    t: "\t",
    "%": "%",
  };
  return words[directive] ?? null;
}

const composed: Readonly<Record<string, string>> = {
  D: "%m/%d/%y",
  x: "%m/%d/%y",
  F: "%Y-%m-%d",
  T: "%H:%M:%S",
  X: "%H:%M:%S",
  R: "%H:%M",
  r: "%I:%M:%S %p",
  c: "%a %b %e %H:%M:%S %Y",
};

/** What glibc refuses after `E` and after `O`. */
const unmodified: Readonly<Record<string, RegExp>> = {
  E: /[aAbBdDeFgGhHIjklmMSUVwW]/,
  O: /[aAcDFxXY]/,
};

/** Case flags: `^` upper case; `#` upper case of names, lower case of AM and PM. */
function caseOf(text: string, flags: string, name: string): string {
  if (name === "P" || (name === "p" && flags.includes("#"))) return text.toLowerCase();
  const upper = flags.includes("^") || (/[aAbBh]/.test(name) && flags.includes("#"));
  return upper ? text.replace(/\p{Ll}/gu, single) : text;
}

/** `towupper`, which gives one character. */
function single(char: string): string {
  const upper = char.toUpperCase();
  return Array.from(upper).length === 1 ? upper : char;
}

function wordText(name: string, moment: Moment): string | null {
  const format = composed[name];
  if (format !== undefined) return strftime(format, moment);
  if (name === "P") return moment.hour < 12 ? "am" : "pm";
  if (name === "s") return String(secondsOf(moment));
  return name === "Z" ? "" : wordOf(name, moment);
}

/** One directive; `all` is how it is written, which is what it gives where glibc does not know it. */
function directive(all: string, parts: readonly string[], moment: Moment): string {
  const [flags = "", digits = "", modifier = "", name = ""] = parts;
  if (name === "z") return "";
  const width = Number(digits);
  const last = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0] ?? "";
  const known = unmodified[modifier]?.test(name) !== true;
  const number = known ? numeralOf(name, moment) : null;
  const word = known ? wordText(name, moment) : null;
  let shown = word === null ? caseOf(all, flags, "") : caseOf(word, flags, name);
  if (number !== null) {
    shown = String(number.value);
    const fill = last === "_" ? " " : last === "0" ? "0" : number.fill;
    if (last !== "-") shown = shown.padStart(Math.max(number.width, width), fill);
  }
  const missing = width - Array.from(shown).length;
  return (last === "0" ? "0" : " ").repeat(Math.max(missing, 0)) + shown;
}

/** Python replaces `%f`, `%z` and `%Z` itself before glibc sees the format; both end at a NUL. */
export function strftime(format: string, moment: Moment, isWhole = false): string {
  const microsecond = String(moment.microsecond).padStart(6, "0");
  const end = format.indexOf("\0");
  const prepared = format
    .slice(0, end < 0 ? format.length : end)
    .replace(/%(.)/gsu, (all, name: string) => {
      if (name === "f") return microsecond;
      return name === "z" || name === "Z" ? "" : all;
    });
  const pattern = /%([-_0^#]*)(\d*)([EO]?)(.?)/gsu;
  // CPython doubles its buffer until it has 256 characters for each of the format, and then gives up.
  let room = 1024;
  while (isWhole && room < 256 * Array.from(prepared).length) room *= 2;
  const isTooWide = [...prepared.matchAll(pattern)].some(
    ([, , width, , name]) => name !== "z" && Number(width) >= room,
  );
  if (isWhole && isTooWide) return "";
  const shown = prepared.replace(pattern, (all, ...parts: string[]) =>
    directive(all, parts, moment),
  );
  return isWhole && Array.from(shown).length >= room ? "" : shown;
}
