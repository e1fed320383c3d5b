/** Rewrites expressions by what is known of their parts, and tells their kinds. */
import * as build from "../../ir/build.js";
import { isDroppable } from "../../ir/effects.js";
import { intrinsics } from "../../ir/intrinsics.js";
import {
  Any,
  Bool,
  Deep,
  Dict,
  Field,
  Function,
  Hinted,
  Index,
  List,
  may,
  None,
  only,
  Text,
  Undefined,
  union,
  without,
  type Kinds,
} from "../../ir/kinds.js";
import type { Expr, Local } from "../../ir/nodes.js";
import { mapChildren } from "../../ir/visit.js";
import { applyRule } from "./rules.js";
import type { Fact } from "./fact.js";
import { localKey, pathOf, type Facts } from "./facts.js";
import { rewriteChain } from "./jinja-chains.js";
import { refine } from "./refine.js";
import { Rewritten } from "./rewritten.js";
import { shown } from "./shown.js";
import type { Round } from "./state.js";
import { isPresenceOf, negate } from "./tests.js";
import { KEEPS, SILENT, type Typed, type Use } from "./use.js";
import { elementKinds, isJson, kindsOfField, kindsOfLiteral } from "./value-kinds.js";

export class ExpressionSpecializer {
  readonly round: Round;
  /** Index locals of the loops around: never negative. */
  readonly counters = new Set<Local>();
  /** The item of the loop over the list of a path. */
  readonly loopItems = new Map<string, Local>();
  facts: Facts;
  readonly #rewritten = new Rewritten();

  constructor(round: Round, facts: Facts) {
    this.round = round;
    this.facts = facts;
  }

  /** A test: only its truth matters. */
  test(expr: Expr): Typed {
    return this.rewrite(expr, SILENT);
  }

  rewrite(expr: Expr, use: Use): Typed {
    const known = this.#rewritten.find(this, expr, use);
    if (known === undefined) {
      const before = this.facts;
      const typed = this.#rewriteAnew(expr, use);
      this.#rewritten.keep({ sx: this, before, expr, use, typed });
      return typed;
    }
    this.facts = known.after;
    return known.typed;
  }

