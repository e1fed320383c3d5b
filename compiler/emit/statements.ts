/** IR statements as JavaScript text; types come only through `annotate`. */
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, FunctionDef, Local, Origin, Stmt } from "../ir/nodes.js";
import { isSpanNote, joinedText } from "./bytes.js";
import type { ExpressionPrinter } from "./expressions.js";
import type { Layout } from "./layout.js";
import { countedCall, countedRound } from "./counts.js";
import { withoutMarks } from "./marks.js";
import { commentText, quote } from "./names.js";
import { piecesSink, segmentsSink, textSink, type PieceNames, type Sink } from "./sinks.js";
import {
  countsItself,
  deservesComment,
  endsInReturn,
  isLong,
  partsOf,
  withoutReturn,
  writes,
  writesInLoop,
} from "./statement-shapes.js";
import type { Types } from "./types.js";

export interface StatementNames {
  local(local: Local): string;
  /** The name by which a runtime function is imported. */
  runtime(name: IntrinsicName): string;
  annotate(text: string): string;
  /** Whether anything reads the local. */
  isRead(local: Local): boolean;
  /** The names of the variables that the render and its functions write to. */
  readonly out: string;
  readonly functionOut: string;
  /** Whether the render must be able to tell how much it has written. */
  readonly usesSpans: boolean;
  /** Whether comments show the template's tags. */
  readonly comments: boolean;
  /** Whether work is counted without calls: in code that nobody reads. */
  readonly countsInPlace: boolean;
  /** The text of a function that stands inside another. */
  nestedFunction(fn: FunctionDef): string;
  /** The runtime's functions for texts with an origin; null: what is written is plain text. */
  readonly pieces: PieceNames | null;
  /** A mark where marks are asked for; see marks.ts. */
  mark(origin: Origin | null): string;
}

/** How deep a statement stands, for its indentation and its comments. */
interface Where {
  readonly sink: Sink;
  readonly loops: number;
  readonly nesting: number;
  /** Macros are short: only what stands at their first level is commented. */
  readonly isMacro: boolean;
}

/** Expressions whose type TypeScript may find narrower than Value. */
const NARROW: ReadonlySet<Expr["op"]> = new Set(["literal", "coalesce", "choose", "assign"]);

export class StatementPrinter {
  readonly #names: StatementNames;
  readonly #layout: Layout;
  readonly #types: Types;
  readonly #expressions: ExpressionPrinter;
  #lines: string[] = [];
  /** Where the statement at hand stands in the template. */
  #origin: Origin | null = null;

  constructor(names: StatementNames, layout: Layout, types: Types, expressions: ExpressionPrinter) {
    this.#names = names;
    this.#layout = layout;
    this.#types = types;
    this.#expressions = expressions;
  }

