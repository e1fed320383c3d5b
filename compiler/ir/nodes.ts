/**
 * The intermediate representation. Nothing is implicit: every rule of a dialect is a named intrinsic, everything else
 * is a primitive with plain JavaScript meaning, evaluated left to right. Nodes are immutable; passes build new ones.
 */
import type { Kinds } from "./kinds.js";
import type { IntrinsicName } from "./intrinsics.js";

export type Dialect = "jinja" | "ollama" | "go";

/**
 * A variable. Locals are compared by identity; names may repeat. What passes learn about a local for all its life
 * stands in `kinds`.
 */
export interface Local {
  readonly id: number;
  /** The template's own name for it, or a name that the compiler chose; made unique by the emitter. */
  readonly name: string;
  readonly kinds: Kinds;
  /** Its TypeScript type, where a dialect's data model knows more than the kinds tell. */
  readonly type?: string;
}

/** Where a piece of template stands, for comments and error places. */
export interface Origin {
  readonly line: number;
  readonly column: number;
  /** What a comment shows: `for m in messages`. Empty: never shown. */
  readonly text: string;
}

// ---------------------------------------------------------------- expressions

interface ExprBase {
  /** Where the output stood that wrote the expression, once it is a part of another. */
  readonly origin?: Origin;
}
export interface Literal extends ExprBase {
  readonly op: "literal";
  readonly value: string | number | bigint | boolean | null | undefined;
}
export interface LocalRef extends ExprBase {
  readonly op: "local";
  readonly local: Local;
}
/** A field of the input (after `Module.prepare`), by its own name; the empty name is the whole input. */
export interface Input extends ExprBase {
  readonly op: "input";
  readonly name: string;
}
/** The clock that the caller gave, or undefined. */
export interface Clock extends ExprBase {
  readonly op: "clock";
}
/** The list of generation spans of this render. */
export interface Spans extends ExprBase {
  readonly op: "spans";
}
/** How much the render has written; what a function or a capture holds back counts only for a block's own function. */
export interface Written extends ExprBase {
  readonly op: "written";
  readonly inBlock: boolean;
}
/** `object.name`, or `object?.name` where the object may be null or undefined. */
export interface Read extends ExprBase {
  readonly op: "read";
  readonly object: Expr;
  readonly name: string;
  readonly optional: boolean;
  /** What a dialect's data model knows of the field. */
  readonly kinds?: Kinds;
}
/** `list[index]`; undefined outside the list, unless `bounded`: then the index is known to be inside. */
export interface At extends ExprBase {
  readonly op: "at";
  readonly list: Expr;
  readonly index: Expr;
  readonly bounded: boolean;
}
/** `a + b + c` of texts. */
export interface Concat extends ExprBase {
  readonly op: "concat";
  readonly parts: readonly Expr[];
}
export interface Choose extends ExprBase {
  readonly op: "choose";
  readonly test: Expr;
  readonly then: Expr;
  readonly otherwise: Expr;
}
/** `left && right`, `left || right` of booleans. */
export interface Logical extends ExprBase {
  readonly op: "and" | "or";
  readonly left: Expr;
  readonly right: Expr;
}
export interface Not extends ExprBase {
  readonly op: "not";
  readonly value: Expr;
}
export type CompareOperator = "===" | "!==" | "<" | "<=" | ">" | ">=";
export interface Compare extends ExprBase {
  readonly op: "compare";
  readonly operator: CompareOperator;
  readonly left: Expr;
  readonly right: Expr;
}
export interface Arithmetic extends ExprBase {
  readonly op: "arithmetic";
  readonly operator: "+" | "-" | "*" | "%";
  readonly left: Expr;
  readonly right: Expr;
}
/** `typeof value === type`. */
export interface TypeOf extends ExprBase {
  readonly op: "typeof";
  readonly value: Expr;
  readonly type: "string" | "number" | "boolean";
}
/** `list.length`, or `list?.length` where the list may be absent. */
export interface Count extends ExprBase {
  readonly op: "count";
  readonly list: Expr;
  readonly optional?: boolean;
}
/** A value as JavaScript's own truth takes it; only as a test or a part of one. */
export interface Truthy extends ExprBase {
  readonly op: "truthy";
  readonly value: Expr;
}
/** `value ?? otherwise`. */
export interface Coalesce extends ExprBase {
  readonly op: "coalesce";
  readonly value: Expr;
  readonly otherwise: Expr;
}
/** `[a, b]`. */
export interface ListOf extends ExprBase {
  readonly op: "list";
  readonly items: readonly Expr[];
}
/** `{ a: x }`, a plain JavaScript object for intrinsics that take named arguments. */
export interface RecordOf extends ExprBase {
  readonly op: "record";
  readonly fields: readonly { readonly name: string; readonly value: Expr }[];
}
/** `source.filter((item) => body)` and its like. */
export interface Chain extends ExprBase {
  readonly op: "chain";
  readonly mode: "filter" | "map" | "find" | "some";
  readonly source: Expr;
  readonly item: Local;
  readonly body: Expr;
}
/** A method of JavaScript's own, on a value whose kind is known. */
export interface MethodCall extends ExprBase {
  readonly op: "method";
  readonly object: Expr;
  readonly name: "includes" | "startsWith" | "endsWith" | "slice" | "has" | "add" | "push";
  readonly args: readonly Expr[];
}
/** A direct call of a function of the module; null: the argument is not given. */
export interface Call extends ExprBase {
  readonly op: "call";
  readonly callee: FunctionName;
  readonly args: readonly (Expr | null)[];
}
/** A function of the module as a JavaScript value (only intrinsics take it). */
export interface FunctionRef extends ExprBase {
  readonly op: "function";
  readonly callee: FunctionName;
}
/** A rule of the dialect as a value, for what applies it. */
export interface RuleRef extends ExprBase {
  readonly op: "rule";
  readonly name: IntrinsicName;
}
/** A rule of the dialect: a call of the runtime function that the intrinsic table names. */
export interface IntrinsicCall extends ExprBase {
  readonly op: "intrinsic";
  readonly name: IntrinsicName;
  readonly args: readonly Expr[];
  /** The last argument of intrinsics that can throw. */
  readonly place: string | null;
}
/** `(local = value)`, where a value is needed twice in one expression. */
export interface Assign extends ExprBase {
  readonly op: "assign";
  readonly local: Local;
  readonly value: Expr;
}
/** `...value`, only as an item of a list. */
export interface Spread extends ExprBase {
  readonly op: "spread";
  readonly value: Expr;
}
/** A fresh, empty set of integers. */
export interface NewSet extends ExprBase {
  readonly op: "new-set";
}

