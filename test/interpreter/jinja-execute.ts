/** Runs statements, as the Python code runs that Jinja2 generates from them. */
import { bind } from "./jinja-arguments.js";
import type * as ast from "../../compiler/jinja/ast.js";
import { Activation, Sink } from "./jinja-context.js";
import type { Context } from "./jinja-context.js";
import { Evaluator } from "./jinja-evaluate.js";
import type { Constants } from "./jinja-fold.js";
import { includeTemplate, noLoader } from "./jinja-include.js";
import { setItem } from "./jinja-namespace.js";
import { Loop } from "./jinja-loop.js";
import type { Recurse } from "./jinja-loop.js";
import { invokeMacro } from "./jinja-macro.js";
import { iterate, truth, unpack } from "./jinja-operators.js";
import type { ForPlan, Frame, MacroPlan, Plan } from "./jinja-plan.js";
import { escape, repr, text } from "./jinja-text.js";
import {
  hashKey,
  Instance,
  Macro,
  Markup,
  MISSING,
  Namespace,
  PyIterator,
  PyStr,
  PyTuple,
  raise,
  str,
  Undefined,
} from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

/** How a statement ended: `break` and `continue` travel up to their loop. */
type Signal = "break" | "continue" | null;

type Callable = ast.Macro | ast.CallBlock | ast.Generation;

export class Executor {
  readonly #plan: Plan;
  readonly #constants: Constants;
  readonly #evaluator: Evaluator;
  readonly #root = new Sink();
  readonly spans: [number, number][] = [];

  constructor(plan: Plan, constants: Constants) {
    this.#plan = plan;
    this.#constants = constants;
    this.#evaluator = new Evaluator(constants);
  }

  /** Renders the template. The pieces are joined outside of the template's code. */
  render(body: readonly ast.Stmt[], context: Context): string {
    const { root, usesSelf } = this.#plan;
    const activation = new Activation(null, context, 1);
    activation.run(() => {
      if (usesSelf) this.#setSelf(root, activation);
      activation.enter(root);
      this.#body(body, root, activation, this.#root);
    });
    return this.#root.concat();
  }

