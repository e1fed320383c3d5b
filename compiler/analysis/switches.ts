/** Inputs that are only asked whether they are true: which of true and false their absence stands for. */
import type { Expr, Module, Stmt } from "../ir/nodes.js";
import { printExpr } from "../ir/print.js";
import { eachChild, walkExpr, walkModule, walkStmts } from "../ir/visit.js";

/** What absence means to each input that the template only tests, where it means just one of true and false. */
export function switchDefaults(module: Module): ReadonlyMap<string, boolean> {
  const uses = countUses(module);
  const tests = testsOf(module);
  const found = new Map<string, boolean>();
  for (const [name, count] of uses) {
    const own = tests.filter((test) => count > 0 && mentions(test, name) > 0);
    const asked = own.reduce((sum, test) => sum + mentions(test, name), 0);
    const value = asked === count ? defaultOf(own, name) : null;
    if (value !== null) found.set(name, value);
  }
  return found;
}

function defaultOf(tests: readonly Expr[], name: string): boolean | null {
  const [absent, on, off] = [undefined, true, false].map((given) =>
    tests.map((test) => residue(test, { name, given })),
  );
  if (absent === undefined || on === undefined || off === undefined) return null;
  if (absent.some((left) => left === null)) return null;
  const isLike = (other: readonly Residue[]): boolean =>
    other.every((left, i) => left !== null && left === absent[i]);
  if (isLike(on) === isLike(off)) return null;
  return isLike(on);
}

/** What is left of a test once the input is known: its result, else the rest as text; null where that is not settled. */
type Residue = boolean | string | null;

interface Given {
  readonly name: string;
  readonly given: boolean | undefined;
}

function residue(expr: Expr, input: Given): Residue {
  if (mentions(expr, input.name) === 0) {
    return expr.op === "literal" && typeof expr.value === "boolean" ? expr.value : printExpr(expr);
  }
  switch (expr.op) {
    case "not": {
      const value = residue(expr.value, input);
      return typeof value === "boolean" ? !value : value === null ? null : `not ${value}`;
    }
    case "and":
    case "or":
      return logical(expr.op, residue(expr.left, input), residue(expr.right, input));
    case "compare":
      return comparison(expr, input);
    case "truthy":
      return isInput(expr.value, input) ? input.given === true : null;
    case "typeof":
      return isInput(expr.value, input)
        ? expr.type === "boolean" && input.given !== undefined
        : null;
    case "intrinsic":
      return rule(expr, input);
    default:
      return null;
  }
}

function logical(op: "and" | "or", left: Residue, right: Residue): Residue {
  const decisive = op === "or";
  if (left === null || right === null) return null;
  if (left === decisive || right === decisive) return decisive;
  if (left === !decisive) return right;
  return right === !decisive ? left : `(${String(left)} ${op} ${String(right)})`;
}

function comparison(expr: Extract<Expr, { op: "compare" }>, input: Given): Residue {
  const isEqual = expr.operator === "===";
  if ((!isEqual && expr.operator !== "!==") || expr.right.op !== "literal") return null;
  return isInput(expr.left, input) ? (input.given === expr.right.value) === isEqual : null;
}

function rule({ name, args }: Extract<Expr, { op: "intrinsic" }>, input: Given): Residue {
  const [subject, other] = args;
  if (subject === undefined || !isInput(subject, input)) return null;
  switch (name) {
    case "jinja.truth":
    case "jinja.isTrue":
      return input.given === true;
    case "jinja.isFalse":
      return input.given === false;
    case "jinja.isDefined":
    case "jinja.isBoolean":
      return input.given !== undefined;
    case "jinja.isNone":
      return false;
    case "jinja.eq":
      return other?.op === "literal" && typeof other.value === "boolean"
        ? input.given === other.value
        : null;
    default:
      return null;
  }
}

function isInput(expr: Expr, { name }: Given): boolean {
  if (expr.op === "intrinsic" && expr.name === "jinja.named") {
    return expr.args[0]?.op === "input" && expr.args[0].name === name;
  }
  return expr.op === "input" && expr.name === name;
}

function mentions(expr: Expr, name: string): number {
  let count = 0;
  walkExpr(expr, (inner) => {
    if (inner.op === "input" && inner.name === name) count++;
  });
  return count;
}

function countUses(module: Module): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  walkModule(module, (expr) => {
    if (expr.op === "input") uses.set(expr.name, (uses.get(expr.name) ?? 0) + 1);
  });
  return uses;
}

/** The tests of statements and of choices outside them; a choice inside a test is part of it. */
function testsOf(module: Module): readonly Expr[] {
  const tests: Expr[] = [];
  const choices = (expr: Expr): void => {
    if (expr.op === "choose") tests.push(expr.test);
    eachChild(expr, (child) => {
      if (expr.op !== "choose" || child !== expr.test) choices(child);
    });
  };
  const see = (stmt: Stmt): void => {
    if (stmt.op === "if" || stmt.op === "while") tests.push(stmt.test);
    else if (stmt.op === "each" || stmt.op === "entries") choices(stmt.source);
    else if ("value" in stmt) choices(stmt.value);
  };
  walkStmts(module.body, see);
  for (const fn of module.functions) {
    walkStmts(fn.body, see);
    for (const param of fn.params) if (param.default !== null) choices(param.default);
  }
  return tests;
}
