/**
 * What of a render does not change when messages are appended to its conversation. It is asked of all that is done
 * before the last round of the loop over the messages: there more messages follow in any case, and what is done must
 * depend neither on how many nor on what they say.
 */
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Each, Expr, Local, Module, Stmt } from "../ir/nodes.js";
import { eachChild, someExpr, statementExprs, statementLists, walkStmts } from "../ir/visit.js";
import { isDecided, linearIn, resultForAny } from "./linear.js";

/** A value that stays as it is; the list of messages, or all but its first ones; a value that may change. */
type Growth = "fixed" | "list" | "growing";

/** Rules that ask of a list only what does not change while it grows, once it has an item. */
const ASKING: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.truth",
  "jinja.isString",
  "jinja.isMapping",
  "jinja.isIterable",
  "jinja.isSequence",
  "jinja.isNumber",
  "jinja.isNone",
  "jinja.isDefined",
  "jinja.isBoolean",
]);

/** Rules for what is not there. */
const MISSING: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.missing",
  "jinja.missingName",
  "jinja.absent",
  "jinja.missingObject",
]);

export class GrowthFinder {
  readonly #module: Module;
  readonly #before: readonly Stmt[];
  readonly #loop: Each;
  readonly #lists = new Set<Local>();
  #fewest = 1;
  /** Whether what is looked at is evaluated in rounds after the first only. */
  #isAfterFirst = false;

  /** `loop`: the one over the messages; `before`: the statements that stand before it. */
  constructor(module: Module, before: readonly Stmt[], loop: Each) {
    this.#module = module;
    this.#before = before;
    this.#loop = loop;
  }

  /** Whether nothing changes before the loop's last round. */
  isFixed(): boolean {
    for (let size = -1; size !== this.#lists.size;) {
      size = this.#lists.size;
      for (const body of this.#bodies()) {
        walkStmts(body, (stmt) => {
          this.#findList(stmt);
        });
      }
    }
    return (
      this.#of(this.#loop.source) === "list" && this.#bodies().every((body) => this.#areFixed(body))
    );
  }

  /** The locals that hold the list of messages, or all but its first ones. */
  get lists(): ReadonlySet<Local> {
    return this.#lists;
  }

  /** How many messages there must have been: those that are read by their number, and those that lists leave out. */
  get fewest(): number {
    let skipped = 0;
    const count = (expr: Expr): void => {
      skipped += sliceStart(expr) ?? 0;
      eachChild(expr, count);
    };
    for (const body of this.#bodies()) {
      walkStmts(body, (stmt) => {
        statementExprs(stmt).forEach(count);
      });
    }
    return this.#fewest + skipped;
  }

  #bodies(): readonly (readonly Stmt[])[] {
    return [this.#before, this.#loop.body, ...this.#module.functions.map(({ body }) => body)];
  }

  #findList(stmt: Stmt): void {
    if (stmt.op === "set" && this.#of(stmt.value) === "list") this.#lists.add(stmt.local);
  }

  #areFixed(list: readonly Stmt[]): boolean {
    return list.every((stmt) => {
      const isRight = stmt.op === "set" ? this.#isKept(stmt.local, stmt.value) : this.#own(stmt);
      return isRight && statementLists(stmt).every((inner) => this.#areFixed(inner));
    });
  }

  #own(stmt: Stmt): boolean {
    return statementExprs(stmt).every((expr) => this.#of(expr) === "fixed");
  }

