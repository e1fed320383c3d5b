/** The tree of a legacy template's last turn, as Ollama's deleteNode cuts it. */
import type { ActionNode, CommandNode, ListNode, Operand, PipeNode, Stmt } from "./ast.js";

/** Thrown where Ollama's deleteNode panics: a branch with an else, cut in its first list. */
export class CutPanic extends Error {}

/** The last turn's tree (deleteNode): what comes after the first field that names Response is gone. */
export function cutTree(list: ListNode): ListNode {
  return new Cut().list(list);
}

class Cut {
  #done = false;

  list(list: ListNode): ListNode {
    const nodes: Stmt[] = [];
    for (const node of list.nodes) {
      const kept = this.#done ? null : this.#node(node);
      if (kept !== null) nodes.push(kept);
    }
    return { ...list, nodes };
  }

  #node(node: Stmt): Stmt | null {
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
        const kept = this.#operand(operand);
        if (kept !== null) args.push(kept);
      }
      if (args.length === 0) return null;
      commands.push({ ...command, args });
    }
    return { ...pipe, commands };
  }

  /** A field that names Response stays, even beside the first. */
  #operand(operand: Operand): Operand | null {
    if (operand.type === "Field" && operand.names.includes("Response")) {
      this.#done = true;
      return operand;
    }
    if (this.#done) return null;
    return operand.type === "Pipe" ? this.#pipe(operand) : operand;
  }
}
