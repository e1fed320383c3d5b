/**
 * The body of a generated program as text: long texts as constants, the prompt function and the template's functions.
 * It is JavaScript; with `typed`, `annotate` adds the types and nothing else.
 */
import { runtimeName, type IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, FunctionDef, FunctionName, Local, Module, Origin, Stmt } from "../ir/nodes.js";
import { statementExprs, walkExpr, walkModule, walkStmts } from "../ir/visit.js";
import type { Position } from "../source.js";
import { ExpressionPrinter, type ExpressionNames } from "./expressions.js";
import { layOut, type Layout } from "./layout.js";
import { ruleOf } from "./lean-rules.js";
import { mark, markOfPlace, START } from "./marks.js";
import {
  BYTE_NAMES,
  BYTE_PROMPT,
  BYTE_PROMPT_COMMENT,
  PIECES,
  PROMPT,
  SEGMENT_NAMES,
  SEGMENT_PROMPT,
  SEGMENT_PROMPT_COMMENT,
  piecesName,
} from "./module-names.js";
import {
  commentText,
  constantName,
  isIdentifier,
  isReserved,
  mangle,
  NameSet,
  quote,
  templateLiteral,
} from "./names.js";
import { byteSink, type PieceNames } from "./sinks.js";
import { StatementPrinter, type StatementNames } from "./statements.js";
import { Types } from "./types.js";

export interface BodyOptions {
  readonly typed: boolean;
  readonly comments: boolean;
  /** The type of the prompt function's input. */
  readonly inputType: string;
  /** Whether there is a prompt function for a ByteSink beside the one for text. */
  readonly bytes?: boolean;
  /** Whether there is a body with segments beside the one for text: its names are not taken. */
  readonly segments?: boolean;
  /** The body for text beside which this one with segments stands, in one file. */
  readonly beside?: BodyText;
  /** Whether the text is marked with the template's places, which `takeMarks` takes out. */
  readonly marked?: boolean;
  /** Whether the functions around it set limits. */
  readonly limits?: boolean;
}

export interface BodyText {
  /** Runtime functions to import, as `name` or `name as other`, sorted. */
  readonly imports: readonly string[];
  /** What is imported for segments. */
  readonly segmentImports: readonly string[];
  /** The names of the module's own level, with the texts of constants. */
  readonly names: ReadonlyMap<string, string | null>;
  /** Runtime types to import. */
  readonly types: readonly string[];
  /** `const SYSTEM_TOOLS = …;` */
  readonly constants: readonly string[];
  /** `function prompt(input) {…}` */
  readonly prompt: string;
  /** `function promptTo(input, sink) {…}`; null: not asked for, or `prompt` would do the same. */
  readonly bytePrompt: string | null;
  /** The template's own functions, each with its comment. */
  readonly functions: readonly string[];
  /** Whether the prompt depends on the clock. */
  readonly usesClock: boolean;
  /** Whether the prompt notes generation spans. */
  readonly usesSpans: boolean;
}

export function emitBody(module: Module, options: BodyOptions): BodyText {
  return new BodyEmitter(module, options).emit();
}

class BodyEmitter implements ExpressionNames, StatementNames {
  readonly #module: Module;
  readonly #options: BodyOptions;
  readonly #types: Types;
  readonly #imports = new Map<string, string>();
  readonly #segmentImports = new Set<string>();
  readonly #constants = new Map<string, string>();
  /** Where the template first has a text that is a constant. */
  readonly #textOrigins = new Map<string, Origin>();
  readonly #functions = new Map<number, string>();
  readonly #inputs = new Map<string, string>();
  readonly #layout: Layout;
  readonly #printer: ExpressionPrinter;
  readonly #usedInputs = new Set<string>();
  readonly #usedTypes = new Set<string>();
  readonly out: string;
  readonly functionOut: string;
  readonly comments: boolean;
  readonly countsInPlace: boolean;
  /** While the body for bytes is printed: it notes no spans. */
  #isForBytes = false;
  #hasSpans = false;
  readonly #usedLocals = new Set<Local>();
  /** The fewest arguments that a call of the function gives. */
  readonly #shortest = new Map<number, number>();
  #usesClock = false;
  #usesAsValue = false;

