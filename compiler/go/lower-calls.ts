/** Calls of functions: the rules of evalCall in text/template's exec.go, then one rule for each function. */
import { mentions } from "../ir/effects.js";
import type { CommandNode, IdentifierNode, Operand } from "./ast.js";
import { builtins, type Builtin } from "./builtins.js";
import { equal, notEqual, ordered } from "./lower-compare.js";
import { indexed, length, sliced } from "./lower-lists.js";
import { argument, type Scope } from "./lower-pipeline.js";
import { and, not, or } from "./lower-logic.js";
import { printed, printedFormat } from "./lower-print.js";
import {
  failing,
  intrinsic,
  listOf,
  literal,
  NIL,
  val,
  type Lowering,
  type Val,
} from "./lower-state.js";
import { afterwards, endsAfter, mayThrow, once, preceded, regardless } from "./lower-failing.js";
import { box, jsonOf } from "./lower-values.js";
import { goName } from "./model.js";
import { printNode } from "./print.js";

/** A call as the template writes it. */
export interface CallSite {
  readonly node: IdentifierNode;
  /** What Go blames for an error of the function itself. */
  readonly blame: CommandNode | IdentifierNode;
  readonly args: readonly Operand[];
  /** The piped value. */
  readonly final: Val | null;
}

/** A call whose arguments are evaluated. */
export interface Call {
  readonly name: string;
  readonly args: readonly Val[];
  /** The place of `error calling NAME`. */
  readonly place: string;
  /** The failure that the function would return as its error. */
  fail(message: string): Val;
}

/** evalFunction and evalCall. */
export function callFunction(state: Lowering, scope: Scope, site: CallSite): Val {
  state.at = site.node;
  const { name } = site.node;
  const builtin = builtins.get(name);
  if (
    builtin === undefined ||
    (builtin.origin === "ollama" && state.frame.functions === "builtin")
  ) {
    return failing(state, `"${name}" is not a defined function`);
  }
  const wrong = wrongCount(builtin, site);
  if (wrong !== null) return failing(state, wrong);
  if (name === "and" || name === "or") {
    const rule = name === "and" ? and : or;
    return withPiped(state, site.final, site.args.length > 0, (final) =>
      rule(state, scope, { ...site, final }),
    );
  }
  const values = evaluated(state, scope, site);
  return withPiped(state, site.final, values.some(canFail), (final) =>
    applied(state, site, final === null ? values : [...values, lastArgument(state, site, final)]),
  );
}

function canFail({ expr }: Val): boolean {
  return mayThrow(expr);
}

/** A piped value is the last argument, but was evaluated before the others, whose errors come later or never. */
function withPiped(
  state: Lowering,
  final: Val | null,
  isLate: boolean,
  call: (final: Val | null) => Val,
): Val {
  if (final === null || !isLate || !mayThrow(final.expr)) return call(final);
  const { first, again } = once(state, final);
  const result = call(again);
  const isRead = again.expr.op === "local" && mentions(result.expr, again.expr.local);
  return { ...preceded(state, isRead ? first : final, result), ...endsAfter(final, result) };
}

function wrongCount({ name, min, max }: Builtin, { args, final }: CallSite): string | null {
  const count = args.length + (final === null ? 0 : 1);
  if (max === null) {
    if (count >= min) return null;
    return `wrong number of args for ${name}: want at least ${String(min)} got ${String(args.length)}`;
  }
  if (count === max) return null;
  return `wrong number of args for ${name}: want ${String(max)} got ${String(count)}`;
}

function evaluated(state: Lowering, scope: Scope, { node, args }: CallSite): Val[] {
  return args.map((each, i) =>
    takesText(node.name, i) ? textArgument(state, scope, each) : argument(state, scope, each),
  );
}

function lastArgument(state: Lowering, { node, args }: CallSite, final: Val): Val {
  return takesText(node.name, args.length) ? asText(state, final) : final;
}

function takesText(name: string, at: number): boolean {
  return name === "currentDate" || name === "yesterdayDate" || (name === "printf" && at === 0);
}