  /** A local holds the list always or never. */
  #isKept(local: Local, value: Expr): boolean {
    return this.#of(value) === (this.#lists.has(local) ? "list" : "fixed");
  }

  #of(expr: Expr): Growth {
    switch (expr.op) {
      case "input":
        if (expr.name === "messages") return "list";
        return expr.name === "" ? "growing" : "fixed";
      case "spans":
      case "written":
      case "assign":
        return "growing";
      case "local":
        return this.#lists.has(expr.local) ? "list" : "fixed";
      case "typeof":
      case "truthy":
        return this.#of(expr.value) === "growing" ? "growing" : "fixed";
      case "compare":
        return this.#ofCompare(expr);
      case "and":
      case "or":
        return this.#ofLogical(expr);
      case "at":
        return this.#of(expr.list) === "list"
          ? this.#ofItem(expr.list, expr.index, true)
          : this.#ofAll(expr);
      case "coalesce":
        return isMissing(expr.otherwise) ? this.#of(expr.value) : this.#ofAll(expr);
      case "choose":
        return this.#ofChoice(expr);
      case "method":
        return this.#isRest(expr, expr.object) ? "list" : this.#ofAll(expr);
      case "intrinsic":
        return this.#ofRule(expr);
      default:
        return this.#ofAll(expr);
    }
  }

  /** Whether the expression is all of a list but its first items. */
  #isRest(expr: Expr, list: Expr): boolean {
    return sliceStart(expr) !== null && this.#of(list) === "list";
  }

  /** What is made of parts: all of them must stay as they are. */
  #ofAll(expr: Expr): Growth {
    let growth: Growth = "fixed";
    eachChild(expr, (child) => {
      if (this.#of(child) !== "fixed") growth = "growing";
    });
    return growth;
  }

  /** One list or another, by a test that stays as it is. */
  #ofChoice(expr: Extract<Expr, { op: "choose" }>): Growth {
    const areLists = [expr.then, expr.otherwise].every((part) => this.#of(part) === "list");
    return areLists && this.#of(expr.test) === "fixed" ? "list" : this.#ofAll(expr);
  }

  #ofCompare(expr: Extract<Expr, { op: "compare" }>): Growth {
    if (isDecided(expr, (part) => this.#linear(part))) return "fixed";
    const isLength = expr.left.op === "count" && this.#of(expr.left.list) === "list";
    if (isLength && resultForAny(expr) !== null) return "fixed";
    const isAbsence = expr.right.op === "literal" && this.#of(expr.left) === "list";
    return isAbsence ? "fixed" : this.#ofAll(expr);
  }

  #linear(expr: Expr): ReturnType<typeof linearIn> {
    return linearIn(expr, this.#loop.index, (list) => this.#isLoopList(list));
  }

  #isLoopList(list: Expr): boolean {
    const { source } = this.#loop;
    if (source.op === "local") return list.op === "local" && list.local === source.local;
    return source.op === "input" && list.op === "input" && list.name === source.name;
  }

  /** A message by its number, or one beside that of the round; `isPlain`: -1 is no item. */
  #ofItem(list: Expr, index: Expr, isPlain: boolean): Growth {
    if (index.op === "literal" && isCount(index.value)) {
      this.#fewest = Math.max(this.#fewest, index.value + 1);
      return "fixed";
    }
    const form = this.#linear(index);
    if (form?.index !== 1 || form.count !== 0 || form.constant > 1) return "growing";
    // In a list that the loop's leaves no item out of, the next one is there too.
    const isThere = this.#isLoopList(list) || list.op === "input";
    const first = this.#isAfterFirst ? 1 : 0;
    return isThere && (isPlain || first + form.constant >= 0) ? "fixed" : "growing";
  }

  /** `loop.first or …` and `not loop.first and …` ask the rest after the first round only. */
  #ofLogical({ op, left, right }: Extract<Expr, { op: "and" | "or" }>): Growth {
    if (this.#of(left) !== "fixed") return "growing";
    const outer = this.#isAfterFirst;
    this.#isAfterFirst ||= this.#isFirst(left, op === "or");
    const growth = this.#of(right);
    this.#isAfterFirst = outer;
    return growth === "fixed" ? "fixed" : "growing";
  }

  /** Whether a test tells the first round from the others, by being true in it or by being false. */
  #isFirst(test: Expr, isTrue: boolean): boolean {
    if (test.op === "not") return this.#isFirst(test.value, !isTrue);
    if (test.op === (isTrue ? "or" : "and")) {
      return this.#isFirst(test.left, isTrue) || this.#isFirst(test.right, isTrue);
    }
    if (test.op !== "compare" || test.right.op !== "literal" || test.right.value !== 0)
      return false;
    const isIndex = test.left.op === "local" && test.left.local === this.#loop.index;
    return isIndex && (isTrue ? test.operator === "===" : [">", "!=="].includes(test.operator));
  }

  #ofRule(expr: Extract<Expr, { op: "intrinsic" }>): Growth {
    const [first, second] = expr.args;
    if (first === undefined || this.#of(first) !== "list") return this.#ofAll(expr);
    if (ASKING.has(expr.name) || MISSING.has(expr.name)) return "fixed";
    if (expr.name === "jinja.list" || sliceStart(expr) !== null) return "list";
    const isItem = expr.name === "jinja.item" || expr.name === "jinja.itemOf";
    return isItem && second !== undefined ? this.#ofItem(first, second, false) : "growing";
  }
}

/** Whether the expression only says that something is missing: it does so as it ever did. */
function isMissing(expr: Expr): boolean {
  return expr.op === "intrinsic" && MISSING.has(expr.name) && !someExpr(expr, changes);
}

function changes(expr: Expr): boolean {
  return expr.op === "assign";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** How many first items a slice to the end of a list leaves out; null: the expression is no such slice. */
function sliceStart(expr: Expr): number | null {
  const [start, ...rest] = sliceBounds(expr);
  if (start?.op !== "literal" || !isCount(start.value)) return null;
  const isToEnd = rest.every(
    (one) => one.op === "literal" && (one.value === null || one.value === undefined),
  );
  return isToEnd ? start.value : null;
}

function sliceBounds(expr: Expr): readonly Expr[] {
  if (expr.op === "method" && expr.name === "slice") return expr.args;
  return expr.op === "intrinsic" && expr.name === "jinja.slice" ? expr.args.slice(1) : [];
}
