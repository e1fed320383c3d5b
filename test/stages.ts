/** A template at each stage of the pipeline: what its tests show and check. */
import { Diagnostics } from "../compiler/diagnostics.js";
import { lower as lowerGo } from "../compiler/go/lower.js";
import { parse as parseGo } from "../compiler/go/parser.js";
import { Ids, type Dialect, type Module } from "../compiler/ir/nodes.js";
import { printModule } from "../compiler/ir/print.js";
import { firstFreeId } from "../compiler/ir/visit.js";
import { lower as lowerJinja } from "../compiler/jinja/lower.js";
import { parse as parseJinja } from "../compiler/jinja/parser.js";
import { bindSources } from "../compiler/passes/bind-sources.js";
import { passes } from "../compiler/passes/index.js";
import { Source } from "../compiler/source.js";

export interface Stage {
  /** "lowered", or the pass that has just run. */
  readonly name: string;
  readonly module: Module;
}

/** The template as it comes from lowering; throws a CompileError where the real engine refuses it. */
function lowered(text: string, dialect: Dialect): Module {
  const source = new Source(text, "template");
  const diagnostics = new Diagnostics(source);
  return dialect === "jinja"
    ? lowerJinja(parseJinja(source, diagnostics), source, diagnostics)
    : lowerGo(parseGo(source, diagnostics, { dialect }), source, diagnostics, { dialect });
}

/** The template after lowering and after each pass. */
export function stagesOf(text: string, dialect: Dialect): Stage[] {
  const first = lowered(text, dialect);
  const ids = new Ids(firstFreeId(first));
  const stages: Stage[] = [{ name: "lowered", module: first }];
  let module = first;
  for (const pass of passes) {
    module = pass.run(module, { ids });
    stages.push({ name: pass.name, module });
  }
  stages.push({ name: "bind-sources", module: bindSources(module, ids) });
  return stages;
}

/** The module after one pass alone, or after some passes in their order. */
export function afterPasses(text: string, dialect: Dialect, names: readonly string[]): Module {
  const first = lowered(text, dialect);
  const ids = new Ids(firstFreeId(first));
  const unknown = names.filter((name) => !passes.some((pass) => pass.name === name));
  if (unknown.length > 0) throw new Error(`no pass ${unknown.join(", ")}`);
  return passes
    .filter(({ name }) => names.includes(name))
    .reduce((module, pass) => pass.run(module, { ids }), first);
}

/** The module after the passes before, an arrow, and the module after the pass; only the pass's own if nothing changed. */
export function change(
  text: string,
  pass: string,
  before: readonly string[] = [],
  dialect: Dialect = "jinja",
): string {
  const from = printModule(afterPasses(text, dialect, before));
  const to = printModule(afterPasses(text, dialect, [...before, pass]));
  return from === to ? `unchanged:\n${from}` : `${from}\n→\n${to}`;
}

/** The module after some passes, as text. */
export function after(text: string, ...passes: string[]): string {
  return printModule(afterPasses(text, "jinja", passes));
}

/** What makes a module as plain as later passes expect it. */
export const CLEAN = ["specialize", "propagate", "dead-sets"];
