/** What the lowering of Go's templates keeps while it walks: values with their Go types, variables, places. */
import type { Report } from "../diagnostics.js";
import {
  Any,
  Bool,
  Deep,
  Dict,
  Index,
  Json,
  List,
  Never,
  None,
  Number,
  Text,
  Undefined,
  type Kinds,
} from "../ir/kinds.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, FunctionDef, FunctionName, Ids, Local, Origin, Stmt } from "../ir/nodes.js";
import type { Source } from "../source.js";
import type { ListNode, TemplateSet } from "./ast.js";
import { isModel, models, typeScriptType, type GoType, type RootField } from "./model.js";
import { place, type Node } from "./print.js";

/** The node that Go's state blames after an expression: for `and` and `or` the end of the operand that they gave. */
export type Ends = Node | { readonly test: Expr; readonly then: Ends; readonly otherwise: Ends };

/** An expression with what Go's reflection would say of its value. */
export interface Val {
  readonly expr: Expr;
  readonly type: GoType;
  /** An interface still holds it: no pipeline has taken it out yet. */
  readonly wrapped: boolean;
  /** For the results of `and` and `or`: their truth, which needs no value. */
  readonly test?: Expr;
  /** A text that may hold bytes that are no UTF-8. */
  readonly stray?: boolean;
  /** Where its evaluation ends, if that is not the same for all values. */
  readonly ends?: Ends;
}

export interface Variable {
  readonly name: string;
  readonly key: string;
  readonly local: Local;
  readonly type: GoType;
  readonly wrapped: boolean;
  readonly stray: boolean;
  /** Its declaration, and the block that it stands in. */
  declared: { readonly block: Stmt[]; readonly stmt: Stmt; readonly report: Report } | null;
  read: boolean;
}

export type VariableType = Pick<Variable, "type" | "wrapped" | "stray">;

/** The data map of one of the ways in which Ollama executes a template. */
export interface Root {
  readonly name: string;
  readonly inputs: Readonly<Record<string, RootField>>;
  readonly values: Readonly<Record<string, Val>>;
  /** What a missing key gives: with missingkey=zero a nil in an interface, by default no value. */
  readonly missing: Val;
}

/** The function that is being lowered: a body of the module or a define. */
export interface Frame {
  readonly key: string;
  readonly template: string;
  readonly root: Root;
  /** The inputs as the function's parameters; null where the body reads them itself. */
  readonly params: Map<string, Local> | null;
  readonly dollar: Val;
  readonly scopes: Variable[][];
  readonly functions: "all" | "builtin";
  readonly defines: ReadonlyMap<string, ListNode>;
}

/** What one round of lowering learns for the next: the types of variables, the inputs of functions. */
export class Facts {
  readonly variables = new Map<string, VariableType>();
  readonly inputs = new Map<string, Set<string>>();
  /** Whether a value may be an iterator, which cannot be printed. */
  iterators = false;
  changed = false;

  startRound(): void {
    this.changed = false;
  }

  noteIterators(): void {
    this.changed ||= !this.iterators;
    this.iterators = true;
  }
}

export interface LowerOptions {
  readonly dialect: "go" | "ollama";
  readonly define?: Readonly<Record<string, unknown>>;
  /** Whether to use what Go's types prove; default true. */
  readonly optimize?: boolean;
  /** Whether templates that read messages obey `forceLegacy` of the request, which only Ollama's tests set. */
  readonly forceLegacy?: boolean;
}

/** One round of lowering. */
export class Lowering {
  readonly set: TemplateSet;
  readonly source: Source;
  readonly options: LowerOptions;
  readonly facts: Facts;
  readonly ids: Ids;
  readonly reports: Report[] = [];
  /** Where declarations stand that something reads in one of the module's bodies. */
  readonly effective = new Set<number>();
  readonly functions = new Map<string, { readonly name: FunctionName; def: FunctionDef | null }>();
  /** The names of variables that `=` assigns somewhere. */
  readonly assigned: ReadonlySet<string>;
  /** Locals of variables that `=` assigns. */
  readonly mutable = new Set<Local>();
  /** The indexes of ranges that nothing assigns, with the list that they count, which nothing assigns either. */
  readonly indexes = new Map<Local, Expr>();
  /** A text is cut by bytes: the request must be decoded strictly. */
  strict = false;
  /** A cut text is printed: bytes that come together there may form a character. */
  joins = false;
  /** The node that Go's state would blame now. */
  at: Node;
  frame: Frame;

  constructor(
    set: TemplateSet,
    source: Source,
    options: LowerOptions,
    state: { facts: Facts; ids: Ids; assigned: ReadonlySet<string>; frame: Frame },
  ) {
    this.set = set;
    this.source = source;
    this.options = options;
    this.facts = state.facts;
    this.ids = state.ids;
    this.assigned = state.assigned;
    this.frame = state.frame;
    this.at = set.main;
  }

