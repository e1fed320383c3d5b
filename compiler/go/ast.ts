/**
 * Go's syntax tree, after text/template/parse. `span.start` is the node's Go position (Pos), so that messages carry
 * Go's line and column; Go counts the column in bytes of UTF-8 (see `byteColumn` in parser.ts).
 */
import type { Span } from "../source.js";

interface NodeBase {
  readonly span: Span;
}

export interface FieldNode extends NodeBase {
  readonly type: "Field";
  /** `.A.B` is ["A", "B"]. */
  readonly names: readonly string[];
}
export interface VariableNode extends NodeBase {
  readonly type: "Variable";
  /** `$x.A.B` is ["$x", "A", "B"]; the first keeps its `$`. */
  readonly names: readonly string[];
}
/** A field chain on an operand that is neither field nor variable: `(pipe).A.B`. */
export interface ChainNode extends NodeBase {
  readonly type: "Chain";
  readonly node: Operand;
  readonly names: readonly string[];
}
export interface DotNode extends NodeBase {
  readonly type: "Dot";
}
export interface NilNode extends NodeBase {
  readonly type: "Nil";
}
export interface BoolNode extends NodeBase {
  readonly type: "Bool";
  readonly value: boolean;
}
/** A numeric constant with every reading that fits, as Go's NumberNode. */
export interface NumberNode extends NodeBase {
  readonly type: "Number";
  /** The text as written: error messages print it. */
  readonly text: string;
  readonly int: bigint | null;
  readonly uint: bigint | null;
  readonly float: number | null;
  readonly complex: { readonly real: number; readonly imaginary: number } | null;
  /** Written as a character constant `'a'` (its integer reading prints). */
  readonly rune: boolean;
}
/** A string constant. Bytes that are no UTF-8 (`"\xff"`) stand as U+DC80 + (byte − 0x80). */
export interface StringNode extends NodeBase {
  readonly type: "String";
  readonly quoted: string;
  readonly text: string;
}
/** The name of a function. */
export interface IdentifierNode extends NodeBase {
  readonly type: "Identifier";
  readonly name: string;
}
export interface CommandNode extends NodeBase {
  readonly type: "Command";
  readonly args: readonly Operand[];
}
export interface PipeNode extends NodeBase {
  readonly type: "Pipe";
  /** `$x :=`, `$x =`, and two for range. */
  readonly declare: readonly VariableNode[];
  readonly assigns: boolean;
  readonly commands: readonly CommandNode[];
}

export type Operand =
  | FieldNode
  | VariableNode
  | ChainNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode
  | IdentifierNode
  | PipeNode;

export interface ListNode extends NodeBase {
  readonly type: "List";
  readonly nodes: readonly Stmt[];
}
export interface TextNode extends NodeBase {
  readonly type: "Text";
  readonly text: string;
}
export interface ActionNode extends NodeBase {
  readonly type: "Action";
  readonly pipe: PipeNode;
}
export interface IfNode extends NodeBase {
  readonly type: "If";
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly otherwise: ListNode | null;
}
export interface RangeNode extends NodeBase {
  readonly type: "Range";
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly otherwise: ListNode | null;
}
export interface WithNode extends NodeBase {
  readonly type: "With";
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly otherwise: ListNode | null;
}
/** `{{template "name" pipe}}`, also the call that a `block` stands for. */
export interface TemplateNode extends NodeBase {
  readonly type: "Template";
  readonly name: string;
  readonly pipe: PipeNode | null;
}
export interface BreakNode extends NodeBase {
  readonly type: "Break";
}
export interface ContinueNode extends NodeBase {
  readonly type: "Continue";
}

export type Stmt =
  TextNode | ActionNode | IfNode | RangeNode | WithNode | TemplateNode | BreakNode | ContinueNode;

/** Every named template of a source; the main one has the name "". */
export interface TemplateSet {
  readonly main: ListNode;
  /** `define` and `block` bodies by name; an empty redefinition does not replace (IsEmptyTree). */
  readonly defines: ReadonlyMap<string, ListNode>;
}
