/** text/template's execution (exec.go): a state that walks the tree and remembers the node it is at. */
import type {
  ActionNode,
  ChainNode,
  CommandNode,
  FieldNode,
  IdentifierNode,
  IfNode,
  ListNode,
  Operand,
  PipeNode,
  RangeNode,
  Stmt,
  TemplateNode,
  VariableNode,
  WithNode,
} from "../../compiler/go/ast.js";
import { place, printNode, type Node } from "../../compiler/go/print.js";
import type { Source } from "../../compiler/source.js";
import { evalField, evalFunctionCall } from "./go-call.js";
import { showValue, sprint } from "./go-fmt.js";
import { printable } from "./go-functions.js";
import type { GoFunction } from "./go-methods.js";
import {
  bool,
  dynamic,
  indirect,
  int,
  isTrue,
  elements,
  sortedEntries,
  string,
  type IntValue,
  type Value,
} from "./go-values.js";
import { idealConstant } from "./go-constants.js";
import { quote } from "./go-quote.js";
import { fromBinary, toBytes, toText } from "./go-utf8.js";

/** What a template is executed with. */
export interface Program {
  readonly source: Source;
  readonly main: ListNode;
  readonly defines: ReadonlyMap<string, ListNode>;
  /** The function map; builtins are found without it. */
  readonly functions: ReadonlyMap<string, GoFunction>;
  /** missingkey=zero; otherwise a missing key is the invalid value. */
  readonly missingKeyZero: boolean;
}

/** An execution error with Go's whole message. */
export class ExecError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string) {
    super(message);
    const [, line = "1", column = "0"] = /^template: :(\d+):(\d+):/.exec(message) ?? [];
    this.line = Number(line);
    this.column = Number(column);
  }
}

/** A piped argument; `undefined` when the command stands first (Go's missingVal). */
export type Final = Value | null | undefined;

/**
 * Go stops at 100,000 templates within templates; JavaScript's stack ends earlier. A cycle of up to twelve templates
 * is at the same template after 1,000 as after 100,000, so the message names the same place.
 */
const DEPTH_LIMIT = 1000;
const TOO_DEEP = "exceeded maximum template depth (100000)";

/** %q of a text. */
function quoted(text: string): string {
  return toText(quote(toBytes(text), false));
}

/** `break` and `continue` on their way to the range they leave. */
class LoopExit extends Error {
  readonly type: "Break" | "Continue";

  constructor(type: "Break" | "Continue") {
    super(type);
    this.type = type;
  }
}

/** 0 to n − 1 in the type of n; an index there is none. */
function* countTo(n: IntValue): Generator<readonly [null, Value]> {
  for (let i = 0n; i < n.int; i++) yield [null, { ...n, int: i }];
}

interface Variable {
  readonly name: string;
  value: Value | null;
}

export class State {
  readonly program: Program;
  readonly #out: number[];
  readonly #name: string;
  readonly #depth: number;
  #node: Node;
  #variables: Variable[];

  constructor(
    program: Program,
    out: number[],
    name: string,
    root: Node,
    dot: Value | null,
    depth: number,
  ) {
    this.program = program;
    this.#out = out;
    this.#name = name;
    this.#node = root;
    this.#depth = depth;
    this.#variables = [{ name: "$", value: dot }];
  }

  at(node: Node): void {
    this.#node = node;
  }

  /** state.errorf */
  fail(message: string): never {
    const where = place(this.program.source, this.#node, this.#name);
    throw new ExecError(`template: :${where}: ${message}`.toWellFormed());
  }

  walk(dot: Value | null, node: Stmt | ListNode): void {
    this.at(node);
    switch (node.type) {
      case "List":
        for (const child of node.nodes) this.walk(dot, child);
        return;
      case "Text":
        this.#write(toBytes(node.text));
        return;
      case "Action": {
        this.#action(dot, node);
        return;
      }
      case "If":
      case "With": {
        this.#branch(dot, node);
        return;
      }
      case "Range": {
        this.#range(dot, node);
        return;
      }
      case "Template": {
        this.#template(dot, node);
        return;
      }
      case "Break":
      case "Continue":
        throw new LoopExit(node.type);
    }
  }

  #write(bytes: Uint8Array): void {
    for (const byte of bytes) this.#out.push(byte);
  }

