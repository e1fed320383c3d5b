/** IR expressions as JavaScript text, with no more parentheses than precedence needs. */
import { intrinsics, type IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, FunctionName, IntrinsicCall, Local, Origin } from "../ir/nodes.js";
import { isIdentifier, quote } from "./names.js";

/** What expressions need to know of the module around them. */
export interface ExpressionNames {
  local(local: Local): string;
  callee(name: FunctionName): string;
  /** How an input is written: by its bare name, or `input.name`. */
  input(name: string): string;
  clock(): string;
  /** The variable that the render writes to. */
  readonly out: string;
  readonly functionOut: string;
  /** The name by which a runtime function is imported. */
  runtime(name: IntrinsicName): string;
  /** The same of the function that a call needs. */
  rule(call: IntrinsicCall): string;
  /** A text: a quoted literal, or the name of the constant that holds it. */
  text(value: string): string;
  /** Whether the parameter of a function is typed as a Value. */
  takesValue(name: FunctionName, position: number): boolean;
  /** Whether names can be read of the expression as it is typed; otherwise it goes through `value`. */
  isReadable(expr: Expr): boolean;
  /** How `value(…)` is imported. */
  asValue(): string;
  /** Text that only the typed form has: a type argument, a non-null assertion. */
  annotate(text: string): string;
  /** A mark where marks are asked for; see marks.ts. */
  mark(origin: Origin | null): string;
  /** The same for an error's place, where it is a `line:column`. */
  markPlace(place: string | null): string;
}

const PRECEDENCE = {
  assign: 2,
  conditional: 3,
  coalesce: 4,
  or: 5,
  and: 6,
  equality: 8,
  relation: 9,
  sum: 11,
  product: 12,
  unary: 14,
  postfix: 17,
  primary: 20,
} as const;

interface Printed {
  readonly text: string;
  readonly precedence: number;
}

export class ExpressionPrinter {
  readonly #names: ExpressionNames;

  constructor(names: ExpressionNames) {
    this.#names = names;
  }

  print(expr: Expr): string {
    return this.#print(expr).text;
  }

  /** The value of a variable whose type is Value. */
  printValue(expr: Expr): string {
    return this.#value(expr);
  }

  /** The operands of `out +=`: parenthesised where they bind looser than `+`. */
  printOperand(expr: Expr): string {
    return this.#atLeast(expr, PRECEDENCE.sum);
  }

