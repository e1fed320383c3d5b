/**
 * Jinja's syntax tree, after Jinja2's own nodes. A node's `line` is Jinja2's `lineno` (the line that its errors
 * carry), which can differ from the line where its span starts.
 */
import type { Span } from "../source.js";

interface NodeBase {
  readonly span: Span;
  readonly line: number;
}

// ---------------------------------------------------------------- expressions

export interface Name extends NodeBase {
  readonly type: "Name";
  readonly name: string;
}
/** A string, integer (`bigint` past 2^53), float (`float: true`; the value may be integral), or true, false, none. */
export interface Literal extends NodeBase {
  readonly type: "Literal";
  readonly value: string | number | bigint | boolean | null;
  /** Whether a number is a Python float. */
  readonly float: boolean;
}
export interface TupleExpr extends NodeBase {
  readonly type: "Tuple";
  readonly items: readonly Expr[];
}
export interface ListExpr extends NodeBase {
  readonly type: "List";
  readonly items: readonly Expr[];
}
export interface DictExpr extends NodeBase {
  readonly type: "Dict";
  readonly items: readonly { readonly key: Expr; readonly value: Expr }[];
}
/** `then if test else otherwise`. */
export interface Conditional extends NodeBase {
  readonly type: "Conditional";
  readonly test: Expr;
  readonly then: Expr;
  readonly otherwise: Expr | null;
}
export interface Logical extends NodeBase {
  readonly type: "Logical";
  readonly op: "and" | "or";
  readonly left: Expr;
  readonly right: Expr;
}
export interface Not extends NodeBase {
  readonly type: "Not";
  readonly value: Expr;
}
export interface Unary extends NodeBase {
  readonly type: "Unary";
  readonly op: "-" | "+";
  readonly value: Expr;
}
export interface Binary extends NodeBase {
  readonly type: "Binary";
  readonly op: "+" | "-" | "*" | "/" | "//" | "%" | "**";
  readonly left: Expr;
  readonly right: Expr;
}
/** `a ~ b ~ c`, as one node like Jinja2's Concat. */
export interface Concat extends NodeBase {
  readonly type: "Concat";
  readonly items: readonly Expr[];
}
export type CompareOp = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";
export interface Compare extends NodeBase {
  readonly type: "Compare";
  readonly left: Expr;
  readonly rest: readonly { readonly op: CompareOp; readonly value: Expr }[];
}
/** `object.name`; `l.0` is an Item with an integer literal, as in Jinja2. */
export interface Attribute extends NodeBase {
  readonly type: "Attribute";
  readonly object: Expr;
  readonly name: string;
}
/** `object[key]`. */
export interface Item extends NodeBase {
  readonly type: "Item";
  readonly object: Expr;
  readonly key: Expr | SliceExpr;
}
/** `start:stop:step` inside a subscript (also as a member of a tuple there). */
export interface SliceExpr extends NodeBase {
  readonly type: "Slice";
  readonly start: Expr | null;
  readonly stop: Expr | null;
  readonly step: Expr | null;
}
export interface Arguments {
  readonly args: readonly Expr[];
  readonly kwargs: readonly { readonly name: string; readonly value: Expr }[];
  /** `*args`. */
  readonly splat: Expr | null;
  /** `**kwargs`. */
  readonly kwSplat: Expr | null;
}
export interface Call extends NodeBase, Arguments {
  readonly type: "Call";
  readonly callee: Expr;
}
/** `value | name(…)`. `value` is null for the innermost filter of a filter block or of a set block. */
export interface Filter extends NodeBase, Arguments {
  readonly type: "Filter";
  readonly value: Expr | null;
  readonly name: string;
}
/** `value is name …`; `is not` is a Not around it. */
export interface Test extends NodeBase, Arguments {
  readonly type: "Test";
  readonly value: Expr;
  readonly name: string;
}

export type Expr =
  | Name
  | Literal
  | TupleExpr
  | ListExpr
  | DictExpr
  | Conditional
  | Logical
  | Not
  | Unary
  | Binary
  | Concat
  | Compare
  | Attribute
  | Item
  | SliceExpr
  | Call
  | Filter
  | Test;

// ---------------------------------------------------------------- targets

