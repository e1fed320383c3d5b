/** What the generated templates were made of, read off their syntax trees, and what their inputs held. */
import type {
  IfNode,
  ListNode,
  NumberNode,
  Operand,
  PipeNode,
  RangeNode,
  Stmt,
  StringNode,
  TemplateSet,
  VariableNode,
  WithNode,
} from "../../../compiler/go/ast.js";
import { builtins } from "../../../compiler/go/builtins.js";
import { parse } from "../../../compiler/go/parser.js";
import { models } from "../../../compiler/go/model.js";
import { Diagnostics } from "../../../compiler/diagnostics.js";
import { Source } from "../../../compiler/source.js";
import { ALL_VERBS, FLAGS } from "./formats.js";

export type Dialect = "go" | "ollama";

const ACTIONS =
  "print declare assign if else else-if with else-with range-0 range-1 range-2 range-assigns range-else break continue template template-without-argument define block comment trim text";
const OPERANDS =
  "Dot Field field-chain Variable variable-chain dollar Chain Bool String raw-string stray-string Nil Pipe Identifier int float rune hexadecimal octal binary underscored complex negative";
const VALUES =
  "text empty-text line-break not-ascii past-bmp lone-surrogate escaped int negative exponent minus-zero fraction integral-float long-int true false null list empty-list object empty-object nested-list odd-key";
/** What may stand in a directive before its verb. */
const MODIFIERS = ["none", ...FLAGS, "width", "star", "precision", "star-precision", "index"];

function named(group: string, names: readonly string[]): string[] {
  return names.map((name) => `${group} ${name}`);
}

/** All that a campaign is to reach. */
function items(dialect: Dialect): string[] {
  const verbs = ALL_VERBS.flatMap((verb) => MODIFIERS.map((each) => `${verb}/${each}`));
  const fields = Object.values(models).flatMap((model) =>
    Object.keys({ ...model.fields, ...model.methods, ...model.refused }),
  );
  return [
    ...named("action", ACTIONS.split(" ")),
    ...named("operand", OPERANDS.split(" ")),
    ...named("value", VALUES.split(" ")),
    ...named("call", [...builtins.keys()]),
    ...named("piped", [...builtins.keys()]),
    ...named("directive", verbs),
    ...(dialect === "ollama" ? named("field", [...new Set(fields)]) : []),
  ];
}