  #action(dot: Value | null, node: ActionNode): void {
    const value = this.pipeline(dot, node.pipe);
    if (node.pipe.declare.length > 0) return;
    this.at(node);
    const shown = printable(value);
    if (shown.kind === "func") {
      this.fail(`can't print ${printNode(node)} of type ${shown.type.name}`);
    }
    this.#write(sprint([shown]));
  }

  /** Variables declared inside end here. */
  #scoped(run: () => void): void {
    const mark = this.#variables.length;
    try {
      run();
    } finally {
      this.#variables.length = mark;
    }
  }

  #branch(dot: Value | null, node: IfNode | WithNode): void {
    this.#scoped(() => {
      const value = this.pipeline(dot, node.pipe);
      if (isTrue(dynamic(value))) this.walk(node.type === "With" ? value : dot, node.list);
      else if (node.otherwise !== null) this.walk(dot, node.otherwise);
    });
  }

  #range(dot: Value | null, node: RangeNode): void {
    this.at(node);
    this.#scoped(() => {
      const { value } = indirect(this.pipeline(dot, node.pipe));
      const pairs = this.#pairs(value, node.pipe.declare.length > 1);
      try {
        let ran = false;
        for (const [key, item] of pairs) {
          ran = true;
          this.#iteration(node, key, item);
        }
        // A break in here, meant for an outer range, ends only this one: Go recovers it too early.
        if (!ran && node.otherwise !== null) this.walk(dot, node.otherwise);
      } catch (error) {
        if (!(error instanceof LoopExit) || error.type !== "Break") throw error;
      }
    });
  }

  /** What range goes over: an index or key (invalid for ints) with each element. */
  #pairs(value: Value | null, two: boolean): Iterable<readonly [Value | null, Value]> {
    switch (value?.kind) {
      case undefined:
        return [];
      case "int":
        if (two)
          this.fail(`can't use ${showValue(value, "v")} to iterate over more than one variable`);
        return countTo(value);
      case "slice":
        return elements(value).map((item, i) => [int(i), item]);
      case "map":
        return sortedEntries(value).map(([key, item]) => [string(fromBinary(key)), item]);
      case "func":
        // With one variable an iterator over pairs gives its keys.
        return two ? value.pairs : value.pairs.map(([key]) => [null, key]);
      default:
        return this.fail(`range can't iterate over ${showValue(value, "v")}`);
    }
  }

  #iteration(node: RangeNode, key: Value | null, item: Value): void {
    const { declare, assigns } = node.pipe;
    const [first, second] = declare;
    const values = second === undefined ? [item] : [key, item];
    [first, second].forEach((variable, i) => {
      const value = values[i] ?? null;
      if (variable === undefined) return;
      if (assigns) this.#assign(variable.names[0] ?? "", value);
      else this.#setFromTop(declare.length - i, value);
    });
    this.#scoped(() => {
      try {
        this.walk(item, node.list);
      } catch (error) {
        if (!(error instanceof LoopExit) || error.type !== "Continue") throw error;
      }
    });
  }

  #template(dot: Value | null, node: TemplateNode): void {
    this.at(node);
    const { name } = node;
    const body = name === "" ? this.program.main : this.program.defines.get(name);
    if (body === undefined) this.fail(`template ${quoted(name)} not defined`);
    if (this.#depth === DEPTH_LIMIT) this.fail(TOO_DEEP);
    const argument = node.pipe === null ? null : this.pipeline(dot, node.pipe);
    const inner = new State(this.program, this.#out, name, body, argument, this.#depth + 1);
    try {
      inner.walk(argument, body);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.at(node);
      this.fail(TOO_DEEP);
    }
  }

  #setFromTop(count: number, value: Value | null): void {
    const variable = this.#variables[this.#variables.length - count];
    if (variable !== undefined) variable.value = value;
  }

  #find(name: string): Variable {
    const found = this.#variables.findLast((variable) => variable.name === name);
    return found ?? this.fail(`undefined variable: ${name}`);
  }

  #assign(name: string, value: Value | null): void {
    this.#find(name).value = value;
  }

  /** evalPipeline */
  pipeline(dot: Value | null, pipe: PipeNode): Value | null {
    this.at(pipe);
    let value: Final = undefined;
    for (const command of pipe.commands) value = dynamic(this.#command(dot, command, value));
    const result = value ?? null;
    for (const variable of pipe.declare) {
      const name = variable.names[0] ?? "";
      if (pipe.assigns) this.#assign(name, result);
      else this.#variables.push({ name, value: result });
    }
    return result;
  }

  #command(dot: Value | null, command: CommandNode, final: Final): Value | null {
    const { args } = command;
    const [first] = args;
    if (first === undefined) return null;
    switch (first.type) {
      case "Field":
        return this.field(dot, first, args, final);
      case "Chain":
        return this.chain(dot, first, args, final);
      case "Identifier":
        return this.function(dot, first, command, args, final);
      case "Pipe":
        this.#notAFunction(args, final);
        return this.pipeline(dot, first);
      case "Variable":
        return this.variable(dot, first, args, final);
      default:
        this.at(first);
        this.#notAFunction(args, final);
        if (first.type === "Nil") this.fail("nil is not a command");
        return this.literal(dot, first);
    }
  }

  /** A dot or a constant. */
  literal(dot: Value | null, node: Exclude<Operand, { type: "Nil" }>): Value | null {
    this.at(node);
    if (node.type === "Dot") return dot;
    if (node.type === "Bool") return bool(node.value);
    if (node.type === "String") return string(node.text);
    if (node.type === "Number") return idealConstant(node, (message) => this.fail(message));
    return this.fail(`can't evaluate command ${quoted(printNode(node))}`);
  }

  #notAFunction(args: readonly Operand[], final: Final): void {
    const [first] = args;
    if (first === undefined || (args.length < 2 && final === undefined)) return;
    this.fail(`can't give argument to non-function ${printNode(first)}`);
  }

  field(dot: Value | null, node: FieldNode, args: readonly Operand[], final: Final): Value | null {
    this.at(node);
    return this.#fieldChain(dot, dot, node, node.names, args, final);
  }

  chain(dot: Value | null, node: ChainNode, args: readonly Operand[], final: Final): Value | null {
    this.at(node);
    const { node: inner } = node;
    if (inner.type === "Nil") this.fail(`indirection through explicit nil in ${printNode(node)}`);
    this.at(inner);
    const value =
      inner.type === "Pipe"
        ? this.pipeline(dot, inner)
        : inner.type === "Identifier"
          ? this.function(dot, inner, inner, [], undefined)
          : this.literal(dot, inner);
    return this.#fieldChain(dot, value, node, node.names, args, final);
  }

  variable(
    dot: Value | null,
    node: VariableNode,
    args: readonly Operand[],
    final: Final,
  ): Value | null {
    this.at(node);
    const [name = "", ...fields] = node.names;
    const { value } = this.#find(name);
    if (fields.length > 0) return this.#fieldChain(dot, value, node, fields, args, final);
    this.#notAFunction(args, final);
    return value;
  }

  /** Only the last name of a chain gets the arguments. */
  #fieldChain(
    dot: Value | null,
    start: Value | null,
    node: Operand,
    names: readonly string[],
    args: readonly Operand[],
    final: Final,
  ): Value | null {
    let receiver = start;
    names.forEach((name, i) => {
      const last = i === names.length - 1;
      const call = { dot, node, args: last ? args : [], final: last ? final : undefined };
      receiver = evalField(this, name, receiver, call);
    });
    return receiver;
  }

  function(
    dot: Value | null,
    node: IdentifierNode,
    command: Operand | CommandNode,
    args: readonly Operand[],
    final: Final,
  ): Value | null {
    this.at(node);
    return evalFunctionCall(this, node.name, { dot, node: command, args, final });
  }
}
