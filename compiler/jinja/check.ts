/** What Jinja2 refuses after parsing, when it generates Python code from the tree (compiler.py). */
import type { Diagnostics } from "../diagnostics.js";
import type { Span } from "../source.js";
import type * as ast from "./ast.js";
import { FILTERS, TESTS } from "./builtins.js";
import { constantTruth, isFolded, unhashableKey } from "./constant-truth.js";
import { GeneratedPython } from "./generated-python.js";
import type { CodePlace } from "./generated-python.js";
import { eachLoad, findStore, KnownNames } from "./names.js";
import { findUndeclared } from "./undeclared.js";
import { eachStatement, someChild } from "./walk.js";

/** Jinja2's Frame, as far as it decides about errors. */
interface Frame extends CodePlace {
  /** Inside of an if or an inline if: unknown filters and tests fail only when they are reached. */
  readonly soft: boolean;
  /** The root and the ifs in it. */
  readonly toplevel: boolean;
  readonly rootlevel: boolean;
  /** Directly in a loop body, or a block's. */
  readonly owner: "loop" | "block" | null;
  /** Whether output depends on an extends before it. */
  readonly outputCheck: boolean;
  readonly buffered: boolean;
  readonly names: KnownNames;
}

interface Placed {
  readonly line: number;
  readonly span: Span;
}

/**
 * Refuses what Jinja2's code generator and then Python refuse: unknown filters and tests, blocks defined twice,
 * assignments to `loop` in a loop, break outside of a loop and so on. The tree is not changed.
 */
export function check(template: ast.Template, diagnostics: Diagnostics): void {
  new Checker(diagnostics, template.hasDicts).template(template);
}

class Checker {
  readonly #diagnostics: Diagnostics;
  readonly #hasDicts: boolean;
  readonly #python = new GeneratedPython();
  #extends = false;
  #extendsSoFar = 0;
  #knownExtends = false;
  /** The outermost loop is searched for what no loop may assign, and what is in it with it. */
  #loopsAround = 0;
  /** Inside of an expression that was looked through as a whole when it was to be folded. */
  #folding = false;

  constructor(diagnostics: Diagnostics, hasDicts: boolean) {
    this.#diagnostics = diagnostics;
    this.#hasDicts = hasDicts;
  }

  template({ body }: ast.Template): void {
    const blocks = new Map<string, ast.Block>();
    this.#blocks(body, blocks);
    const root: Frame = {
      soft: false,
      toplevel: true,
      rootlevel: true,
      owner: null,
      outputCheck: this.#extends,
      buffered: false,
      names: new KnownNames(null, (names) => names.add("self").addStatements(body)),
      indent: 1,
      loops: 0,
    };
    this.#body(body, root, { line: 1, span: { start: 0, end: 0 } });
    for (const block of blocks.values()) this.#blockBody(block, root);
    this.#finish();
  }

