/**
 * Templates that mention no messages: Ollama's Execute runs them once for each turn that closes, and then once more
 * with a tree that ends at `.Response`.
 */
import type { Expr, FunctionName, Local, Stmt } from "../ir/nodes.js";
import type { ActionNode, CommandNode, ListNode, Operand, PipeNode, Stmt as Node } from "./ast.js";
import { type Lowering } from "./lower-state.js";
import { compare, literal } from "./lower-state.js";

/** Thrown where Ollama's deleteNode panics: a branch with an else, cut in its first list. */
export class CutPanic extends Error {}

/** The last turn's tree (deleteNode): what comes after the first field that names Response is gone. */
export function cutTree(list: ListNode): ListNode {
  return new Cut().list(list);
}

class Cut {
  #done = false;

  list(list: ListNode): ListNode {
    const nodes: Node[] = [];
    for (const node of list.nodes) {
      const kept = this.#done ? null : this.#node(node);
      if (kept !== null) nodes.push(kept);
    }
    return { ...list, nodes };
  }

  #node(node: Node): Node | null {
    switch (node.type) {
      case "Action":
        return this.#action(node);
      case "If":
      case "With":
      case "Range": {
        const list = this.list(node.list);
        if (node.otherwise === null) return { ...node, list };
        if (this.#done) throw new CutPanic();
        return { ...node, list, otherwise: this.list(node.otherwise) };
      }
      default:
        return node;
    }
  }

  #action(node: ActionNode): ActionNode | null {
    const pipe = this.#pipe(node.pipe);
    return pipe === null ? null : { ...node, pipe };
  }

  #pipe(pipe: PipeNode): PipeNode | null {
    const commands: CommandNode[] = [];
    for (const command of pipe.commands) {
      const args: Operand[] = [];
      for (const operand of command.args) {
        const kept = this.#done ? null : this.#operand(operand);
        if (kept !== null) args.push(kept);
      }
      if (args.length === 0) return null;
      commands.push({ ...command, args });
    }
    return { ...pipe, commands };
  }

  #operand(operand: Operand): Operand | null {
    if (operand.type === "Pipe") return this.#pipe(operand);
    if (operand.type === "Field" && operand.names.includes("Response")) this.#done = true;
    return operand;
  }
}

const NAMES = ["system", "prompt", "response"] as const;

type TurnLocals = Readonly<Record<(typeof NAMES)[number], Local>>;

/** Execute's loop over the messages: a turn is written when the next one begins. */
export function turnLoop(state: Lowering, turn: FunctionName, last: FunctionName): Stmt[] {
  const locals: TurnLocals = {
    system: state.newLocal("system", "string"),
    prompt: state.newLocal("prompt", "string"),
    response: state.newLocal("response", "string"),
  };
  const message = state.newLocal("message", "message");
  const write = call(state, turn, "turn", locals);
  const role = (name: string) => compare("===", read(message, "role"), literal(name));
  const content = read(message, "content");
  const { system, prompt, response } = locals;
  const pending: Expr = { op: "or", left: filled(prompt), right: filled(response) };
  const systemTurn = [
    when(pending, [write, set(prompt, literal("")), set(response, literal(""))]),
    set(system, content),
  ];
  const userTurn = [
    when(filled(response), [write, set(system, literal("")), set(response, literal(""))]),
    set(prompt, content),
  ];
  const answer = when(role("assistant"), [set(response, content)]);
  const user = when(role("user"), userTurn, [answer]);
  const body = [when(role("system"), systemTurn, [user])];
  const loop: Stmt = {
    op: "each",
    source: state.input("messages"),
    item: message,
    index: null,
    body,
    empty: [],
    backward: false,
    origin: null,
  };
  const start = NAMES.map((name) => set(locals[name], literal("")));
  return [...start, loop, call(state, last, "last", locals)];
}

/** A call that writes a turn; its parameters are those inputs of the data map that its body reads. */
function call(state: Lowering, callee: FunctionName, key: string, locals: TurnLocals): Stmt {
  const args = [...(state.facts.inputs.get(key) ?? [])].map((name): Expr => {
    const own = NAMES.find((each) => each === name);
    return own === undefined ? state.input(name) : { op: "local", local: locals[own] };
  });
  return { op: "emit", value: { op: "call", callee, args }, origin: null };
}

function read(local: Local, name: string): Expr {
  return { op: "read", object: { op: "local", local }, name, optional: false };
}

function filled(local: Local): Expr {
  return compare("!==", { op: "local", local }, literal(""));
}

function set(local: Local, value: Expr): Stmt {
  return { op: "set", local, value, origin: null };
}

function when(test: Expr, then: readonly Stmt[], otherwise: readonly Stmt[] = []): Stmt {
  return { op: "if", test, then, otherwise, origin: null };
}