const SYNTAX: readonly (readonly [string, RegExp])[] = [
  ["define", /\{\{(?:- )?\s*define\b/],
  ["block", /\{\{(?:- )?\s*block\b/],
  ["comment", /\{\{(?:- )?\/\*/],
  ["trim", /\{\{- | -\}\}/],
  ["else-if", /\{\{(?:- )?\s*else if\b/],
  ["else-with", /\{\{(?:- )?\s*else with\b/],
];

const INPUTS: readonly (readonly [string, RegExp])[] = [
  ["empty-text", /:""/],
  ["text", /:"[ -~]+"/],
  ["line-break", /\\n/],
  ["not-ascii", /[\u0080-\ud7ff\ue000-\uffff]/],
  ["past-bmp", /[\ud800-\udbff][\udc00-\udfff]/],
  ["lone-surrogate", /\\ud[89a-f]/],
  ["escaped", /\\["\\/tbfru]/],
  ["int", /[:,[]\d+(?=[,}\]])/],
  ["negative", /[:,[]-[1-9]/],
  ["exponent", /\d[eE]/],
  ["minus-zero", /-0\.0/],
  ["fraction", /\d\.\d*[1-9]/],
  ["integral-float", /\d\.0(?=[,}\]])/],
  ["long-int", /\d{16}/],
  ["true", /[:,[]true/],
  ["false", /[:,[]false/],
  ["null", /[:,[]null/],
  ["list", /\[[^\]]/],
  ["empty-list", /\[\]/],
  ["nested-list", /\[\[/],
  ["object", /\{"/],
  ["empty-object", /\{\}/],
  ["odd-key", /"(?:__proto__|constructor|length|10|\u00e9|<x>)":/],
];

export class Coverage {
  readonly #counts = new Map<string, number>();
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  hit(item: string, times = 1): void {
    this.#counts.set(item, (this.#counts.get(item) ?? 0) + times);
  }

  /** Takes over what another seed has counted. */
  add(other: Coverage): void {
    for (const [item, count] of other.#counts) this.hit(item, count);
  }

  /** Counts what a template holds, once for each input that it is rendered on. */
  template(text: string, inputs: number): void {
    const found = new Set<string>();
    const source = new Source(text, "fuzz");
    try {
      new Reader(found).set(parse(source, new Diagnostics(source), { dialect: "go" }));
    } catch {
      this.hit("result refused", inputs);
      return;
    }
    for (const [name, pattern] of SYNTAX) if (pattern.test(text)) found.add(`action ${name}`);
    for (const item of found) this.hit(item, inputs);
  }

  input(json: string): void {
    for (const [name, pattern] of INPUTS) if (pattern.test(json)) this.hit(`value ${name}`);
  }

  /** `group: name count, name count`. */
  report(): string[] {
    const groups = new Map<string, string[]>();
    for (const [item, count] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [group = "", ...rest] = item.split(" ");
      const members = groups.get(group) ?? [];
      groups.set(group, [...members, `${rest.join(" ")} ${String(count)}`]);
    }
    return [...groups].map(([group, members]) => `  ${group}: ${members.join(", ")}`);
  }

  /** The items that came up less often than that, with how often they did. */
  rare(least: number): string[] {
    const counted = items(this.#dialect).map(
      (item) => [item, this.#counts.get(item) ?? 0] as const,
    );
    return counted
      .filter(([, count]) => count < least)
      .map(([item, count]) => `${item} ${String(count)}`);
  }
}

/** Finds the items of a syntax tree. */
class Reader {
  readonly #found: Set<string>;

  constructor(found: Set<string>) {
    this.#found = found;
  }

  set({ main, defines }: TemplateSet): void {
    for (const list of [main, ...defines.values()]) this.#list(list);
  }

  #add(group: string, name: string): void {
    this.#found.add(`${group} ${name}`);
  }

  #list(list: ListNode | null): void {
    for (const node of list?.nodes ?? []) this.#statement(node);
  }

  #statement(node: Stmt): void {
    switch (node.type) {
      case "Action":
        this.#action(node.pipe);
        break;
      case "If":
      case "With":
        this.#add("action", node.type.toLowerCase());
        if (node.otherwise !== null) this.#add("action", "else");
        this.#branch(node);
        break;
      case "Range":
        this.#range(node);
        break;
      case "Template":
        this.#add("action", node.pipe === null ? "template-without-argument" : "template");
        if (node.pipe !== null) this.#pipe(node.pipe);
        break;
      default:
        this.#add("action", node.type.toLowerCase());
    }
  }

  #branch({ pipe, list, otherwise }: IfNode | WithNode | RangeNode): void {
    this.#pipe(pipe);
    this.#list(list);
    this.#list(otherwise);
  }

  #action(pipe: PipeNode): void {
    const { declare, assigns } = pipe;
    this.#add("action", declare.length === 0 ? "print" : assigns ? "assign" : "declare");
    this.#pipe(pipe);
  }

  #range(node: RangeNode): void {
    this.#add("action", `range-${String(node.pipe.declare.length)}`);
    if (node.pipe.assigns) this.#add("action", "range-assigns");
    if (node.otherwise !== null) this.#add("action", "range-else");
    this.#branch(node);
  }

  #pipe({ commands }: PipeNode): void {
    for (const [at, { args }] of commands.entries()) {
      for (const arg of args) this.#operand(arg);
      const [first, format] = args;
      if (first?.type !== "Identifier") continue;
      this.#add(at > 0 ? "piped" : "call", first.name);
      if (first.name === "printf" && format?.type === "String") this.#format(format.text);
    }
  }

  #format(text: string): void {
    const directives =
      /%([+\-# 0]*)(\[[^\]]*\])?(\*|\d+)?(?:\.(\[[^\]]*\])?(\*|\d*))?(\[[^\]]*\])?(.)/gsu;
    for (const [, flags = "", a, width, b, precision, c, verb = ""] of text.matchAll(directives)) {
      const index = a ?? b ?? c;
      const modifiers = [
        ...flags,
        ...(width === undefined ? [] : [width === "*" ? "star" : "width"]),
        ...(precision === undefined ? [] : [precision === "*" ? "star-precision" : "precision"]),
        ...(index === undefined ? [] : ["index"]),
      ];
      for (const each of modifiers.length === 0 ? ["none"] : modifiers)
        this.#add("directive", `${verb}/${each}`);
    }
  }

  #operand(node: Operand): void {
    switch (node.type) {
      case "Number":
        this.#number(node);
        break;
      case "String":
        this.#string(node);
        break;
      case "Field":
        this.#names(node.names);
        this.#add("operand", node.names.length > 1 ? "field-chain" : "Field");
        break;
      case "Variable":
        this.#variable(node);
        break;
      case "Chain":
        this.#names(node.names);
        this.#add("operand", node.type);
        this.#operand(node.node);
        break;
      case "Pipe":
        this.#add("operand", node.type);
        this.#pipe(node);
        break;
      default:
        this.#add("operand", node.type);
    }
  }

  #variable({ names: [name, ...fields] }: VariableNode): void {
    this.#names(fields);
    const plain = name === "$" ? "dollar" : "Variable";
    this.#add("operand", fields.length > 0 ? "variable-chain" : plain);
  }

  #names(names: readonly string[]): void {
    for (const name of names) this.#add("field", name);
  }

  #number({ text, rune, int, float, complex }: NumberNode): void {
    if (rune) this.#add("operand", "rune");
    else if (/^[+-]?0x/i.test(text)) this.#add("operand", "hexadecimal");
    else if (/^[+-]?0b/i.test(text)) this.#add("operand", "binary");
    else if (/^[+-]?0o?[0-7]/i.test(text)) this.#add("operand", "octal");
    if (text.includes("_")) this.#add("operand", "underscored");
    if (text.startsWith("-")) this.#add("operand", "negative");
    if (complex !== null) this.#add("operand", "complex");
    else if (/[.e]/i.test(text) && float !== null) this.#add("operand", "float");
    else if (int !== null) this.#add("operand", "int");
  }

  #string({ quoted, text }: StringNode): void {
    const isStray = /[\udc80-\udcff]/u.test(text);
    const kind = quoted.startsWith("`") ? "raw-string" : isStray ? "stray-string" : "String";
    this.#add("operand", kind);
  }
}
