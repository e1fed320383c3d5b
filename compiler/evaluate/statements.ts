/** IR statements as closures. */
import { joinTexts } from "../../runtime/segments/index.js";
import { value as asValue } from "../../runtime/values.js";
import { ref } from "../ir/build.js";
import type { Surroundings } from "../ir/counter.js";
import { runtimeName } from "../ir/intrinsics.js";
import type { Expr, FunctionDef, Local, Stmt } from "../ir/nodes.js";
import { evaluation, listOf, textOf } from "./expressions.js";
import {
  BREAK,
  CONTINUE,
  Frame,
  NEXT,
  outer,
  RETURN,
  type Evaluate,
  type Execute,
  type Signal,
} from "./frame.js";
import type { Program } from "./program.js";
import type { Scope } from "./scopes.js";

type Of<Op extends Stmt["op"]> = Extract<Stmt, { op: Op }>;

/** Where statements stand: their frame, and the local that holds what they write back, if any. */
export interface Where {
  readonly program: Program;
  readonly scope: Scope;
  readonly captured: Local | null;
  /** What the program's counter knows of the place. */
  readonly around: Surroundings;
}

/** Where nothing is counted. */
export const NOWHERE: Surroundings = { place: "", depth: 0 };

/** A list of statements. */
export function execution(list: readonly Stmt[], where: Where): Execute {
  const steps: Execute[] = [];
  for (const stmt of list) addStatement(stmt, where, steps);
  const [first, second] = steps;
  if (first === undefined) return nothing;
  if (second === undefined) return first;
  if (steps.length === 2) {
    return (frame) => {
      const signal = first(frame);
      return signal === NEXT ? second(frame) : signal;
    };
  }
  return (frame) => {
    for (const step of steps) {
      const signal = step(frame);
      if (signal !== NEXT) return signal;
    }
    return NEXT;
  };
}

/** The body of a function, with what counts its calls. */
export function functionBody(fn: FunctionDef, program: Program, scope: Scope): Execute {
  const { counter } = program;
  const around = { program, scope, captured: null, around: NOWHERE };
  if (counter === null) return execution(fn.body, around);
  const { before, after, inside } = counter.function(fn);
  const enter = execute(before, around);
  const body = execution(fn.body, { ...around, around: inside });
  const leave = after === null ? null : execute(after, around);
  return (frame) => {
    enter?.(frame);
    const signal = body(frame);
    leave?.(frame);
    return signal;
  };
}

function addStatement(stmt: Stmt, where: Where, steps: Execute[]): void {
  const resets = where.program.scopes.resets.get(stmt);
  if (resets !== undefined) {
    for (const local of resets) steps.push(storing(local, () => undefined, where));
  }
  const run = counted(stmt, where);
  if (run !== null) steps.push(run);
}

function counted(stmt: Stmt, where: Where): Execute | null {
  const { counter } = where.program;
  if (counter === null) return execute(stmt, where);
  const { counted: own, inside } = counter.statement(stmt, where.around);
  return execute(own, { ...where, around: inside });
}

/** A loop's body, with what counts its rounds. */
function loopBody(list: readonly Stmt[], where: Where): Execute {
  const { counter } = where.program;
  const body = execution(list, where);
  const count = counter === null ? null : execute(counter.round(list, where.around), where);
  if (count === null) return body;
  return (frame) => {
    count(frame);
    return body(frame);
  };
}

function execute(stmt: Stmt, where: Where): Execute | null {
  switch (stmt.op) {
    case "emit":
      return writing(evaluate(stmt.value, where), where);
    case "set":
      return storing(stmt.local, evaluate(stmt.value, where), where);
    case "unpack":
      return unpacking(stmt, where);
    case "run": {
      const value = evaluate(stmt.value, where);
      return (frame) => {
        value(frame);
        return NEXT;
      };
    }
    case "if":
      return deciding(stmt, where);
    case "each":
      return goingThrough(stmt, where);
    case "entries":
      return goingThroughEntries(stmt, where);
    case "while":
      return repeating(stmt, where);
    case "capture":
      return capturing(stmt, where);
    case "break":
      return () => BREAK;
    case "continue":
      return () => CONTINUE;
    case "return":
      return () => RETURN;
    case "round":
      return rounding(stmt.place, where);
    case "define":
    case "note":
      return null;
  }
}

function evaluate(expr: Expr, { program, scope }: Where): Evaluate {
  return evaluation(program, expr, scope);
}

// ---------------------------------------------------------------- output and variables

function writing(value: Evaluate, where: Where): Execute {
  const { program, scope, captured } = where;
  // What is captured is plain here too.
  if (program.isTraced && captured === null) return writingTraced(value, where);
  if (captured !== null) {
    const { hops, index } = program.slot(captured, scope);
    return (frame) => {
      const { slots } = outer(frame, hops);
      const text = textOf(value(frame));
      slots[index] = textOf(slots[index]) + text;
      return NEXT;
    };
  }
  const hops = program.hops(scope, program.functionAround(scope));
  if (hops > 0) {
    return (frame) => {
      outer(frame, hops).text += textOf(value(frame));
      return NEXT;
    };
  }
  return (frame) => {
    frame.text += textOf(value(frame));
    return NEXT;
  };
}

function writingTraced(value: Evaluate, { program, scope }: Where): Execute {
  const hops = program.hops(scope, program.functionAround(scope));
  return (frame) => {
    const text = value(frame);
    const target = outer(frame, hops);
    target.traced = joinTexts(target.traced, text);
    return NEXT;
  };
}

