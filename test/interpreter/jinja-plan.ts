/**
 * What Jinja2 decides when it compiles (jinja2/compiler.py): the frames with their variables, and the template
 * line that each piece of code reports in an error.
 */
import type * as ast from "../../compiler/jinja/ast.js";
import { foldConstant } from "./jinja-fold.js";
import { findBlocks, findUndeclared } from "./jinja-names.js";
import { truth } from "./jinja-operators.js";
import { analyzeBody, loadAll, storeTarget, Symbols } from "./jinja-scope.js";

/** The autoescape setting as far as it is known when the template is compiled. */
export interface Mode {
  readonly autoescape: boolean;
  /** Set where the setting is an expression that is no constant. */
  readonly volatile: boolean;
}

export interface Frame {
  readonly symbols: Symbols;
  /** The root and its ifs: what is set there is exported to the context. */
  readonly toplevel: boolean;
  readonly mode: Mode;
}

export interface ForPlan {
  readonly body: Frame;
  readonly test: Frame;
  readonly otherwise: Frame;
  /** The variable of `loop`, if the body uses it. */
  readonly loop: string | null;
  readonly testLine: number;
  /** What a recursive loop's function reports when it joins its output: the last line marked in it. */
  endLine: number;
}

export interface MacroPlan {
  readonly frame: Frame;
  readonly usesCaller: boolean;
  readonly usesKwargs: boolean;
  readonly usesVarargs: boolean;
  /** The variables that the arguments go to, in order. */
  readonly variables: readonly string[];
  /** The last line marked in its function, where it joins its output. */
  endLine: number;
}

export interface Plan {
  readonly root: Frame;
  readonly usesSelf: boolean;
  readonly blocks: ReadonlyMap<string, ast.Block>;
  readonly frames: ReadonlyMap<object, Frame>;
  readonly loops: ReadonlyMap<ast.For, ForPlan>;
  readonly macros: ReadonlyMap<object, MacroPlan>;
  readonly lines: ReadonlyMap<object, number>;
}

type Callable = ast.Macro | ast.CallBlock | ast.Generation;

class Planner {
  readonly frames = new Map<object, Frame>();
  readonly loops = new Map<ast.For, ForPlan>();
  readonly macros = new Map<object, MacroPlan>();
  readonly lines = new Map<object, number>();
  /** The last line that the generated code was marked with; code before any mark reports line 1. */
  #line = 1;

