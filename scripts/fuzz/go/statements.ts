/** Random templates: every action of text/template, over values that the shapes know. */
import { builtins } from "../../../compiler/go/builtins.js";
import { someText } from "./formats.js";
import { Expressions, type Scope, type Variable } from "./expressions.js";
import type { Random } from "./random.js";
import type { Kind, Shapes } from "./shapes.js";

/** Where a statement stands. */
interface Context extends Scope {
  readonly inLoop: boolean;
  /** Templates that may be called: those defined before, so that no call recurs. */
  readonly defines: readonly string[];
}

/** Loops that lead to values deep in the data; what stands inside has their item as its dot. */
export interface Descent {
  readonly open: string;
  readonly dot: string;
}

export interface TemplateStyle {
  readonly shapes: Shapes;
  /** Pieces that make chat templates what they are. */
  readonly chat: readonly string[];
  readonly descents?: readonly Descent[];
}

export class Templates {
  readonly #random: Random;
  readonly #expressions: Expressions;
  readonly #style: TemplateStyle;
  #names = 0;

  constructor(random: Random, style: TemplateStyle) {
    this.#random = random;
    this.#style = style;
    this.#expressions = new Expressions(random, style.shapes);
  }

  template(): string {
    this.#names = 0;
    const random = this.#random;
    const shapes = [...this.#style.shapes.keys()];
    const defines: string[] = [];
    let text = "";
    while (random.chance(0.12)) text += this.#define(defines, shapes);
    const piece = random.pickOf(this.#style.chat);
    if (piece !== undefined && random.chance(0.25)) text += piece;
    const context = { dot: "root", dollar: "root", variables: [], inLoop: false, defines };
    if (random.chance(0.3)) text += this.#descent(context);
    return text + this.#block(context, random.between(1, 4), 3);
  }

  #descent(context: Context): string {
    const descent = this.#random.pickOf(this.#style.descents ?? []);
    if (descent === undefined) return "";
    const { open, dot } = descent;
    const inside = { ...context, dot, inLoop: true };
    const body = this.#member(dot) + this.#block(inside, this.#random.between(1, 3), 2);
    const depth = open.split(/\{\{(?:range|with)/).length - open.split("{{end}}").length;
    return open + body + "{{end}}".repeat(depth);
  }

  /** A use of any of the dot's fields and methods, the rare ones as often as the others. */
  #member(dot: string): string {
    const random = this.#random;
    const name = random.pickOf(Object.keys(this.#expressions.shape(dot).fields ?? {}));
    if (name === undefined) return "";
    const field = `.${name}`;
    const rule = random.pickOf([...builtins.keys()]) ?? "print";
    const use = random.weighted([
      [4, field],
      [2, `${field} | ${rule}`],
      [2, `${rule} ${field}`],
      [1, `range ${field}`],
      [1, `with ${field}`],
    ]);
    return this.#tag(use) + (/^(?:range|with)/.test(use) ? `{{.}}${this.#tag("end")}` : "");
  }

  #define(defines: string[], shapes: readonly string[]): string {
    const name = `t${String(defines.length)}`;
    const dot = this.#random.pickOf(shapes) ?? "any";
    const context = { dot, dollar: dot, variables: [], inLoop: false, defines: [...defines] };
    const text = `${this.#tag(`define "${name}"`)}${this.#block(context, 2, 2)}${this.#tag("end")}`;
    defines.push(name);
    return text;
  }

  /** An action with or without trim markers. */
  #tag(body: string): string {
    const random = this.#random;
    const left = random.chance(0.12) ? "{{- " : "{{";
    const right = random.chance(0.12) ? " -}}" : "}}";
    return left + body + right;
  }

  /** Statements one after the other; those after a declaration can use its variable. */
  #block(context: Context, count: number, depth: number): string {
    let variables = context.variables;
    let text = "";
    for (let index = 0; index < count; index++) {
      const here = { ...context, variables };
      if (this.#random.chance(0.14)) {
        const [statement, variable] = this.#declaration(here);
        text += statement;
        variables = [...variables, variable];
      } else {
        text += this.#statement(here, depth);
      }
    }
    return text;
  }

  #statement(context: Context, depth: number): string {
    const random = this.#random;
    const kind = random.weighted([
      [depth > 0 ? 4 : 0, "if"],
      [depth > 0 ? 4 : 0, "range"],
      [depth > 0 ? 2 : 0, "with"],
      [9, "print"],
      [4, "text"],
      [1, "assign"],
      [0.5, "comment"],
      [context.inLoop ? 0.7 : 0.02, "leave"],
      [context.defines.length > 0 ? 2 : 0.05, "template"],
      [depth > 0 ? 0.3 : 0, "block"],
    ]);
    return this.#statements[kind]?.(context, depth - 1) ?? "";
  }

