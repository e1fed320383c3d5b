/**
 * The only way from a template's text into code: as a quoted literal, as a mangled identifier, or as the words of a
 * line comment. Whatever a template holds, the result is inert.
 */

const RESERVED: ReadonlySet<string> = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default " +
    "delete do else enum eval export extends false finally for from function get if implements import in infer " +
    "instanceof interface is keyof let module namespace never new null number object of package private protected " +
    "public readonly require return set static string super switch symbol this throw true try type typeof undefined " +
    "unique unknown using var void while with yield NaN Infinity Object Array String Number Boolean Symbol Map Set " +
    "BigInt Error Math JSON Promise Proxy Reflect RegExp globalThis window self document process global " +
    "constructor prototype __proto__ hasOwnProperty toString valueOf"
  ).split(" "),
);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Whether the text can stand as a property name without quotes, and as an identifier unless it is reserved. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text);
}

/** An identifier made of a template's name: characters that JavaScript or readers trip over become `_`. */
export function mangle(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_$]/g, "_").replace(/^(?=[0-9])/, "_");
  const named = plain === "" ? "_" : plain;
  return isReserved(named) ? `${named}$` : named;
}

const UNSAFE =
  /["\\\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffc\ud800-\udfff]/g;

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** A JavaScript string literal of the text, on one line, safe inside a script element too. */
export function quote(text: string): string {
  return `"${withoutMarkup(escapeInvisible(text))}"`;
}

/** Nothing inside of a literal that HTML would take for an end of script, or Node for the address of a source map. */
function withoutMarkup(literal: string): string {
  return literal
    .replace(/<\/(?=script)/gi, "<\\/")
    .replace(/<!--/g, "<\\!--")
    .replace(/\/(?=[/*][#@]\s+source)/g, "/\\");
}

/** Plain data as a literal: texts quoted like all others. */
export function dataLiteral(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(dataLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).map(([key, inner]) => {
    const name = key === "__proto__" ? `[${quote(key)}]` : isIdentifier(key) ? key : quote(key);
    return `${name}: ${dataLiteral(inner)}`;
  });
  return `{ ${members.join(", ")} }`;
}

function escapeInvisible(text: string): string {
  return text.replace(UNSAFE, (unit, offset: number) =>
    isPaired(text, offset) ? unit : (SHORT[unit] ?? unicodeEscape(unit)),
  );
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Whether the surrogate at the offset is half of a whole character. */
function isPaired(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (code >= 0xd800 && code <= 0xdbff) {
    const next = text.charCodeAt(offset + 1);
    return next >= 0xdc00 && next <= 0xdfff;
  }
  if (code >= 0xdc00 && code <= 0xdfff) {
    const previous = text.charCodeAt(offset - 1);
    return previous >= 0xd800 && previous <= 0xdbff;
  }
  return false;
}

/** A template literal of the text, with its real line breaks. */
export function templateLiteral(text: string): string {
  const escaped = text.replace(UNSAFE, (unit, offset: number) => {
    if (unit === "\n" || unit === '"' || isPaired(text, offset)) return unit;
    return SHORT[unit] ?? unicodeEscape(unit);
  });
  const inert = escaped.replace(/`/g, "\\`").replace(/\$(?=\{)/g, "\\$");
  return `\`${withoutMarkup(inert)}\``;
}

/** The words of a line comment: one line, at most 100 columns, nothing that could end the comment or hide. */
export function commentText(text: string): string {
  const plain = text
    .replace(/[\s\u2028\u2029]+/g, " ")
    .replace(UNSAFE, (unit, offset: number, line: string) =>
      unit === '"' || unit === "\\" || isPaired(line, offset) ? unit : "\ufffd",
    )
    .replace(/\*\//g, "* /")
    .replace(/<(?=\/script|!--)/gi, "< ")
    .replace(/\/(?=[/*][#@] source)/g, "/ ")
    .trim();
  return plain.length > 88 ? `${[...plain].slice(0, 87).join("")}…` : plain;
}

/** A constant's name from the first words of its text: SYSTEM_TOOLS. */
export function constantName(text: string): string {
  const words: string[] = [];
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (words.length >= 2) break;
    words.push(...(paragraph.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []).slice(0, 4));
  }
  const name = words.slice(0, 4).join("_").toUpperCase().slice(0, 40).replace(/_+$/, "");
  return name === "" ? "TEXT" : isReserved(name) ? `${name}_` : name;
}

/** A type's name: `qwen3-coder` → `Qwen3Coder`. */
export function typeName(name: string): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? ["Template"];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[0-9]/.test(joined) ? `T${joined}` : joined;
}

/** Gives out names that are unique among those taken. */
export class NameSet {
  /** The names, each with how many were taken before it. */
  readonly #taken = new Map<string, number>();
  /** The set that this is a copy of, and how many names that had then. */
  readonly #outer: { readonly names: NameSet; readonly size: number } | null;
  /** From where on a name with a number may be free. */
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string> = [], outer: NameSet | null = null) {
    this.#outer = outer === null ? null : { names: outer, size: outer.#taken.size };
    for (const name of taken) this.add(name);
  }

  has(name: string): boolean {
    return this.#hasWithin(name, Infinity);
  }

  /** Whether the name is among the first of this set's own, or was taken when they were begun. */
  #hasWithin(name: string, size: number): boolean {
    if ((this.#taken.get(name) ?? Infinity) < size) return true;
    return this.#outer !== null && this.#outer.names.#hasWithin(name, this.#outer.size);
  }

  add(name: string): void {
    if (!this.#taken.has(name)) this.#taken.set(name, this.#taken.size);
  }

  /** The name, or the name with a number; an inner index is j, then k. */
  unique(name: string): string {
    let candidate = name;
    if (name === "i") candidate = ["i", "j", "k"].find((one) => !this.has(one)) ?? name;
    let next = this.#next.get(name) ?? 2;
    while (this.has(candidate)) candidate = `${name}_${String(next++)}`;
    this.#next.set(name, next);
    this.add(candidate);
    return candidate;
  }

  /** A set that goes its own way from here, as does this one. */
  copy(): NameSet {
    return new NameSet([], this);
  }
}
