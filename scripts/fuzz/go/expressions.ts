/** Random pipelines, mostly of values that suit where they stand. */
import { builtins } from "../../../compiler/go/builtins.js";
import { floatLiteral, format, intLiteral, stringLiteral } from "./formats.js";
import type { Random } from "./random.js";
import type { Kind, Shape, Shapes } from "./shapes.js";

export interface Variable {
  readonly name: string;
  readonly shape: string;
}

/** What an expression can refer to. */
export interface Scope {
  /** The shapes of `.` and `$`. */
  readonly dot: string;
  readonly dollar: string;
  readonly variables: readonly Variable[];
}

const MISUSE = 0.04;
const WALKS = 12;
const STEPS = 5;

type Call = (scope: Scope, depth: number) => string;

export class Expressions {
  readonly random: Random;
  readonly shapes: Shapes;

  constructor(random: Random, shapes: Shapes) {
    this.random = random;
    this.shapes = shapes;
  }

  shape(name: string): Shape {
    return this.shapes.get(name) ?? { kind: "any" };
  }

  /** A pipeline whose value is of the kind. */
  pipeline(kind: Kind, scope: Scope, depth = 2): string {
    const { random } = this;
    if (depth > 0 && random.chance(0.15)) return this.#piped(kind, scope, depth - 1);
    if (depth > 0 && random.chance(0.3)) return this.#call(kind, scope, depth - 1);
    const operand = this.operand(kind, scope, depth);
    return random.chance(0.04) ? `(${operand})` : operand;
  }

  /** One argument: a path, a literal or a pipeline in parentheses. */
  operand(kind: Kind, scope: Scope, depth: number): string {
    const { random } = this;
    if (random.chance(0.01)) return "nil";
    const wanted = random.chance(MISUSE) ? "any" : kind;
    if (random.chance(0.6)) {
      const path = this.path(scope, (shape) => wanted === "any" || shape.kind === wanted);
      if (path !== undefined) return path.text;
    }
    if (depth > 0 && random.chance(0.6)) return `(${this.pipeline(wanted, scope, depth - 1)})`;
    return this.#literal(wanted, scope);
  }

  /** A walk over fields and items from `.`, `$` or a variable to a value that is accepted. */
  path(
    scope: Scope,
    accept: (shape: Shape) => boolean,
  ): { readonly text: string; readonly shape: string } | undefined {
    for (let walk = 0; walk < WALKS; walk++) {
      const found = this.#walk(scope, accept);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #walk(
    scope: Scope,
    accept: (shape: Shape) => boolean,
  ): { readonly text: string; readonly shape: string } | undefined {
    const { random } = this;
    let { text, shape } = this.#start(scope);
    for (let step = 0; step < STEPS; step++) {
      const current = this.shape(shape);
      if (accept(current) && random.chance(0.6)) return { text, shape };
      const next = this.#step(text, current);
      if (next === undefined) break;
      ({ text, shape } = next);
    }
    return accept(this.shape(shape)) ? { text, shape } : undefined;
  }

  #start(scope: Scope): { text: string; shape: string } {
    const { random } = this;
    const variable = random.pickOf(scope.variables);
    if (variable !== undefined && random.chance(0.5))
      return { text: variable.name, shape: variable.shape };
    if (random.chance(0.25)) return { text: "$", shape: scope.dollar };
    return { text: ".", shape: scope.dot };
  }

