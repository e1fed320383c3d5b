/** Random templates: forms of statements around random expressions, with the scopes that they open. */
import type { Random } from "../random.js";
import type { Node, Piece } from "../tree.js";
import { textOf } from "../tree.js";
import { Drills } from "./drills.js";
import { Expressions, type Variable } from "./expressions.js";
import { FORMS, OUTPUTS, WORDS, type Form } from "./forms.js";

/** How deep expressions nest. */
const DEPTHS = [1, 1, 2, 2, 3] as const;
/** No expression has this kind: rows that name `loop` look for it. */
const LOOP: Variable = { name: "loop", kind: "loop" };
/** Names that input has too, so that a set hides or fails to hide it. */
const NAMES = ["content", "s", "x", "message", "n", "system_message", "m", "item"] as const;
const EXTENDS = "{% extends <any> %}";
const PLACEHOLDER = /<([a-z]+)([*+]?)>/g;
const TAG = /\{[{%]|[%}]\}/g;
const CONTROLLED: Readonly<Record<string, readonly string[]>> = {
  "{%": ["{%", "{%", "{%", "{%", "{%-", "{%-", "{%+"],
  "%}": ["%}", "%}", "%}", "%}", "-%}", "-%}", "+%}", "%}\n"],
  "{{": ["{{", "{{", "{{", "{{-"],
  "}}": ["}}", "}}", "}}", "-}}"],
};

interface Frame {
  readonly depth: number;
  readonly scope: readonly Variable[];
  readonly inLoop: boolean;
}

export class Statements {
  readonly #random: Random;
  readonly #expressions: Expressions;
  readonly #drills: Drills;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#expressions = new Expressions(random);
    this.#drills = new Drills(random);
  }

  template(): Node {
    this.#names = 0;
    const frame: Frame = { depth: 3, scope: [], inLoop: false };
    const body = this.#body(frame, 6);
    if (!this.#random.chance(0.02)) return body;
    // Only here does Jinja2 take it at all.
    const parent: Node = { category: "statements", parts: this.#parts(EXTENDS, frame, frame) };
    return { category: "statements", parts: [body, parent] };
  }

  /** Statements one after another; what one binds, the next may read. */
  #body(frame: Frame, limit: number): Node {
    const parts: Node[] = [];
    let { scope } = frame;
    const count = 1 + this.#random.below(limit);
    for (let at = 0; at < count; at++) {
      const form = this.#choose(frame.depth > 0 ? FORMS : OUTPUTS);
      const name = this.#random.chance(0.3) ? this.#random.pick(NAMES) : `v${this.#names++}`;
      parts.push(this.#form(form, name, { ...frame, scope }));
      scope = [...scope, ...named(form.binds, name)];
    }
    return { category: "statements", parts };
  }

  #choose(forms: readonly Form[]): Form {
    let left = this.#random.below(forms.reduce((sum, { weight }) => sum + weight, 0));
    for (const form of forms) {
      left -= form.weight;
      if (left < 0) return form;
    }
    throw new Error("no statement");
  }

  #form(form: Form, name: string, frame: Frame): Node {
    const scope = [...frame.scope, ...named(form.sees, name)];
    const inLoop = form.body === "loop" || (form.body === "same" && frame.inLoop);
    const inner: Frame = { depth: frame.depth - 1, scope, inLoop };
    const text = form.text.replaceAll("$n", name);
    const parts = text.includes("{% raw") ? [text] : this.#parts(text, frame, inner);
    return { category: "statements", parts };
  }

  #parts(text: string, frame: Frame, inner: Frame): readonly Piece[] {
    const parts: Piece[] = [];
    let end = 0;
    for (const found of text.matchAll(PLACEHOLDER)) {
      const [whole, word = "", mark = ""] = found;
      parts.push(this.#controlled(text.slice(end, found.index)));
      end = found.index + whole.length;
      parts.push(...this.#placeholder(word, mark, frame, inner));
    }
    return [...parts, this.#controlled(text.slice(end))];
  }

  #placeholder(word: string, mark: string, frame: Frame, inner: Frame): readonly Piece[] {
    if (word === "body") return [this.#body(inner, 3)];
    if (word === "think") return ["<think>"];
    if (word === "drill") return this.#drill(frame);
    const seen = mark === "" ? frame : { ...inner, inLoop: inner.inLoop && mark === "*" };
    if (word === "called") {
      return [seen.scope.findLast(({ kind }) => kind === "callable")?.name ?? "undefd"];
    }
    const words = WORDS[word];
    if (words !== undefined) return this.#parts(this.#random.pick(words), seen, inner);
    return [word === "cond" ? this.#condition(seen) : this.#expression(word, seen)];
  }

  /** One of all the things that templates are made of, each as often as the others. */
  #drill(frame: Frame): readonly Piece[] {
    const row = this.#drills.next();
    if (row.startsWith("{%")) return this.#parts(row, frame, frame);
    const scope = frame.inLoop ? [...frame.scope, LOOP] : frame.scope;
    return ["{{ ", this.#expressions.ofRow(row, this.#random.pick(DEPTHS), scope), " }}"];
  }

  #expression(kind: string, frame: Frame): Node {
    const scope = frame.inLoop ? [...frame.scope, LOOP] : frame.scope;
    return this.#expressions.make(kind, this.#random.pick(DEPTHS), scope);
  }

  /** A conditional needs brackets after an `if`. */
  #condition(frame: Frame): Node {
    const test = this.#expression("bool", frame);
    return textOf(test).includes(" if ")
      ? { category: "expression", parts: ["(", test, ")"] }
      : test;
  }

  /** White space control as it comes. */
  #controlled(text: string): string {
    return text.replace(TAG, (tag) => this.#random.pick(CONTROLLED[tag] ?? [tag]));
  }
}

function named(variables: readonly Variable[], name: string): readonly Variable[] {
  return variables.map((each) => ({ ...each, name: each.name.replace("$n", name) }));
}
