/** Assignment targets: what Jinja2's `can_assign` allows, and how it calls the rest. */
import type { Expr, NamespaceTarget, Target } from "./ast.js";

const RESERVED: ReadonlySet<string> = new Set(["true", "false", "none", "True", "False", "None"]);
const BINARY_NAMES = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "//": "floordiv",
  "%": "mod",
  "**": "pow",
} as const;

/** Whether a name may be assigned to (nodes.py, `Name.can_assign`). */
export function isAssignable(name: string): boolean {
  return !RESERVED.has(name);
}

/** The expression as a target, or null where Jinja2 refuses to assign to it. */
export function asTarget(node: Expr | NamespaceTarget): Target | null {
  if (node.type === "NamespaceTarget") return node;
  if (node.type === "Name") return isAssignable(node.name) ? node : null;
  if (node.type !== "Tuple") return null;
  const items: Target[] = [];
  for (const item of node.items) {
    const target = asTarget(item);
    if (target === null) return null;
    items.push(target);
  }
  return { type: "TupleTarget", items, line: node.line, span: node.span };
}

/** The lower-case name of Jinja2's node class, as its messages give it. */
export function nodeName(node: Expr | NamespaceTarget): string {
  switch (node.type) {
    case "Literal":
      return "const";
    case "Attribute":
      return "getattr";
    case "Item":
      return "getitem";
    case "Conditional":
      return "condexpr";
    case "Logical":
      return node.op;
    case "Unary":
      return node.op === "-" ? "neg" : "pos";
    case "Binary":
      return BINARY_NAMES[node.op];
    case "NamespaceTarget":
      return "nsref";
    default:
      return node.type.toLowerCase();
  }
}
