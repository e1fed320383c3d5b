/**
 * Templates that mention no messages: Ollama's Execute runs them once for each turn that closes, and then once more
 * with a tree that ends at `.Response`.
 */
import type { Expr, FunctionDef, Local, Stmt } from "../ir/nodes.js";
import type { ListNode } from "./ast.js";
import { CutPanic, cutTree } from "./lower-cut.js";
import { bodyFunction, frameOf, ollamaFrame, ROOT, rootOf } from "./lower-frames.js";
import {
  localRef,
  compare,
  failing,
  kindsOf,
  literal,
  NIL,
  type Frame,
  type Lowering,
} from "./lower-state.js";
import { statements, templateBody } from "./lower-statements.js";
import { printNode } from "./print.js";

export interface OwnBody {
  readonly body: Stmt[];
  readonly functions: FunctionDef[];
}

/** The loop over the turns, and the functions that write a turn. */
export function legacyBody(state: Lowering): OwnBody {
  const cut = lastTree(state);
  const last = lastTurn(state, cut);
  const merged = cut === null ? null : mergedTurn(state, cut, last);
  if (merged !== null) {
    const writes = {
      turn: turnCall(merged, "turn", [literal(false)]),
      last: turnCall(merged, "turn", [literal(true)]),
    };
    return { body: turnLoop(state, writes), functions: [merged] };
  }
  const turn = bodyFunction(state, "renderTurn", ollamaFrame(state.set, "turn"), (block) =>
    templateBody(state, state.set.main, block),
  );
  const writes = { turn: turnCall(turn, "turn", []), last: turnCall(last, "last", []) };
  return { body: turnLoop(state, writes), functions: [turn, last] };
}

function lastTree(state: Lowering): ListNode | null {
  try {
    return cutTree(state.set.main);
  } catch (error) {
    if (error instanceof CutPanic) return null;
    throw error;
  }
}

/** The tree that Execute runs last: a new template without Ollama's functions, defines and missingkey=zero. */
function lastTurn(state: Lowering, cut: ListNode | null): FunctionDef {
  const frame: Frame = {
    ...frameOf(state.set, { ...rootOf("turn"), name: "last", missing: NIL }, ROOT),
    functions: "builtin",
    defines: new Map(),
  };
  return bodyFunction(state, "renderLastTurn", frame, (block) => {
    if (cut === null) block.push(panic(state));
    else templateBody(state, cut, block);
  });
}

/** Ollama's own crash, as an error. */
function panic(state: Lowering): Stmt {
  const message = "interface conversion: parse.Node is nil, not *parse.ListNode";
  return { op: "run", value: failing(state, message, state.set.main).expr, origin: null };
}

/**
 * Nearly always the last turn is what every turn begins with, and says the same without functions and defines: then one
 * function writes both, and ends early for the last one.
 */
function mergedTurn(state: Lowering, cut: ListNode, last: FunctionDef): FunctionDef | null {
  const { main } = state.set;
  const count = cut.nodes.length;
  const isPrefix = cut.nodes.every((node, i) => {
    const own = main.nodes[i];
    return own !== undefined && printNode(own) === printNode(node);
  });
  if (!isPrefix) return null;
  const head: ListNode = { ...main, nodes: main.nodes.slice(0, count) };
  const rest: ListNode = { ...main, nodes: main.nodes.slice(count) };
  const frame = ollamaFrame(state.set, "turn");
  const begin = bodyFunction(state, "renderTurn", frame, (block) =>
    templateBody(state, head, block),
  );
  if (shape(begin.body) !== shape(last.body)) return null;
  const isLast = state.newLocal("last", "bool");
  const turn = bodyFunction(state, "renderTurn", frame, (block) => {
    templateBody(state, head, block);
    if (rest.nodes.length === 0) return;
    block.push(when(localRef(isLast), [{ op: "return", origin: null }]));
    statements(state, ROOT, rest, block);
  });
  const params =
    rest.nodes.length > 0 ? [...turn.params, { local: isLast, default: null }] : turn.params;
  return { ...turn, params };
}