/** How long the text has grown that statements write to here. */
function rounding(place: string, { program, scope, captured }: Where): Execute {
  const rule = program.rule(runtimeName("limits.round"));
  if (captured !== null) {
    const { hops, index } = program.slot(captured, scope);
    return (frame) => {
      rule(textOf(outer(frame, hops).slots[index]).length, place);
      return NEXT;
    };
  }
  const hops = program.hops(scope, program.functionAround(scope));
  return (frame) => {
    rule(outer(frame, hops).text.length, place);
    return NEXT;
  };
}

function storing(local: Local, value: Evaluate, { program, scope }: Where): Execute {
  const { hops, index } = program.slot(local, scope);
  if (hops > 0) {
    return (frame) => {
      outer(frame, hops).slots[index] = value(frame);
      return NEXT;
    };
  }
  return (frame) => {
    frame.slots[index] = value(frame);
    return NEXT;
  };
}

function unpacking(stmt: Of<"unpack">, where: Where): Execute {
  const value = evaluate(stmt.value, where);
  const stores = stmt.locals.map((local) => where.program.storing(local, where.scope));
  return (frame) => {
    const items = listOf(value(frame));
    stores.forEach((store, i) => {
      store(frame, items[i]);
    });
    return NEXT;
  };
}

function capturing(stmt: Of<"capture">, where: Where): Execute {
  const store = where.program.storing(stmt.local, where.scope);
  const body = execution(stmt.body, { ...where, captured: stmt.local });
  return (frame) => {
    store(frame, "");
    return body(frame);
  };
}

// ---------------------------------------------------------------- control flow

/** A branch is made ready when it is first taken: a render takes few of a template's branches. */
function deciding(stmt: Of<"if">, where: Where): Execute {
  const test = evaluate(stmt.test, where);
  let then: Execute | null = null;
  let otherwise: Execute | null = stmt.otherwise.length === 0 ? nothing : null;
  return (frame) => {
    if (test(frame)) {
      then ??= execution(stmt.then, where);
      return then(frame);
    }
    otherwise ??= execution(stmt.otherwise, where);
    return otherwise(frame);
  };
}

const nothing: Execute = () => NEXT;

/** What the body of a loop runs in: the frame around it, or one of its own for each turn. */
interface Turn {
  readonly inner: Where;
  readonly enter: (frame: Frame) => Frame;
}

function turnOf(body: readonly Stmt[], where: Where): Turn {
  const scope = where.program.scopes.bodies.get(body);
  if (scope === undefined) return { inner: where, enter: (frame) => frame };
  return {
    inner: { ...where, scope },
    enter: (frame) => new Frame(frame.render, frame, scope.size),
  };
}

type Store = (frame: Frame, value: unknown) => void;

function storeOf(local: Local | null, { program, scope }: Where): Store | null {
  return local === null ? null : program.storing(local, scope);
}

function goingThrough(stmt: Of<"each">, where: Where): Execute {
  const source = evaluate(stmt.source, where);
  const { inner, enter } = turnOf(stmt.body, where);
  const storeItem = storeOf(stmt.item, inner);
  const storeIndex = storeOf(stmt.index, inner);
  const body = loopBody(stmt.body, inner);
  const empty = stmt.empty.length === 0 ? null : execution(stmt.empty, where);
  const { backward } = stmt;
  return (frame) => {
    const items = listOf(source(frame));
    if (empty !== null && items.length === 0) return empty(frame);
    // What the body adds to the list is gone through too, as JavaScript's own loops do.
    for (let i = 0; i < items.length; i++) {
      const turn = enter(frame);
      storeIndex?.(turn, i);
      storeItem?.(turn, items[backward ? items.length - 1 - i : i]);
      const signal = body(turn);
      if (signal === BREAK) break;
      if (signal === RETURN) return RETURN;
    }
    return NEXT;
  };
}

/** What gives the pairs: a list of them, those of an object's fields, or those of some of its keys. */
function entriesOf(
  { of, source, owner }: Of<"entries">,
  where: Where,
): (frame: Frame) => unknown[] {
  const listed = evaluate(source, where);
  if (of === "fields") return (frame) => Object.entries(asValue(listed(frame)) ?? {});
  if (owner === undefined) return (frame) => [...listOf(listed(frame))];
  const object = evaluate(ref(owner), where);
  return (frame) => {
    const fields = asValue(object(frame));
    return listOf(listed(frame)).map((key) => [key, fields?.[String(key)]]);
  };
}

function goingThroughEntries(stmt: Of<"entries">, where: Where): Execute {
  const source = entriesOf(stmt, where);
  const { inner, enter } = turnOf(stmt.body, where);
  const storeKey = storeOf(stmt.key, inner);
  const storeValue = storeOf(stmt.value, inner);
  const body = loopBody(stmt.body, inner);
  const empty = stmt.empty.length === 0 ? null : execution(stmt.empty, where);
  return (frame) => {
    const entries = source(frame);
    if (empty !== null && entries.length === 0) return empty(frame);
    for (const entry of entries) {
      const [key, value] = listOf(entry);
      const turn = enter(frame);
      storeKey?.(turn, key);
      storeValue?.(turn, value);
      const signal: Signal = body(turn);
      if (signal === BREAK) break;
      if (signal === RETURN) return RETURN;
    }
    return NEXT;
  };
}

function repeating(stmt: Of<"while">, where: Where): Execute {
  const test = evaluate(stmt.test, where);
  const { inner, enter } = turnOf(stmt.body, where);
  const body = loopBody(stmt.body, inner);
  return (frame) => {
    while (test(frame)) {
      const signal = body(enter(frame));
      if (signal === BREAK) break;
      if (signal === RETURN) return RETURN;
    }
    return NEXT;
  };
}