  #atLeast(expr: Expr, precedence: number): string {
    const printed = this.#print(expr);
    return printed.precedence < precedence ? `(${printed.text})` : printed.text;
  }

  #print(expr: Expr): Printed {
    const printed = this.#plain(expr);
    if (expr.origin === undefined) return printed;
    return { ...printed, text: this.#names.mark(expr.origin) + printed.text };
  }

  #plain(expr: Expr): Printed {
    switch (expr.op) {
      case "literal":
        return this.#literal(expr.value);
      case "local":
        return primary(this.#names.local(expr.local));
      case "input":
        return primary(this.#names.input(expr.name));
      case "clock":
      case "spans":
      case "written":
      case "function":
      case "rule":
      case "new-set":
        return this.#leaf(expr);
      case "read":
        return this.#read(expr);
      case "at": {
        const list = this.#atLeast(expr.list, PRECEDENCE.postfix);
        return postfix(
          `${list}[${this.print(expr.index)}]${expr.bounded ? this.#names.annotate("!") : ""}`,
        );
      }
      case "count":
        return postfix(
          `${this.#atLeast(expr.list, PRECEDENCE.postfix)}${expr.optional === true ? "?" : ""}.length`,
        );
      case "truthy":
        return this.#print(expr.value);
      case "method":
        return postfix(
          `${this.#atLeast(expr.object, PRECEDENCE.postfix)}.${expr.name}(${this.#list(expr.args)})`,
        );
      case "call":
        return postfix(`${this.#names.callee(expr.callee)}(${this.#callArguments(expr)})`);
      case "intrinsic":
        return this.#intrinsic(expr);
      case "chain":
        return postfix(
          `${this.#atLeast(expr.source, PRECEDENCE.postfix)}.${expr.mode}((${this.#names.local(
            expr.item,
          )}) => ${this.#atLeast(expr.body, PRECEDENCE.assign)})`,
        );
      case "list":
        return primary(`[${this.#list(expr.items)}]`);
      case "record":
        return primary(this.#record(expr.fields));
      case "spread":
        return { text: `...${this.#atLeast(expr.value, PRECEDENCE.assign)}`, precedence: 1 };
      case "assign":
        return {
          text: `(${this.#names.local(expr.local)} = ${this.print(expr.value)})`,
          precedence: PRECEDENCE.primary,
        };
      default:
        return this.#operator(expr);
    }
  }

  #leaf(
    expr: Extract<Expr, { op: "clock" | "spans" | "written" | "function" | "rule" | "new-set" }>,
  ): Printed {
    switch (expr.op) {
      case "clock":
        return primary(this.#names.clock());
      case "spans":
        return primary("spans");
      case "written":
        return expr.inBlock
          ? sum(`${this.#names.out}.length + ${this.#names.functionOut}.length`)
          : postfix(`${this.#names.out}.length`);
      case "function":
        return primary(this.#names.callee(expr.callee));
      case "rule":
        return primary(this.#names.runtime(expr.name));
      case "new-set":
        return primary(`new Set${this.#names.annotate("<number>")}()`);
    }
  }

  #operator(
    expr: Extract<
      Expr,
      {
        op:
          | "concat"
          | "choose"
          | "and"
          | "or"
          | "not"
          | "compare"
          | "arithmetic"
          | "typeof"
          | "coalesce";
      }
    >,
  ): Printed {
    switch (expr.op) {
      case "concat":
        return this.#concat(expr.parts);
      case "choose":
        return {
          text: `${this.#atLeast(expr.test, PRECEDENCE.coalesce)} ? ${this.#atLeast(expr.then, PRECEDENCE.assign)} : ${this.#atLeast(expr.otherwise, PRECEDENCE.assign)}`,
          precedence: PRECEDENCE.conditional,
        };
      case "and":
        return this.#binary(expr.left, "&&", expr.right, PRECEDENCE.and, PRECEDENCE.and);
      case "or":
        return this.#binary(expr.left, "||", expr.right, PRECEDENCE.or, PRECEDENCE.or);
      case "not":
        return {
          text: `!${this.#atLeast(expr.value, PRECEDENCE.unary)}`,
          precedence: PRECEDENCE.unary,
        };
      case "compare": {
        const isEquality = expr.operator === "===" || expr.operator === "!==";
        const own = isEquality ? PRECEDENCE.equality : PRECEDENCE.relation;
        return this.#binary(expr.left, expr.operator, expr.right, own, own + 1);
      }
      case "arithmetic": {
        const isProduct = expr.operator === "*" || expr.operator === "%";
        const own = isProduct ? PRECEDENCE.product : PRECEDENCE.sum;
        return this.#binary(expr.left, expr.operator, expr.right, own, own + 1);
      }
      case "typeof":
        return {
          text: `typeof ${this.#atLeast(expr.value, PRECEDENCE.unary)} === ${quote(expr.type)}`,
          precedence: PRECEDENCE.equality,
        };
      case "coalesce":
        // `??` may not stand beside `||` and `&&` without parentheses.
        return this.#binary(
          expr.value,
          "??",
          expr.otherwise,
          PRECEDENCE.coalesce,
          PRECEDENCE.equality,
        );
    }
  }

  #binary(left: Expr, operator: string, right: Expr, own: number, rightLeast: number): Printed {
    const leftLeast = operator === "??" && left.op !== "coalesce" ? PRECEDENCE.equality : own;
    return {
      text: `${this.#atLeast(left, leftLeast)} ${operator} ${this.#atLeast(right, rightLeast)}`,
      precedence: own,
    };
  }

  #concat(parts: readonly Expr[]): Printed {
    const texts = parts.map((part, i) =>
      this.#atLeast(part, i === 0 ? PRECEDENCE.sum : PRECEDENCE.product),
    );
    return { text: texts.join(" + "), precedence: PRECEDENCE.sum };
  }

  #literal(value: string | number | bigint | boolean | null | undefined): Printed {
    if (typeof value === "string") return primary(this.#names.text(value));
    if (typeof value === "bigint") return negative(`${String(value)}n`);
    if (typeof value === "number") return negative(numberText(value));
    return primary(String(value));
  }

  #read(expr: Extract<Expr, { op: "read" }>): Printed {
    const object = this.#value(expr.object, PRECEDENCE.postfix);
    // What must be made a Value first is no longer seen to be there.
    const isOptional = expr.optional || !this.#names.isReadable(expr.object);
    const dot = isOptional ? "?." : ".";
    if (isIdentifier(expr.name)) return postfix(`${object}${dot}${expr.name}`);
    return postfix(`${object}${isOptional ? "?." : ""}[${quote(expr.name)}]`);
  }

  /** The expression as something that TypeScript takes as a Value. */
  #value(expr: Expr, precedence: number = PRECEDENCE.assign): string {
    return this.#names.isReadable(expr)
      ? this.#atLeast(expr, precedence)
      : `${this.#names.asValue()}(${this.print(expr)})`;
  }

  #intrinsic(expr: Extract<Expr, { op: "intrinsic" }>): Printed {
    const takesValue = intrinsics[expr.name].takesValue === true;
    const args = expr.args.map((arg, i) =>
      takesValue && i === 0 ? this.#value(arg) : this.#atLeast(arg, PRECEDENCE.assign),
    );
    if (expr.place !== null && intrinsics[expr.name].throws) args.push(quote(expr.place));
    const mark = this.#names.markPlace(expr.place);
    return postfix(`${mark}${this.#names.rule(expr)}(${args.join(", ")})`);
  }

  #list(items: readonly Expr[]): string {
    return items
      .map((item) =>
        item.op === "spread" ? this.print(item) : this.#atLeast(item, PRECEDENCE.assign),
      )
      .join(", ");
  }

  /** Arguments that are not given are left out at the end, `undefined` elsewhere. */
  #callArguments({ callee, args }: Extract<Expr, { op: "call" }>): string {
    let last = args.length;
    while (last > 0 && args[last - 1] === null) last--;
    return args
      .slice(0, last)
      .map((arg, i) => {
        if (arg === null) return "undefined";
        return this.#names.takesValue(callee, i)
          ? this.#value(arg)
          : this.#atLeast(arg, PRECEDENCE.assign);
      })
      .join(", ");
  }

  #record(fields: readonly { readonly name: string; readonly value: Expr }[]): string {
    if (fields.length === 0) return "{}";
    const members = fields.map(({ name, value }) => {
      const key = name === "__proto__" || !isIdentifier(name) ? `[${quote(name)}]` : name;
      return `${key}: ${this.#atLeast(value, PRECEDENCE.assign)}`;
    });
    return `{ ${members.join(", ")} }`;
  }
}

function primary(text: string): Printed {
  return { text, precedence: PRECEDENCE.primary };
}

function postfix(text: string): Printed {
  return { text, precedence: PRECEDENCE.postfix };
}

function sum(text: string): Printed {
  return { text, precedence: PRECEDENCE.sum };
}

function negative(text: string): Printed {
  return {
    text,
    precedence: text.startsWith("-") ? PRECEDENCE.unary : PRECEDENCE.primary,
  };
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