/** Statements as text that is the same for the same statements on other locals. */
function shape(block: readonly Stmt[]): string {
  const ids = new Map<unknown, number>();
  return JSON.stringify(block, (key, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    if (key !== "local" && key !== "item" && key !== "index" && key !== "key") return value;
    const id = ids.get(value) ?? ids.size;
    ids.set(value, id);
    return value === null ? null : id;
  });
}

/** A call that writes a turn; its arguments are those inputs that its body reads, then others. */
interface TurnCall {
  readonly fn: FunctionDef;
  readonly key: string;
  readonly extra: readonly Expr[];
}

function turnCall(fn: FunctionDef, key: string, extra: readonly Expr[]): TurnCall {
  const takesExtra = fn.params.some(({ local: { name } }) => name === "last");
  return { fn, key, extra: takesExtra ? extra : [] };
}

const NAMES = ["system", "prompt", "response"] as const;

type Name = (typeof NAMES)[number];
type TurnLocals = Readonly<Record<Name, Local>>;

function inputsOf(state: Lowering, { key }: TurnCall): readonly string[] {
  return [...(state.facts.inputs.get(key) ?? [])];
}

/** Execute's loop over the messages: a turn is written when the next one begins. */
function turnLoop(
  state: Lowering,
  calls: { readonly turn: TurnCall; readonly last: TurnCall },
): Stmt[] {
  const locals: TurnLocals = {
    system: state.newLocal("system", "string"),
    prompt: state.newLocal("prompt", "string"),
    response: state.newLocal("response", "string"),
  };
  const message = state.newLocal("message", "message");
  const write = call(state, calls.turn, locals);
  const role = (name: string) => compare("===", readText(message, "role"), literal(name));
  const content = readText(message, "content");
  const readsSystem = [calls.turn, calls.last].some((each) =>
    inputsOf(state, each).includes("system"),
  );
  const setSystem = (value: Expr) => (readsSystem ? [set(locals.system, value)] : []);
  const { prompt, response } = locals;
  const pending: Expr = { op: "or", left: filled(prompt), right: filled(response) };
  const systemTurn = [
    when(pending, [write, set(prompt, literal("")), set(response, literal(""))]),
    ...setSystem(content),
  ];
  const userTurn = [
    when(filled(response), [write, ...setSystem(literal("")), set(response, literal(""))]),
    set(prompt, content),
  ];
  const answer = when(role("assistant"), [set(response, content)]);
  const user = when(role("user"), userTurn, [answer]);
  const loop: Stmt = {
    op: "each",
    source: state.input("messages"),
    item: message,
    index: null,
    body: [when(role("system"), systemTurn, [user])],
    empty: [],
    backward: false,
    origin: null,
  };
  const start = [...setSystem(literal("")), set(prompt, literal("")), set(response, literal(""))];
  return [...start, loop, call(state, calls.last, locals)];
}

function call(state: Lowering, turn: TurnCall, locals: TurnLocals): Stmt {
  const args = inputsOf(state, turn).map((name): Expr => {
    const own = NAMES.find((each) => each === name);
    return own === undefined ? state.input(name) : localRef(locals[own]);
  });
  const value: Expr = { op: "call", callee: turn.fn.name, args: [...args, ...turn.extra] };
  return { op: "emit", value, origin: null };
}

/** A text of a message: Ollama's request has it, or "". */
function readText(local: Local, name: string): Expr {
  return { op: "read", object: localRef(local), name, optional: false, kinds: kindsOf("string") };
}

function filled(local: Local): Expr {
  return compare("!==", localRef(local), literal(""));
}

function set(local: Local, value: Expr): Stmt {
  return { op: "set", local, value, origin: null };
}

function when(test: Expr, then: readonly Stmt[], otherwise: readonly Stmt[] = []): Stmt {
  return { op: "if", test, then, otherwise, origin: null };
}
