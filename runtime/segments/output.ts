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
  /** As many parts as a line of code writes; more would cost a list. */
  add(first: unknown, second: unknown = "", third: unknown = "", fourth: unknown = ""): this {
    this.#add(first);
    if (second !== "") this.#add(second);
    if (third !== "") this.#add(third);
    if (fourth !== "") this.#add(fourth);
    return this;
  }

  #add(part: unknown): void {
    if (typeof part === "string") {
      this.own(part);
    } else if (!(part instanceof Traced)) {
      this.own(String(part));
    } else if (Traced.isWhole(part)) {
      this.whole(part);
    } else {
      for (const atom of Traced.atoms(part)) {
        if (typeof atom === "string") this.own(atom);
        else this.whole(atom);
      }
    }
  }

  /** Text of the template. */
  protected abstract own(text: string): void;
  /** Text of one source. */
  protected abstract whole(text: Traced): void;
}

/** Gathers what a function writes, to one text. */
export class Output extends Writer {
  readonly #parts: Text[] = [];
  /** Text of the template that no input has followed yet. */
  #own = "";
  /** How long what came before is. */
  #length = 0;

  constructor(...first: readonly unknown[]) {
    super();
    for (const part of first) this.add(part);
  }

  protected override own(text: string): void {
    this.#own += text;
  }

  protected override whole(text: Traced): void {
    this.#endOwn();
    this.#length += Traced.text(text).length;
    this.#parts.push(text);
  }

  #endOwn(): void {
    if (this.#own === "") return;
    this.#length += this.#own.length;
    this.#parts.push(this.#own);
    this.#own = "";
  }

  /** How many units there are. */
  get length(): number {
    return this.#length + this.#own.length;
  }

  /** All of it. */
  text(): Text {
    this.#endOwn();
    const [first, second] = this.#parts;
    return second === undefined ? (first ?? "") : Traced.sequence(this.#parts);
  }
}

/** Gathers what a render writes, as segments. */
export class Prompt extends Writer {
  readonly #messages: unknown;
  readonly #segments: Segment[] = [];
  /** The segment that is being put together: its text, and the first of its input; null: the template's own. */
  #text = "";
  #source: Traced | null = null;
  /** How long what came before is. */
  #length = 0;

  constructor(input: unknown, ...first: readonly unknown[]) {
    super();
    this.#messages = asValue(input)?.["messages"];
    for (const part of first) this.add(part);
  }

  protected override own(text: string): void {
    if (this.#source !== null && text !== "") this.#end();
    this.#text += text;
  }

  protected override whole(text: Traced): void {
    const part = Traced.text(text);
    if (part === "") return;
    if (this.#source === null || !Traced.isSame(this.#source, text)) {
      this.#end();
      this.#source = text;
    }
    this.#text += part;
  }

  #end(): void {
    if (this.#text === "") return;
    const text = this.#text;
    this.#length += text.length;
    this.#segments.push(
      this.#source === null ? { text, from: "template" } : this.#input(text, this.#source),
    );
    this.#text = "";
    this.#source = null;
  }

  #input(text: string, source: Traced): Segment {
    const path = Traced.path(source);
    if (path === undefined) return { text, from: "input" };
    const role = this.#roleAt(path);
    return role === undefined ? { text, from: "input", path } : { text, from: "input", path, role };
  }

  /** The role of the message that the path leads into. */
  #roleAt(path: readonly (string | number)[]): string | undefined {
    if (path[0] !== "messages" || typeof path[1] !== "number") return undefined;
    const role = asValue(asValue(this.#messages)?.[path[1]])?.["role"];
    return typeof role === "string" ? role : undefined;
  }

  /** How many units there are. */
  get length(): number {
    return this.#length + this.#text.length;
  }

  /** All of it. */
  segments(): Segment[] {
    this.#end();
    return this.#segments;
  }
}