  readonly #statements: Readonly<Record<string, (context: Context, depth: number) => string>> = {
    if: (context, depth) => this.#if(context, depth),
    range: (context, depth) => this.#range(context, depth),
    with: (context, depth) => this.#with(context, depth),
    print: (context) => this.#tag(this.#expressions.pipeline(this.#printed(), context)),
    text: () => this.#text(),
    assign: (context) => this.#assignment(context),
    comment: () => this.#random.pick(["{{/* c */}}", "{{- /* c */ -}}", "{{/* {{ */ -}}"]),
    leave: (context) => this.#leave(context),
    template: (context) => this.#call(context),
    block: (context, depth) => this.#blockAction(context, depth),
  };

  #printed(): Kind {
    return this.#random.pick([
      "string",
      "string",
      "any",
      "any",
      "int",
      "list",
      "map",
      "bool",
      "float",
    ]);
  }

  #text(): string {
    const random = this.#random;
    return (
      random.pick(["", " ", "\n", "  \n", "\r\n", "\t"]) +
      someText(random) +
      random.pick(["", " ", "\n", "\n\n"])
    );
  }

  #test(context: Context): string {
    const kind = this.#random.pick<Kind>(["bool", "bool", "any", "list", "string", "int"]);
    return this.#expressions.pipeline(kind, context);
  }

  #if(context: Context, depth: number): string {
    const random = this.#random;
    const [start, inner] = this.#condition(context, this.#test(context), "any");
    let text = this.#tag(`if ${start}`) + this.#block(inner, random.between(1, 2), depth);
    while (random.chance(0.2)) {
      text += this.#tag(`else if ${this.#test(inner)}`) + this.#block(inner, 1, depth);
    }
    if (random.chance(0.35)) text += this.#tag("else") + this.#block(inner, 1, depth);
    return text + this.#tag("end");
  }

  /** A condition, now and then with a variable of its value. */
  #condition(context: Context, value: string, shape: string): [string, Context] {
    if (!this.#random.chance(0.1)) return [value, context];
    const name = this.#newName(context);
    const variables = [...context.variables, { name, shape }];
    return [`${name} := ${value}`, { ...context, variables }];
  }

  #with(context: Context, depth: number): string {
    const random = this.#random;
    const path = random.chance(0.75) ? this.#expressions.path(context, () => true) : undefined;
    const value = path?.text ?? this.#expressions.pipeline("any", context);
    const [start, inner] = this.#condition(context, value, path?.shape ?? "any");
    let text = this.#tag(`with ${start}`);
    text += this.#block({ ...inner, dot: path?.shape ?? "any" }, random.between(1, 2), depth);
    if (random.chance(0.1)) {
      text += this.#tag(`else with ${this.#test(inner)}`);
      text += this.#block({ ...inner, dot: "any" }, 1, depth);
    }
    if (random.chance(0.3)) text += this.#tag("else") + this.#block(inner, 1, depth);
    return text + this.#tag("end");
  }

  #range(context: Context, depth: number): string {
    const random = this.#random;
    const kind = random.weighted<Kind>([
      [7, "list"],
      [3, "map"],
      [1.5, "int"],
      [0.5, "any"],
    ]);
    const path = this.#expressions.path(context, (shape) => shape.kind === kind);
    const value =
      kind === "int" && random.chance(0.6)
        ? String(random.between(-1, 4))
        : (path?.text ?? this.#expressions.operand(kind, context, 1));
    const item = kind === "int" ? "int" : this.#elementOf(path?.shape);
    const [head, declared] = this.#rangeVariables(context, kind, item);
    const variables = [...context.variables, ...declared];
    const inner = { ...context, variables, dot: item, inLoop: true };
    let text = this.#tag(`range ${head}${value}`) + this.#block(inner, random.between(1, 3), depth);
    if (random.chance(0.25)) {
      text +=
        this.#tag("else") +
        this.#block({ ...inner, dot: context.dot, inLoop: context.inLoop }, 1, depth);
    }
    return text + this.#tag("end");
  }

  #elementOf(shape: string | undefined): string {
    const element = shape === undefined ? undefined : this.#expressions.shape(shape).element;
    return element ?? "any";
  }

  #rangeVariables(context: Context, kind: Kind, item: string): [string, readonly Variable[]] {
    const random = this.#random;
    const count = random.weighted([
      [5, 0],
      [2, 1],
      [4, 2],
    ]);
    const known = random.pickOf(context.variables);
    if (count > 0 && known !== undefined && random.chance(0.08)) {
      return [`${random.chance(0.1) ? "$" : known.name} = `, []];
    }
    const value = { name: this.#newName(context), shape: item };
    if (count === 0) return ["", []];
    if (count === 1) return [`${value.name} := `, [value]];
    const index = { name: this.#newName(context), shape: kind === "map" ? "string" : "int" };
    return [`${index.name}, ${value.name} := `, [index, value]];
  }

  #newName(context: Context): string {
    const known = this.#random.pickOf(context.variables);
    if (known !== undefined && this.#random.chance(0.15)) {
      return this.#random.chance(0.05) ? "$" : known.name;
    }
    return `$v${String(this.#names++)}`;
  }

  #declaration(context: Context): [string, Variable] {
    const random = this.#random;
    const path = random.chance(0.5) ? this.#expressions.path(context, () => true) : undefined;
    const kind = random.pick<Kind>(["string", "int", "bool", "any"]);
    const value = path?.text ?? this.#expressions.pipeline(kind, context);
    const name = this.#newName(context);
    const shape = path?.shape ?? (kind === "any" ? "any" : kind);
    return [this.#tag(`${name} := ${value}`), { name, shape }];
  }

  #assignment(context: Context): string {
    const known = this.#random.chance(0.05)
      ? { name: "$", shape: context.dollar }
      : this.#random.pickOf(context.variables);
    if (known === undefined && !this.#random.chance(0.1)) return this.#text();
    const { name, shape } = known ?? { name: "$none", shape: "any" };
    const kind = this.#random.chance(0.7) ? this.#expressions.shape(shape).kind : "any";
    return this.#tag(`${name} = ${this.#expressions.pipeline(kind, context)}`);
  }

  /** `break` or `continue`, mostly under a condition. */
  #leave(context: Context): string {
    const leave = this.#tag(this.#random.pick(["break", "continue"]));
    if (this.#random.chance(0.25)) return leave;
    return `${this.#tag(`if ${this.#test(context)}`)}${leave}${this.#tag("end")}`;
  }

  #argument(context: Context): string {
    return this.#random.chance(0.9) ? ` ${this.#expressions.pipeline("any", context, 1)}` : "";
  }

  #call(context: Context): string {
    const name = this.#random.pickOf(context.defines) ?? "nope";
    return this.#tag(`template "${name}"${this.#argument(context)}`);
  }

  #blockAction(context: Context, depth: number): string {
    const body = this.#block(
      { ...context, variables: [], inLoop: false, dot: "any", dollar: "any" },
      1,
      depth,
    );
    const name = `b${String(this.#names++)}`;
    return `${this.#tag(`block "${name}"${this.#argument(context)}`)}${body}${this.#tag("end")}`;
  }
}
