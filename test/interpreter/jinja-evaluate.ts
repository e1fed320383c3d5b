/** Evaluates expressions, as the Python code evaluates that Jinja2 generates from them. */
import type * as ast from "../../compiler/jinja/ast.js";
import { arithmetic, unary } from "./jinja-arithmetic.js";
import { environmentAttribute, environmentItem, isSafeCallable } from "./jinja-attributes.js";
import type { Activation } from "./jinja-context.js";
import { callDefinition, filters } from "./jinja-filters.js";
import { comparison, literalValue } from "./jinja-fold.js";
import type { Constants } from "./jinja-fold.js";
import { Loop } from "./jinja-loop.js";
import { invokeMacro } from "./jinja-macro.js";
import { iterateOrNull, listOf, slice, truth } from "./jinja-operators.js";
import type { Frame } from "./jinja-plan.js";
import { tests } from "./jinja-tests.js";
import { failUndefined, repr, softStr, text, textRepr } from "./jinja-text.js";
import { escape } from "./jinja-text.js";
import {
  bool,
  FALSE,
  Instance,
  Macro,
  Markup,
  MISSING,
  NONE,
  PyDict,
  PyFunction,
  PyFloat,
  PyInt,
  PyList,
  PyStr,
  PyTuple,
  raise,
  str,
  TRUE,
  Undefined,
  undefinedName,
} from "./jinja-values.js";
import type { Kwargs, Value } from "./jinja-values.js";

/** Calls whatever can be called, in the sandbox. */
function callValue(
  callee: Value,
  args: readonly Value[],
  kwargs: Kwargs,
  activation: Activation,
): Value {
  if (!isSafeCallable(callee)) raise("SecurityError", `${repr(callee)} is not safely callable`);
  const { context } = activation;
  if (callee instanceof Undefined) failUndefined(callee);
  if (callee instanceof PyFunction) return callee.body(args, kwargs, context);
  if (callee instanceof Macro) return invokeMacro(callee, args, kwargs, context.autoescape);
  if (callee instanceof Loop) return callee.call(loopArguments(args, kwargs));
  if (callee instanceof Instance && callee.body !== null) {
    return callee.body(args, kwargs, context);
  }
  return raise("TypeError", `'${callee.typeName}' object is not callable`);
}

function loopArguments(args: readonly Value[], kwargs: Kwargs): readonly Value[] {
  const rest: Value[] = [];
  for (const [key, value] of kwargs) {
    if (key !== "iterable" || args.length > 0) {
      raise("TypeError", `LoopContext.__call__() got an unexpected keyword argument '${key}'`);
    }
    rest.push(value);
  }
  return [...args, ...rest];
}

/** Markup's join: as soon as one part is safe, the others are escaped. */
function joinMarkup(values: readonly Value[]): Value {
  const parts = values.map((value) => softStr(value));
  if (!parts.some((part) => part instanceof Markup)) return str(parts.map(text).join(""));
  return new Markup(parts.map((part) => escape(part).text).join(""));
}

function isNegative(value: Value): boolean {
  if (value instanceof PyInt) return value.value < 0n;
  return value instanceof PyFloat && (value.value < 0 || Object.is(value.value, -0));
}

export class Evaluator {
  readonly #constants: Constants;

  constructor(constants: Constants) {
    this.#constants = constants;
  }

