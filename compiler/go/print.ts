/** Go's textual form of syntax nodes and of their place, as its error messages show them. */
import type { Source } from "../source.js";
import type { CommandNode, ListNode, Operand, PipeNode, Stmt } from "./ast.js";
import { byteLength, quote } from "./strings.js";

export type Node = Stmt | Operand | ListNode | CommandNode;

/** A node as its String method in text/template/parse prints it. */
export function printNode(node: Node): string {
  switch (node.type) {
    case "List":
      return node.nodes.map(printNode).join("");
    case "Text":
      return node.text;
    case "Action":
      return `{{${printPipe(node.pipe)}}}`;
    case "If":
    case "Range":
    case "With":
      return printBranch(node);
    case "Template": {
      const pipe = node.pipe === null ? "" : ` ${printPipe(node.pipe)}`;
      return `{{template ${quote(node.name)}${pipe}}}`;
    }
    case "Break":
      return "{{break}}";
    case "Continue":
      return "{{continue}}";
    case "Command":
      return node.args.map(printArgument).join(" ");
    default:
      return printOperand(node);
  }
}

function printBranch(node: Extract<Stmt, { type: "If" | "Range" | "With" }>): string {
  const head = `{{${node.type.toLowerCase()} ${printPipe(node.pipe)}}}${printNode(node.list)}`;
  const otherwise = node.otherwise === null ? "" : `{{else}}${printNode(node.otherwise)}`;
  return `${head}${otherwise}{{end}}`;
}

function printOperand(node: Operand): string {
  switch (node.type) {
    case "Field":
      return node.names.map((name) => `.${name}`).join("");
    case "Variable":
      return node.names.join(".");
    case "Chain":
      return [printArgument(node.node), ...node.names].join(".");
    case "Dot":
      return ".";
    case "Nil":
      return "nil";
    case "Bool":
      return node.value ? "true" : "false";
    case "Number":
      return node.text;
    case "String":
      return node.quoted;
    case "Identifier":
      return node.name;
    case "Pipe":
      return printPipe(node);
  }
}

function printPipe({ declare, assigns, commands }: PipeNode): string {
  const variables = declare.map(printNode).join(", ");
  const sign = declare.length === 0 ? "" : assigns ? " = " : " := ";
  return variables + sign + commands.map(printNode).join(" | ");
}

/** Only as an argument or before fields does a pipeline carry its parentheses. */
function printArgument(node: Operand): string {
  return node.type === "Pipe" ? `(${printPipe(node)})` : printOperand(node);
}

/** The line of an offset as Go counts it: only "\n" ends a line. */
export function goLine(source: Source, offset: number): number {
  let line = 1;
  let at = source.text.indexOf("\n");
  while (at >= 0 && at < offset) {
    line++;
    at = source.text.indexOf("\n", at + 1);
  }
  return line;
}

/** The column of an offset as Go's Tree.ErrorContext counts it: 0-based, in bytes of UTF-8. */
export function byteColumn(source: Source, offset: number): number {
  const before = source.text.slice(0, offset);
  return byteLength(before.slice(before.lastIndexOf("\n") + 1));
}

/**
 * Where an execution error struck: `LINE:COL: executing "NAME" at <NODE>`, as state.errorf in
 * text/template's exec.go writes it between `template: :` and the message.
 */
export function place(source: Source, node: Node, templateName = ""): string {
  const { start } = node.span;
  const position = `${String(goLine(source, start))}:${String(byteColumn(source, start))}`;
  return `${position}: executing ${quote(templateName)} at <${printNode(node)}>`;
}
