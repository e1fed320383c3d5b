/** What the generated templates were made of, read off their syntax trees. */
import { Diagnostics } from "../../../compiler/diagnostics.js";
import { parse } from "../../../compiler/jinja/parser.js";
import { Source } from "../../../compiler/source.js";
import { isRecord } from "../../rows.js";

export class Coverage {
  readonly #groups = new Map<string, Map<string, number>>();

  count(group: string, name: string): void {
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /** Counts every node of a template; one that is refused counts as such. */
  template(text: string): void {
    let tree: unknown;
    try {
      const source = new Source(text, "fuzz");
      tree = parse(source, new Diagnostics(source));
    } catch {
      this.count("template", "refused");
      return;
    }
    this.count("template", "accepted");
    this.#visit(tree);
  }

  report(): string {
    const lines = [...this.#groups].map(([group, counts]) => {
      const sorted = [...counts].sort(([, left], [, right]) => right - left);
      const shown = sorted.map(([name, count]) => `${name} ${count}`).join(", ");
      return `${group} (${counts.size}): ${shown}`;
    });
    return lines.join("\n");
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
    if (type === "Filter" || type === "Test") this.count(type, String(name));
    else if (type === "Compare" && Array.isArray(node["rest"])) this.#comparisons(node["rest"]);
    else if (typeof op === "string") this.count("operator", `${type} ${op}`);
    else if (type === "Call" && isRecord(callee)) this.#call(callee);
    else this.count("node", type);
  }

  #comparisons(rest: readonly unknown[]): void {
    for (const each of rest)
      if (isRecord(each)) this.count("operator", `Compare ${String(each["op"])}`);
  }

  #call(callee: Readonly<Record<string, unknown>>): void {
    if (callee["type"] === "Attribute") {
      this.count("method", String(callee["name"]));
      return;
    }
    const name = String(callee["name"]);
    this.count("call", /^v\d+$/.test(name) ? "macro or variable" : name);
  }
}
