/** Random expressions from the grammar, bracketed so that most of them mean what the grammar says. */
import type { Random } from "../random.js";
import type { Node, Piece } from "../tree.js";
import { GRAMMAR } from "./grammar.js";

/** How strongly an expression holds together: what it may stand beside without brackets. */
type Strength = "primary" | "filter" | "operator";

export interface Variable {
  readonly name: string;
  /** A name of the grammar. */
  readonly kind: string;
}

const PLACEHOLDER = /<([a-z]+)>/g;
const UNTYPED = ["text", "int", "float", "bool", "list", "dict", "any"] as const;
/** Names in the grammar that are no expressions. */
const WORDS = new Set(["key", "digit", "method", "filter", "test"]);

export class Expressions {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** An expression of a kind; seldom of another, so that errors and odd values are met too. */
  make(kind: string, depth: number, scope: readonly Variable[]): Node {
    return { category: "expression", parts: this.#parts(kind, depth, scope).parts };
  }

  /** An expression of a row of the grammar's kind: `<text>.upper()`. */
  ofRow(row: string, depth: number, scope: readonly Variable[]): Node {
    return { category: "expression", parts: this.#expand(row, depth, scope).parts };
  }

  #parts(
    asked: string,
    depth: number,
    scope: readonly Variable[],
  ): { parts: readonly Piece[]; strength: Strength } {
    const random = this.#random;
    const kind = WORDS.has(asked) || !random.chance(0.008) ? asked : random.pick(UNTYPED);
    const known = scope.filter((each) => each.kind === kind);
    if (known.length > 0 && random.chance(depth > 0 ? 0.3 : 0.6)) {
      return { parts: [random.pick(known).name], strength: "primary" };
    }
    const rule = GRAMMAR[kind];
    if (rule === undefined) throw new Error(`the grammar has no ${kind}`);
    const isLeaf = depth <= 0 || rule.rows.length === 0 || random.chance(0.2);
    const row = this.#row(isLeaf ? rule.leaves : rule.rows, scope);
    return this.#expand(row, depth, scope);
  }

  /** A row that the scope has the names for: `loop` and `caller` mean nothing outside. */
  #row(rows: readonly string[], scope: readonly Variable[]): string {
    const row = this.#random.pick(rows);
    const special = /\b(?:loop|caller)\b/.exec(row)?.[0];
    const isKnown = special === undefined || scope.some(({ name }) => name.startsWith(special));
    return isKnown || this.#random.chance(0.02) ? row : this.#row(rows, scope);
  }

  #expand(
    row: string,
    depth: number,
    scope: readonly Variable[],
  ): { parts: readonly Piece[]; strength: Strength } {
    const parts: Piece[] = [];
    let end = 0;
    for (const found of row.matchAll(PLACEHOLDER)) {
      const [whole, kind = ""] = found;
      if (GRAMMAR[kind] === undefined) continue;
      const before = row.slice(end, found.index);
      end = found.index + whole.length;
      parts.push(before, this.#operand(kind, depth - 1, scope, before, row.slice(end)));
    }
    parts.push(row.slice(end));
    return { parts, strength: strengthOf(row) };
  }

  #operand(
    kind: string,
    depth: number,
    scope: readonly Variable[],
    before: string,
    after: string,
  ): Piece {
    const { parts, strength } = this.#parts(kind, depth, scope);
    if (WORDS.has(kind)) return parts.map(String).join("");
    const isBracketed = needsBrackets(strength, before, after, this.#random);
    const inner: Node = { category: "expression", parts };
    return isBracketed ? { category: "expression", parts: ["(", inner, ")"] } : inner;
  }
}

function strengthOf(row: string): Strength {
  const outside = row.replace(
    /'[^']*'|"[^"]*"|\([^()]*(\([^()]*\)[^()]*)*\)|\[[^\]]*\]|\{[^}]*\}/g,
    "",
  );
  if (/ |^[-+]/.test(outside.trim())) return "operator";
  return outside.includes("|") ? "filter" : "primary";
}

function needsBrackets(strength: Strength, before: string, after: string, random: Random): boolean {
  if (strength === "primary") return false;
  if (/^[.[(]/.test(after) || /[-+]$/.test(before)) return true;
  if (after.startsWith("|")) return strength === "operator";
  const isEnclosed = /(^|[([{,:=]\s*|\*\*?)$/.test(before) && /^([)\]},:]|$)/.test(after);
  if (isEnclosed && (before !== "" || after !== "")) return before.endsWith("*");
  return strength === "operator" && random.chance(0.9);
}