  constructor(module: Module, options: BodyOptions) {
    this.#module = module;
    this.#options = options;
    this.comments = options.comments;
    this.countsInPlace = !options.typed;
    this.#types = new Types(module);
    const taken = this.#takeNames();
    this.out = taken.unique("out");
    // A macro with a generation block asks how much the render has written.
    this.functionOut = this.usesSpans ? taken.unique("text") : this.out;
    this.#nameInputs(taken);
    this.#layout = layOut(module, taken);
    this.#printer = new ExpressionPrinter(this);
    if (options.marked === true) this.#noteTextOrigins();
  }

  emit(): BodyText {
    const functions = this.#layout.hoisted.map((fn) => this.#function(fn));
    const prompt = this.#prompt();
    const bytePrompt = this.#options.bytes === true ? this.#bytePrompt() : null;
    const imports = [...this.#imports].map(([name, as]) =>
      name === as ? name : `${name} as ${as}`,
    );
    if (this.#usesAsValue) imports.push("value as asValue");
    return {
      imports: imports.sort(),
      segmentImports: this.#usedOfSegments([prompt, ...functions]),
      names: this.#ownNames(),
      types: [...this.#usedTypes].sort(),
      constants: [...this.#constants]
        .filter(([, name]) => this.#options.beside?.names.has(name) !== true)
        .map(([text, name]) => this.#constant(name, text)),
      prompt,
      bytePrompt,
      functions,
      usesClock: this.#usesClock,
      usesSpans: this.#hasSpans,
    };
  }

  #noteTextOrigins(): void {
    for (const body of [this.#module.body, ...this.#module.functions.map((fn) => fn.body)]) {
      walkStmts(body, (stmt) => {
        for (const own of statementExprs(stmt)) {
          walkExpr(own, (expr) => {
            const origin = expr.origin ?? stmt.origin;
            if (expr.op !== "literal" || typeof expr.value !== "string" || origin === null) return;
            if (!this.#textOrigins.has(expr.value)) this.#textOrigins.set(expr.value, origin);
          });
        }
      });
    }
  }

  /** Imports, constants and functions have their names before any local gets one. */
  #takeNames(): NameSet {
    const taken = new NameSet([
      "input",
      "options",
      "spans",
      "render",
      "meta",
      PROMPT,
      "asValue",
      "checkRuntime",
      "renderError",
      ...(this.#options.bytes === true ? BYTE_NAMES : []),
      ...(this.#options.limits === true ? ["limited"] : []),
      ...(this.#options.segments === true || this.pieces !== null ? SEGMENT_NAMES : []),
      ...(this.#options.beside?.names.keys() ?? []),
    ]);
    for (const [name, text] of this.#options.beside?.names ?? []) {
      if (text !== null) this.#constants.set(text, name);
    }
    const texts: string[] = [];
    for (const body of [this.#module.body, ...this.#module.functions.map((fn) => fn.body)]) {
      walkStmts(body, (stmt) => {
        if (stmt.op === "round") this.#importRuntime("limits.round", taken);
      });
    }
    if (this.#module.prepare !== null) this.#importRuntime(this.#module.prepare, taken);
    walkModule(this.#module, (expr) => {
      if (expr.op === "intrinsic") this.#importRuntime(expr.name, taken, ruleOf(expr));
      if (expr.op === "rule") this.#importRuntime(expr.name, taken);
      if (expr.op === "local") this.#usedLocals.add(expr.local);
      if (expr.op === "call") this.#noteCall(expr);
      if (expr.op === "spans") this.#hasSpans = true;
      if (expr.op === "literal" && typeof expr.value === "string") texts.push(expr.value);
    });
    for (const text of texts) {
      if (isLongText(text) && !this.#constants.has(text)) {
        this.#constants.set(text, taken.unique(constantName(text)));
      }
    }
    for (const fn of this.#module.functions) {
      const plain = functionName(fn.name.name, taken);
      const isBeside = this.#options.beside?.names.has(plain) === true;
      this.#functions.set(fn.name.id, taken.unique(isBeside ? piecesName(plain) : plain));
    }
    return taken;
  }

  #noteCall({ callee, args }: Extract<Expr, { op: "call" }>): void {
    const given = args.findLastIndex((arg) => arg !== null) + 1;
    const fewest = Math.min(this.#shortest.get(callee.id) ?? given, given);
    this.#shortest.set(callee.id, fewest);
  }

  #importRuntime(name: IntrinsicName, taken: NameSet, runtime = runtimeName(name)): void {
    if (name.startsWith("segments.")) {
      this.#segmentImports.add(runtime);
      return;
    }
    if (this.#imports.has(runtime)) return;
    const as = isReserved(runtime) ? `${runtime}_` : runtime;
    this.#imports.set(runtime, as);
    taken.add(as);
    taken.add(`import ${as}`);
  }

  /** An input is destructured under its own name, unless a local of the template has that name. */
  #nameInputs(taken: NameSet): void {
    const localNames = new Set<string>();
    const inputs = new Set<string>();
    for (const fn of this.#module.functions) {
      for (const { local } of fn.params) localNames.add(mangle(local.name));
    }
    walkModule(this.#module, (expr) => {
      if (expr.op === "local") localNames.add(mangle(expr.local.name));
      if (expr.op === "input") inputs.add(expr.name);
    });
    for (const name of inputs) {
      const isPlain = isIdentifier(name) && !isReserved(name) && !taken.has(name);
      if (name === "") this.#inputs.set(name, this.#wholeInput(taken));
      else if (name in Object.prototype) this.#inputs.set(name, ownInput(name));
      else if (isPlain && !localNames.has(name)) {
        taken.add(name);
        this.#inputs.set(name, name);
      } else if (this.#module.prepare === null) {
        this.#inputs.set(name, isIdentifier(name) ? `input.${name}` : `input[${quote(name)}]`);
      } else {
        this.#inputs.set(name, taken.unique(`${mangle(name)}Input`));
      }
    }
  }

  #wholeInput(taken: NameSet): string {
    return this.#module.prepare === null ? "input" : taken.unique("data");
  }

  // ------------------------------------------------------------ names for printers

  local(local: Local): string {
    return this.#layout.names.get(local) ?? mangle(local.name);
  }

  callee(name: FunctionName): string {
    return this.#functions.get(name.id) ?? mangle(name.name);
  }

  input(name: string): string {
    this.#usedInputs.add(name);
    return this.#inputs.get(name) ?? `input.${name}`;
  }

  clock(): string {
    this.#usesClock = true;
    return "options?.now";
  }

  runtime(name: IntrinsicName, runtime = runtimeName(name)): string {
    return this.#imports.get(runtime) ?? runtime;
  }

  rule(call: Extract<Expr, { op: "intrinsic" }>): string {
    return this.runtime(call.name, ruleOf(call));
  }

  text(value: string): string {
    return this.#constants.get(value) ?? quote(value);
  }

  takesValue(name: FunctionName, position: number): boolean {
    const fn = this.#module.functions.find((one) => one.name.id === name.id);
    const param = fn?.params[position];
    return param !== undefined && this.#types.ofParameter(param.local) === "Value";
  }

  isReadable(expr: Expr): boolean {
    return this.#types.isReadable(expr);
  }

  get pieces(): PieceNames | null {
    const type = this.annotate(": unknown[]");
    return this.#module.carriers === undefined ? null : { ...PIECES, type };
  }

  /** A join that is written needs no function: its parts are written one by one. */
  #usedOfSegments(texts: readonly string[]): readonly string[] {
    const names =
      this.pieces === null ? [] : [...this.#segmentImports, ...Object.values(PIECES)].sort();
    return names.filter((name) => texts.some((text) => text.includes(`${name}(`)));
  }

  #ownNames(): ReadonlyMap<string, string | null> {
    const names = new Map<string, string | null>();
    for (const name of this.#functions.values()) names.set(name, null);
    for (const [text, name] of this.#constants) names.set(name, text);
    return names;
  }

  get usesSpans(): boolean {
    return this.#hasSpans && !this.#isForBytes;
  }

  asValue(): string {
    this.#usesAsValue = true;
    return "asValue";
  }

  isRead(local: Local): boolean {
    return this.#usedLocals.has(local);
  }

  annotate(text: string): string {
    if (!this.#options.typed) return "";
    for (const [name] of text.matchAll(/\b(?:Value|Span|Fields|ByteSink|Ollama\w+)\b/g)) {
      if (name !== this.#options.inputType) this.#usedTypes.add(name);
    }
    return text;
  }

  nestedFunction(fn: FunctionDef): string {
    return this.#function(fn);
  }

  mark(origin: Position | null): string {
    return this.#options.marked === true && origin !== null ? mark(origin) : "";
  }

  markPlace(place: string | null): string {
    const isMarked = this.#options.marked === true && place !== null && /^\d+:\d+$/.test(place);
    return isMarked ? markOfPlace(place) : "";
  }

  /** What follows in the file is not of the template. */
  #ended(text: string): string {
    return `${text}${this.mark(START)}`;
  }

  // ------------------------------------------------------------ functions

  #constant(name: string, text: string): string {
    const mark = this.mark(this.#textOrigins.get(text) ?? null);
    return this.#ended(`${mark}const ${name} = ${constantLiteral(text)};`);
  }

  #statements(): StatementPrinter {
    return new StatementPrinter(this, this.#layout, this.#types, this.#printer);
  }

  #function(fn: FunctionDef): string {
    const params = fn.params.map((param, i) => {
      const isUsed = this.#usedLocals.has(param.local);
      const name = isUsed ? this.local(param.local) : `_${this.local(param.local)}`;
      if (param.default !== null) return `${name} = ${this.#printer.print(param.default)}`;
      const isOptional = this.#isOmitted(fn.name, i);
      const mark = isOptional ? "?" : "";
      return `${name}${this.annotate(`${mark}: ${this.#types.ofParameter(param.local)}`)}`;
    });
    const body = this.#statements().functionBody(fn.body, true);
    const result = this.annotate(this.#result());
    const mark = this.mark(fn.origin ?? firstOrigin(fn.body));
    const head = `${mark}function ${this.callee(fn.name)}(${params.join(", ")})${result} {`;
    const comment =
      fn.origin !== null && this.comments && fn.origin.text !== ""
        ? `/** ${String(fn.origin.line)}: ${commentText(fn.origin.text)} */\n`
        : "";
    return this.#ended(`${comment}${head}\n${body}\n}`);
  }

  /** Whether some call leaves the argument out. */
  #isOmitted(name: FunctionName, position: number): boolean {
    return (this.#shortest.get(name.id) ?? position + 1) <= position;
  }

  #prompt(): string {
    const body = this.#statements().functionBody(this.#module.body, false);
    const takesInput = this.#takesInput() || this.pieces !== null;
    const input = `${takesInput ? "input" : "_input"}${this.#inputType()}`;
    const spans = this.usesSpans ? [`spans${this.annotate(": Span[] | null")}`] : [];
    const options = this.#clockOptions();
    const isBare = !takesInput && options.length === 0 && !this.usesSpans;
    const name = this.pieces === null ? PROMPT : SEGMENT_PROMPT;
    const prompt = this.#promptFunction(name, isBare ? [] : [input, ...spans, ...options], body);
    const isCommented = this.pieces !== null && this.comments;
    return isCommented ? `${SEGMENT_PROMPT_COMMENT}\n${prompt}` : prompt;
  }

  /** The prompt function that hands its text on to a ByteSink; null where it would hand nothing on. */
  #bytePrompt(): string | null {
    const { body } = this.#module;
    this.#isForBytes = true;
    const text = this.#statements().functionBody(body, false);
    const bytes = this.#statements().byteBody(body, byteSink(this.out, "sink"));
    this.#isForBytes = false;
    if (bytes === text && !this.#hasSpans) return null;
    const input = this.#takesInput() ? [`input${this.#inputType()}`] : [];
    const sink = `sink${this.annotate(": ByteSink")}`;
    const prompt = this.#promptFunction(
      BYTE_PROMPT,
      [...input, sink, ...this.#clockOptions()],
      bytes,
    );
    return this.comments ? `${BYTE_PROMPT_COMMENT}\n${prompt}` : prompt;
  }

  #promptFunction(name: string, parameters: readonly string[], body: string): string {
    const lines = [
      `function ${name}(${parameters.join(", ")})${this.annotate(this.pieces === null ? ": string" : ": Segment[]")} {`,
      this.#destructuring(),
      body,
      "}",
    ];
    const text = lines.filter((line) => line !== "").join("\n");
    return this.#ended(`${this.mark(START)}${text}`);
  }

  #result(): string {
    return this.pieces === null ? ": string" : ": unknown";
  }

  #takesInput(): boolean {
    return this.#usedInputs.size > 0 || this.#module.prepare !== null;
  }

  #inputType(): string {
    return this.annotate(`: ${this.#options.inputType}`);
  }

  #clockOptions(): readonly string[] {
    return this.#usesClock ? [`options${this.annotate("?: RenderOptions")}`] : [];
  }

  #destructuring(): string {
    const prepare = this.#module.prepare;
    const from = prepare === null ? "input" : `${this.runtime(prepare)}(input)`;
    const whole = this.#inputs.get("");
    const ofWhole = whole === undefined || whole === "input" ? null : `const ${whole} = ${from};`;
    const source = ofWhole === null ? from : whole;
    const names = [...this.#usedInputs]
      .map((name) => [name, this.#inputs.get(name) ?? name] as const)
      .filter(
        ([, as]) =>
          !as.startsWith("input.") &&
          !as.startsWith("input[") &&
          !as.startsWith("(") &&
          as !== "input" &&
          as !== whole,
      )
      .map(([name, as]) => (name === as ? name : `${name}: ${as}`));
    const ofNames = names.length > 0 ? `const { ${names.join(", ")} } = ${source ?? from};` : null;
    if (ofWhole !== null) return ofNames === null ? ofWhole : `${ofWhole}\n${ofNames}`;
    if (ofNames !== null) return ofNames;
    return prepare === null ? "" : `${from};`;
  }
}

/** The first place of a function that the template did not write as one. */
function firstOrigin(body: readonly Stmt[]): Position {
  return body.find(({ origin }) => origin !== null)?.origin ?? START;
}

/** A text of its own: prose with line breaks, or too long for a line of code. */
function isLongText(text: string): boolean {
  return (text.length >= 80 && text.includes("\n")) || text.length > 100;
}

/** An input whose name every JavaScript object has already. */
function ownInput(name: string): string {
  return `(Object.hasOwn(input, ${quote(name)}) ? input[${quote(name)}] : undefined)`;
}

function constantLiteral(text: string): string {
  return text.includes("\n") ? templateLiteral(text) : quote(text);
}

function functionName(name: string, taken: NameSet): string {
  const plain = mangle(name);
  return taken.has(`import ${plain}`) ? `${plain}$` : plain;
}
