/** Which variables a template changes after their declaration. */
import type { ListNode, Operand, PipeNode, TemplateSet } from "./ast.js";

/** The names that `=` assigns anywhere: the others hold one value for all their life. */
export function assignedNames({ main, defines }: TemplateSet): ReadonlySet<string> {
  const names = new Set<string>();
  for (const list of [main, ...defines.values()]) walk(list, names);
  return names;
}

function walk(list: ListNode, names: Set<string>): void {
  for (const node of list.nodes) {
    if ("pipe" in node && node.pipe !== null) walkPipe(node.pipe, names);
    if (!("list" in node)) continue;
    walk(node.list, names);
    if (node.otherwise !== null) walk(node.otherwise, names);
  }
}

function walkPipe(pipe: PipeNode, names: Set<string>): void {
  if (pipe.assigns) for (const { names: own } of pipe.declare) names.add(own[0] ?? "");
  for (const { args } of pipe.commands) for (const operand of args) walkOperand(operand, names);
}

function walkOperand(operand: Operand, names: Set<string>): void {
  if (operand.type === "Pipe") walkPipe(operand, names);
  else if (operand.type === "Chain") walkOperand(operand.node, names);
}