  #step(
    text: string,
    { kind, fields, element }: Shape,
  ): { text: string; shape: string } | undefined {
    const { random } = this;
    if (fields !== undefined && (element === undefined || random.chance(0.7))) {
      const [name, shape] = this.#field(fields);
      return { text: text === "." ? `.${name}` : `${text}.${name}`, shape };
    }
    if (element === undefined) return undefined;
    const key =
      kind === "list"
        ? String(
            random.weighted([
              [8, 0],
              [3, 1],
              [1, 2],
            ]),
          )
        : this.#key(fields);
    return { text: `(index ${text} ${key})`, shape: element };
  }

  #key(fields: Shape["fields"]): string {
    return JSON.stringify(this.random.pickOf(Object.keys(fields ?? {})) ?? "a");
  }

  #field(fields: Readonly<Record<string, string>>): readonly [string, string] {
    const { random } = this;
    const named = Object.entries(fields).filter(([name]) => /^[\p{L}_]\w*$/u.test(name));
    if (random.chance(0.015)) return [random.pick(["Nope", "role", "toString", "Len"]), "any"];
    const field = random.pickOf(named) ?? ["x", "any"];
    return field;
  }

  #literal(kind: Kind, scope: Scope): string {
    const { random } = this;
    switch (kind) {
      case "string":
        return stringLiteral(random);
      case "int":
        return intLiteral(random);
      case "float":
        return floatLiteral(random);
      case "bool":
        return random.pick(["true", "false"]);
      case "nil":
        return random.pick([".Missing", "$.missing", "nil"]);
      case "any":
        return this.#literal(random.pick(["string", "int", "bool", "float", "string"]), scope);
      default:
        return this.path(scope, (shape) => shape.kind === kind)?.text ?? ".";
    }
  }

  #piped(kind: Kind, scope: Scope, depth: number): string {
    const { random } = this;
    const last = this.#call(kind, scope, depth).replace(
      / (?:\([^()]*\)|"(?:[^"\\]|\\.)*"|[^ ()"`]+)$/,
      "",
    );
    const source = random.chance(0.5)
      ? this.operand(random.pick(["string", "any", "int", "list"]), scope, depth)
      : this.#call(random.pick(["string", "any"]), scope, depth);
    return `${source} | ${last}`;
  }

  #call(kind: Kind, scope: Scope, depth: number): string {
    const choices = this.#callsOf(kind);
    const name = this.random.pickOf(choices) ?? "print";
    const call = this.#calls[name];
    if (call !== undefined && !this.random.chance(0.01)) return call(scope, depth);
    return this.#oddCall(name, scope, depth);
  }

  /** A call whose arguments suit nothing. */
  #oddCall(name: string, scope: Scope, depth: number): string {
    const count = this.random.between(0, 3);
    const args = this.random.times(count, () => ` ${this.operand("any", scope, depth)}`);
    return name + args.join("");
  }

  #callsOf(kind: Kind): readonly string[] {
    switch (kind) {
      case "string":
        return [
          "print",
          ...this.random.times(9, () => "printf"),
          "println",
          "json",
          "html",
          "js",
          "urlquery",
        ].concat(["slice-text", "currentDate", "yesterdayDate", "toTypeScriptType", "and", "or"]);
      case "int":
        return ["len", "len", "index-text", "or"];
      case "bool":
        return ["eq", "eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or"];
      case "list":
        return ["slice-list"];
      case "any":
        return [...builtins.keys(), "index"];
      default:
        return ["or", "and", "index"];
    }
  }

  readonly #calls: Readonly<Record<string, Call>> = {
    printf: (scope, depth) => {
      const { text, takes } = format(this.random);
      return `printf ${JSON.stringify(text)}${this.#operands(takes, scope, depth)}`;
    },
    json: (scope, depth) => `json${this.#operands(["any"], scope, depth)}`,
    toTypeScriptType: (scope, depth) => {
      const path = this.path(scope, ({ fields }) => fields?.["ToTypeScriptType"] !== undefined);
      return `toTypeScriptType ${path?.text ?? this.operand("any", scope, depth)}`;
    },
    "slice-text": (scope, depth) => this.#slice("string", scope, depth),
    "slice-list": (scope, depth) => this.#slice("list", scope, depth),
    slice: (scope, depth) => this.#slice(this.random.pick(["list", "string"]), scope, depth),
    "index-text": (scope, depth) => `index${this.#operands(["string", "int"], scope, depth)}`,
    index: (scope, depth) =>
      this.random.chance(0.6)
        ? `index${this.#operands(["list", "int"], scope, depth)}`
        : `index${this.#operands(["map", "string"], scope, depth)}`,
    len: (scope, depth) =>
      `len${this.#operands([this.random.pick(["list", "string", "map", "list"])], scope, depth)}`,
    not: (scope, depth) => `not${this.#operands([this.#test()], scope, depth)}`,
    and: (scope, depth) => `and${this.#tests(scope, depth)}`,
    or: (scope, depth) => `or${this.#tests(scope, depth)}`,
    eq: (scope, depth) => {
      const kind = this.random.pick<Kind>(["string", "string", "int", "bool", "float", "any"]);
      const more = this.random.chance(0.2) ? [kind, kind] : [kind];
      return `eq${this.#operands([kind, ...more], scope, depth)}`;
    },
    ne: (scope, depth) => this.#comparison("ne", scope, depth),
    lt: (scope, depth) => this.#comparison("lt", scope, depth),
    le: (scope, depth) => this.#comparison("le", scope, depth),
    gt: (scope, depth) => this.#comparison("gt", scope, depth),
    ge: (scope, depth) => this.#comparison("ge", scope, depth),
    call: (scope, depth) => `call${this.#operands(["any"], scope, depth)}`,
    currentDate: () => "currentDate",
    yesterdayDate: () => "yesterdayDate",
    print: (scope, depth) => `print${this.#some(scope, depth)}`,
    println: (scope, depth) => `println${this.#some(scope, depth)}`,
    html: (scope, depth) => `html${this.#some(scope, depth)}`,
    js: (scope, depth) => `js${this.#some(scope, depth)}`,
    urlquery: (scope, depth) => `urlquery${this.#some(scope, depth)}`,
  };

  #operands(kinds: readonly Kind[], scope: Scope, depth: number): string {
    return kinds.map((kind) => ` ${this.operand(kind, scope, depth)}`).join("");
  }

  #some(scope: Scope, depth: number): string {
    const kinds = this.random.times(this.random.between(1, 3), () =>
      this.random.pick<Kind>(["any", "string", "int"]),
    );
    return this.#operands(kinds, scope, depth);
  }

  #test(): Kind {
    return this.random.pick(["bool", "string", "list", "any", "int"]);
  }

  #tests(scope: Scope, depth: number): string {
    const kinds = this.random.times(this.random.between(1, 3), () => this.#test());
    return this.#operands(kinds, scope, depth);
  }

  #comparison(name: string, scope: Scope, depth: number): string {
    const kind = this.random.pick<Kind>(["int", "int", "string", "float"]);
    return `${name}${this.#operands([kind, kind], scope, depth)}`;
  }

  #slice(kind: "list" | "string", scope: Scope, depth: number): string {
    const bounds = this.random.weighted<Kind[]>([
      [1, []],
      [5, ["int"]],
      [8, ["int", "int"]],
      [1, ["int", "int", "int"]],
    ]);
    return `slice${this.#operands([kind, ...bounds], scope, depth)}`;
  }
}
