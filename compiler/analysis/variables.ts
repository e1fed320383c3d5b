/** The inputs of a template, and what it takes for granted of each. */
import type { Variable } from "../../runtime/index.js";
import { accidentalInputs } from "../ir/accidental.js";
import type { Dialect, Module } from "../ir/nodes.js";
import { walkModule } from "../ir/visit.js";
import { Absences } from "./absence.js";
import { comparedValues } from "./compared.js";
import type { Constant } from "./possible.js";
import { switchDefaults } from "./switches.js";

const USUAL_ORDER = ["messages", "tools", "documents", "add_generation_prompt"];

/** What Ollama's Execute makes of a request, by the field that it is made of; the answer so far is no request's. */
const MADE_OF: ReadonlyMap<string, string | null> = new Map([
  ["", null],
  ["fillInMiddle", null],
  ["response", null],
  ["isThinkSet", "think"],
  ["thinkLevel", "think"],
]);

/** The inputs that a template reads; each is required where a render can fail because it is absent. */
export function variablesOf(module: Module, dialect: Dialect): readonly Variable[] {
  const names = new Set<string>();
  const add = (name: string): void => {
    const input = dialect === "jinja" ? name : MADE_OF.get(name);
    if (input !== null) names.add(input ?? name);
  };
  for (const name of module.asked ?? []) add(name);
  walkModule(module, (expr) => {
    if (expr.op === "input") add(expr.name);
  });
  const sorted = [...names].sort((a, b) => rank(a) - rank(b));
  if (dialect !== "jinja") {
    return sorted.map((name) => ({ name, required: name === "messages" && dialect !== "go" }));
  }
  const compared = comparedValues(module);
  const accidental = accidentalInputs(module);
  const absences = new Absences(module);
  const switches = switchDefaults(module);
  return sorted.map((name) => {
    const { canFail, defaults } = absences.of(name);
    const values = [...(compared.get(name) ?? [])];
    const value = DATA.has(name) ? undefined : onlyDefault(defaults, switches.get(name));
    return {
      name,
      required: name === "messages" || (canFail && !accidental.has(name)),
      ...(values.length === 0 ? {} : { values }),
      ...(value === undefined ? {} : { default: value }),
    };
  });
}

/** Inputs that hold data: where one is absent there is none, which is no value that a caller could give. */
const DATA: ReadonlySet<string> = new Set(["messages", "tools", "documents"]);

/** What stands in for an absent input, where the template says so in just one way. */
function onlyDefault(
  defaults: ReadonlySet<Constant>,
  tested: boolean | undefined,
): Constant | undefined {
  const known = [...defaults].filter((value) => value !== null && typeof value !== "bigint");
  if (known.length === 0) return tested;
  return known.length === 1 ? known[0] : undefined;
}

function rank(name: string): number {
  const known = USUAL_ORDER.indexOf(name);
  return known < 0 ? USUAL_ORDER.length : known;
}
