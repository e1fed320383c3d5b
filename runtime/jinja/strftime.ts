/** Python's datetime.now().strftime(format) under glibc in the C locale. */
import { fail } from "../errors.js";
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
  return formatTime(text, typeof now === "string" ? readIso(now) : fromDate(now ?? new Date()));
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

const DIRECTIVE = /%([-_0^#]*)(\d*)([EO]?)([a-zA-Z%+])/y;

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
  const field = fieldOf(letter, time);
  return field === null ? null : { text: pad(field, "", ""), size: 2 };
}

/** The directive at the place, with whatever it has between its sign and its letter; else the sign is a text. */
function directive(format: string, at: number, time: Clock): Written {
  DIRECTIVE.lastIndex = at;
  const match = DIRECTIVE.exec(format);
  if (match === null) return { text: "%", size: 1 };
  const [whole, flags = "", width = "", , letter = ""] = match;
  return { text: fieldText(whole, flags, width, letter, time), size: whole.length };
}

function fieldText(
  whole: string,
  flags: string,
  width: string,
  letter: string,
  time: Clock,
): string {
  if (letter === "f") {
    const unknown = flags.includes("^") ? whole.toUpperCase() : whole;
    return flags + width === "" ? String(time.microsecond).padStart(6, "0") : unknown;
  }
  const field = letter === "z" || letter === "Z" ? (["", 0, " "] as const) : fieldOf(letter, time);
  return field === null ? whole : pad(field, flags, width);
}

/** A text, the digits to which it is padded, and with what. */
type Field = readonly [text: string, width: number, fill: string];

function pad(field: readonly (string | number)[], flags: string, width: string): string {
  const [text, natural, fill] = [String(field[0]), Number(field[1]), String(field[2])];
  if (flags === "" && width === "") return text.padStart(natural, fill);
  const chosen = /[-_0]/.exec([...flags].reverse().join(""))?.[0];
  const size = width === "" ? (chosen === "-" ? 0 : natural) : Number(width);
  const blank = chosen === "_" ? " " : chosen === "0" ? "0" : fill;
  const padded = text.padStart(size, blank);
  if (/^[ap]m$/.test(text)) {
    return padded;
  }
  return flags.includes("^") || (flags.includes("#") && !/^[AP]M$/.test(text))
    ? padded.toUpperCase()
    : flags.includes("#")
      ? padded.toLowerCase()
      : padded;
}

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
      return two(Math.floor(time.year / 100));
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
      return [String(time.year), 0, "0"];
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
      return [String(isoWeek(time)[0]), 0, "0"];
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
      return [String(time.epoch), 0, "0"];
    case "p":
      return word(time.hour < 12 ? "AM" : "PM");
    case "P":
      return word(time.hour < 12 ? "am" : "pm");
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
