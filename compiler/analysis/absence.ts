/**
 * A render without one of the inputs, followed through the program as far as its absence decides: whether something
 * can fail for it, and what the template puts in its place. Jinja2's Undefined fails where its `__getattr__`,
 * operators and calls are asked for; printing, testing and iterating it does not.
 */
import { intrinsics, type IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, FunctionDef, Local, Module, Stmt } from "../ir/nodes.js";
import { printExpr } from "../ir/print.js";
import { eachChild } from "../ir/visit.js";
import { isOfInput, isPlain, POSITIVE, presenceTest } from "./asking.js";
import {
  ABSENT,
  constant,
  isJustAbsent,
  join,
  onlyConstant,
  OTHER,
  present,
  State,
  type Constant,
  type Possible,
} from "./possible.js";
import { assignmentsOf, localsReachedBy, PASSING, REPEATING, type Assignment } from "./reach.js";

export interface Absence {
  /** Whether a render can fail because the input is absent. */
  readonly canFail: boolean;
  /** What stands in its place, by each piece of the template that gives it something. */
  readonly defaults: ReadonlySet<Constant>;
}

/** Answers for each of a module's inputs. */
export class Absences {
  readonly #body: readonly Stmt[];
  readonly #functions: ReadonlyMap<number, FunctionDef>;
  readonly #assignments: readonly Assignment[];

  constructor(module: Module) {
    this.#body = module.body;
    this.#functions = new Map(module.functions.map((fn) => [fn.name.id, fn]));
    this.#assignments = assignmentsOf(module);
  }

