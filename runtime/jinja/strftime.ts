/** Python's datetime.now().strftime(format) under glibc in the C locale. */
import { fail } from "../errors.js";
import { textLength } from "./text.js";
import { textOf, typeName } from "./types.js";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
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

/** The fields of a local time; what few formats ask for is computed where it is asked for. */
class Clock {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;

  constructor(fields: readonly number[], microsecond: number) {
    const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields;
    this.year = year;
    this.month = month;
    this.day = day;
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.microsecond = microsecond;
  }

  /** From Sunday, 0. */
  get weekday(): number {
    return this.#date().getUTCDay();
  }

  /** From 1. */
  get yearday(): number {
    const date = this.#date();
    const start = new Date(date);
    start.setUTCFullYear(this.year, 0, 1);
    return Math.round((date.getTime() - start.getTime()) / 86400000) + 1;
  }

  get epoch(): number {
    const { year, month, day, hour, minute, second } = this;
    return Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
  }

  #date(): Date {
    const date = new Date(Date.UTC(2000, this.month - 1, this.day));
    date.setUTCFullYear(this.year, this.month - 1, this.day);
    return date;
  }
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** `strftime_now(format)`; a text is taken field by field, with its microseconds. */
export function strftimeNow(
  format: unknown,
  now: Date | string | undefined,
  place: string,
): string {
  const text = textOf(format);
  if (text === null) {
    const message = `strftime() argument 1 must be str, not ${typeName(format)}`;
    return fail("TypeError", message, place);
  }
  if (!text.isWellFormed()) {
    return fail("UnicodeEncodeError", "'utf-8' codec can't encode: surrogates not allowed", place);
  }
  const time = typeof now === "string" ? readIso(now) : fromDate(now ?? new Date());
  // Both Python and C stop at a NUL.
  return bounded(text.split("\0", 1).join(), time);
}

function readIso(text: string): Clock {
  const match = ISO.exec(text);
  if (match === null) {
    return fromDate(new Date(text));
  }
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = ""] = match;
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map(Number);
  return new Clock([y ?? 0, m ?? 1, d ?? 1, h ?? 0, min ?? 0, s ?? 0], microsecond(fraction));
}

function microsecond(fraction: string): number {
  return Number(fraction.slice(0, 6).padEnd(6, "0"));
}

function fromDate(date: Date): Clock {
  const fields = [
    date.getFullYear(),
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  ];
  return new Clock(fields, 1000 * date.getMilliseconds());
}

