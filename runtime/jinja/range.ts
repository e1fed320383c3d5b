/** Python's range, bounded as Jinja2's sandbox bounds it. */
import { fail } from "../errors.js";
import { meter } from "../meter.js";
import { value, type Value } from "../values.js";
import { eq } from "./compare.js";
import { keywordEntries } from "./dict.js";
import { Method } from "./method.js";
import { int, smallInt } from "./numbers.js";
import { BaseObject } from "./object.js";
import {
  ABSENT,
  ATTRIBUTE,
  CANONICAL,
  CONTAINS,
  EQUALS,
  ITEM,
  ITERATE,
  LENGTH,
  REPR,
  REVERSE,
  SEQUENCE,
  SLICE,
} from "./protocol.js";
import type { Keywords } from "./protocol.js";
import { countItems, exactly, indexItem, sliceIndices } from "./sequence.js";
import { isInt, typeName } from "./types.js";

const MAX_RANGE = 100000;

type Int = number | bigint;

/** A range; its length is at most MAX_RANGE, its numbers may be of any size. */
class Range extends BaseObject {
  readonly #start: Int;
  readonly #stop: Int;
  readonly #step: Int;
  readonly #length: number;

  constructor(start: Int, stop: Int, step: Int) {
    super("range");
    this.#start = start;
    this.#stop = stop;
    this.#step = step;
    this.#length =
      isSmall(start) && isSmall(stop) && isSmall(step)
        ? Math.max(0, Math.ceil((stop - start) / step))
        : Number(rangeLength(BigInt(start), BigInt(stop), BigInt(step)));
  }

  get start(): Int {
    return this.#start;
  }

  get stop(): Int {
    return this.#stop;
  }

  get step(): Int {
    return this.#step;
  }

  #at(i: number): Int {
    const { start, step } = this;
    const n = typeof start === "number" && typeof step === "number" ? start + i * step : NaN;
    return Number.isSafeInteger(n) ? n : int(BigInt(start) + BigInt(i) * BigInt(step));
  }

  #numbers(): Int[] {
    meter?.spendItems(this.#length);
    const numbers: Int[] = [];
    for (let i = 0; i < this.#length; i++) numbers.push(this.#at(i));
    return numbers;
  }

  override [LENGTH](): number {
    return this.#length;
  }

  override [REPR](): string {
    const step = this.#step === 1 ? "" : `, ${this.#step}`;
    return `range(${this.#start}, ${this.#stop}${step})`;
  }

  override [ITERATE](): Iterator<unknown> {
    return this.#numbers().values();
  }

  override [REVERSE](): Iterator<unknown> {
    return this.#numbers().reverse().values();
  }

  override [CONTAINS](needle: unknown): boolean {
    return this.#numbers().some((n) => eq(n, needle));
  }

  override [EQUALS](other: unknown): boolean {
    return other instanceof Range && this[CANONICAL]() === other[CANONICAL]();
  }

  override [CANONICAL](): unknown {
    const length = this.#length;
    return Symbol.for(`range(${length},${length > 0 && this.#start},${length > 1 && this.#step})`);
  }

  override [ITEM](key: unknown): unknown {
    const i = smallInt(key);
    const at = i === null ? NaN : i < 0 ? i + this.#length : i;
    return at >= 0 && at < this.#length ? this.#at(at) : ABSENT;
  }

  override [SLICE](start: unknown, stop: unknown, step: unknown, place: string): Range {
    const [from, to, by] = sliceIndices(this.#length, start, stop, step, place);
    const step64 = Number.isFinite(by) ? BigInt(by) : wholeStep(step);
    return new Range(this.#at(from), this.#at(to), int(BigInt(this.#step) * step64));
  }

  override [ATTRIBUTE](name: string): unknown {
    switch (name) {
      case "start":
        return this.#start;
      case "stop":
        return this.#stop;
      case "step":
        return this.#step;
      case "count":
        return new Method(
          "built-in method count of range object",
          countItems("range", this.#numbers()),
        );
      case "index":
        return new Method("built-in method index of range object", (args, kwargs, place) => {
          const wanted = exactly(1, "range.index", args, kwargs, place);
          return indexItem("range", this.#numbers())([wanted], null, place);
        });
      default:
        return ABSENT;
    }
  }

  override [SEQUENCE](): boolean {
    return true;
  }
}

/** A step of a slice that no number holds exactly. */
function wholeStep(step: unknown): bigint {
  return typeof step === "bigint" ? step : 1n;
}

/** Whether the value is an int of 32 bits, with which JavaScript's numbers compute exactly. */
function isSmall(v: unknown): v is number {
  return typeof v === "number" && (v | 0) === v && !Object.is(v, -0);
}

function rangeLength(start: bigint, stop: bigint, step: bigint): bigint {
  const gap = step > 0n ? stop - start : start - stop;
  const size = step > 0n ? step : -step;
  return gap > 0n ? (gap + size - 1n) / size : 0n;
}

/** The sandbox's `range(…)`. */
export function range(args: readonly unknown[], kwargs: Keywords, place: string): Value {
  const [key] = keywordEntries(kwargs)[0] ?? [];
  if (key !== undefined) {
    const message = `safe_range() got an unexpected keyword argument '${key}'`;
    return fail("TypeError", message, place);
  }
  const [from, to] = args;
  if (args.length === 1 && isSmall(from) && from <= MAX_RANGE) {
    return value(new Range(0, from, 1));
  }
  if (args.length === 2 && isSmall(from) && isSmall(to) && to - from <= MAX_RANGE) {
    return value(new Range(from, to, 1));
  }
  if (args.length === 0 || args.length > 3) {
    const bound = args.length === 0 ? "at least 1 argument" : "at most 3 arguments";
    return fail("TypeError", `range expected ${bound}, got ${args.length}`, place);
  }
  const [first = 0n, second = 0n, step = 1n] = args.map((arg) => integer(arg, place));
  const [start, stop] = args.length === 1 ? [0n, first] : [first, second];
  if (step === 0n) {
    return fail("ValueError", "range() arg 3 must not be zero", place);
  }
  const length = rangeLength(start, stop, step);
  if (length > 0x7fffffffffffffffn) {
    return fail("OverflowError", "Python int too large to convert to C ssize_t", place);
  }
  if (length > BigInt(MAX_RANGE)) {
    const message = `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${MAX_RANGE}).`;
    return fail("OverflowError", message, place);
  }
  return value(new Range(int(start), int(stop), int(step)));
}

function integer(v: unknown, place: string): bigint {
  if (isInt(v)) return BigInt(v);
  const message = `'${typeName(v)}' object cannot be interpreted as an integer`;
  return fail("TypeError", message, place);
}
