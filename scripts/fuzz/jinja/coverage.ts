/** What the generated templates were made of, read off their syntax trees. */
import { Diagnostics } from "../../../compiler/diagnostics.js";
import { parse } from "../../../compiler/jinja/parser.js";
import { Source } from "../../../compiler/source.js";
import { isRecord } from "../../rows.js";
import { EXPECTED } from "./drills.js";

/** How often everything has to come in so many cases. */
const ENOUGH = 200;
const NAMED_IN_TEXT: Readonly<Record<string, string>> = {
  map: "Filter",
  select: "Test",
  reject: "Test",
};

export class Coverage {
  readonly #groups = new Map<string, Map<string, number>>();
  /** How many cases the template makes. */
  #times = 1;

  count(group: string, name: string, times = 1): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts);
    counts.set(name, (counts.get(name) ?? 0) + times);
  }

  /** Counts every node of a template for each of its cases; one that is refused counts as such. */
  template(text: string, times: number): void {
    this.#times = times;
    let tree: unknown;
    try {
      const source = new Source(text, "fuzz");
      tree = parse(source, new Diagnostics(source));
    } catch {
      this.count("template", "refused", times);
      return;
    }
    this.count("template", "accepted", times);
    this.#visit(tree);
  }

  /** Adds what another run has counted. */
  add(other: Coverage): void {
    for (const [group, counts] of other.#groups) {
      for (const [name, count] of counts) this.count(group, name, count);
    }
  }

  /** All counts, and what comes too seldom of what is expected. */
  report(): string {
    const lines = [...this.#groups].map(([group, counts]) => {
      const all = new Map([
        ...(EXPECTED[group] ?? []).map((name) => [name, 0] as const),
        ...counts,
      ]);
      const sorted = [...all].sort(([, left], [, right]) => right - left);
      const shown = sorted.map(([name, count]) => `${name} ${count}`).join(", ");
      return `${group} (${all.size}): ${shown}`;
    });
    return [...lines, this.#seldom()].join("\n");
  }

  #seldom(): string {
    const all = Object.entries(EXPECTED).flatMap(([group, names]) =>
      names.map((name) => ({ name: `${group} ${name}`, count: this.#get(group, name) })),
    );
    const seldom = all.filter(({ count }) => count < ENOUGH);
    if (seldom.length === 0) return `all ${all.length} items at least ${ENOUGH} times`;
    const shown = seldom.map(({ name, count }) => `${name} ${count}`).join(", ");
    return `under ${ENOUGH} times (${seldom.length} of ${all.length}): ${shown}`;
  }

  #get(group: string, name: string): number {
    return this.#groups.get(group)?.get(name) ?? 0;
  }

  #visit(node: unknown): void {
    if (Array.isArray(node)) {
      for (const each of node) this.#visit(each);
      return;
    }
    if (!isRecord(node)) return;
    if (typeof node["type"] === "string") this.#node(node["type"], node);
    for (const each of Object.values(node)) this.#visit(each);
  }

  #node(type: string, node: Readonly<Record<string, unknown>>): void {
    const { name, op, callee } = node;
    if (type === "Filter" || type === "Test") this.#applied(type, String(name), node);
    else if (type === "Compare" && Array.isArray(node["rest"])) this.#comparisons(node["rest"]);
    else if (typeof op === "string") this.#plain("operator", `${type} ${op}`);
    else if (type === "Call" && isRecord(callee)) this.#call(callee);
    else this.#plain("node", type);
  }

  #plain(group: string, name: string): void {
    this.count(group, name, this.#times);
  }

  /** A filter or test; `map('upper')` and `select('odd')` name another in a text. */
  #applied(type: string, name: string, node: Readonly<Record<string, unknown>>): void {
    this.#plain(type, name);
    const group = NAMED_IN_TEXT[name];
    const args: readonly unknown[] = Array.isArray(node["args"]) ? node["args"] : [];
    const [first] = args;
    if (group === undefined || !isRecord(first)) return;
    if (typeof first["value"] === "string") this.#plain(group, first["value"]);
  }

  #comparisons(rest: readonly unknown[]): void {
    for (const each of rest)
      if (isRecord(each)) this.#plain("operator", `Compare ${String(each["op"])}`);
  }

  #call(callee: Readonly<Record<string, unknown>>): void {
    if (callee["type"] === "Attribute") {
      this.#plain("method", String(callee["name"]));
      return;
    }
    const name = String(callee["name"]);
    this.#plain("call", /^v\d+$/.test(name) ? "macro or variable" : name);
  }
}