  of(name: string): Absence {
    const walk = new AbsenceWalk(this.#functions, name, localsReachedBy(name, this.#assignments));
    return walk.find(this.#body);
  }
}

/** Rules that fail on an Undefined although they do not raise its own error. */
const FAILING: ReadonlySet<IntrinsicName> = new Set([
  "jinja.dictsortFilter",
  "jinja.jsonOf",
  "jinja.missing",
  "jinja.missingName",
  "jinja.mod",
  "jinja.range",
  "jinja.textBefore",
  "jinja.tojsonFilter",
]);

const RAISING: ReadonlySet<IntrinsicName> = new Set([
  "jinja.raiseException",
  "jinja.fail",
  "jinja.missing",
  "jinja.missingName",
]);

const MAX_ROUNDS = 6;

class AbsenceWalk {
  readonly #name: string;
  /** The locals that the state knows. */
  readonly #tracked: ReadonlySet<Local>;
  readonly #defaults = new Set<Constant>();
  readonly #functions: ReadonlyMap<number, FunctionDef>;
  /** What the parameters of functions have been given so far. */
  readonly #parameters = new State();
  readonly #walked = new Set<number>();
  #state = new State();
  #canFail = false;
  /** Whether some way ends early and well. */
  #returns = false;

  constructor(
    functions: ReadonlyMap<number, FunctionDef>,
    name: string,
    tracked: ReadonlySet<Local>,
  ) {
    this.#functions = functions;
    this.#name = name;
    this.#tracked = tracked;
  }

  find(body: readonly Stmt[]): Absence {
    this.#list(body);
    const alwaysFails = this.#state.isDead && !this.#returns;
    return { canFail: this.#canFail || alwaysFails, defaults: this.#defaults };
  }

  #set(local: Local, value: Possible): void {
    if (this.#tracked.has(local)) this.#state.set(local, value);
  }

  // ------------------------------------------------------------ statements

  #list(list: readonly Stmt[]): void {
    for (const stmt of list) {
      if (this.#state.isDead) return;
      this.#statement(stmt);
    }
  }

  #statement(stmt: Stmt): void {
    switch (stmt.op) {
      case "emit":
      case "run":
        this.#visit(stmt.value);
        break;
      case "set":
        this.#visit(stmt.value);
        this.#set(stmt.local, this.#possible(stmt.value));
        break;
      case "unpack":
        this.#visit(stmt.value);
        for (const local of stmt.locals) this.#set(local, OTHER);
        break;
      case "if":
        this.#if(stmt);
        break;
      case "each":
        this.#visit(stmt.source);
        this.#loop(stmt.body, stmt.empty, [stmt.item, stmt.index]);
        break;
      case "entries":
        this.#visit(stmt.source);
        this.#loop(stmt.body, stmt.empty, [stmt.key, stmt.value]);
        break;
      case "while":
        this.#visit(stmt.test);
        this.#loop(stmt.body, [], []);
        break;
      case "capture":
        this.#list(stmt.body);
        this.#set(stmt.local, OTHER);
        break;
      case "break":
      case "continue":
        this.#state.isDead = true;
        break;
      case "return":
        this.#state.isDead = true;
        this.#returns = true;
        break;
      default:
    }
  }

  #if(stmt: Extract<Stmt, { op: "if" }>): void {
    this.#visit(stmt.test);
    const decided = this.#test(stmt.test);
    if (decided !== null) {
      const [taken, other] = decided ? [stmt.then, stmt.otherwise] : [stmt.otherwise, stmt.then];
      this.#noteReplacements(taken, other);
      this.#list(taken);
      return;
    }
    const before = this.#state;
    const ends = [stmt.then, stmt.otherwise].map((list, i) => {
      this.#state = before.copy();
      this.#assume(stmt.test, i === 0);
      this.#list(list);
      return this.#state;
    });
    this.#state = dead();
    for (const end of ends) this.#state.joinWith(end);
  }

  /** A branch that the absence has chosen sets a literal where the other sets the input, or leaves it. */
  #noteReplacements(taken: readonly Stmt[], other: readonly Stmt[]): void {
    for (const stmt of taken) {
      if (stmt.op !== "set" || stmt.value.op !== "literal") continue;
      const { value } = stmt.value;
      const isReplaced = isJustAbsent(this.#state.get(stmt.local));
      const stands = other.some(
        (one) => one.op === "set" && one.local === stmt.local && this.#repeats(one.value),
      );
      if (value !== undefined && (isReplaced || stands)) this.#defaults.add(value);
    }
  }

  #loop(body: readonly Stmt[], empty: readonly Stmt[], bound: readonly (Local | null)[]): void {
    const before = this.#state.copy();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const start = this.#state.copy();
      for (const local of bound) if (local !== null) this.#set(local, OTHER);
      this.#list(body);
      const end = this.#state;
      this.#state = start;
      if (!this.#state.joinWith(end)) break;
    }
    const after = this.#state;
    this.#state = before;
    this.#list(empty);
    after.joinWith(this.#state);
    this.#state = after;
  }

  /** What a test tells of the local that it asks. */
  #assume(test: Expr, holds: boolean): void {
    if (test.op === "not") this.#assume(test.value, !holds);
    if (test.op === "and" || test.op === "or") {
      const areBoth = (test.op === "and") === holds;
      const [left, right] = [this.#test(test.left), this.#test(test.right)];
      if (areBoth || right === !holds) this.#assume(test.left, holds);
      if (areBoth || left === !holds) this.#assume(test.right, holds);
    }
    if (holds && isOfInput(test)) this.#state.hold(printExpr(test));
    const subject = presenceTest(test, holds);
    if (subject?.op !== "local") return;
    const value = this.#state.get(subject.local);
    if (test.op !== "compare" || value.isNamed !== true) this.#set(subject.local, present(value));
  }

  // ------------------------------------------------------------ expressions

  /** Follows what an expression evaluates and notes what fails. */
  #visit(expr: Expr): void {
    switch (expr.op) {
      case "choose":
        this.#visit(expr.test);
        this.#choice(expr);
        return;
      case "and":
      case "or":
        this.#visit(expr.left);
        if (this.#test(expr.left) === (expr.op === "or")) return;
        this.#assuming(expr.left, expr.op === "and", () => {
          this.#visit(expr.right);
        });
        return;
      case "coalesce":
        this.#coalesce(expr);
        return;
      case "intrinsic":
        this.#rule(expr);
        return;
      case "call":
        this.#call(expr);
        return;
      case "assign":
        this.#visit(expr.value);
        this.#set(expr.local, this.#possible(expr.value));
        return;
      case "function":
        this.#enter(expr.callee.id, null);
        return;
      default:
        eachChild(expr, (child) => {
          this.#visit(child);
        });
    }
  }

  #choice(expr: Extract<Expr, { op: "choose" }>): void {
    const decided = this.#test(expr.test);
    if (decided === null) {
      for (const holds of [true, false]) {
        this.#assuming(expr.test, holds, () => {
          this.#visit(holds ? expr.then : expr.otherwise);
        });
      }
      return;
    }
    const [taken, other] = decided ? [expr.then, expr.otherwise] : [expr.otherwise, expr.then];
    this.#visit(taken);
    if (this.#repeats(other)) this.#noteDefault(this.#possible(taken));
  }

  #coalesce(expr: Extract<Expr, { op: "coalesce" }>): void {
    this.#visit(expr.value);
    const value = this.#possible(expr.value);
    if (isJustAbsent(value) || value.isOther) this.#visitUnlessPresent(expr.otherwise, value);
    if (isJustAbsent(value)) this.#noteDefault(this.#possible(expr.otherwise));
  }

  /** What stands behind `??` in a way that the rest of the program does not see. */
  #visitUnlessPresent(expr: Expr, value: Possible): void {
    const wasDead = this.#state.isDead;
    this.#visit(expr);
    if (!isJustAbsent(value)) this.#state.isDead = wasDead;
  }

  #rule(expr: Extract<Expr, { op: "intrinsic" }>): void {
    for (const arg of expr.args) this.#visit(arg);
    const { undefinedUse } = intrinsics[expr.name];
    expr.args.forEach((arg, i) => {
      const use = undefinedUse[i] ?? undefinedUse.at(-1);
      const fails = use === "strict" || (i === 0 && FAILING.has(expr.name));
      if (fails && this.#possible(arg).isAbsent) this.#canFail = true;
    });
    if (expr.name === "jinja.defaultFilter") {
      const [value, otherwise] = expr.args;
      if (value !== undefined && isJustAbsent(this.#possible(value)) && otherwise !== undefined) {
        this.#noteDefault(this.#possible(otherwise));
      }
    }
    if (RAISING.has(expr.name)) this.#state.isDead = true;
  }

  #call(expr: Extract<Expr, { op: "call" }>): void {
    const given = expr.args.map((arg) => {
      if (arg === null) return OTHER;
      this.#visit(arg);
      return this.#possible(arg);
    });
    this.#enter(expr.callee.id, given);
  }

  /** Follows a function's body with all that it has been given; null: called with anything. */
  #enter(id: number, given: readonly Possible[] | null): void {
    const fn = this.#functions.get(id);
    if (fn === undefined) return;
    const calls = new State();
    fn.params.forEach(({ local }, i) => {
      if (this.#tracked.has(local)) calls.set(local, given?.[i] ?? OTHER);
    });
    const isNews = this.#parameters.joinWith(calls) || !this.#walked.has(id);
    if (!isNews) return;
    this.#walked.add(id);
    const outer = this.#state;
    this.#state = outer.copy();
    for (const { local, default: otherwise } of fn.params) {
      if (otherwise !== null) this.#visit(otherwise);
      this.#set(local, this.#parameters.get(local));
    }
    this.#list(fn.body);
    this.#state = outer;
  }

  #assuming(test: Expr, holds: boolean, visit: () => void): void {
    const outer = this.#state;
    this.#state = outer.copy();
    this.#assume(test, holds);
    visit();
    this.#state = outer;
  }

  #noteDefault(value: Possible): void {
    const only = onlyConstant(value);
    if (only !== undefined) this.#defaults.add(only);
  }

  /** Whether the expression is the input, a local that only repeats it, or the text of either. */
  #repeats(expr: Expr): boolean {
    const [value] = expr.op === "intrinsic" && REPEATING.has(expr.name) ? expr.args : [];
    return value === undefined ? isJustAbsent(this.#possible(expr)) : this.#repeats(value);
  }

  #possible(expr: Expr): Possible {
    switch (expr.op) {
      case "literal":
        return expr.value === undefined ? OTHER : constant(expr.value);
      case "input":
        return expr.name === this.#name ? ABSENT : OTHER;
      case "local":
        return this.#state.get(expr.local);
      case "assign":
        return this.#possible(expr.value);
      case "choose": {
        const decided = this.#test(expr.test);
        if (decided !== null) return this.#possible(decided ? expr.then : expr.otherwise);
        return join(
          this.#assumed(expr.test, true, expr.then),
          this.#assumed(expr.test, false, expr.otherwise),
        );
      }
      case "coalesce": {
        const value = this.#possible(expr.value);
        return value.isNamed === true ? value : this.#orElse(value, expr.otherwise);
      }
      case "intrinsic":
        return this.#result(expr);
      default:
        return OTHER;
    }
  }

  #assumed(test: Expr, holds: boolean, expr: Expr): Possible {
    let value = OTHER;
    this.#assuming(test, holds, () => {
      value = this.#possible(expr);
    });
    return value;
  }

  /** What `value ?? otherwise` and the filter `default` give. */
  #orElse(value: Possible, otherwise: Expr): Possible {
    if (isJustAbsent(value)) return this.#possible(otherwise);
    return value.isAbsent || value.isOther
      ? join(present(value), this.#possible(otherwise))
      : value;
  }

  #result({ name, args }: Extract<Expr, { op: "intrinsic" }>): Possible {
    const [value, otherwise] = args;
    if (value === undefined) return OTHER;
    if (PASSING.has(name)) {
      const passed = this.#possible(value);
      return passed.isAbsent ? { ...passed, isNamed: true } : passed;
    }
    if (name === "jinja.strict") return present(this.#possible(value));
    return name === "jinja.defaultFilter" && otherwise !== undefined
      ? this.#orElse(this.#possible(value), otherwise)
      : OTHER;
  }

  // ------------------------------------------------------------ tests

  /** What the test is where the input is absent; null where that does not decide it. */
  #test(expr: Expr): boolean | null {
    if (isOfInput(expr) && this.#state.holds(printExpr(expr))) return true;
    switch (expr.op) {
      case "literal":
        return typeof expr.value === "boolean" ? expr.value : null;
      case "not": {
        const value = this.#test(expr.value);
        return value === null ? null : !value;
      }
      case "and":
      case "or": {
        const decisive = expr.op === "or";
        const [left, right] = [this.#test(expr.left), this.#test(expr.right)];
        if (left === decisive || right === decisive) return decisive;
        return left === null || right === null ? null : !decisive;
      }
      case "compare":
        return this.#comparison(expr);
      case "typeof":
      case "truthy":
        return isJustAbsent(this.#possible(expr.value)) ? false : null;
      case "intrinsic": {
        const [subject] = expr.args;
        const isDecided =
          subject !== undefined &&
          (POSITIVE.has(expr.name) || expr.name === "jinja.has") &&
          isJustAbsent(this.#possible(subject)) &&
          expr.args.slice(1).every((arg) => !this.#possible(arg).isAbsent && isPlain(arg));
        return isDecided ? false : null;
      }
      default:
        return null;
    }
  }

  #comparison({ left, operator, right }: Extract<Expr, { op: "compare" }>): boolean | null {
    const isEqual = operator === "===";
    if ((!isEqual && operator !== "!==") || right.op !== "literal") return null;
    const value = this.#possible(left);
    if (isJustAbsent(value)) {
      return (right.value === undefined && value.isNamed !== true) === isEqual;
    }
    if (value.isAbsent || value.isOther) return null;
    const [only, ...more] = value.constants;
    return more.length > 0 ? null : (only === right.value) === isEqual;
  }
}

function dead(): State {
  const state = new State();
  state.isDead = true;
  return state;
}
