/** The forward walk: statements in order, with the facts that hold before each. */
import { Any, Function, Index, isDeep, Json, Text, type Kinds } from "../../ir/kinds.js";
import { alwaysRaises } from "../../ir/effects.js";
import { ref } from "../../ir/build.js";
import type { Each, Expr, If, Local, Stmt } from "../../ir/nodes.js";
import { assignedLocals, walkExprs, walkStmts } from "../../ir/visit.js";
import { elementKinds } from "./value-kinds.js";
import { ExpressionSpecializer } from "./expressions.js";
import { KEEPS, SILENT, type Typed, type Use } from "./use.js";
import { Facts, localKey, pathOf } from "./facts.js";
import { itemsOf, macroOf } from "./jinja-calls.js";
import type { Round } from "./state.js";

export class StatementSpecializer {
  readonly #round: Round;
  readonly #sx: ExpressionSpecializer;

  constructor(round: Round, facts: Facts) {
    this.#round = round;
    this.#sx = new ExpressionSpecializer(round, facts);
  }

  list(list: readonly Stmt[]): Stmt[] {
    const result: Stmt[] = [];
    for (const stmt of list) {
      if (this.#sx.facts.unreachable) break;
      result.push(...this.#statement(stmt));
    }
    return result;
  }

  #statement(stmt: Stmt): readonly Stmt[] {
    const sx = this.#sx;
    switch (stmt.op) {
      case "emit":
        return this.#emit(stmt);
      case "run":
        return this.#run(stmt);
      case "set":
        return this.#set(stmt);
      case "unpack":
        return this.#unpack(stmt);
      case "if":
        return this.#if(stmt);
      case "each":
        return this.#each(stmt);
      case "entries":
        return this.#entries(stmt);
      case "while":
        return this.#while(stmt);
      case "capture": {
        const body = this.list(stmt.body);
        this.#assign(stmt.local, Text);
        return [{ ...stmt, body }];
      }
      case "break":
      case "continue":
      case "return":
        sx.facts = sx.facts.asUnreachable();
        return [stmt];
      case "define":
      case "round":
      case "note":
        return [stmt];
    }
  }

  /** What raises in any case writes nothing. */
  #emit(stmt: Extract<Stmt, { op: "emit" }>): readonly Stmt[] {
    const { value } = stmt;
    const inner = value.op === "intrinsic" && value.name === "jinja.str" ? value.args[0] : value;
    if (inner?.op === "intrinsic" && inner.name === "jinja.raiseException") {
      return this.#run({ op: "run", value: inner, origin: stmt.origin });
    }
    return [{ ...stmt, value: this.#evaluated(this.#sx.rewrite(value, SILENT).expr) }];
  }

  /** The expression; from here on what its evaluation has shown is known. */
  #evaluated(expr: Expr): Expr {
    this.#sx.facts = this.#sx.factsAfter(expr);
    return expr;
  }

  #run(stmt: Extract<Stmt, { op: "run" }>): readonly Stmt[] {
    const expr = this.#evaluated(this.#sx.rewrite(stmt.value, SILENT).expr);
    const result = { ...stmt, value: expr };
    if (alwaysRaises(result)) this.#sx.facts = this.#sx.facts.asUnreachable();
    const isIdle = expr.op === "literal" || expr.op === "local" || expr.op === "input";
    return isIdle ? [] : [result];
  }