  get optimize(): boolean {
    return this.options.optimize !== false;
  }

  /** Where Go would say that an error struck. */
  place(node: Node = this.at): string {
    return place(this.source, node, this.frame.template);
  }

  origin(node: Node, text = ""): Origin {
    return { ...this.source.position(node.span.start), text };
  }

  /** An input of the module, or the parameter that stands for it. */
  input(name: string): Expr {
    const value = this.options.define?.[name];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return literal(value);
    const { params, key } = this.frame;
    if (params === null) return { op: "input", name };
    const known = params.get(name);
    if (known !== undefined) return localRef(known);
    const inputs = this.facts.inputs.get(key) ?? new Set();
    this.facts.inputs.set(key, inputs.add(name));
    this.facts.changed = true;
    return { op: "input", name };
  }

  /** A new local for values of a Go type. */
  newLocal(name: string, type: GoType): Local {
    return this.ids.local(name, kindsOf(type), typeScriptType(type));
  }

  /** The type that a variable has over all its assignments, as far as known; a wider one asks for another round. */
  variableType(key: string, value: VariableType): VariableType {
    const known = this.facts.variables.get(key);
    const joined: VariableType =
      known === undefined
        ? { type: value.type, wrapped: value.wrapped, stray: value.stray }
        : {
            type: joinedVariable(known, value),
            wrapped: known.wrapped || value.wrapped,
            stray: known.stray || value.stray,
          };
    if (known !== undefined && !sameType(known, joined)) this.facts.changed = true;
    this.facts.variables.set(key, joined);
    return joined;
  }

  lookup(name: string): Variable | null {
    for (let i = this.frame.scopes.length - 1; i >= 0; i--) {
      const found = this.frame.scopes[i]?.findLast((variable) => variable.name === name);
      if (found !== undefined) return found;
    }
    return null;
  }
}

function sameType(a: VariableType, b: VariableType): boolean {
  return a.type === b.type && a.wrapped === b.wrapped && a.stray === b.stray;
}

/** Data that stands in an interface here and in none there has to tell so itself. */
function joinedVariable(a: VariableType, b: VariableType): GoType {
  const type = joinTypes(a.type, b.type);
  return type === "json" && a.wrapped !== b.wrapped ? "any" : type;
}

const JSON_TYPES: readonly GoType[] = ["json", "nil", "string", "bool", "float64"];

/** The type of a variable that takes values of both. */
export function joinTypes(a: GoType, b: GoType): GoType {
  if (a === b || b === "never") return a;
  if (a === "never") return b;
  const json = (a === "json" || b === "json") && JSON_TYPES.includes(a) && JSON_TYPES.includes(b);
  return json ? "json" : "any";
}

/** What JavaScript sees of a type. */
export function kindsOf(type: GoType): Kinds {
  switch (type) {
    case "never":
      return Never;
    case "nil":
      return None | Undefined;
    case "bool":
      return Bool;
    case "string":
      return Text;
    case "int":
      return Index;
    case "float64":
      return Number;
    case "json":
      return Json | Undefined;
    case "any":
    case "root":
      return Any;
    case "propertyType":
      return Text | List | Undefined | Deep;
    case "image":
      return Text | None | Dict;
    case "nestedProperties":
    case "properties":
      return Dict | Undefined | Deep;
    case "args":
      return Dict | Deep;
    default:
      return isModel(type) && models[type].shape === "struct" ? Dict : List | Undefined;
  }
}

export function localRef(local: Local): Expr {
  return { op: "local", local };
}

export function literal(value: string | number | bigint | boolean | null | undefined): Expr {
  return { op: "literal", value };
}

export function intrinsic(name: IntrinsicName, args: readonly Expr[], place?: string): Expr {
  return { op: "intrinsic", name, args, place: place ?? null };
}

export function listOf(items: readonly Expr[]): Expr {
  return { op: "list", items };
}

export function compare(
  operator: "===" | "!==" | "<" | "<=" | ">" | ">=",
  left: Expr,
  right: Expr,
): Expr {
  return { op: "compare", operator, left, right };
}

/** A value that no interface holds. */
export function val(type: GoType, expr: Expr): Val {
  return { type, expr, wrapped: false };
}

export const NIL: Val = val("nil", literal(null));

/** A nil in an interface. */
export const WRAPPED_NIL: Val = { ...NIL, wrapped: true };

/** An expression that fails with Go's message, where the state stands or at a given node. */
export function failing(state: Lowering, message: string, node?: Node): Val {
  return val("never", intrinsic("go.fail", [literal(message)], state.place(node)));
}
