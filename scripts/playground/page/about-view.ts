/** What is known of the template: variables, capabilities, forms. */
import { make } from "./dom.js";
import type { Described, ShownVariable } from "./job.js";

/** Fills a region with tables. */
export function showAbout(region: HTMLElement, described: Described | null): void {
  if (described === null) {
    region.replaceChildren(make("p", { class: "note", text: "The template is refused." }));
    return;
  }
  const { variables, capabilities, forms, leadingBos, reference, sha256 } = described;
  const shown = { ...capabilities, "begins with a BOS token": leadingBos };
  region.replaceChildren(
    make("h3", { text: "Variables" }),
    table(["name", "", "absent", "compared with"], variables.map(variableRow)),
    make("h3", { text: "Capabilities" }),
    pairs(shown),
    make("details", {}, [make("summary", { text: "Forms of a conversation" }), pairs(forms)]),
    make("p", { class: "note digest", text: `as ${reference} · sha256 ${sha256}` }),
  );
}

function variableRow({ name, required, values, fallback }: ShownVariable): readonly string[] {
  return [name, required ? "required" : "optional", fallback ?? "", values.join(", ")];
}

function pairs(object: object): HTMLElement {
  const terms = Object.entries(object).map(([name, value]: [string, unknown]) =>
    make("div", {}, [
      make("dt", { text: name }),
      make("dd", { class: value === false ? "no" : "", text: words(value) }),
    ]),
  );
  return make("dl", { class: "pairs" }, terms);
}

function words(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value === "string") return value;
  return Object.entries(value ?? {})
    .map(([name, each]) => `${name}: ${String(each)}`)
    .join(", ");
}

/** A table with a head. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): HTMLTableElement {
  const row = (tag: "th" | "td", cells: readonly string[]): HTMLElement =>
    make(
      "tr",
      {},
      cells.map((text) => make(tag, { text })),
    );
  return make("table", {}, [
    make("thead", {}, [row("th", head)]),
    make(
      "tbody",
      {},
      rows.map((cells) => row("td", cells)),
    ),
  ]);
}
