/** Which names a template mentions: Ollama's Identifiers and Template.Vars. */
import type { ListNode, Operand, PipeNode, Stmt, TemplateNode, TemplateSet } from "./ast.js";

type Visit = (node: Operand | TemplateNode) => void;

/** Calls back for the operands of every pipeline and for template calls, in Ollama's order. */
function walk(nodes: readonly Stmt[], visit: Visit): void {
  for (const node of nodes) {
    switch (node.type) {
      case "Template":
        visit(node);
        if (node.pipe !== null) walkPipe(node.pipe, visit);
        break;
      case "Action":
        walkPipe(node.pipe, visit);
        break;
      case "If":
      case "Range":
      case "With":
        walkPipe(node.pipe, visit);
        walk(node.list.nodes, visit);
        if (node.otherwise !== null) walk(node.otherwise.nodes, visit);
        break;
    }
  }
}

function walkPipe(pipe: PipeNode, visit: Visit): void {
  for (const argument of pipe.commands.flatMap((command) => command.args)) {
    // Ollama does not look into field chains on parentheses: `(index .Messages 0).Content`.
    if (argument.type === "Pipe") walkPipe(argument, visit);
    else visit(argument);
  }
}

function walkSet({ main, defines }: TemplateSet, visit: Visit): void {
  const lists: readonly ListNode[] = [main, ...defines.values()];
  for (const list of lists) walk(list.nodes, visit);
}

/** The lower-cased names of all fields and variables, as Ollama decides messages or legacy by. */
export function mentions(set: TemplateSet): ReadonlySet<string> {
  const names = new Set<string>();
  walkSet(set, (node) => {
    if (node.type !== "Field" && node.type !== "Variable") return;
    for (const name of node.names) names.add(lowerCase(name));
  });
  return names;
}

/** Ollama's Template.Vars(): the mentioned names, sorted by their bytes. */
export function vars(set: TemplateSet): string[] {
  return [...mentions(set)].sort(compareCodePoints);
}

/** The template call without a pipeline that Ollama refuses, if there is one. */
export function callWithoutPipeline(set: TemplateSet): TemplateNode | null {
  let found: TemplateNode | null = null;
  walkSet(set, (node) => {
    if (node.type === "Template" && node.pipe === null) found ??= node;
  });
  return found;
}

/** Go lowers each character by itself and to one character, where JavaScript looks around. */
function lowerCase(name: string): string {
  return Array.from(name, (character) => {
    const [lower = character] = character.toLowerCase();
    return lower;
  }).join("");
}

/** The order of UTF-8 bytes is that of code points, not of UTF-16 units. */
function compareCodePoints(left: string, right: string): number {
  const a = Array.from(left, (character) => character.codePointAt(0) ?? 0);
  const b = Array.from(right, (character) => character.codePointAt(0) ?? 0);
  const at = a.findIndex((code, index) => code !== b[index]);
  if (at < 0) return a.length - b.length;
  return (a[at] ?? 0) - (b[at] ?? -1);
}
