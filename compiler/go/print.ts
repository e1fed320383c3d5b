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

/** What is known of the text so far: asked for place after place, no line is measured again from its start. */
interface Measured {
  readonly lineFeeds: readonly number[];
  /** The bytes of its line that stand before this offset. */
  offset: number;
  bytes: number;
}

const measuredSources = new WeakMap<Source, Measured>();

function measured(source: Source): Measured {
  const known = measuredSources.get(source);
  if (known !== undefined) return known;
  const lineFeeds: number[] = [];
  let at = source.text.indexOf("\n");
  for (; at >= 0; at = source.text.indexOf("\n", at + 1)) lineFeeds.push(at);
  const made = { lineFeeds, offset: 0, bytes: 0 };
  measuredSources.set(source, made);
  return made;
}

/** How many of the numbers, which ascend, are below one. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The line of an offset as Go's lexer counts: 1-based, by line feeds. */
export function goLine(source: Source, offset: number): number {
  return countBelow(measured(source).lineFeeds, offset) + 1;
}

/** The column of an offset as Go's Tree.ErrorContext counts it: 0-based, in bytes of UTF-8. */
export function byteColumn(source: Source, offset: number): number {
  const known = measured(source);
  const before = countBelow(known.lineFeeds, offset);
  const lineStart = before === 0 ? 0 : (known.lineFeeds[before - 1] ?? 0) + 1;
  const isAhead = known.offset >= lineStart && known.offset <= offset;
  const [from, bytes] = isAhead ? [known.offset, known.bytes] : [lineStart, 0];
  known.offset = offset;
  known.bytes = bytes + byteLength(source.text.slice(from, offset));
  return known.bytes;
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