  /** A negative number that Jinja2 folded stands in the generated code without brackets: `-2 ** n`. */
  #binary(node: ast.Binary, frame: Frame, of: (child: ast.Expr) => Value): Value {
    const folded =
      node.op === "**" && !frame.mode.volatile
        ? this.#constants.valueOf(node.left, frame.mode)
        : null;
    if (folded === null || !isNegative(folded)) {
      return arithmetic(node.op, of(node.left), of(node.right));
    }
    return unary("-", arithmetic("**", unary("-", folded), of(node.right)));
  }

  /** `captured` is the text of the block around the innermost filter of a filter or set block. */
  evaluate(node: ast.Expr, frame: Frame, activation: Activation, captured?: PyStr): Value {
    const folds = !["Name", "Tuple", "List", "Dict", "Slice"].includes(node.type);
    if (folds && (!frame.mode.volatile || node.type === "Literal")) {
      const constant = this.#constants.valueOf(node, frame.mode);
      if (constant !== null) return constant;
    }
    const of = (child: ast.Expr): Value => this.evaluate(child, frame, activation);
    switch (node.type) {
      case "Name":
        return this.#name(node.name, frame, activation);
      case "Literal":
        return literalValue(node);
      case "Tuple":
        return new PyTuple(node.items.map(of));
      case "List":
        return new PyList(node.items.map(of));
      case "Dict":
        return dictOf(node, of);
      case "Conditional":
        return conditional(node, of);
      case "Logical": {
        const left = of(node.left);
        return truth(left) === (node.op === "or") ? left : of(node.right);
      }
      case "Not":
        return bool(!truth(of(node.value)));
      case "Unary":
        return unary(node.op, of(node.value));
      case "Binary":
        return this.#binary(node, frame, of);
      case "Concat":
        return this.#concat(node.items.map(of), frame);
      case "Compare":
        return compareChain(node, of);
      case "Attribute":
        return environmentAttribute(of(node.object), node.name);
      case "Item":
        return item(node, of);
      case "Slice":
        return raise("SyntaxError", "invalid syntax");
      case "Call":
        return this.call(node, frame, activation);
      case "Filter":
      case "Test":
        return this.#filterOrTest(node, frame, activation, captured);
    }
  }

  #name(name: string, frame: Frame, activation: Activation): Value {
    const variable = frame.symbols.find(name);
    if (variable === null) {
      const what = "Tried to resolve a name to a reference that was unknown to the frame";
      return raise("AssertionError", `${what} (${textRepr(name)})`);
    }
    const value = activation.get(variable);
    if (value !== MISSING) return value;
    const isParameter = frame.symbols.findLoad(variable)?.kind === "parameter";
    return isParameter && !activation.pending.has(variable) ? value : undefinedName(name);
  }

  #concat(values: readonly Value[], frame: Frame): Value {
    const { autoescape, volatile } = frame.mode;
    if (autoescape && !volatile) return joinMarkup(values);
    return str(values.map((value) => text(value)).join(""));
  }

  /** Positional arguments first, then those that come by name, as Python evaluates them. */
  #arguments(
    node: ast.Arguments,
    frame: Frame,
    activation: Activation,
    caller?: Value,
  ): { args: Value[]; kwargs: Kwargs } {
    const of = (child: ast.Expr): Value => this.evaluate(child, frame, activation);
    const args = node.args.map(of);
    if (node.splat !== null) args.push(...spread(of(node.splat)));
    const kwargs: Kwargs = new Map();
    for (const { name, value } of node.kwargs) kwargs.set(name, of(value));
    if (caller !== undefined) kwargs.set("caller", caller);
    if (node.kwSplat !== null) spreadNamed(kwargs, of(node.kwSplat));
    return { args, kwargs };
  }

  call(node: ast.Call, frame: Frame, activation: Activation, caller?: Value): Value {
    const callee = this.evaluate(node.callee, frame, activation);
    const { args, kwargs } = this.#arguments(node, frame, activation, caller);
    return callValue(callee, args, kwargs, activation);
  }

  #filterOrTest(
    node: ast.Filter | ast.Test,
    frame: Frame,
    activation: Activation,
    captured: PyStr | undefined,
  ): Value {
    const value =
      node.value === null
        ? (captured ?? str(""))
        : this.evaluate(node.value, frame, activation, captured);
    const { args, kwargs } = this.#arguments(node, frame, activation);
    const isFilter = node.type === "Filter";
    const definition = (isFilter ? filters : tests).get(node.name);
    if (definition === undefined) {
      const kind = isFilter ? "filter" : "test";
      raise("TemplateRuntimeError", `No ${kind} named ${textRepr(node.name)} found.`);
    }
    return callDefinition(definition, [value, ...args], kwargs, activation.context);
  }
}

type Of = (child: ast.Expr) => Value;

function dictOf(node: ast.DictExpr, of: Of): Value {
  const pairs = node.items.map(({ key, value }) => [of(key), of(value)] as const);
  const dict = new PyDict();
  for (const [key, value] of pairs) dict.set(key, value);
  return dict;
}

function conditional(node: ast.Conditional, of: Of): Value {
  if (truth(of(node.test))) return of(node.then);
  if (node.otherwise !== null) return of(node.otherwise);
  const place = `the inline if-expression on line ${node.line}`;
  return new Undefined({ hint: `${place} evaluated to false and no else section was defined.` });
}

function compareChain(node: ast.Compare, of: Of): Value {
  let left = of(node.left);
  for (const { op, value } of node.rest) {
    const right = of(value);
    if (!comparison(op, left, right)) return FALSE;
    left = right;
  }
  return TRUE;
}

/** A slice goes to Python itself, everything else through the environment. */
function item(node: ast.Item, of: Of): Value {
  const object = of(node.object);
  const { key } = node;
  if (key.type !== "Slice") return environmentItem(object, of(key));
  const [start, stop, step] = [key.start, key.stop, key.step].map((part) =>
    part === null ? NONE : of(part),
  );
  return slice(object, start ?? NONE, stop ?? NONE, step ?? NONE);
}

function spread(value: Value): Value[] {
  if (iterateOrNull(value) !== null) return listOf(value);
  const where = "jinja2.sandbox.SandboxedEnvironment.call() argument after *";
  return raise("TypeError", `${where} must be an iterable, not ${value.typeName}`);
}

function spreadNamed(kwargs: Kwargs, mapping: Value): void {
  if (mapping instanceof Undefined) failUndefined(mapping);
  const where = "jinja2.sandbox.SandboxedEnvironment.call()";
  if (!(mapping instanceof PyDict)) {
    const refusal = `argument after ** must be a mapping, not ${mapping.typeName}`;
    raise("TypeError", `${where} ${refusal}`);
  }
  for (const { key, value } of mapping.entries.values()) {
    if (!(key instanceof PyStr)) raise("TypeError", "keywords must be strings");
    if (kwargs.has(key.text)) {
      raise("TypeError", `${where} got multiple values for keyword argument '${key.text}'`);
    }
    kwargs.set(key.text, value);
  }
}
