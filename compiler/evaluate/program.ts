/** The parts of a program that its expressions and statements refer to. */
import type { Counter } from "../ir/counter.js";
import type { Expr, FunctionDef, FunctionName, Local, Module } from "../ir/nodes.js";
import type { Text } from "../../runtime/segments/index.js";
import { Frame, outer, type Evaluate, type Execute } from "./frame.js";
import type { Rule } from "./rules.js";
import { findScopes, type Scope, type Scopes } from "./scopes.js";

/** The runtime's exports by name. */
export type Runtime = Readonly<Record<string, unknown>>;

/** How the bodies of functions are made ready. */
export interface Maker {
  expression(program: Program, expr: Expr, scope: Scope): Evaluate;
  body(program: Program, fn: FunctionDef, scope: Scope): Execute;
}

export class Program {
  readonly scopes: Scopes;
  /** Null: nothing is counted. */
  readonly counter: Counter | null;
  /** Whether what is written remembers its origin. */
  readonly isTraced: boolean;
  readonly #runtime: Runtime;
  readonly #maker: Maker;
  readonly #functions: ReadonlyMap<number, FunctionDef>;
  readonly #callables = new Map<number, Callable>();
  readonly #inputs: ReadonlyMap<string, number>;
  readonly #functionScopes: ReadonlySet<Scope>;

  constructor(module: Module, runtime: Runtime, counter: Counter | null, maker: Maker) {
    this.scopes = findScopes(module);
    this.counter = counter;
    this.isTraced = module.carriers !== undefined;
    this.#inputs = new Map(this.scopes.inputs.map((name, index) => [name, index]));
    this.#runtime = runtime;
    this.#maker = maker;
    this.#functions = new Map(module.functions.map((fn) => [fn.name.id, fn]));
    this.#functionScopes = new Set([this.scopes.root, ...this.scopes.functions.values()]);
  }

  /** The place of a field of the input. */
  input(name: string): number {
    return this.#inputs.get(name) ?? -1;
  }

  rule(name: string): Rule {
    const rule = this.#runtime[name];
    if (!isRule(rule)) throw new TypeError(`the runtime has no ${name}`);
    return rule;
  }

  /** How far out a frame lies. */
  hops(from: Scope, to: Scope): number {
    let hops = 0;
    for (let at: Scope | null = from; at !== null; at = at.parent) {
      if (at === to) return hops;
      hops++;
    }
    throw new Error("a function or local that is not visible where it is used");
  }

  slot(local: Local, from: Scope): { readonly hops: number; readonly index: number } {
    const slot = this.scopes.slots.get(local);
    if (slot === undefined) throw new Error(`${local.name} has no slot`);
    return { hops: this.hops(from, slot.scope), index: slot.index };
  }

  storing(local: Local, from: Scope): (frame: Frame, value: unknown) => void {
    const { hops, index } = this.slot(local, from);
    if (hops > 0) {
      return (frame, value) => {
        outer(frame, hops).slots[index] = value;
      };
    }
    return (frame, value) => {
      frame.slots[index] = value;
    };
  }

  /** The scope of the function that a scope lies in. */
  functionAround(scope: Scope): Scope {
    let at = scope;
    while (!this.#functionScopes.has(at) && at.parent !== null) at = at.parent;
    return at;
  }

  #counted(fn: FunctionDef, value: Expr): Expr {
    return this.counter === null ? value : this.counter.parameter(fn, value);
  }

  callable(callee: FunctionName): Callable {
    const known = this.#callables.get(callee.id);
    if (known !== undefined) return known;
    const fn = this.#functions.get(callee.id);
    const scope = this.scopes.functions.get(callee.id);
    if (fn === undefined || scope === undefined) throw new Error(`no function ${callee.name}`);
    const made = new Callable(scope, this.scopes.root, this.isTraced, () => ({
      parameters: fn.params.map((param) => ({
        index: this.slot(param.local, scope).index,
        otherwise:
          param.default === null
            ? null
            : this.#maker.expression(this, this.#counted(fn, param.default), scope),
      })),
      run: this.#maker.body(this, fn, scope),
    }));
    this.#callables.set(callee.id, made);
    return made;
  }
}

interface Parameter {
  readonly index: number;
  readonly otherwise: Evaluate | null;
}

interface Body {
  readonly parameters: readonly Parameter[];
  readonly run: Execute;
}

/** A function of the module; its closures are made at its first call. */
export class Callable {
  /** The scope in which the function is defined. */
  readonly home: Scope;
  readonly #scope: Scope;
  readonly #isTraced: boolean;
  readonly #make: () => Body;
  #body: Body | null = null;

  constructor(scope: Scope, root: Scope, isTraced: boolean, make: () => Body) {
    this.home = scope.parent ?? root;
    this.#isTraced = isTraced;
    this.#scope = scope;
    this.#make = make;
  }

  call(around: Frame, args: readonly unknown[]): Text {
    this.#body ??= this.#make();
    const { parameters, run } = this.#body;
    const frame = new Frame(around.render, around, this.#scope.size);
    for (let i = 0; i < parameters.length; i++) {
      const parameter = parameters[i];
      if (parameter === undefined) break;
      const given = args[i];
      const { index, otherwise } = parameter;
      frame.slots[index] = given === undefined && otherwise !== null ? otherwise(frame) : given;
    }
    run(frame);
    return this.#isTraced ? frame.traced : frame.text;
  }
}

function isRule(value: unknown): value is Rule {
  return typeof value === "function";
}