export type Expr =
  | Literal
  | LocalRef
  | Input
  | Clock
  | Spans
  | Written
  | Read
  | At
  | Concat
  | Choose
  | Logical
  | Not
  | Compare
  | Arithmetic
  | TypeOf
  | Count
  | Truthy
  | Coalesce
  | ListOf
  | RecordOf
  | Chain
  | MethodCall
  | Call
  | FunctionRef
  | RuleRef
  | IntrinsicCall
  | Assign
  | Spread
  | NewSet;

// ---------------------------------------------------------------- statements

interface StmtBase {
  readonly origin: Origin | null;
}
/** Writes text; the only statement that writes. */
export interface Emit extends StmtBase {
  readonly op: "emit";
  readonly value: Expr;
}
export interface SetLocal extends StmtBase {
  readonly op: "set";
  readonly local: Local;
  readonly value: Expr;
}
/** `[a, b] = value`, of an array of just that length. */
export interface Unpack extends StmtBase {
  readonly op: "unpack";
  readonly locals: readonly Local[];
  readonly value: Expr;
}
export interface If extends StmtBase {
  readonly op: "if";
  readonly test: Expr;
  readonly then: readonly Stmt[];
  readonly otherwise: readonly Stmt[];
}
/** For each item of a JavaScript array; `empty` runs where it has none. */
export interface Each extends StmtBase {
  readonly op: "each";
  readonly source: Expr;
  readonly item: Local | null;
  readonly index: Local | null;
  readonly body: readonly Stmt[];
  readonly empty: readonly Stmt[];
  /** From the last item to the first; the index still counts from 0 in that order. */
  readonly backward: boolean;
}
/**
 * For each pair of a JavaScript array of `[key, value]`; for each field of an object, by `for…in`; or for each of some
 * keys of an object that is a local.
 */