  /** The statements of a function that returns the text that the body writes. */
  functionBody(body: readonly Stmt[], isMacro: boolean): string {
    const { pieces, functionOut, out } = this.#names;
    const name = isMacro ? functionOut : out;
    const sink =
      pieces === null
        ? textSink(name)
        : isMacro
          ? piecesSink(name, pieces)
          : segmentsSink(name, pieces, writesInLoop(body));
    const where = { sink, loops: 0, nesting: 0, isMacro };
    return this.#function(() => {
      if (this.#names.usesSpans && (!isMacro || countsItself(body))) {
        this.#line(sink.open(null));
        this.#list(body, where);
        this.#line(sink.close(null));
      } else {
        this.#tail(body, where);
      }
      this.#nested(body);
    });
  }

  /** The statements of the prompt function that hands its text on to a ByteSink, and returns what is left. */
  byteBody(body: readonly Stmt[], sink: Sink): string {
    const where = { sink, loops: 0, nesting: 0, isMacro: false };
    return this.#function(() => {
      const joined = joinedText(body);
      this.#tail(joined === null ? body : [...body.slice(0, -2), ...joined.body], where);
      if (joined !== null) this.#nested(joined.body);
      this.#nested(body);
    });
  }

  #function(print: () => void): string {
    const outer = this.#lines;
    this.#lines = [];
    print();
    const lines = this.#lines;
    this.#lines = outer;
    while (lines.at(-2) === "" && withoutMarks(lines.at(-1) ?? "").startsWith("return ")) {
      lines.splice(-2, 1);
    }
    return lines.join("\n");
  }

  /** Lines that are printed carry the statement's place; without one, the place of what stands around it. */
  #within(stmt: Stmt, print: () => void): void {
    const outer = this.#origin;
    this.#origin = stmt.origin ?? outer;
    print();
    this.#origin = outer;
  }

  /** Statements at the end of a function: each way through them returns. */
  #tail(list: readonly Stmt[], where: Where): void {
    const index = list.findIndex(writes);
    const stmt = list[index];
    if (stmt === undefined) {
      this.#list(list, where);
      this.#line(where.sink.whole(null));
      return;
    }
    this.#list(list.slice(0, index), where);
    const rest = list.slice(index + 1);
    if (stmt.op === "emit" && rest.length === 0) {
      this.#within(stmt, () => {
        this.#declarations(stmt);
        this.#line(where.sink.whole(this.#expressions.print(stmt.value)));
      });
    } else if (stmt.op === "return") {
      this.#line(where.sink.whole(null));
    } else if (stmt.op === "if" && (rest.length === 0 || endsInReturn(stmt.then))) {
      this.#tailIf(stmt, rest, where);
    } else {
      this.#openOutput(stmt, rest, where);
    }
  }

  #tailIf(stmt: Extract<Stmt, { op: "if" }>, rest: readonly Stmt[], where: Where): void {
    this.#within(stmt, () => {
      this.#declarations(stmt);
      this.#comment(stmt, where);
      this.#line(`if (${this.#expressions.print(stmt.test)}) {`);
      this.#tail(withoutReturn(stmt.then), { ...where, nesting: where.nesting + 1 });
      this.#nested(stmt.then);
      this.#line("}");
    });
    this.#tail([...stmt.otherwise, ...rest], where);
    this.#nested(stmt.otherwise);
  }

  /** The output needs a variable: more than one statement writes. */
  #openOutput(stmt: Stmt, rest: readonly Stmt[], where: Where): void {
    const { sink } = where;
    if (stmt.op === "emit") {
      this.#within(stmt, () => {
        this.#declarations(stmt);
        this.#line(sink.open(this.#joined(stmt.value, sink)));
      });
    } else {
      this.#line(sink.open(null));
      this.#statement(stmt, where);
    }
    const last = rest.at(-1);
    const isShort = sink.closesWithText && last?.op === "emit" && !isLong(last.value);
    if (isShort && where.nesting === 0) {
      this.#list(rest.slice(0, -1), where);
      this.#within(last, () => {
        this.#declarations(last);
        this.#line(sink.close(this.#expressions.printOperand(last.value)));
      });
    } else {
      this.#list(rest, where);
      this.#line(sink.close(null));
    }
  }

  #list(list: readonly Stmt[], where: Where): void {
    for (const stmt of list) this.#statement(stmt, where);
  }

  #block(list: readonly Stmt[], where: Where): void {
    this.#list(list, { ...where, nesting: where.nesting + 1 });
    this.#nested(list);
  }

  /** Functions that capture locals of this list. */
  #nested(list: readonly Stmt[]): void {
    for (const fn of this.#layout.nested.get(list) ?? []) {
      this.#line("");
      this.#line(this.#names.nestedFunction(fn));
    }
  }

  #statement(stmt: Stmt, where: Where): void {
    this.#within(stmt, () => {
      this.#declarations(stmt);
      this.#comment(stmt, where);
      this.#code(stmt, where);
    });
  }

  #code(stmt: Stmt, where: Where): void {
    switch (stmt.op) {
      case "emit":
        this.#emit(stmt.value, where.sink);
        break;
      case "set":
        this.#set(stmt);
        break;
      case "unpack":
        this.#unpack(stmt);
        break;
      case "run":
        if (!this.#names.usesSpans && isSpanNote(stmt)) break;
        this.#line(this.#run(stmt.value));
        break;
      case "if":
        this.#if(stmt, where);
        this.#separate(where);
        break;
      case "each":
        this.#each(stmt, where);
        this.#separate(where);
        break;
      case "entries":
        this.#entries(stmt, where);
        this.#separate(where);
        break;
      case "while":
        this.#line(`while (${this.#expressions.print(stmt.test)}) {`);
        this.#checkpoint(stmt.body, where);
        this.#block(stmt.body, { ...where, loops: where.loops + 1 });
        this.#line("}");
        break;
      case "capture":
        this.#capture(stmt, where);
        break;
      case "break":
      case "continue":
        this.#line(`${stmt.op};`);
        break;
      case "return":
        this.#line(where.sink.close(null));
        break;
      case "round": {
        const { length } = where.sink;
        const rule = this.#names.runtime("limits.round");
        const inPlace = this.#names.countsInPlace;
        this.#line(
          inPlace ? countedRound(length, stmt.place) : `${rule}(${length}, ${quote(stmt.place)});`,
        );
        break;
      }
      case "define":
      case "note":
        break;
    }
  }

  #run(value: Expr): string {
    const counted = this.#names.countsInPlace ? countedCall(value) : null;
    return counted ?? `${this.#expressions.print(value)};`;
  }

  /** What is written at once; the parts of a traced text stand for themselves. */
  #joined(value: Expr, sink: Sink): string {
    const parts = partsOf(value) ?? [value];
    return parts.map((part) => this.#part(part)).join(sink.separator);
  }

  /** A text of one place in the input is written as that place, its key and the text. */
  #part(part: Expr, isOperand = false): string {
    if (part.op === "intrinsic" && part.name === "segments.placed") {
      return part.args.map((arg) => this.#expressions.print(arg)).join(", ");
    }
    return isOperand ? this.#expressions.printOperand(part) : this.#expressions.print(part);
  }

  /** A long output is written in pieces that fit a line. */
  #emit(value: Expr, sink: Sink): void {
    const parts = value.op === "concat" ? value.parts : partsOf(value);
    if (parts === null) {
      this.#line(sink.write(this.#part(value)));
      return;
    }
    let line: string[] = [];
    for (const part of parts) {
      const text = this.#part(part, true);
      const isLong = withoutMarks([...line, text].join(sink.separator)).length > LINE;
      if (line.length > 0 && isLong) {
        this.#line(sink.write(line.join(sink.separator)));
        line = [];
      }
      if (line.length === 0) this.#origin = part.origin ?? this.#origin;
      line.push(text);
    }
    this.#line(sink.write(line.join(sink.separator)));
  }

  #set(stmt: Extract<Stmt, { op: "set" }>): void {
    const name = this.#names.local(stmt.local);
    const isTyped = !this.#types.isInferred(stmt.local);
    const isValue = isTyped && this.#types.ofVariable(stmt.local) === "Value";
    const isConstant = this.#layout.constants.has(stmt.local);
    const value =
      isValue && !isConstant
        ? this.#expressions.printValue(stmt.value)
        : this.#expressions.print(stmt.value);
    if (!this.#layout.declaring.has(stmt)) {
      this.#line(`${name} = ${value};`);
      return;
    }
    if (isConstant) {
      const isEmptyList = stmt.value.op === "list" && stmt.value.items.length === 0;
      const annotation = isEmptyList ? this.#names.annotate(": Value[]") : "";
      this.#line(`const ${name}${annotation} = ${value};`);
      return;
    }
    const type = this.#types.ofVariable(stmt.local);
    const inferred = this.#types.ofExpr(stmt.value);
    // TypeScript would infer less than the variable is assigned later.
    const isNarrow = (type === "Value" || type === "unknown") && NARROW.has(stmt.value.op);
    const annotation =
      (type === inferred && !isNarrow) || this.#types.isInferred(stmt.local) ? "" : `: ${type}`;
    this.#line(`let ${name}${this.#names.annotate(annotation)} = ${value};`);
  }

  #unpack(stmt: Extract<Stmt, { op: "unpack" }>): void {
    const names = stmt.locals
      .map((local) => (this.#isDropped(local) ? "" : this.#names.local(local)))
      .join(", ")
      .replace(/(?:, )+$/, "");
    const value = this.#expressions.print(stmt.value);
    const isConstant = stmt.locals.every((local) => this.#layout.constants.has(local));
    if (this.#layout.declaring.has(stmt)) {
      this.#line(`${isConstant ? "const" : "let"} [${names}] = ${value};`);
    } else {
      this.#line(`[${names}] = ${value};`);
    }
  }

  /** Nothing reads the local, and nothing else assigns it. */
  #isDropped(local: Local): boolean {
    return !this.#names.isRead(local) && this.#layout.constants.has(local);
  }

  #capture(stmt: Extract<Stmt, { op: "capture" }>, where: Where): void {
    const name = this.#names.local(stmt.local);
    this.#line(`${this.#layout.declaring.has(stmt) ? "let " : ""}${name} = "";`);
    this.#list(stmt.body, { ...where, sink: textSink(name) });
    this.#nested(stmt.body);
  }

  #if(stmt: Extract<Stmt, { op: "if" }>, where: Where): void {
    this.#line(`if (${this.#expressions.print(stmt.test)}) {`);
    this.#block(stmt.then, where);
    let rest: readonly Stmt[] = stmt.otherwise;
    for (;;) {
      const [only] = rest;
      if (only?.op !== "if" || rest.length !== 1 || this.#layout.before.has(only)) break;
      this.#origin = only.origin ?? this.#origin;
      this.#line(`} else if (${this.#expressions.print(only.test)}) {`);
      this.#block(only.then, where);
      rest = only.otherwise;
    }
    if (rest.length > 0) {
      this.#line("} else {");
      this.#block(rest, where);
    }
    this.#line("}");
  }

  #each(stmt: Extract<Stmt, { op: "each" }>, where: Where): void {
    const inner = { ...where, loops: where.loops + 1 };
    const source = this.#expressions.print(stmt.source);
    if (stmt.empty.length > 0) this.#line(`if (${source}.length > 0) {`);
    if (stmt.index === null && !stmt.backward) {
      this.#line(`for (${this.#head(stmt.item)} of ${source}) {`);
    } else {
      this.#indexedHead(stmt, source);
    }
    this.#checkpoint(stmt.body, where);
    this.#block(stmt.body, inner);
    this.#line("}");
    if (stmt.empty.length > 0) {
      this.#line("} else {");
      this.#block(stmt.empty, where);
      this.#line("}");
    }
  }

  #indexedHead(stmt: Extract<Stmt, { op: "each" }>, source: string): void {
    const index = stmt.index === null ? "i" : this.#names.local(stmt.index);
    this.#line(`for (let ${index} = 0; ${index} < ${source}.length; ${index}++) {`);
    if (stmt.item === null) return;
    const at = stmt.backward ? `${source}.length - 1 - ${index}` : index;
    const bounded = this.#types.isInferred(stmt.item) ? this.#names.annotate("!") : "";
    this.#line(`${this.#head(stmt.item)} = ${source}[${at}]${bounded};`);
  }

  #head(item: Local | null): string {
    if (item === null) return "const _";
    const keyword = this.#layout.constants.has(item) ? "const" : "let";
    return `${keyword} ${this.#names.local(item)}`;
  }

  #entries(stmt: Extract<Stmt, { op: "entries" }>, where: Where): void {
    const source = this.#expressions.print(stmt.source);
    if (stmt.empty.length > 0) this.#line(`if (${source}.length > 0) {`);
    if (stmt.of === "pairs") this.#pairsHead(stmt, source);
    else this.#keysHead(stmt, source);
    this.#checkpoint(stmt.body, where);
    this.#block(stmt.body, { ...where, loops: where.loops + 1 });
    this.#line("}");
    if (stmt.empty.length > 0) {
      this.#line("} else {");
      this.#block(stmt.empty, where);
      this.#line("}");
    }
  }

  #pairsHead({ key, value }: Extract<Stmt, { op: "entries" }>, source: string): void {
    const locals = [key, value].map((local) => (local === null ? "" : this.#names.local(local)));
    const isConstant = [key, value].every(
      (each) => each === null || this.#layout.constants.has(each),
    );
    const pair = value === null ? `[${locals[0]}]` : `[${locals.join(", ")}]`;
    this.#line(`for (${isConstant ? "const" : "let"} ${pair} of ${source}) {`);
  }

  /** The value is read by its key: TypeScript cannot know that there is one. */
  #keysHead(stmt: Extract<Stmt, { op: "entries" }>, source: string): void {
    const { of, key, value, owner } = stmt;
    this.#line(`for (${this.#head(key)} ${of === "fields" ? "in" : "of"} ${source}) {`);
    if (key === null || value === null) return;
    const object = owner === undefined ? source : this.#names.local(owner);
    const there = this.#types.isModel(value) ? this.#names.annotate("!") : "";
    this.#line(`${this.#head(value)} = ${object}[${this.#names.local(key)}]${there};`);
  }

  /** In each iteration of a loop that writes. */
  #checkpoint(body: readonly Stmt[], { sink, loops }: Where): void {
    const isAsked = loops === 0 || sink.checksInside;
    if (sink.checkpoint !== null && isAsked && body.some(writes)) this.#line(sink.checkpoint);
  }

  /** `let` for locals that are first used, not first assigned, in the statement. */
  #declarations(stmt: Stmt): void {
    for (const local of this.#layout.before.get(stmt) ?? []) {
      const annotation = this.#names.annotate(`: ${this.#types.ofVariable(local)}`);
      this.#line(`let ${this.#names.local(local)}${annotation};`);
    }
  }

  /** The template's own words, where the code alone would not show them. */
  #comment(stmt: Stmt, where: Where): void {
    const { origin } = stmt;
    if (!this.#names.comments || origin === null || origin.text === "") return;
    if (stmt.op !== "note") {
      if (!deservesComment(stmt, where.loops)) return;
      if (where.isMacro && where.nesting > 0) return;
    }
    this.#line(`// ${String(origin.line)}: ${commentText(origin.text)}`);
  }

  /** A blank line after what stands by itself. */
  #separate(where: Where): void {
    if (this.#names.comments && where.nesting === 0) this.#line("");
  }

  #line(text: string): void {
    this.#lines.push(text === "" ? "" : this.#names.mark(this.#origin) + text);
  }
}

/** How wide the text of one output may be. */
const LINE = 80;
