/** What an expression can be by itself, without what tests before it have shown. */
import { intrinsics } from "./intrinsics.js";
import * as kinds from "./kinds.js";
import type { Expr, Module } from "./nodes.js";

/** All kinds that are possible; never fewer. */
export function possibleKinds(module: Module, expr: Expr): kinds.Kinds {
  const of = (inner: Expr): kinds.Kinds => possibleKinds(module, inner);
  switch (expr.op) {
    case "literal":
      return ofLiteral(expr.value);
    case "local":
      return module.facts.get(expr.local.id) ?? expr.local.kinds;
    case "read":
      return expr.kinds ?? kinds.Any;
    case "concat":
    case "call":
      return kinds.Text;
    case "and":
    case "or":
    case "not":
    case "compare":
    case "typeof":
    case "truthy":
      return kinds.Bool;
    case "arithmetic":
      return kinds.Number;
    case "count":
      return expr.optional === true ? kinds.Index | kinds.Undefined : kinds.Index;
    case "record":
      return kinds.Dict;
    case "list":
      return kinds.List;
    case "choose":
      return kinds.union(of(expr.then), of(expr.otherwise));
    case "coalesce":
      return kinds.union(
        kinds.without(of(expr.value), kinds.Undefined | kinds.None),
        of(expr.otherwise),
      );
    case "assign":
      return of(expr.value);
    case "chain":
      return expr.mode === "some" ? kinds.Bool : expr.mode === "find" ? kinds.Any : kinds.List;
    case "method":
      return ofMethod(expr.name);
    case "intrinsic":
      return ofIntrinsic(module, expr);
    case "function":
    case "rule":
    case "new-set":
      return kinds.Function;
    case "input":
    case "clock":
    case "spans":
    case "written":
    case "at":
    case "spread":
      return kinds.Any;
  }
}

function ofIntrinsic(module: Module, expr: Extract<Expr, { op: "intrinsic" }>): kinds.Kinds {
  const [subject] = expr.args;
  const of = subject === undefined ? kinds.Any : possibleKinds(module, subject);
  switch (expr.name) {
    case "limits.mark":
    case "limits.weigh":
    case "jinja.named":
    case "jinja.unset":
      return of;
    case "jinja.strict":
      return kinds.without(of, kinds.Undefined | kinds.Hinted);
    default:
      return intrinsics[expr.name].gives;
  }
}

function ofMethod(name: Extract<Expr, { op: "method" }>["name"]): kinds.Kinds {
  switch (name) {
    case "includes":
    case "startsWith":
    case "endsWith":
    case "has":
      return kinds.Bool;
    case "slice":
      return kinds.Text | kinds.List;
    case "add":
    case "push":
      return kinds.Any;
  }
}

function ofLiteral(value: string | number | bigint | boolean | null | undefined): kinds.Kinds {
  switch (typeof value) {
    case "string":
      return kinds.Text;
    case "number":
      return kinds.Number;
    case "bigint":
      return kinds.Int;
    case "boolean":
      return kinds.Bool;
    case "undefined":
      return kinds.Undefined;
    default:
      return kinds.None;
  }
}
