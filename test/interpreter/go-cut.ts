/** The tree of Ollama's last legacy pass: all that follows the first `.Response` is deleted (deleteNode). */
import type {
  CommandNode,
  FieldNode,
  IfNode,
  ListNode,
  Operand,
  PipeNode,
  RangeNode,
  Stmt,
  WithNode,
} from "../../compiler/go/ast.js";

/** Go panics where the cut falls inside a branch that has an else. */
export class CutPanic extends Error {
  constructor() {
    super("panic: interface conversion: parse.Node is nil, not *parse.ListNode");
  }
}

class Cutter {
  #cut = false;

  list(node: ListNode): ListNode {
    const nodes: Stmt[] = [];
    for (const child of node.nodes) {
      const kept = this.#statement(child);
      if (kept !== null) nodes.push(kept);
    }
    return { ...node, nodes };
  }

  #statement(node: Stmt): Stmt | null {
    if (this.#cut) return null;
    switch (node.type) {
      case "Action": {
        const pipe = this.#pipe(node.pipe);
        return pipe === null ? null : { ...node, pipe };
      }
      case "If":
      case "With":
      case "Range":
        return this.#branch(node);
      default:
        return node;
    }
  }

  /** The condition is not looked at. */
  #branch(node: IfNode | WithNode | RangeNode): Stmt {
    const list = this.list(node.list);
    if (node.otherwise === null) return { ...node, list };
    if (this.#cut) throw new CutPanic();
    return { ...node, list, otherwise: this.list(node.otherwise) };
  }

  /** A pipeline loses its later arguments, and goes altogether when a command loses all of them. */
  #pipe(node: PipeNode): PipeNode | null {
    if (this.#cut) return null;
    const commands: CommandNode[] = [];
    for (const command of node.commands) {
      const args: Operand[] = [];
      for (const arg of command.args) {
        const kept = this.#operand(arg);
        if (kept !== null) args.push(kept);
      }
      if (args.length === 0) return null;
      commands.push({ ...command, args });
    }
    return commands.length === 0 ? null : { ...node, commands };
  }

  /** `.Response` stays wherever it is met, so also a second one in the pipeline that holds the first. */
  #operand(node: Operand): Operand | null {
    if (node.type === "Field" && namesResponse(node)) {
      this.#cut = true;
      return node;
    }
    if (this.#cut) return null;
    return node.type === "Pipe" ? this.#pipe(node) : node;
  }
}

function namesResponse(node: FieldNode): boolean {
  return node.names.includes("Response");
}

/** deleteNode with Execute's predicate; throws CutPanic. */
export function cutAfterResponse(main: ListNode): ListNode {
  return new Cutter().list(main);
}
