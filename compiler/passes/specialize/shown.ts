/** What evaluating an expression has shown, wherever control goes on after it. */
import { eachCertainChild } from "../../ir/effects.js";
import { Dict, Hinted, Text, Undefined } from "../../ir/kinds.js";
import type { Expr } from "../../ir/nodes.js";
import { pathOf, type Facts } from "./facts.js";
import type { Fallback } from "./refine.js";

/** The facts after the evaluation: a rule that raises on an Undefined has shown that there was none. */
export function shown(facts: Facts, expr: Expr, fallback: Fallback): Facts {
  let known = facts;
  const see = (inner: Expr): void => {
    eachCertainChild(inner, see);
    known = shownHere(known, inner, fallback);
  };
  see(expr);
  return known;
}

function shownHere(facts: Facts, expr: Expr, fallback: Fallback): Facts {
  if (expr.op === "coalesce") {
    const { otherwise } = expr;
    const raises =
      otherwise.op === "intrinsic" &&
      (otherwise.name === "jinja.missing" || otherwise.name === "jinja.missingName");
    return raises ? without(facts, expr.value, fallback) : facts;
  }
  if (expr.op !== "intrinsic" || expr.args[0] === undefined) return facts;
  const subject = subjectOf(expr.args[0]);
  switch (expr.name) {
    case "jinja.strict":
    case "jinja.itemOf":
      return without(facts, subject, fallback);
    case "jinja.text":
    case "jinja.textBefore":
    case "jinja.textFor": {
      const path = pathOf(subject);
      return path === null ? facts : facts.narrow(path, Text, fallback(subject, facts));
    }
    case "jinja.dictFor": {
      const path = pathOf(subject);
      return path === null ? facts : facts.narrow(path, Dict, fallback(subject, facts));
    }
    default:
      return facts;
  }
}

/** `x ?? missing(…)` is x, wherever it gives something. */
function subjectOf(expr: Expr): Expr {
  return expr.op === "coalesce" ? expr.value : expr;
}

function without(facts: Facts, subject: Expr, fallback: Fallback): Facts {
  const path = pathOf(subject);
  return path === null ? facts : facts.exclude(path, Undefined | Hinted, fallback(subject, facts));
}