  #rewriteAnew(expr: Expr, use: Use): Typed {
    switch (expr.op) {
      case "literal":
        return { expr, kinds: kindsOfLiteral(expr.value) };
      case "local":
        return this.#local(expr.local, use);
      case "input":
        return { expr, kinds: this.kinds(expr) };
      case "clock":
      case "spans":
      case "written":
        return { expr, kinds: expr.op === "written" ? Index : Any };
      case "function":
        this.round.escape(expr.callee);
        return { expr, kinds: Function };
      case "choose":
        return this.#choose(expr, use);
      case "and":
      case "or":
        return this.#logical(expr);
      case "not":
        return negate(this.test(expr.value).expr);
      case "compare":
        return this.#compare(expr);
      case "coalesce":
        return this.#coalesce(expr, use);
      case "call":
        return this.#call(expr);
      case "intrinsic":
        return applyRule(this, expr, use);
      case "assign": {
        const value = this.rewrite(expr.value, KEEPS);
        this.round.assign(expr.local, value.kinds);
        this.facts = this.facts.forget(expr.local);
        return { expr: { ...expr, value: value.expr }, kinds: value.kinds };
      }
      case "chain":
        return rewriteChain(this, expr);
      default:
        return this.#primitive(expr, use);
    }
  }

  /** The kinds of a path, from the facts, or of what it is part of. */
  kinds(expr: Expr): Kinds {
    const path = pathOf(expr);
    const fact = path === null ? undefined : this.facts.get(path);
    if (fact !== undefined) return fact.kinds;
    switch (expr.op) {
      case "local":
        return this.round.kindsOf(expr.local);
      case "input":
        return Field;
      case "read":
        return kindsOfField(this.kinds(expr.object));
      case "intrinsic":
        if (path !== null && expr.args[0] !== undefined) return this.kinds(expr.args[0]);
        return intrinsics[expr.name].gives;
      default:
        return Any;
    }
  }

  /** Whether the value is text, and TypeScript can see it. */
  isText(value: Typed): boolean {
    return only(value.kinds, Text) && this.#isSeen(value.expr, Text);
  }

  /** Whether the value is an integer that JavaScript counts with, and TypeScript can see it. */
  isIndex(value: Typed): boolean {
    return only(value.kinds, Index) && this.#isSeen(value.expr, Index);
  }

  /** Whether the value is a JavaScript array, and TypeScript can see it. */
  isList(value: Typed): boolean {
    return only(value.kinds, List) && this.#isSeen(value.expr, List);
  }

  /** What a variable is assigned shows in its type; what a test shows only where TypeScript knows the test. */
  #isSeen(expr: Expr, kinds: Kinds): boolean {
    switch (expr.op) {
      case "local": {
        const isAlways = only(this.round.kindsOf(expr.local), kinds);
        const isTyped = isAlways && !this.round.before.untyped.has(expr.local.id);
        return isTyped || this.fact(expr)?.isTyped === true;
      }
      case "read":
      case "input":
        return this.fact(expr)?.isTyped === true;
      case "intrinsic":
        return only(intrinsics[expr.name].gives, kinds);
      case "choose":
        return this.#isSeen(expr.then, kinds) && this.#isSeen(expr.otherwise, kinds);
      case "assign":
        return this.#isSeen(expr.value, kinds);
      case "coalesce":
      case "at":
        return false;
      default:
        return true;
    }
  }

  /** Whether the type of what is assigned says as much as its kinds. */
  isTyped(value: Typed): boolean {
    return [Text, Index, List, Bool].every(
      (kind) => !only(value.kinds, kind) || this.#isSeen(value.expr, kind),
    );
  }

  fact(expr: Expr): Fact | undefined {
    const path = pathOf(expr);
    return path === null ? undefined : this.facts.get(path);
  }

  /**
   * The local that holds the list of the path, inside a loop over it whose item is known to be a dict: then the path
   * is a list and no dict, whose keys the loop would go through.
   */
  listOf(path: string): Expr | null {
    const list = this.facts.listLocal(path);
    const item = this.loopItems.get(path);
    if (list === undefined || item === undefined) return null;
    const kinds = this.facts.get(localKey(item))?.kinds ?? Any;
    return only(kinds, Dict) ? build.ref(list) : null;
  }

  /** Runs with the facts that the test gives. */
  under<T>(test: Expr, holds: boolean, run: () => T): T {
    const outer = this.facts;
    this.facts = this.#rewritten.factsUnder(outer, test, holds, () => this.refined(test, holds));
    const result = run();
    this.facts = outer;
    return result;
  }

  /** Runs for code that may not run: what it shows is not known afterwards. */
  within<T>(run: () => T): T {
    const outer = this.facts;
    const result = run();
    this.facts = outer;
    return result;
  }

  refined(test: Expr, holds: boolean): Facts {
    return refine(this.factsAfter(test), test, holds, this.#fallback);
  }

  /** The facts after the expression has been evaluated. */
  factsAfter(expr: Expr): Facts {
    return shown(this.facts, expr, this.#fallback);
  }

  readonly #fallback = (expr: Expr, facts: Facts): Kinds => this.#kindsUnder(expr, facts);

  #kindsUnder(expr: Expr, facts: Facts): Kinds {
    const outer = this.facts;
    this.facts = facts;
    const kinds = this.kinds(expr);
    this.facts = outer;
    return kinds;
  }

  // ------------------------------------------------------------ primitives

  /** A local that always holds something, or that holds an Undefined as it is. */
  #local(local: Local, use: Use): Typed {
    const expr = build.ref(local);
    const kinds = this.kinds(expr);
    if (may(kinds, Function)) this.round.escapeMacrosOf(local);
    return this.useOfLocal(local, expr, kinds, use);
  }

  /** Makes an Undefined in a local what the surroundings need. */
  useOfLocal(local: Local, expr: Expr, kinds: Kinds, use: Use): Typed {
    const fact = this.facts.get(localKey(local));
    if (fact?.literal !== undefined && !this.round.keepsOrigin) {
      return { expr: build.literal(fact.literal), kinds: kindsOfLiteral(fact.literal) };
    }
    if (use.mode === "silent") return { expr, kinds };
    this.round.demandHint(local, kinds);
    if (!may(kinds, Undefined | Hinted)) return { expr, kinds };
    if (use.mode === "keeps") return { expr, kinds };
    return this.strict(expr, kinds, use.place);
  }

  /** The value, whose Undefined is raised here. */
  strict(expr: Expr, kinds: Kinds, place: string): Typed {
    const isItem = expr.op === "intrinsic" && expr.name === "jinja.item" && expr.place === place;
    return {
      expr: isItem
        ? { ...expr, name: "jinja.itemOf" }
        : build.intrinsic("jinja.strict", [expr], place),
      kinds: without(kinds, Undefined | Hinted),
    };
  }

  #choose(expr: Extract<Expr, { op: "choose" }>, use: Use): Typed {
    const test = this.test(expr.test).expr;
    if (test.op === "literal")
      return this.rewrite(test.value === true ? expr.then : expr.otherwise, use);
    const then = this.under(test, true, () => this.rewrite(expr.then, use));
    const otherwise = this.under(test, false, () => this.rewrite(expr.otherwise, use));
    const kinds = union(then.kinds, otherwise.kinds);
    return test.op === "not"
      ? { expr: build.choose(test.value, otherwise.expr, then.expr), kinds }
      : { expr: build.choose(test, then.expr, otherwise.expr), kinds };
  }

  #logical(expr: Extract<Expr, { op: "and" | "or" }>): Typed {
    const left = this.test(expr.left).expr;
    const stops = expr.op === "or";
    if (left.op === "literal") {
      return left.value === stops ? { expr: left, kinds: Bool } : this.test(expr.right);
    }
    const right = this.under(left, !stops, () => this.test(expr.right)).expr;
    if (right.op === "literal" && right.value === !stops) return { expr: left, kinds: Bool };
    // Without the left side nothing shows that the right one's owner is there.
    if (isPresenceOf(left, right, stops)) return this.test(expr.right);
    return { expr: { ...expr, left, right }, kinds: Bool };
  }

  /** A direct call: its arguments are what the parameters can hold. */
  #call(expr: Extract<Expr, { op: "call" }>): Typed {
    const params = this.round.functions.get(expr.callee.id)?.params ?? [];
    const args = params.map(({ local }, i) => {
      const arg = expr.args[i] ?? null;
      if (arg === null) {
        this.round.assign(local, Undefined);
        return null;
      }
      const keeps = this.round.needsHint(local) || this.round.hasDefault(expr.callee, local);
      const value = this.rewrite(arg, keeps ? KEEPS : SILENT);
      this.round.assign(local, value.kinds);
      // Parameters are typed by what is read of them only.
      this.round.found.untyped.add(local.id);
      return value.expr;
    });
    this.round.enter(expr.callee, this.facts);
    return { expr: { ...expr, args }, kinds: Text };
  }

  /** A comparison with undefined or null may be decided by the kinds. */
  #compare(expr: Extract<Expr, { op: "compare" }>): Typed {
    const left = this.rewrite(expr.left, SILENT);
    const right = this.rewrite(expr.right, SILENT).expr;
    const isEquality = expr.operator === "===" || expr.operator === "!==";
    const isNothing = right.op === "literal" && (right.value === undefined || right.value === null);
    if (isEquality && isNothing) {
      const kind = right.value === null ? None : Undefined;
      const holds = expr.operator === "===";
      if (!may(left.kinds, kind) && isDroppable(left.expr)) {
        return { expr: build.literal(!holds), kinds: Bool };
      }
    }
    return { expr: { ...expr, left: left.expr, right }, kinds: Bool };
  }

  #coalesce(expr: Extract<Expr, { op: "coalesce" }>, use: Use): Typed {
    const value = this.rewrite(expr.value, SILENT);
    if (!may(value.kinds, Undefined | None)) return value;
    const otherwise = this.rewrite(expr.otherwise, use);
    return {
      expr: { ...expr, value: value.expr, otherwise: otherwise.expr },
      kinds: union(without(value.kinds, Undefined | None), otherwise.kinds),
    };
  }

  #primitive(expr: Expr, use: Use): Typed {
    const isFolded = expr.op === "read" && !this.round.keepsOrigin;
    const known = isFolded ? this.fact(expr)?.literal : undefined;
    if (known !== undefined) return { expr: build.literal(known), kinds: kindsOfLiteral(known) };
    const inner = use.mode === "keeps" ? KEEPS : SILENT;
    const keepsItems = expr.op === "list" || expr.op === "record" || expr.op === "spread";
    const rewritten = mapChildren(
      expr,
      (child) => this.rewrite(child, keepsItems ? KEEPS : inner).expr,
    );
    return { expr: rewritten, kinds: this.#primitiveKinds(rewritten) };
  }

  #primitiveKinds(expr: Expr): Kinds {
    switch (expr.op) {
      case "concat":
      case "call":
        return Text;
      case "compare":
      case "typeof":
      case "truthy":
        return Bool;
      case "chain":
        return List;
      case "arithmetic":
      case "count":
        return Index;
      case "list":
        return List | (expr.items.every((item) => isJson(this.kindsOf(item))) ? Deep : 0);
      case "at":
        return without(elementKinds(this.kinds(expr.list)), expr.bounded ? Undefined : 0);
      case "read":
        return this.kinds(expr);
      case "method":
        return expr.name === "includes" ||
          expr.name === "startsWith" ||
          expr.name === "endsWith" ||
          expr.name === "has"
          ? Bool
          : Any;
      default:
        return Any;
    }
  }

  /** The kinds of an expression that is rewritten already. */
  kindsOf(expr: Expr): Kinds {
    switch (expr.op) {
      case "literal":
        return kindsOfLiteral(expr.value);
      case "choose":
        return union(this.kindsOf(expr.then), this.kindsOf(expr.otherwise));
      case "coalesce":
        return union(
          without(this.kindsOf(expr.value), Undefined | None),
          this.kindsOf(expr.otherwise),
        );
      case "and":
      case "or":
      case "not":
        return Bool;
      case "local":
      case "input":
      case "read":
      case "intrinsic":
        return this.kinds(expr);
      default:
        return this.#primitiveKinds(expr);
    }
  }
}