  #set(stmt: Extract<Stmt, { op: "set" }>): readonly Stmt[] {
    const sx = this.#sx;
    const use = this.#round.needsHint(stmt.local) ? KEEPS : SILENT;
    const value = this.#valueOf(stmt.value, use);
    this.#evaluated(value.expr);
    const source = pathOf(value.expr);
    const fact = source === null ? undefined : sx.facts.get(source);
    this.#assign(stmt.local, value.kinds);
    if (!sx.isTyped(value)) this.#round.found.untyped.add(stmt.local.id);
    if (this.#round.captured.has(stmt.local)) {
      this.#noteMacro(stmt.local, value.expr);
      return [{ ...stmt, value: value.expr }];
    }
    const macro = macroOf(value.expr);
    const key = localKey(stmt.local);
    sx.facts = sx.facts.with(key, {
      ...(fact?.isTrue === true || isTrueLiteral(value.expr) ? { isTrue: true } : {}),
      kinds: value.kinds,
      ...(macro === null ? {} : { macro }),
    });
    this.#noteList(stmt.local, value.expr);
    return [{ ...stmt, value: value.expr }];
  }

  /** A macro that is bound to a name is no value yet: only other uses of the name make it one. */
  #valueOf(value: Expr, use: Use): Typed {
    return macroOf(value) === null
      ? this.#knownList(this.#sx.rewrite(value, use))
      : { expr: value, kinds: Function };
  }

  /** The list of a path that is a list already. */
  #knownList(value: Typed): Typed {
    const { expr } = value;
    const source = expr.op === "intrinsic" && expr.name === "jinja.list" ? expr.args[0] : undefined;
    const path = source === undefined ? null : pathOf(source);
    const list = path === null ? undefined : this.#sx.facts.listLocal(path);
    return list === undefined ? value : { expr: ref(list), kinds: value.kinds };
  }

  #noteMacro(local: Local, value: Expr): void {
    const macro = macroOf(value);
    if (macro === null) return;
    const { facts } = this.#sx;
    this.#sx.facts = facts.with(localKey(local), { kinds: Function, macro });
  }

  /** `messageList = list(messages)`: later items of messages can be read of the list. */
  #noteList(local: Local, value: Expr): void {
    if (value.op === "local") {
      const path = this.#lists.get(value.local);
      if (path !== undefined) this.#lists.set(local, path);
      return;
    }
    const isList = value.op === "intrinsic" && value.name === "jinja.list";
    const source = isList ? value.args[0] : undefined;
    const path = source === undefined ? null : pathOf(source);
    if (source === undefined || path === null) return;
    this.#lists.set(local, path);
    const { facts } = this.#sx;
    const known = facts.get(path) ?? { kinds: this.#sx.kinds(source) };
    this.#sx.facts = facts.with(path, { ...known, list: local });
  }

  /** Locals that are the list of a path. */
  readonly #lists = new Map<Local, string>();

  #assign(local: Local, kinds: Kinds): void {
    this.#round.assign(local, kinds);
    this.#sx.facts = this.#sx.facts.forget(local);
    if (!this.#round.captured.has(local)) {
      this.#sx.facts = this.#sx.facts.with(localKey(local), { kinds });
    }
  }

  #unpack(stmt: Extract<Stmt, { op: "unpack" }>): readonly Stmt[] {
    const value = this.#sx.rewrite(stmt.value, SILENT);
    this.#evaluated(value.expr);
    for (const local of stmt.locals) {
      this.#assign(local, isDeep(value.kinds) ? Json : Any);
    }
    return [{ ...stmt, value: value.expr }];
  }

  #if(stmt: If): readonly Stmt[] {
    const sx = this.#sx;
    const test = sx.test(stmt.test).expr;
    if (test.op === "literal") return this.list(test.value === true ? stmt.then : stmt.otherwise);
    if (this.#setsUndefinedAgain(stmt, test)) return [];
    const before = sx.facts;
    sx.facts = sx.refined(test, true);
    const then = this.list(stmt.then);
    const afterThen = sx.facts;
    sx.facts = before;
    sx.facts = sx.refined(test, false);
    const otherwise = this.list(stmt.otherwise);
    sx.facts = this.#implied(test, stmt, afterThen, afterThen.join(sx.facts));
    return [{ ...stmt, test, then, otherwise }];
  }

  /** `if (x === undefined) x = unprovided("x")`, where nothing asks which Undefined x is. */
  #setsUndefinedAgain(stmt: If, test: Expr): boolean {
    const [only] = stmt.then;
    return (
      test.op === "compare" &&
      test.left.op === "local" &&
      stmt.then.length === 1 &&
      stmt.otherwise.length === 0 &&
      only?.op === "set" &&
      only.local === test.left.local &&
      only.value.op === "intrinsic" &&
      only.value.name === "jinja.unprovided" &&
      !this.#round.needsHint(only.local)
    );
  }

  /** What the then branch made of locals holds later wherever the tested path is true. */
  #implied(test: Expr, stmt: If, afterThen: Facts, joined: Facts): Facts {
    const isTruth = test.op === "intrinsic" && test.name === "jinja.truth";
    const path = isTruth && test.args[0] !== undefined ? pathOf(test.args[0]) : null;
    if (path === null || stmt.otherwise.length > 0 || afterThen.unreachable) return joined;
    let facts = joined;
    walkStmts(stmt.then, (inner) => {
      for (const local of assignedLocals(inner)) {
        const then = afterThen.get(localKey(local));
        if (then !== undefined) facts = facts.imply(path, localKey(local), then);
      }
    });
    return facts;
  }

  #each(stmt: Each): readonly Stmt[] {
    const sx = this.#sx;
    const pairs = this.#pairsOf(stmt);
    const items = pairs === null ? null : this.#itemsOf(stmt.source);
    const source = items ?? sx.rewrite(stmt.source, SILENT);
    this.#evaluated(source.expr);
    const before = this.#loopFacts(stmt.body);
    sx.facts = before;
    this.#assumeItems(source.expr, stmt);
    if (pairs !== null && items !== null) return this.#pairs(stmt, source.expr, pairs, before);
    if (stmt.index !== null) {
      this.#assign(stmt.index, Index);
      sx.counters.add(stmt.index);
    }
    if (stmt.item !== null) {
      this.#assign(stmt.item, isDeep(source.kinds) ? Json : elementKinds(source.kinds));
    }
    const body = this.list(stmt.body);
    sx.facts = before;
    const empty = this.list(stmt.empty);
    sx.facts = before;
    return [{ ...stmt, source: source.expr, body, empty }];
  }

  /** The pair that a loop takes apart, where it lives no longer than a round: a macro may keep variables beyond that. */
  #pairsOf(stmt: Each): Pairs | null {
    const pairs = pairsOf(stmt);
    const isOwn = (local: Local): boolean => this.#round.isOwnOf(stmt.body, local);
    return pairs !== null && isOwn(pairs.key) && isOwn(pairs.value) ? pairs : null;
  }

  /** The pairs of `list(x.items())`, where nothing needs the tuples. */
  #itemsOf(source: Expr): Typed | null {
    const [inner] = source.op === "intrinsic" && source.name === "jinja.list" ? source.args : [];
    return inner === undefined ? null : itemsOf(this.#sx, inner);
  }

  /** `for k, v in x.items()`: a loop over pairs. */
  #pairs(stmt: Each, source: Expr, pairs: Pairs, before: Facts): readonly Stmt[] {
    this.#assign(pairs.key, Text);
    this.#assign(pairs.value, Json);
    const body = this.list(stmt.body.slice(1));
    this.#sx.facts = before;
    const empty = this.list(stmt.empty);
    this.#sx.facts = before;
    const { key, value } = pairs;
    return [{ op: "entries", of: "pairs", source, key, value, body, empty, origin: stmt.origin }];
  }

  /** Where a loop has an item, what it goes through is not empty, unless the body makes it another. */
  #assumeItems(source: Expr, { item, body }: Each): void {
    const sx = this.#sx;
    const inner =
      source.op === "intrinsic" && source.name === "jinja.list" ? source.args[0] : source;
    const paths: string[] = [];
    if (inner !== undefined) {
      const own = pathOf(inner);
      if (own !== null) paths.push(own);
      const behind = inner.op === "local" ? this.#lists.get(inner.local) : undefined;
      if (behind !== undefined) paths.push(behind);
      if (behind !== undefined && item !== null) sx.loopItems.set(behind, item);
    }
    const changed = [...this.#round.assignedIn(body)];
    for (const path of paths) {
      if (changed.some((local) => startsAt(path, local))) continue;
      sx.facts = sx.facts.assumeTrue(path, Any);
    }
  }

  #entries(stmt: Extract<Stmt, { op: "entries" }>): readonly Stmt[] {
    const sx = this.#sx;
    const source = sx.rewrite(stmt.source, SILENT);
    this.#evaluated(source.expr);
    const before = this.#loopFacts(stmt.body);
    sx.facts = before;
    if (stmt.key !== null) this.#assign(stmt.key, keyKinds(source.expr));
    if (stmt.value !== null) this.#assign(stmt.value, isDeep(source.kinds) ? Json : Any);
    const body = this.list(stmt.body);
    sx.facts = before;
    const empty = this.list(stmt.empty);
    sx.facts = before;
    return [{ ...stmt, source: source.expr, body, empty }];
  }

  #while(stmt: Extract<Stmt, { op: "while" }>): readonly Stmt[] {
    const sx = this.#sx;
    const before = this.#loopFacts(stmt.body);
    sx.facts = before;
    const test = sx.test(stmt.test).expr;
    const body = this.list(stmt.body);
    sx.facts = before;
    return [{ ...stmt, test, body }];
  }

  /** At the head of a loop nothing is known of what its body assigns. */
  #loopFacts(body: readonly Stmt[]): Facts {
    return this.#sx.facts.forgetAll(this.#round.assignedIn(body));
  }
}