  #line(node: object, activation: Activation): void {
    activation.line = this.#plan.lines.get(node) ?? activation.line;
  }

  #body(nodes: readonly ast.Stmt[], frame: Frame, activation: Activation, sink: Sink): Signal {
    for (const node of nodes) {
      const signal = this.#statement(node, frame, activation, sink);
      if (signal !== null) return signal;
    }
    return null;
  }

  #statement(node: ast.Stmt, frame: Frame, activation: Activation, sink: Sink): Signal {
    switch (node.type) {
      case "Output":
        return this.#output(node, frame, activation, sink);
      case "For":
        return this.#for(node, frame, activation, sink);
      case "If":
        return this.#if(node, frame, activation, sink);
      case "Macro":
        return this.#macro(node, frame, activation);
      case "CallBlock":
        return this.#callBlock(node, frame, activation, sink);
      case "Generation":
        return this.#generation(node, activation, sink);
      case "FilterBlock":
        return this.#filterBlock(node, activation, sink);
      case "Set":
        return this.#set(node, frame, activation);
      case "SetBlock":
        return this.#setBlock(node, frame, activation);
      case "With":
        return this.#with(node, frame, activation, sink);
      case "Autoescape":
        return this.#autoescape(node, frame, activation, sink);
      case "Block":
        return this.#block(node, frame, activation, sink);
      case "Include":
        this.#line(node, activation);
        return includeTemplate(node, this.#evaluator.evaluate(node.template, frame, activation));
      case "Import":
      case "FromImport":
      case "Extends":
        this.#line(node, activation);
        this.#evaluator.evaluate(node.template, frame, activation);
        return noLoader(node.type === "Extends" ? "extends" : "import");
      case "Break":
        return "break";
      case "Continue":
        return "continue";
    }
  }

  /** Adjacent constants are one piece of output. */
  #output(node: ast.Output, frame: Frame, activation: Activation, sink: Sink): null {
    let constants = "";
    const flush = (): void => {
      if (constants !== "") sink.write(constants);
      constants = "";
    };
    for (const item of node.items) {
      const constant =
        item.type === "TextData" ? item.text : this.#constants.printed(item, frame.mode);
      constants += constant ?? "";
      if (constant !== null || item.type === "TextData") continue;
      flush();
      this.#line(item, activation);
      const value = this.#evaluator.evaluate(item, frame, activation);
      sink.write(this.#escapes(frame, activation) ? escape(value).text : text(value));
    }
    flush();
    return null;
  }

  #escapes(frame: Frame, activation: Activation): boolean {
    return frame.mode.volatile ? activation.context.autoescape : frame.mode.autoescape;
  }

  /** The text of a buffer, safe where autoescape is on. */
  #captured(sink: Sink, frame: Frame, activation: Activation): PyStr {
    const captured = sink.concat();
    return this.#escapes(frame, activation) ? new Markup(captured) : str(captured);
  }

  // -------------------------------------------------------------- assignment

  #assign(target: ast.Target, value: Value, frame: Frame, activation: Activation): void {
    if (target.type === "TupleTarget") {
      const values = unpack(value, target.items.length);
      target.items.forEach((item, at) => {
        this.#assign(item, values[at] ?? MISSING, frame, activation);
      });
      return;
    }
    const variable = frame.symbols.find(target.name) ?? target.name;
    if (target.type === "NamespaceTarget") {
      setItem(activation.get(variable), target.attribute, value);
      return;
    }
    activation.set(variable, value);
    if (frame.toplevel) activation.context.vars.set(target.name, value);
  }

  #checkNamespaces(target: ast.Target, frame: Frame, activation: Activation): void {
    if (target.type === "TupleTarget") {
      for (const item of target.items) this.#checkNamespaces(item, frame, activation);
    }
    if (target.type !== "NamespaceTarget") return;
    const object = activation.get(frame.symbols.find(target.name) ?? target.name);
    if (!(object instanceof Namespace)) {
      raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
    }
  }

  #set(node: ast.Set, frame: Frame, activation: Activation): null {
    this.#line(node.target, activation);
    this.#checkNamespaces(node.target, frame, activation);
    this.#line(node, activation);
    const value = this.#evaluator.evaluate(node.value, frame, activation);
    this.#assign(node.target, value, frame, activation);
    return null;
  }

  #inner(node: object): Frame {
    const frame = this.#plan.frames.get(node);
    return frame ?? this.#plan.root;
  }

  #setBlock(node: ast.SetBlock, frame: Frame, activation: Activation): Signal {
    const inner = this.#inner(node);
    activation.enter(inner);
    const buffer = new Sink();
    const signal = this.#body(node.body, inner, activation, buffer);
    if (signal !== null) return signal;
    this.#line(node, activation);
    const value: Value =
      node.filter === null
        ? str(buffer.concat())
        : this.#evaluator.evaluate(
            node.filter,
            inner,
            activation,
            this.#captured(buffer, inner, activation),
          );
    const marked = activation.context.autoescape ? new Markup(text(value)) : value;
    this.#assign(node.target, marked, frame, activation);
    activation.leave(inner);
    return null;
  }

  #filterBlock(node: ast.FilterBlock, activation: Activation, sink: Sink): Signal {
    const inner = this.#inner(node);
    activation.enter(inner);
    const buffer = new Sink();
    const signal = this.#body(node.body, inner, activation, buffer);
    if (signal !== null) return signal;
    this.#line(node, activation);
    const captured = this.#captured(buffer, inner, activation);
    sink.writeValue(this.#evaluator.evaluate(node.filter, inner, activation, captured));
    activation.leave(inner);
    return null;
  }

  #with(node: ast.With, frame: Frame, activation: Activation, sink: Sink): Signal {
    const inner = this.#inner(node);
    activation.enter(inner);
    this.#line(node, activation);
    for (const { target, value } of node.bindings) {
      const result = this.#evaluator.evaluate(value, frame, activation);
      this.#assign(target, result, inner, activation);
    }
    const signal = this.#body(node.body, inner, activation, sink);
    if (signal === null) activation.leave(inner);
    return signal;
  }

  #autoescape(node: ast.Autoescape, frame: Frame, activation: Activation, sink: Sink): Signal {
    const inner = this.#inner(node);
    const { evalContext } = activation.context;
    const before = evalContext.autoescape;
    activation.enter(inner);
    this.#line(node, activation);
    // Only what comes after the value is volatile where the value is no constant.
    const outside = { ...inner, mode: frame.mode };
    evalContext.autoescape = truth(this.#evaluator.evaluate(node.value, outside, activation));
    const signal = this.#body(node.body, inner, activation, sink);
    if (signal !== null) return signal;
    evalContext.autoescape = before;
    activation.leave(inner);
    return null;
  }

  // -------------------------------------------------------------- control flow

  #if(node: ast.If, frame: Frame, activation: Activation, sink: Sink): Signal {
    for (const branch of node.branches) {
      this.#line(branch, activation);
      if (truth(this.#evaluator.evaluate(branch.test, frame, activation))) {
        return this.#body(branch.body, frame, activation, sink);
      }
    }
    return this.#body(node.otherwise, frame, activation, sink);
  }

  #for(node: ast.For, frame: Frame, activation: Activation, sink: Sink): Signal {
    const plan = this.#plan.loops.get(node);
    if (plan === undefined) return null;
    this.#line(node, activation);
    if (!node.recursive) {
      const iterable = this.#evaluator.evaluate(node.iter, frame, activation);
      return this.#loop(node, plan, iterable, activation, sink, null, 0);
    }
    const recurse: Recurse = (iterable, depth) => {
      const inner = new Activation(activation, activation.context, node.line);
      return inner.run(() => {
        const buffer = new Sink();
        this.#loop(node, plan, iterable, inner, buffer, recurse, depth);
        inner.line = plan.endLine;
        return this.#captured(buffer, plan.body, inner);
      });
    };
    sink.writeValue(recurse(this.#evaluator.evaluate(node.iter, frame, activation), 0));
    return null;
  }

  /** The else runs unless the body reached its end at least once. */
  #loop(
    node: ast.For,
    plan: ForPlan,
    iterable: Value,
    activation: Activation,
    sink: Sink,
    recurse: Recurse | null,
    depth: number,
  ): Signal {
    if (plan.loop !== null) activation.set(plan.loop, MISSING);
    const source = node.test === null ? iterable : this.#filtered(node, plan, iterable, activation);
    const loop = plan.loop === null ? null : new Loop(source, recurse, depth);
    const iterator = loop === null ? iterate(source) : null;
    let completed = false;
    for (;;) {
      this.#line(node, activation);
      const step = iterator?.next();
      const item =
        loop === null ? (step?.done === true ? null : (step?.value ?? null)) : loop.advance();
      if (item === null) break;
      this.#assign(node.target, item, plan.body, activation);
      if (loop !== null && plan.loop !== null) activation.set(plan.loop, loop);
      activation.enter(plan.body);
      const signal = this.#body(node.body, plan.body, activation, sink);
      if (signal === "break") break;
      if (signal === null) completed = true;
    }
    if (!node.recursive || node.otherwise.length > 0) activation.leave(plan.body);
    if (completed || node.otherwise.length === 0) return null;
    activation.enter(plan.otherwise);
    const signal = this.#body(node.otherwise, plan.otherwise, activation, sink);
    if (signal === null) activation.leave(plan.otherwise);
    return signal;
  }

  /** A loop's `if` is a generator function of its own. */
  #filtered(node: ast.For, plan: ForPlan, iterable: Value, outer: Activation): PyIterator {
    const inner = new Activation(outer, outer.context, plan.testLine);
    const { test, target } = node;
    const passes = (item: Value): boolean => {
      this.#assign(target, item, plan.body, inner);
      return test === null || truth(this.#evaluator.evaluate(test, plan.test, inner));
    };
    const repack = (part: ast.Target): Value => {
      if (part.type === "TupleTarget") return new PyTuple(part.items.map(repack));
      return inner.get(plan.body.symbols.find(part.name) ?? part.name);
    };
    function* items(): Generator<Value> {
      const iterator = inner.run(() => {
        inner.enter(plan.test);
        return iterate(iterable);
      });
      for (;;) {
        const step = inner.run(() => iterator.next());
        if (step.done === true) return;
        if (inner.run(() => passes(step.value))) yield repack(target);
      }
    }
    return new PyIterator("generator", "", items());
  }

  // -------------------------------------------------------------- macros

  #makeMacro(
    node: Callable,
    name: string | null,
    parameters: readonly ast.Parameter[],
    activation: Activation,
  ): Macro {
    const plan = this.#plan.macros.get(node);
    return new Macro({
      name,
      parameters: parameters.map((parameter) => parameter.name),
      catchKwargs: plan?.usesKwargs === true,
      catchVarargs: plan?.usesVarargs === true,
      usesCaller: plan?.usesCaller === true,
      defaultAutoescape: activation.context.autoescape,
      run: (args) =>
        plan === undefined ? "" : this.#runMacro(node, parameters, plan, args, activation),
    });
  }

  #runMacro(
    node: Callable,
    parameters: readonly ast.Parameter[],
    plan: MacroPlan,
    args: readonly Value[],
    outer: Activation,
  ): string {
    const inner = new Activation(outer, outer.context, node.line);
    const { frame, variables } = plan;
    return inner.run(() => {
      variables.forEach((variable, at) => {
        inner.set(variable, args[at] ?? MISSING);
        inner.pending.add(variable);
      });
      inner.enter(frame);
      for (const parameter of parameters) {
        const variable = frame.symbols.find(parameter.name) ?? parameter.name;
        if (inner.get(variable) === MISSING) {
          inner.set(variable, this.#default(parameter, frame, inner));
        }
        inner.pending.delete(variable);
      }
      inner.pending.clear();
      const buffer = new Sink();
      this.#body(node.body, frame, inner, buffer);
      inner.line = plan.endLine;
      return buffer.concat();
    });
  }

  #default(parameter: ast.Parameter, frame: Frame, activation: Activation): Value {
    if (parameter.default !== null) {
      return this.#evaluator.evaluate(parameter.default, frame, activation);
    }
    const hint = `parameter '${parameter.name}' was not provided`;
    return new Undefined({ hint, key: str(parameter.name) });
  }

  #macro(node: ast.Macro, frame: Frame, activation: Activation): null {
    const macro = this.#makeMacro(node, node.name, node.parameters, activation);
    activation.set(frame.symbols.find(node.name) ?? node.name, macro);
    if (frame.toplevel) activation.context.vars.set(node.name, macro);
    return null;
  }

  #callBlock(node: ast.CallBlock, frame: Frame, activation: Activation, sink: Sink): null {
    const caller = this.#makeMacro(node, null, node.parameters, activation);
    this.#line(node.call, activation);
    sink.writeValue(this.#evaluator.call(node.call, frame, activation, caller));
    return null;
  }

  /** transformers' tracker: a span starts where the output of the render itself stands. */
  #generation(node: ast.Generation, activation: Activation, sink: Sink): null {
    const caller = this.#makeMacro(node, null, [], activation);
    this.#line(node, activation);
    const value = invokeMacro(caller, [], new Map(), caller.defaultAutoescape);
    const start = Array.from(this.#root.concat()).length;
    this.spans.push([start, start + Array.from(text(value)).length]);
    sink.writeValue(value);
    return null;
  }

  // -------------------------------------------------------------- blocks

  #setSelf(frame: Frame, activation: Activation): void {
    const variable = frame.symbols.find("self");
    if (variable !== null) activation.set(variable, this.#templateReference(activation.context));
  }

  #templateReference(context: Context): Value {
    const item = (key: Value): Value => {
      hashKey(key);
      const block = key instanceof PyStr ? this.#plan.blocks.get(key.text) : undefined;
      return block === undefined
        ? raise("KeyError", repr(key))
        : this.#blockReference(block, context);
    };
    const representation = "<TemplateReference None>";
    return new Instance("jinja2.runtime", "TemplateReference", { representation, item });
  }

  #blockReference(block: ast.Block, context: Context): Value {
    return new Instance("jinja2.runtime", "BlockReference", {
      attribute: (name) => {
        if (name === "name") return str(block.name);
        return name === "super" ? noParent(block) : undefined;
      },
      body: (args, kwargs) => {
        bind({ name: "BlockReference.__call__", parameters: "", implicit: 1 }, args, kwargs);
        const buffer = new Sink();
        this.#runBlock(block, context, buffer);
        const shown = buffer.concat();
        return context.autoescape ? new Markup(shown) : str(shown);
      },
    });
  }

  #runBlock(block: ast.Block, context: Context, sink: Sink): void {
    const frame = this.#inner(block);
    const activation = new Activation(null, context, block.line);
    activation.run(() => {
      this.#setSelf(frame, activation);
      const parent = frame.symbols.find("super");
      if (parent !== null) activation.set(parent, noParent(block));
      activation.enter(frame);
      this.#body(block.body, frame, activation, sink);
    });
  }

  #block(node: ast.Block, frame: Frame, activation: Activation, sink: Sink): null {
    this.#line(node, activation);
    if (node.required) {
      raise("TemplateRuntimeError", `Required block '${node.name}' not found`);
    }
    const { context } = activation;
    const locals = new Map<string, Value>();
    for (const [name, variable] of frame.symbols.allStores()) {
      locals.set(name, activation.get(variable));
    }
    this.#runBlock(node, node.scoped ? context.derived(locals) : context, sink);
    return null;
  }
}

function noParent(block: ast.Block): Undefined {
  const hint = `there is no parent block called '${block.name}'.`;
  return new Undefined({ hint, key: str("super") });
}
