/** The state of a render: the context, the local variables of each template function, and the output. */
import type { Frame } from "./jinja-plan.js";
import { InterpreterError, MISSING, PyStr, raise } from "./jinja-values.js";
import type { CallContext, Value } from "./jinja-values.js";

/** What all contexts of a render share. */
export interface EvalContext {
  autoescape: boolean;
  readonly now: string | undefined;
}

/** Jinja2's Context: exported variables over the input and the globals. */
export class Context implements CallContext {
  readonly vars = new Map<string, Value>();
  readonly #parent: ReadonlyMap<string, Value>;
  readonly evalContext: EvalContext;

  constructor(parent: ReadonlyMap<string, Value>, evalContext: EvalContext) {
    this.#parent = parent;
    this.evalContext = evalContext;
  }

  get autoescape(): boolean {
    return this.evalContext.autoescape;
  }

  get now(): string | undefined {
    return this.evalContext.now;
  }

  resolve(name: string): Value {
    return this.vars.get(name) ?? this.#parent.get(name) ?? MISSING;
  }

  /** What a scoped block gets: everything here, and the locals that have a value. */
  derived(locals: ReadonlyMap<string, Value>): Context {
    const all = new Map([...this.#parent, ...this.vars]);
    for (const [name, value] of locals) if (value !== MISSING) all.set(name, value);
    return new Context(all, this.evalContext);
  }
}

/**
 * One call of a template function: the root, a block, a macro, a recursive loop or a loop filter. As in the
 * generated Python, a variable lives as long as its function, and inner functions see those around them.
 */
export class Activation {
  readonly parent: Activation | null;
  readonly context: Context;
  /** Parameters of a macro whose turn to get their default has not come. */
  readonly pending = new Set<string>();
  readonly #locals = new Map<string, Value>();
  /** The template line of the statement that runs. */
  line: number;

  constructor(parent: Activation | null, context: Context, line: number) {
    this.parent = parent;
    this.context = context;
    this.line = line;
  }

  get(variable: string): Value {
    return this.#locals.get(variable) ?? this.parent?.get(variable) ?? MISSING;
  }

  set(variable: string, value: Value): void {
    this.#locals.set(variable, value);
  }

  /** Jinja2's `enter_frame`. */
  enter(frame: Frame): void {
    for (const [variable, load] of frame.symbols.loads) {
      if (load.kind === "resolve") this.set(variable, this.context.resolve(load.name));
      else if (load.kind === "alias") this.set(variable, this.get(load.of));
      else if (load.kind === "undefined") this.set(variable, MISSING);
    }
  }

  /** Jinja2's `leave_frame`. */
  leave(frame: Frame): void {
    for (const variable of frame.symbols.loads.keys()) this.set(variable, MISSING);
  }

  /** Runs a function's code; an error that passes gets the line where this function stands. */
  run<T>(code: () => T): T {
    try {
      return code();
    } catch (error) {
      if (error instanceof InterpreterError && error.line === undefined) error.line = this.line;
      throw error;
    }
  }
}

/** Where output goes: the render itself or a buffer. */
export class Sink {
  readonly #parts: Value[] = [];

  write(text: string): void {
    this.writeValue(new PyStr(text));
  }

  /** Call blocks and filter blocks write what they get without converting it. */
  writeValue(value: Value): void {
    this.#parts.push(value);
  }

  concat(): string {
    const texts = this.#parts.map((part, at) => {
      if (part instanceof PyStr) return part.text;
      return raise(
        "TypeError",
        `sequence item ${at}: expected str instance, ${part.typeName} found`,
      );
    });
    return texts.join("");
  }
}
