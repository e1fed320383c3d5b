/** Statements of a module with segments. */
import * as build from "../ir/build.js";
import type { Expr, Local, Stmt } from "../ir/nodes.js";
import { mapLists } from "../ir/visit.js";
import type { ExpressionTracer } from "./expressions.js";
import { VALUE, type Level, type Levels } from "./levels.js";
import type { Places } from "./places.js";
import { givesEntries, isUnused } from "./rules.js";

/** Where statements write to, and how much of the origin is asked for there. */
interface Target {
  readonly level: Level;
  /** The local that holds the text; null: the output, or a plain capture. */
  readonly local: Local | null;
}

export class StatementTracer {
  readonly #expressions: ExpressionTracer;
  readonly #levels: Levels;

  readonly #places: Places;

  constructor(expressions: ExpressionTracer, levels: Levels, places: Places) {
    this.#expressions = expressions;
    this.#levels = levels;
    this.#places = places;
  }

  /** The statements of a body, or of the module. */
  list(list: readonly Stmt[]): readonly Stmt[] {
    return this.#list(list, { level: VALUE, local: null });
  }

  #list(list: readonly Stmt[], target: Target): readonly Stmt[] {
    return list.flatMap((stmt) => {
      if (isUnused(stmt)) return [];
      return stmt.op === "capture"
        ? this.#capture(stmt)
        : this.#placed(this.#statement(stmt, target), stmt);
    });
  }

  /** A text with its origin is put together by assignments; a plain one is captured as ever. */
  #capture(stmt: Extract<Stmt, { op: "capture" }>): readonly Stmt[] {
    const { local, origin } = stmt;
    const level = this.#levels.of(local);
    if (!this.#expressions.isCarrier(local)) {
      return [{ ...stmt, body: this.#list(stmt.body, { level, local: null }) }];
    }
    const start = build.set(local, build.literal(""), origin);
    return [start, ...this.#list(stmt.body, { level, local })];
  }

  /** The statement with what notes the places of its locals; `before`: as it was in the module. */
  #placed(stmt: Stmt, before: Stmt): readonly Stmt[] {
    if (stmt.op === "set" && before.op === "set") {
      return [stmt, ...this.#places.afterSet(stmt.local, before.value)];
    }
    if (stmt.op === "each" && before.op === "each") {
      return this.#places.each(stmt, before.source);
    }
    if (stmt.op === "entries" && before.op === "entries") {
      return this.#places.entries(stmt, before.source);
    }
    return [stmt];
  }

  #statement(stmt: Stmt, target: Target): Stmt {
    const inner = mapLists(stmt, (list) => this.#list(list, target));
    const expressions = this.#expressions;
    switch (inner.op) {
      case "emit": {
        const value = expressions.written(inner.value, target.level);
        if (target.local === null) return { ...inner, value };
        const parts = isJoin(value) ? value.args : [value];
        const joined = build.intrinsic("segments.join", [build.ref(target.local), ...parts]);
        return build.set(target.local, joined, inner.origin);
      }
      case "set":
        return { ...inner, value: expressions.value(inner.value, this.#levels.of(inner.local)) };
      case "unpack":
        return { ...inner, value: expressions.unpacked(inner.value, inner.locals) };
      case "run":
        return { ...inner, value: expressions.effect(inner.value) };
      case "if":
      case "while":
        return { ...inner, test: expressions.plain(inner.test) };
      case "each":
        return { ...inner, source: expressions.source(inner.source, inner.item) };
      case "entries": {
        const { source, key, value } = inner;
        return { ...inner, source: expressions.entries(source, key, value, isEntryRule(source)) };
      }
      default:
        return inner;
    }
  }
}

function isJoin(value: Expr): value is Extract<Expr, { op: "intrinsic" }> {
  return value.op === "intrinsic" && value.name === "segments.join";
}

function isEntryRule(source: Expr): boolean {
  return source.op === "intrinsic" && givesEntries(source.name);
}