/** Go's range counts lists and gives the numbers of ints; all else has names as keys. */
function keyKinds(source: Expr): Kinds {
  const isRange =
    source.op === "intrinsic" &&
    (source.name === "go.iterate" || source.name === "go.iteratePairs");
  return isRange ? Any : Text;
}

/** A text that is not empty: also one that is too long to be repeated where it is used. */
function isTrueLiteral(expr: Expr): boolean {
  return expr.op === "literal" && typeof expr.value === "string" && expr.value !== "";
}

function startsAt(path: string, local: Local): boolean {
  const key = localKey(local);
  return path === key || path.startsWith(`${key}.`);
}

interface Pairs {
  readonly key: Local;
  readonly value: Local;
}

/** A loop whose body starts by unpacking the pair, and uses the pair for nothing else. */
function pairsOf(stmt: Each): Pairs | null {
  const [first, ...rest] = stmt.body;
  if (stmt.index !== null || first?.op !== "unpack" || first.locals.length !== 2) return null;
  const [key, value] = first.locals;
  if (key === undefined || value === undefined || stmt.item === null) return null;
  const used = new Set<Local>();
  walkExprs(rest, (expr) => {
    if (expr.op === "local") used.add(expr.local);
  });
  return used.has(stmt.item) ? null : { key, value };
}