  #blocks(list: readonly ast.Stmt[], blocks: Map<string, ast.Block>): void {
    eachStatement(list, (node) => {
      if (node.type === "Extends") this.#extends = true;
      if (node.type !== "Block") return;
      if (blocks.has(node.name)) {
        this.#fail("jinja/duplicate-block", `block '${node.name}' defined twice`, node);
      }
      blocks.set(node.name, node);
    });
  }

  #blockBody(block: ast.Block, root: Frame): void {
    const { body } = block;
    const names = new KnownNames(null, (own) => own.add("self", "super").addStatements(body));
    const frame: Frame = { ...root, ...ISOLATED, owner: "block", outputCheck: false, names };
    this.#body(body, frame, block);
  }

  #finish(): void {
    const refusal = this.#python.refusal;
    if (refusal !== null) this.#fail("jinja/python-syntax", refusal.message, refusal);
  }

  #fail(code: string, message: string, { line, span }: Placed): never {
    return this.#diagnostics.fail({ code, message, line, span });
  }

  /** Stops early where Jinja2 knows that a second extends ends the execution. */
  #body(list: readonly ast.Stmt[], frame: Frame, owner: Placed): void {
    this.#python.indent(frame.indent, owner);
    for (const node of list) {
      if (this.#statement(node, frame) === "stop") return;
    }
  }

  #statement(node: ast.Stmt, frame: Frame): "stop" | undefined {
    switch (node.type) {
      case "Output":
        this.#output(node, frame);
        return;
      case "For":
        this.#for(node, frame);
        return;
      case "If":
        this.#if(node, branchFrame(frame));
        return;
      case "Macro":
      case "CallBlock":
      case "Generation":
        this.#macro(node, frame);
        return;
      case "With":
        this.#with(node, frame);
        return;
      case "FilterBlock":
      case "SetBlock":
      case "Autoescape":
        this.#captured(node, frame);
        return;
      case "Set":
        this.#expression(node.value, frame);
        this.#python.expression(node.value, 0);
        return;
      case "Break":
      case "Continue":
        this.#python.jump(node, frame);
        return;
      case "Block":
        return;
      default:
        return this.#import(node, frame);
    }
  }

  #output(node: ast.Output, frame: Frame): void {
    if (frame.outputCheck && this.#knownExtends) return;
    const around = !frame.buffered ? 1 : node.items.length === 1 ? 2 : 3;
    for (const item of node.items) {
      if (item.type === "TextData") continue;
      this.#expression(item, frame);
      this.#python.expression(item, around);
    }
  }

  #for(node: ast.For, frame: Frame): void {
    const inner = innerFrame(frame);
    if (node.test !== null) {
      this.#python.indent(frame.indent + 3, node);
      this.#expression(node.test, inner);
      this.#python.expression(node.test, 0);
    }
    if (this.#loopsAround === 0) this.#refuseLoopTarget(node);
    this.#loopsAround++;
    if (!node.recursive) this.#expression(node.iter, frame);
    this.#python.expression(node.iter, node.test === null ? 0 : 1);
    const own = node.recursive ? { indent: frame.indent + 1, loops: 0, buffered: true } : {};
    const outside: Frame = { ...inner, ...own };
    const loops = outside.loops + 1;
    this.#python.loop(loops, node);
    const names = new KnownNames(frame.names, (own) =>
      own.add("loop").addTarget(node.target).addStatements(node.body),
    );
    this.#body(
      node.body,
      { ...outside, owner: "loop", names, indent: outside.indent + 1, loops },
      node,
    );
    if (node.otherwise.length > 0) {
      const otherwise = new KnownNames(frame.names, (own) => own.addStatements(node.otherwise));
      const frameAfter = { ...outside, names: otherwise, indent: outside.indent + 1 };
      this.#body(node.otherwise, frameAfter, node);
    }
    if (node.recursive) this.#expression(node.iter, frame);
    this.#loopsAround--;
  }

  /** Jinja2 looks for the name in the whole statement, inner loops and macros included. */
  #refuseLoopTarget(node: ast.For): void {
    const found = findStore(node, "loop");
    if (found === null) return;
    const message = "Can't assign to special loop variable in for-loop target";
    this.#fail("jinja/loop-assignment", message, found);
  }

  /** In the frame of the branches; that of the tests differs in nothing that is asked of an expression. */
  #if(node: ast.If, frame: Frame): void {
    for (const branch of node.branches) {
      this.#expression(branch.test, frame);
      this.#python.expression(branch.test, 0);
      this.#body(branch.body, frame, branch);
    }
    if (node.otherwise.length > 0) this.#body(node.otherwise, frame, node);
  }

  #macro(node: ast.Macro | ast.CallBlock | ast.Generation, frame: Frame): void {
    const parameters = node.type === "Generation" ? [] : node.parameters;
    const caller = parameters.findLast(({ name }) => name === "caller");
    if (caller?.default === null && findUndeclared(node.body, ["caller"]).has("caller")) {
      const message =
        'When defining macros or call blocks the special "caller" argument must be omitted ' +
        "or be given a default.";
      this.#fail("jinja/caller-parameter", message, node);
    }
    const names = new KnownNames(frame.names, (own) =>
      own.add("caller", "kwargs", "varargs").addParameters(parameters).addStatements(node.body),
    );
    const inner = { ...innerFrame(frame), outputCheck: false, buffered: true, names };
    const inside: Frame = { ...inner, indent: frame.indent + 1, loops: 0 };
    if (parameters.length > 0) this.#python.indent(inside.indent + 1, node);
    this.#python.parameters(parameters, node.line);
    for (const { default: value } of parameters) if (value) this.#expression(value, inside);
    this.#body(node.body, inside, node);
    if (node.type === "CallBlock") this.#call(node.call, frame, ["caller"]);
  }

  #with(node: ast.With, frame: Frame): void {
    for (const { value } of node.bindings) {
      this.#expression(value, frame);
      this.#python.expression(value, 0);
    }
    const names = new KnownNames(frame.names, (own) => {
      for (const { target } of node.bindings) own.addTarget(target);
      own.addStatements(node.body);
    });
    this.#body(node.body, { ...innerFrame(frame), names }, node);
  }

  /** Bodies whose text is captured, and autoescape, whose value belongs to the inner frame too. */
  #captured(node: ast.FilterBlock | ast.SetBlock | ast.Autoescape, frame: Frame): void {
    const names = new KnownNames(frame.names, (own) => {
      if (node.type === "Autoescape") own.addExpression(node.value);
      own.addStatements(node.body);
      if (node.type === "FilterBlock") own.addExpression(node.filter);
    });
    const inner: Frame = { ...innerFrame(frame), names };
    if (node.type === "Autoescape") {
      this.#expression(node.value, inner);
      for (const child of node.body) this.#statement(child, inner);
      return;
    }
    const outputCheck = node.type === "SetBlock" ? false : frame.outputCheck;
    this.#body(node.body, { ...inner, buffered: true, outputCheck }, node);
    if (node.filter === null) return;
    this.#expression(node.filter, inner);
    if (node.type === "SetBlock") this.#refuseUnresolved(node.filter, inner);
  }

  /** Jinja2 forgets to look for names in a set block's filter: those that nothing else mentions break it. */
  #refuseUnresolved(filter: ast.Filter, frame: Frame): void {
    eachLoad(filter, (found) => {
      if (frame.names.has(found.name)) return;
      const message =
        "Tried to resolve a name to a reference that was unknown to the frame " +
        `('${found.name}')`;
      this.#fail("jinja/unresolved-name", message, found);
    });
  }

  #import(
    node: ast.Include | ast.Import | ast.FromImport | ast.Extends,
    frame: Frame,
  ): "stop" | undefined {
    if (node.type === "Extends") {
      if (!frame.toplevel) {
        const message = "cannot use extend from a non top-level scope";
        this.#fail("jinja/nested-extends", message, node);
      }
      if (this.#extendsSoFar > 0 && this.#knownExtends) return "stop";
    }
    const message = "no loader for this environment specified";
    const { line, span } = node;
    this.#diagnostics.warn({ code: "jinja/no-loader", message, line, span });
    this.#expression(node.template, frame);
    if (node.type !== "Extends") return undefined;
    if (frame.rootlevel) this.#knownExtends = true;
    this.#extendsSoFar++;
    return undefined;
  }

  readonly #visit = (node: ast.Expr, frame: Frame): boolean => {
    this.#expression(node, frame);
    return false;
  };

  #expression(node: ast.Expr, frame: Frame): void {
    // Nothing but a dict's keys makes the folding itself fail.
    if (!this.#hasDicts || this.#folding || !isFolded(node)) {
      this.#unfolded(node, frame);
      return;
    }
    const key = unhashableKey(node);
    if (key !== null) {
      const message = `unhashable type: '${key.type.toLowerCase()}'`;
      this.#fail("jinja/unhashable-key", message, key);
    }
    this.#folding = true;
    this.#unfolded(node, frame);
    this.#folding = false;
  }

  #unfolded(node: ast.Expr, frame: Frame): void {
    switch (node.type) {
      case "Filter":
      case "Test":
        this.#known(node, frame);
        this.#python.keywords(node, []);
        break;
      case "Call":
        this.#call(node, frame, []);
        return;
      case "Conditional":
        this.#conditional(node, frame.soft ? frame : { ...frame, soft: true });
        return;
      case "Logical":
        // A constant left side that decides is folded, and the right side is never looked at.
        if (constantTruth(node.left) === (node.op === "or")) return;
        break;
      case "Compare":
        // A chain of constants that ends early is folded, whatever follows.
        if (constantTruth(node) === false) return;
        break;
      case "Item":
        this.#python.subscript(node);
        break;
      default:
        break;
    }
    someChild(node, this.#visit, frame);
  }

  #conditional(node: ast.Conditional, frame: Frame): void {
    this.#expression(node.then, frame);
    this.#expression(node.test, frame);
    if (node.otherwise !== null) this.#expression(node.otherwise, frame);
  }

  #call(node: ast.Call, frame: Frame, extra: readonly string[]): void {
    const own = frame.owner === null ? [] : [frame.owner === "loop" ? "_loop_vars" : "_block_vars"];
    this.#python.keywords(node, [...extra, ...own]);
    someChild(node, this.#visit, frame);
  }

  #known(node: ast.Filter | ast.Test, frame: Frame): void {
    const isFilter = node.type === "Filter";
    if ((isFilter ? FILTERS : TESTS).has(node.name)) return;
    const kind = isFilter ? "filter" : "test";
    const code = `jinja/unknown-${kind}`;
    const { line, span } = node;
    if (!frame.soft) this.#fail(code, `No ${kind} named '${node.name}'.`, node);
    const message = `No ${kind} named '${node.name}' found.`;
    const help = "The template fails when this place is reached.";
    this.#diagnostics.warn({ code, message, line, span, help });
  }
}

const ISOLATED = { soft: false, toplevel: false, rootlevel: false } as const;

function innerFrame(frame: Frame): Frame {
  return { ...frame, ...ISOLATED, owner: null };
}

/** The frame of an if's branches; written out, since each if makes one. */
function branchFrame(frame: Frame): Frame {
  const { toplevel, owner, outputCheck, buffered, names, loops } = frame;
  const indent = frame.indent + 1;
  return {
    soft: true,
    toplevel,
    rootlevel: false,
    owner,
    outputCheck,
    buffered,
    names,
    indent,
    loops,
  };
}
