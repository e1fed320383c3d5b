/** Statements of a module with segments. */
import type { Expr, Stmt } from "../ir/nodes.js";
import { mapLists } from "../ir/visit.js";
import type { ExpressionTracer } from "./expressions.js";
import { VALUE, type Level, type Levels } from "./levels.js";
import { givesEntries, isUnused } from "./rules.js";

export class StatementTracer {
  readonly #expressions: ExpressionTracer;
  readonly #levels: Levels;

  constructor(expressions: ExpressionTracer, levels: Levels) {
    this.#expressions = expressions;
    this.#levels = levels;
  }

  /** The statements of a body, or of the module. */
  list(list: readonly Stmt[]): readonly Stmt[] {
    return this.#list(list, VALUE);
  }

  /** `written`: how much is asked of what the statements write. */
  #list(list: readonly Stmt[], written: Level): readonly Stmt[] {
    return list.filter((stmt) => !isUnused(stmt)).map((stmt) => this.#statement(stmt, written));
  }

  #statement(stmt: Stmt, written: Level): Stmt {
    const level = stmt.op === "capture" ? this.#levels.of(stmt.local) : written;
    const inner = mapLists(stmt, (list) => this.#list(list, level));
    const expressions = this.#expressions;
    switch (inner.op) {
      case "emit":
        return { ...inner, value: expressions.value(inner.value, written) };
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

function isEntryRule(source: Expr): boolean {
  return source.op === "intrinsic" && givesEntries(source.name);
}