/** evalArg for a parameter of type string. */
function textArgument(state: Lowering, scope: Scope, node: Operand): Val {
  state.at = node;
  if (node.type === "Nil") return failing(state, "cannot assign nil to string");
  if (node.type === "Bool" || node.type === "Number") {
    return failing(state, `expected string; found ${printNode(node)}`);
  }
  const value = argument(state, scope, node);
  return asText(state, value);
}

/** exec.go's validateType for a string. */
function asText(state: Lowering, value: Val): Val {
  const { type, wrapped } = value;
  switch (type) {
    case "never":
    case "string":
      return value;
    case "nil": {
      const message = wrapped
        ? "wrong type for value; expected string; got interface {}"
        : "invalid value; expected string";
      return failing(state, message);
    }
    case "any":
    case "json": {
      const args = [box(state, value), literal(wrapped)];
      return {
        ...val("string", intrinsic("go.asText", args, state.place())),
        stray: value.stray ?? false,
      };
    }
    default: {
      const message = `wrong type for value; expected string; got ${goName(type) ?? type}`;
      return afterwards([value], failing(state, message));
    }
  }
}

/** Of arguments one of which always fails: that failure, after those before it that can fail too. */
function failedArgument(values: readonly Val[], at: number): Val {
  return afterwards(values.slice(0, at), values[at] ?? NIL);
}

function applied(state: Lowering, site: CallSite, values: readonly Val[]): Val {
  const never = values.findIndex((value) => value.type === "never");
  if (never >= 0) return failedArgument(values, never);
  const { name } = site.node;
  const call: Call = {
    name,
    args: values,
    get place() {
      return state.place(site.blame);
    },
    fail: (message) => failing(state, `error calling ${name}: ${message}`, site.blame),
  };
  const result = name === "call" ? calledValue(state, site, call) : rule(state, call);
  return afterwards(values, result);
}

function rule(state: Lowering, call: Call): Val {
  const first = call.args[0] ?? NIL;
  switch (call.name) {
    case "eq":
      return equal(state, call);
    case "ne":
      return notEqual(state, call);
    case "lt":
    case "le":
    case "gt":
    case "ge":
      return ordered(state, call, call.name);
    case "not":
      return not(first);
    case "len":
      return length(state, call);
    case "index":
      return indexed(state, call);
    case "slice":
      return sliced(state, call);
    case "print":
    case "println":
    case "html":
    case "js":
    case "urlquery":
      return printed(state, call, call.name);
    case "printf":
      return printedFormat(state, call);
    default:
      return ollamaRule(state, call, first);
  }
}

/** The functions that Ollama's template.go adds. */
function ollamaRule(state: Lowering, call: Call, first: Val): Val {
  switch (call.name) {
    case "json":
      return val("string", jsonOf(state, first));
    case "currentDate":
      return regardless(call.args, dateOf("go.currentDate"));
    case "yesterdayDate":
      return regardless(call.args, dateOf("go.yesterdayDate"));
    default:
      return typeScriptType(state, first);
  }
}

function dateOf(name: "go.currentDate" | "go.yesterdayDate"): Val {
  return val("string", intrinsic(name, [{ op: "clock" }]));
}

/** Ollama's toTypeScriptType: "any" for all but a property. */
function typeScriptType(state: Lowering, value: Val): Val {
  if (value.type === "property") return val("string", intrinsic("go.typeScriptType", [value.expr]));
  if (value.type !== "any" && !mayThrow(value.expr)) return val("string", literal("any"));
  return val("string", intrinsic("go.toTypeScriptType", [box(state, value)]));
}

/** Go's `call`, whose errors name the callee as the template writes it. */
function calledValue(state: Lowering, site: CallSite, call: Call): Val {
  const [callee, ...args] = call.args;
  const node = site.args[0];
  const name = node === undefined ? null : printNode(node);
  const boxed = args.map((each) => box(state, each));
  const parts = [box(state, callee ?? NIL), listOf(boxed), literal(name)];
  return { ...val("any", intrinsic("go.call", parts, call.place)), wrapped: true };
}
