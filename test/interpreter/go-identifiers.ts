/** The names a template mentions (Ollama's Identifiers and Vars in template.go). */
import type { ListNode, Operand, PipeNode, Stmt, TemplateSet } from "../../compiler/go/ast.js";
import { toLower } from "./go-utf8.js";

function ofList(node: ListNode | null): string[] {
  return node === null ? [] : node.nodes.flatMap(ofStatement);
}

function ofStatement(node: Stmt): string[] {
  switch (node.type) {
    case "Action":
      return ofPipe(node.pipe);
    case "Template":
      return node.pipe === null ? [] : ofPipe(node.pipe);
    case "If":
    case "With":
    case "Range":
      return [...ofPipe(node.pipe), ...ofList(node.list), ...ofList(node.otherwise)];
    default:
      return [];
  }
}

function ofPipe(node: PipeNode): string[] {
  return node.commands.flatMap((command) => command.args.flatMap(ofOperand));
}

/** Fields after a parenthesis are not seen. */
function ofOperand(node: Operand): readonly string[] {
  if (node.type === "Field" || node.type === "Variable") return node.names;
  return node.type === "Pipe" ? ofPipe(node) : [];
}

/** Template.Vars: lower-case, sorted. */
export function varsOf(set: TemplateSet): string[] {
  const names = [set.main, ...set.defines.values()].flatMap(ofList);
  return [...new Set(names.map(toLower))].sort();
}