export interface Entries extends StmtBase {
  readonly op: "entries";
  readonly of: "pairs" | "fields" | "keys";
  /** With `keys`: whose fields the values are. */
  readonly owner?: Local;
  readonly source: Expr;
  readonly key: Local | null;
  readonly value: Local | null;
  readonly body: readonly Stmt[];
  readonly empty: readonly Stmt[];
}
/** While the test holds. */
export interface While extends StmtBase {
  readonly op: "while";
  readonly test: Expr;
  readonly body: readonly Stmt[];
}
/** What the body writes becomes the local's text. */
export interface Capture extends StmtBase {
  readonly op: "capture";
  readonly local: Local;
  readonly body: readonly Stmt[];
}
/** Evaluates for the error or the effect. */
export interface Run extends StmtBase {
  readonly op: "run";
  readonly value: Expr;
}
/** The function's definition comes into being here; where it captures nothing it stands in the module. */
export interface Define extends StmtBase {
  readonly op: "define";
  readonly callee: FunctionName;
}
export interface Break extends StmtBase {
  readonly op: "break";
}
export interface Continue extends StmtBase {
  readonly op: "continue";
}
/** Ends the function; what was written is its result. */
export interface Return extends StmtBase {
  readonly op: "return";
}
/** One more round of the loop around it, with how long the text has grown that is written to here; only under limits. */
export interface Round extends StmtBase {
  readonly op: "round";
  readonly place: string;
}
/** A remark for the reader of the generated file. */
export interface Note extends StmtBase {
  readonly op: "note";
}

export type Stmt =
  | Emit
  | SetLocal
  | Unpack
  | If
  | Each
  | Entries
  | While
  | Capture
  | Run
  | Define
  | Break
  | Continue
  | Return
  | Round
  | Note;

// ---------------------------------------------------------------- functions and modules

/** A function's identity: passes replace its definition, calls keep the name. */
export interface FunctionName {
  readonly id: number;
  readonly name: string;
}

export interface Param {
  readonly local: Local;
  /** Evaluated in the function where the argument is not given (undefined). */
  readonly default: Expr | null;
}

/** A function that returns the text that its body writes: a macro, a Go define, a body of its own. */
export interface FunctionDef {
  readonly name: FunctionName;
  readonly params: readonly Param[];
  readonly body: readonly Stmt[];
  readonly origin: Origin | null;
}

/** A template after lowering, and what passes found out about it. */
export interface Module {
  readonly dialect: Dialect;
  readonly body: readonly Stmt[];
  readonly functions: readonly FunctionDef[];
  /** The intrinsic through which the input goes before its fields are read. */
  readonly prepare: IntrinsicName | null;
  /** What passes proved of locals, by id; a local that is not here has its own `kinds`. */
  readonly facts: ReadonlyMap<number, Kinds>;
  /** Inputs that the template reads, beside those that the module still does: their values change nothing. */
  readonly asked?: ReadonlySet<string>;
  /**
   * Where what is written may be text that remembers its origin: the locals, by id, that may hold such a text or another
   * value with its origin, whatever kinds they have otherwise.
   */
  readonly carriers?: ReadonlySet<number>;
}

/** Makes locals and functions whose ids are unique in one compilation. */
export class Ids {
  #next: number;

  constructor(first = 0) {
    this.#next = first;
  }

  local(name: string, kinds: Kinds, type?: string): Local {
    const local = { id: this.#next++, name, kinds };
    return type === undefined ? local : { ...local, type };
  }

  function(name: string): FunctionName {
    return { id: this.#next++, name };
  }
}
