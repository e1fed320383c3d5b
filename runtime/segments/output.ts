/** What a render writes: text that remembers its origin, or at once its segments. */
import { value as asValue } from "../values.js";
import type { Segment } from "./segment.js";
import { textOf, Traced, type Text } from "./traced.js";

/** The segments of a rendered text; neighbours of one origin and place are one. `input` tells the roles of messages. */
export function segments(text: unknown, input: unknown): Segment[] {
  return new Prompt(input).add(textOf(text)).segments();
}

/** Gathers what is written, part by part. */
abstract class Writer {
  /** Text of the template that no input has followed yet. */
  #own = "";

  /** As many parts as a line of code writes; more would cost a list. */
  add(first: unknown, second: unknown = "", third: unknown = "", fourth: unknown = ""): this {
    if (typeof first === "string") this.#own += first;
    else this.#add(first);
    if (typeof second === "string") this.#own += second;
    else this.#add(second);
    if (typeof third === "string") this.#own += third;
    else this.#add(third);
    if (typeof fourth === "string") this.#own += fourth;
    else this.#add(fourth);
    return this;
  }

  #add(part: unknown): void {
    if (!(part instanceof Traced)) {
      this.#own += String(part);
    } else if (Traced.isWhole(part)) {
      this.#whole(part);
    } else {
      for (const atom of Traced.atoms(part)) {
        if (typeof atom === "string") this.#own += atom;
        else this.#whole(atom);
      }
    }
  }

  #whole(source: Traced): void {
    const text = Traced.text(source);
    if (text === "") return;
    if (this.#own !== "") this.own(this.rest());
    this.whole(source, text);
  }

  /** Takes text of the template, which is not empty. */
  protected abstract own(text: string): void;
  /** Takes text of one source, which is not empty. */
  protected abstract whole(source: Traced, text: string): void;
  /** How long what was taken is. */
  protected abstract readonly taken: number;

  /** The text of the template that no input has followed. */
  protected rest(): string {
    const own = this.#own;
    this.#own = "";
    return own;
  }

  /** How many units there are. */
  get length(): number {
    return this.taken + this.#own.length;
  }
}

/** Gathers what a function writes, to one text. */
export class Output extends Writer {
  readonly #parts: Text[] = [];
  protected override taken = 0;

  constructor(...first: readonly unknown[]) {
    super();
    for (const part of first) this.add(part);
  }

  protected override own(text: string): void {
    this.taken += text.length;
    this.#parts.push(text);
  }

  protected override whole(source: Traced, text: string): void {
    this.taken += text.length;
    this.#parts.push(source);
  }

  /** All of it. */
  text(): Text {
    const rest = this.rest();
    if (rest !== "") this.own(rest);
    const [first, second] = this.#parts;
    return second === undefined ? (first ?? "") : Traced.sequence(this.#parts);
  }
}

/** Gathers what a render writes, as segments. */
export class Prompt extends Writer {
  readonly #messages: unknown;
  readonly #segments: Segment[] = [];
  /** The last segment, if it is input, and the first of the wholes that it is made of. */
  #last: Writable | null = null;
  #source: Traced | null = null;
  /** Where that comes from, and which message and role that is. */
  #path: Segment["path"];
  #index: string | number | undefined;
  #role: string | undefined;
  protected override taken = 0;

  constructor(input: unknown, ...first: readonly unknown[]) {
    super();
    this.#messages = asValue(input)?.["messages"];
    for (const part of first) this.add(part);
  }

  protected override own(text: string): void {
    this.taken += text.length;
    this.#segments.push({ text, from: "template" });
    this.#last = null;
  }

  protected override whole(source: Traced, text: string): void {
    this.taken += text.length;
    const before = this.#source;
    if (this.#last !== null && before !== null && Traced.isSame(before, source)) {
      this.#last.text += text;
      return;
    }
    // A key and its value stand in one place.
    if (before === null || !Traced.isAlike(before, source)) this.#find(source);
    this.#source = source;
    this.#last = this.#input(text);
    this.#segments.push(this.#last);
  }

  /** Where a whole comes from. */
  #find(source: Traced): void {
    const path = Traced.path(source);
    this.#path = path;
    const index = path?.[0] === "messages" ? path[1] : undefined;
    if (index !== this.#index) this.#enter(index);
  }

  /** Takes the role of the message that paths lead into. */
  #enter(index: string | number | undefined): void {
    const message = typeof index === "number" ? asValue(this.#messages)?.[index] : undefined;
    const role = asValue(message)?.["role"];
    this.#index = index;
    this.#role = typeof role === "string" ? role : undefined;
  }

  #input(text: string): Segment {
    const path = this.#path;
    if (path === undefined) return { text, from: "input" };
    const role = this.#role;
    return role === undefined ? { text, from: "input", path } : { text, from: "input", path, role };
  }

  /** All of it. */
  segments(): Segment[] {
    const rest = this.rest();
    if (rest !== "") this.own(rest);
    return this.#segments;
  }
}

/** A segment that more may come to. */
type Writable = { -readonly [Name in keyof Segment]: Segment[Name] };