  #mark(node: object, line: number): void {
    this.#line = line;
    this.lines.set(node, line);
  }

  /** For code that Jinja2 writes without a mark of its own. */
  #inherit(node: object): void {
    this.lines.set(node, this.#line);
  }

  body(nodes: readonly ast.Stmt[], frame: Frame): void {
    for (const node of nodes) this.#statement(node, frame);
  }

  blockBody(block: ast.Block): void {
    this.#line = block.line;
    const symbols = new Symbols(null);
    const undeclared = findUndeclared(block.body, ["self", "super"]);
    for (const name of undeclared) symbols.declareParameter(name);
    analyzeBody(symbols, block.body);
    const frame = { symbols, toplevel: false, mode: { autoescape: false, volatile: false } };
    this.frames.set(block, frame);
    this.body(block.body, frame);
  }

  #inner(frame: Frame): Frame {
    return { symbols: new Symbols(frame.symbols), toplevel: false, mode: frame.mode };
  }

  #statement(node: ast.Stmt, frame: Frame): void {
    switch (node.type) {
      case "Output": {
        this.#output(node, frame);
        return;
      }
      case "For": {
        this.#for(node, frame);
        return;
      }
      case "If":
        for (const branch of node.branches) {
          this.#mark(branch, branch.line);
          this.body(branch.body, frame);
        }
        {
          this.body(node.otherwise, frame);
          return;
        }
      case "Macro": {
        this.#callable(node, node.parameters, frame);
        return;
      }
      case "CallBlock":
        this.#callable(node, node.parameters, frame);
        {
          this.#mark(node.call, node.line);
          return;
        }
      case "Generation":
        this.#callable(node, [], frame);
        {
          this.#mark(node, node.line);
          return;
        }
      case "FilterBlock":
      case "SetBlock":
      case "With":
      case "Autoescape": {
        this.#scoped(node, frame);
        return;
      }
      case "Set":
        this.#inherit(node.target);
        {
          this.#mark(node, node.line);
          return;
        }
      default: {
        this.#mark(node, node.line);
        return;
      }
    }
  }

  /** Constants are joined into the text around them and mark no line. */
  #output(node: ast.Output, frame: Frame): void {
    for (const item of node.items) {
      if (item.type === "TextData" || foldConstant(item, frame.mode) !== null) continue;
      this.#mark(item, item.line);
    }
  }

  #for(node: ast.For, frame: Frame): void {
    const body = this.#inner(frame);
    const test = this.#inner(frame);
    const otherwise = this.#inner(frame);
    const extended =
      node.recursive ||
      findUndeclared(node.body, ["loop"]).has("loop") ||
      findBlocks([node]).some((block) => block.scoped);
    const loop = extended ? body.symbols.declareParameter("loop") : null;
    storeTarget(body.symbols, node.target, true);
    analyzeBody(body.symbols, node.body);
    analyzeBody(otherwise.symbols, node.otherwise);
    if (node.test !== null) {
      storeTarget(test.symbols, node.target, true);
      loadAll(test.symbols, node.test);
      this.#line = node.test.line;
    }
    const plan = { body, test, otherwise, loop, testLine: this.#line, endLine: node.line };
    this.loops.set(node, plan);
    this.#mark(node, node.line);
    this.body(node.body, body);
    this.body(node.otherwise, otherwise);
    plan.endLine = this.#line;
    if (node.recursive) this.#mark(node, node.line);
  }

  #callable(node: Callable, parameters: readonly ast.Parameter[], frame: Frame): void {
    const inner = this.#inner(frame);
    const { symbols } = inner;
    const analyze = (): void => {
      for (const { name } of parameters) symbols.declareParameter(name);
      for (const parameter of parameters) {
        if (parameter.default !== null) loadAll(symbols, parameter.default);
      }
      analyzeBody(symbols, node.body);
    };
    analyze();
    const undeclared = findUndeclared(node.body, ["caller", "kwargs", "varargs"]);
    const named = new Set(parameters.map((parameter) => parameter.name));
    const variables = parameters.map(({ name }) => symbols.find(name) ?? name);
    const special = ["caller", "kwargs", "varargs"].filter(
      (name) => undeclared.has(name) && !named.has(name),
    );
    for (const name of special) variables.push(symbols.declareParameter(name));
    analyze();
    const plan = {
      endLine: node.line,
      frame: inner,
      usesCaller: undeclared.has("caller"),
      usesKwargs: special.includes("kwargs"),
      usesVarargs: special.includes("varargs"),
      variables,
    };
    this.macros.set(node, plan);
    this.#mark(node, node.line);
    this.body(node.body, inner);
    plan.endLine = this.#line;
  }

  #scoped(node: ast.FilterBlock | ast.SetBlock | ast.With | ast.Autoescape, frame: Frame): void {
    const inner = this.#inner(frame);
    const { symbols } = inner;
    if (node.type === "With") {
      this.#inherit(node);
      for (const { target } of node.bindings) storeTarget(symbols, target, true);
    }
    if (node.type === "Autoescape") {
      this.#autoescape(node, inner);
      return;
    }
    analyzeBody(symbols, node.body);
    if (node.type === "FilterBlock") loadAll(symbols, node.filter);
    this.frames.set(node, inner);
    this.body(node.body, inner);
    if (node.type !== "With") this.#mark(node, node.line);
  }

  #autoescape(node: ast.Autoescape, inner: Frame): void {
    loadAll(inner.symbols, node.value);
    analyzeBody(inner.symbols, node.body);
    this.#inherit(node);
    const constant = foldConstant(node.value, inner.mode);
    const mode =
      constant === null
        ? { ...inner.mode, volatile: true }
        : { ...inner.mode, autoescape: truth(constant) };
    const frame = { ...inner, mode };
    this.frames.set(node, frame);
    this.body(node.body, frame);
  }
}

export function makePlan(template: ast.Template): Plan {
  const planner = new Planner();
  const symbols = new Symbols(null);
  const usesSelf = findUndeclared(template.body, ["self"]).has("self");
  if (usesSelf) symbols.declareParameter("self");
  analyzeBody(symbols, template.body);
  const root = { symbols, toplevel: true, mode: { autoescape: false, volatile: false } };
  planner.body(template.body, root);
  const blocks = findBlocks(template.body);
  for (const block of blocks) planner.blockBody(block);
  return {
    root,
    usesSelf,
    blocks: new Map(blocks.map((block) => [block.name, block])),
    frames: planner.frames,
    loops: planner.loops,
    macros: planner.macros,
    lines: planner.lines,
  };
}
