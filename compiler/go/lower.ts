/**
 * Lowers Go templates to the IR. Dialect "ollama" knows every type from Ollama's data model, dialect "go" none: there
 * each value describes itself.
 */
import type { Diagnostics, Report } from "../diagnostics.js";
import { Text } from "../ir/kinds.js";
import { Ids, type Expr, type FunctionDef, type Module, type Stmt } from "../ir/nodes.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import { walkModule } from "../ir/visit.js";
import type { Source } from "../source.js";
import type { TemplateSet } from "./ast.js";
import { bodyFunction, frameOf, ollamaFrame } from "./lower-frames.js";
import { legacyBody, type OwnBody } from "./lower-legacy.js";
import {
  localRef,
  Facts,
  intrinsic,
  Lowering,
  val,
  WRAPPED_NIL,
  type Frame,
  type LowerOptions,
  type Root,
} from "./lower-state.js";
import { templateBody } from "./lower-statements.js";
import { mentions } from "./parser.js";
import { assignedNames } from "./variables.js";

export type { LowerOptions } from "./lower-state.js";

/** Types only widen and inputs only grow, so that the rounds end by themselves. */
const ROUNDS = 100;

/** Lowers a template as text/template would execute it with missingkey=zero, or as Ollama's Template.Execute does. */
export function lower(
  set: TemplateSet,
  source: Source,
  diagnostics: Diagnostics,
  options: LowerOptions,
): Module {
  const facts = new Facts();
  const ids = new Ids();
  const assigned = assignedNames(set);
  for (let round = 1; ; round++) {
    facts.startRound();
    const frame = options.dialect === "go" ? goFrame(set) : ollamaFrame(set, "messages");
    const state = new Lowering(set, source, options, { facts, ids, assigned, frame });
    const module = options.dialect === "go" ? goModule(state) : ollamaModule(state);
    if (!facts.changed || round === ROUNDS) {
      for (const report of distinctReports(state)) diagnostics.warn(report);
      return module;
    }
  }
}

/** The bodies of a module come from one tree, so that they repeat what is reported of it. */
function distinctReports({ reports, effective }: Lowering): Report[] {
  const distinct = new Map<string, Report>();
  for (const report of reports) {
    const { code, message, span } = report;
    if (code === "go/shadowed-variable" && effective.has(span.start)) continue;
    distinct.set(`${String(span.start)} ${message}`, report);
  }
  return [...distinct.values()].sort((a, b) => a.span.start - b.span.start);
}

function goFrame(set: TemplateSet): Frame {
  const root: Root = { name: "go", inputs: {}, values: {}, missing: WRAPPED_NIL };
  return frameOf(set, root, val("any", { op: "input", name: "" }));
}

function goModule(state: Lowering): Module {
  const body: Stmt[] = [];
  templateBody(state, state.set.main, body);
  return moduleOf(state, joined(state, body), []);
}

function moduleOf(state: Lowering, body: readonly Stmt[], own: readonly FunctionDef[]): Module {
  const defined = [...state.functions.values()].flatMap(({ def }) => (def === null ? [] : [def]));
  const functions = [...own, ...defined];
  const { dialect } = state.options;
  const asked = new Set([...state.facts.inputs.values()].flatMap((names) => [...names]));
  const module: Module = { dialect, body, functions, prepare: null, facts: new Map(), asked };
  return { ...module, prepare: preparationOf(state, module) };
}

/** Ollama's Values of a request; data of dialect go as encoding/json would decode it. */
function preparationOf({ options, strict }: Lowering, module: Module): IntrinsicName | null {
  if (options.dialect === "ollama") return strict ? "go.ollamaValuesStrict" : "go.ollamaValues";
  const inputs: Expr[] = [];
  walkModule(module, (expr) => {
    if (expr.op === "input") inputs.push(expr);
  });
  return inputs.length > 0 ? "go.wellFormed" : null;
}

/** Bytes of cut texts that come together in the output may form a character. */
function joined(state: Lowering, body: readonly Stmt[]): readonly Stmt[] {
  if (!state.joins) return body;
  const text = state.ids.local("text", Text);
  const whole: Expr = localRef(text);
  return [
    { op: "capture", local: text, body, origin: null },
    { op: "emit", value: intrinsic("go.joinBytes", [whole]), origin: null },
  ];
}

/** The three ways of Ollama's Execute, the first of them in a function of its own. */
function ollamaModule(state: Lowering): Module {
  const frame = ollamaFrame(state.set, "suffix");
  const suffix = bodyFunction(state, "renderSuffix", frame, (block) =>
    templateBody(state, state.set.main, block),
  );
  const inputs = [...(state.facts.inputs.get("suffix") ?? [])].map((name) => state.input(name));
  const text: Expr = { op: "call", callee: suffix.name, args: inputs };
  const value = state.joins ? intrinsic("go.joinBytes", [text]) : text;
  const then: Stmt[] = [
    { op: "emit", value, origin: null },
    { op: "return", origin: null },
  ];
  const test = state.input("fillInMiddle");
  const first: Stmt = { op: "if", test, then, otherwise: [], origin: null };
  const { body, functions } = turnsOrMessages(state);
  return moduleOf(state, [first, ...joined(state, body)], [...functions, suffix]);
}

function turnsOrMessages(state: Lowering): OwnBody {
  if (!mentions(state.set).has("messages")) return legacyBody(state);
  const legacy = state.options.forceLegacy === true ? legacyBody(state) : null;
  const messages: Stmt[] = [];
  templateBody(state, state.set.main, messages);
  if (legacy === null) return { body: messages, functions: [] };
  const test = state.input("forceLegacy");
  const choice: Stmt = { op: "if", test, then: legacy.body, otherwise: messages, origin: null };
  return { body: [choice], functions: legacy.functions };
}