/** CPython gives up, with an empty text, where the result does not fit a buffer that grows with the format. */
function bounded(format: string, time: Clock): string {
  // Without a width hardly any format comes near.
  const plain = /%[-_0^#]*[1-9]/.test(format) ? null : formatTime(format, time);
  if (plain !== null && plain.length < 1024) return plain;
  const passedOn = format.replace(/%([\s\S])/g, (directive, letter: string) =>
    letter === "f" ? "000000" : /[zZ]/.test(letter) ? "" : directive,
  );
  let size = 1024;
  while (size < 256 * textLength(passedOn)) size *= 2;
  for (const [, digits = ""] of passedOn.matchAll(/%%|%[-_0^#]*([1-9]\d*)(?!\d|[EO]?z)/g)) {
    if (Number(digits) >= size) return "";
  }
  const text = plain ?? formatTime(format, time);
  return textLength(text) < size ? text : "";
}

/** A sign, flags, a width, a modifier and a letter, of which the end of the format may cut off any. */
const DIRECTIVE = /%([-_0^#]*)(\d*)([EO]?)(.?)/suy;

function formatTime(format: string, time: Clock): string {
  let out = "";
  let from = 0;
  for (let at = format.indexOf("%"); at >= 0; at = format.indexOf("%", from)) {
    const { text, size } = bare(format.charAt(at + 1), time) ?? directive(format, at, time);
    out += format.slice(from, at) + text;
    from = at + size;
  }
  return out + format.slice(from);
}

/** What a directive gives, and how long it is. */
interface Written {
  readonly text: string;
  readonly size: number;
}

/** The field of a letter that stands right after the sign, as most do. */
function bare(letter: string, time: Clock): Written | null {
  if (letter === "z" || letter === "Z") return { text: "", size: 2 };
  if (letter === "f") return { text: String(time.microsecond).padStart(6, "0"), size: 2 };
  const field = fieldOf(letter, time);
  if (field === null) return null;
  const [text, digits, fill] = field;
  return { text: text.padStart(digits, fill), size: 2 };
}

/** The directive at the place, with whatever it has between its sign and its letter. */
function directive(format: string, at: number, time: Clock): Written {
  DIRECTIVE.lastIndex = at;
  const [whole = "%", flags = "", digits = "", modifier = "", letter = ""] =
    DIRECTIVE.exec(format) ?? [];
  // Of several flags that say how to fill the last one counts.
  const filling = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0] ?? "";
  const width = Number(digits);
  const field = (REFUSED[modifier] ?? "").includes(letter) ? null : fieldOf(letter, time);
  // Of a time without a zone there is nothing to pad.
  if (letter === "z") return { text: "", size: whole.length };
  const text =
    field !== null && field[1] > 0
      ? filledNumber(field, filling, width)
      : cased(field?.[0] ?? whole, field === null ? "" : letter, flags);
  const missing = Math.max(0, width - textLength(text));
  return { text: (filling === "0" ? "0" : " ").repeat(missing) + text, size: whole.length };
}

/** The letters that glibc does not take with a modifier; what it does not take it writes as it stands. */
const REFUSED: Readonly<Record<string, string>> = {
  E: "aADFbhBdeHIkljMmSUVgGWw",
  O: "aADFcxXY",
};

function filledNumber([text, natural, fill]: Field, filling: string, width: number): string {
  if (filling === "-") return text;
  const blank = filling === "_" ? " " : filling === "0" ? "0" : fill;
  return text.padStart(Math.max(natural, width), blank);
}

/** `^` is upper case, `#` the other case: that of names is upper, that of AM and PM lower. */
function cased(text: string, letter: string, flags: string): string {
  const isOther = flags.includes("#");
  if (letter === "P" || (isOther && letter === "p")) return text.toLowerCase();
  const isUpper = flags.includes("^") || (isOther && letter !== "" && "aAbhB".includes(letter));
  return isUpper ? text.replace(/\p{Ll}/gu, upperCharacter) : text;
}

/** C's towupper: what has more than one character in upper case stays. */
function upperCharacter(c: string): string {
  const upper = c.toUpperCase();
  return textLength(upper) === 1 ? upper : c;
}

/** A text, and the digits to which it is padded and with what; a word has no digits. */
type Field = readonly [text: string, digits: number, fill: string];

function two(n: number): Field {
  return [String(n), 2, "0"];
}

function word(text: string): Field {
  return [text, 0, " "];
}

function fieldOf(letter: string, time: Clock): Field | null {
  return dateField(letter, time) ?? timeField(letter, time) ?? combinedField(letter, time);
}

function dateField(letter: string, time: Clock): Field | null {
  switch (letter) {
    case "a":
      return word((DAYS[time.weekday] ?? "").slice(0, 3));
    case "A":
      return word(DAYS[time.weekday] ?? "");
    case "b":
    case "h":
      return word((MONTHS[time.month - 1] ?? "").slice(0, 3));
    case "B":
      return word(MONTHS[time.month - 1] ?? "");
    case "C":
      return [String(Math.floor(time.year / 100)), 1, "0"];
    case "d":
      return two(time.day);
    case "e":
      return [String(time.day), 2, " "];
    case "j":
      return [String(time.yearday), 3, "0"];
    case "m":
      return two(time.month);
    case "y":
      return two(time.year % 100);
    case "Y":
      return [String(time.year), 1, "0"];
    case "u":
      return [String(time.weekday === 0 ? 7 : time.weekday), 1, "0"];
    case "w":
      return [String(time.weekday), 1, "0"];
    default:
      return weekField(letter, time);
  }
}

function weekField(letter: string, time: Clock): Field | null {
  switch (letter) {
    case "U":
      return two(Math.floor((time.yearday + 6 - time.weekday) / 7));
    case "W":
      return two(Math.floor((time.yearday + 6 - fromMonday(time)) / 7));
    case "V":
      return two(isoWeek(time)[1]);
    case "G":
      return [String(isoWeek(time)[0]), 1, "0"];
    case "g":
      return two(isoWeek(time)[0] % 100);
    default:
      return null;
  }
}

/** The weekday from Monday, 0. */
function fromMonday(time: Clock): number {
  return (time.weekday + 6) % 7;
}

/** The year and week of ISO 8601: those of the week's Thursday. */
function isoWeek(time: Clock): readonly [year: number, week: number] {
  const thursday = time.yearday - fromMonday(time) + 3;
  if (thursday < 1) {
    return [time.year - 1, Math.ceil((thursday + daysIn(time.year - 1)) / 7)];
  }
  return thursday > daysIn(time.year) ? [time.year + 1, 1] : [time.year, Math.ceil(thursday / 7)];
}

function daysIn(year: number): number {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 366 : 365;
}

function timeField(letter: string, time: Clock): Field | null {
  const hour = time.hour % 12 === 0 ? 12 : time.hour % 12;
  switch (letter) {
    case "H":
      return two(time.hour);
    case "I":
      return two(hour);
    case "k":
      return [String(time.hour), 2, " "];
    case "l":
      return [String(hour), 2, " "];
    case "M":
      return two(time.minute);
    case "S":
      return two(time.second);
    case "s":
      return word(String(time.epoch));
    case "p":
      return word(time.hour < 12 ? "AM" : "PM");
    case "P":
      return word(time.hour < 12 ? "am" : "pm");
    case "Z":
      return word("");
    default:
      return null;
  }
}

const COMBINED: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %Y",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

function combinedField(letter: string, time: Clock): Field | null {
  const format = COMBINED[letter];
  if (format !== undefined) {
    return word(formatTime(format, time));
  }
  const marks: Readonly<Record<string, string>> = { n: "\n", t: "\t", "%": "%" };
  const mark = marks[letter];
  return mark === undefined ? null : word(mark);
}