/** `ns.attr` as the target of a set. */
export interface NamespaceTarget extends NodeBase {
  readonly type: "NamespaceTarget";
  readonly name: string;
  readonly attribute: string;
}
export interface TupleTarget extends NodeBase {
  readonly type: "TupleTarget";
  readonly items: readonly Target[];
}
export type Target = Name | TupleTarget | NamespaceTarget;

// ---------------------------------------------------------------- statements

/** Literal template text, white space control done. */
export interface TextData extends NodeBase {
  readonly type: "TextData";
  readonly text: string;
}
/** Adjacent texts and `{{ … }}`, as Jinja2 groups them; also `{% print a, b %}`. */
export interface Output extends NodeBase {
  readonly type: "Output";
  readonly items: readonly (TextData | Expr)[];
}
export interface For extends NodeBase {
  readonly type: "For";
  readonly target: Target;
  readonly iter: Expr;
  /** The loop filter: `for x in xs if test`. */
  readonly test: Expr | null;
  readonly recursive: boolean;
  readonly body: readonly Stmt[];
  readonly otherwise: readonly Stmt[];
}
export interface IfBranch {
  readonly test: Expr;
  readonly body: readonly Stmt[];
  readonly line: number;
  readonly span: Span;
}
export interface If extends NodeBase {
  readonly type: "If";
  /** The if and its elifs. */
  readonly branches: readonly IfBranch[];
  readonly otherwise: readonly Stmt[];
}
export interface Parameter {
  readonly name: string;
  readonly default: Expr | null;
  readonly span: Span;
}
export interface Macro extends NodeBase {
  readonly type: "Macro";
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Stmt[];
}
export interface CallBlock extends NodeBase {
  readonly type: "CallBlock";
  readonly call: Call;
  /** The parameters of `{% call(a, b) … %}`. */
  readonly parameters: readonly Parameter[];
  readonly body: readonly Stmt[];
}
export interface FilterBlock extends NodeBase {
  readonly type: "FilterBlock";
  readonly filter: Filter;
  readonly body: readonly Stmt[];
}
export interface Set extends NodeBase {
  readonly type: "Set";
  readonly target: Target;
  readonly value: Expr;
}
/** `{% set x | filter %}…{% endset %}`. */
export interface SetBlock extends NodeBase {
  readonly type: "SetBlock";
  readonly target: Target;
  readonly filter: Filter | null;
  readonly body: readonly Stmt[];
}
export interface With extends NodeBase {
  readonly type: "With";
  readonly bindings: readonly { readonly target: Target; readonly value: Expr }[];
  readonly body: readonly Stmt[];
}
export interface Block extends NodeBase {
  readonly type: "Block";
  readonly name: string;
  readonly scoped: boolean;
  readonly required: boolean;
  readonly body: readonly Stmt[];
}
export interface Autoescape extends NodeBase {
  readonly type: "Autoescape";
  readonly value: Expr;
  readonly body: readonly Stmt[];
}
/** transformers' `{% generation %}`. */
export interface Generation extends NodeBase {
  readonly type: "Generation";
  readonly body: readonly Stmt[];
}
/** `include`, `import`, `from … import`, `extends`: they parse, and fail when executed. */
export interface Include extends NodeBase {
  readonly type: "Include";
  readonly template: Expr;
  readonly ignoreMissing: boolean;
  readonly withContext: boolean;
}
export interface Import extends NodeBase {
  readonly type: "Import";
  readonly template: Expr;
  readonly target: string;
  readonly withContext: boolean;
}
export interface FromImport extends NodeBase {
  readonly type: "FromImport";
  readonly template: Expr;
  readonly names: readonly { readonly name: string; readonly alias: string | null }[];
  readonly withContext: boolean;
}
export interface Extends extends NodeBase {
  readonly type: "Extends";
  readonly template: Expr;
}
export interface Break extends NodeBase {
  readonly type: "Break";
}
export interface Continue extends NodeBase {
  readonly type: "Continue";
}

export type Stmt =
  | Output
  | For
  | If
  | Macro
  | CallBlock
  | FilterBlock
  | Set
  | SetBlock
  | With
  | Block
  | Autoescape
  | Generation
  | Include
  | Import
  | FromImport
  | Extends
  | Break
  | Continue;

export interface Template {
  readonly type: "Template";
  readonly body: readonly Stmt[];
  /** Whether a dict is written anywhere in it. */
  readonly hasDicts: boolean;
}
