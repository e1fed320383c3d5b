/** The TypeScript interfaces of a template's input, from what the template reads of it. */
import type { TemplateMeta, Variable } from "../../runtime/index.js";
import { commentText, isIdentifier, quote, typeName } from "./names.js";
import type { Shape } from "./shapes.js";

export interface Property {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly doc: string | null;
}

export interface InputInterface {
  readonly name: string;
  readonly doc: string;
  /** Whether other fields are allowed: all but the top level. */
  readonly isOpen: boolean;
  readonly properties: readonly Property[];
}

/** Inputs that every template has in the same sense. */
const INPUT_DOCS: Readonly<Partial<Record<string, string>>> = {
  messages: "The conversation, oldest message first.",
  tools: "The functions that the model may call.",
  documents: "Documents that the model may quote.",
  add_generation_prompt: "Whether to end with the start of an assistant message.",
  enable_thinking: "Whether the model may think before it answers.",
  bos_token: "The token that begins every sequence.",
  eos_token: "The token that ends a turn.",
};

const CONTENT_DOCS = {
  text: "Text; a list of parts is accepted, but the template does not read it as one.",
  parts: "A list of parts; text is accepted, but the template does not show it as it is.",
  both: "Text, or a list of parts.",
} as const;

const ARGUMENT_TYPES = { text: "string", object: "object", both: "string | object" } as const;

const FIELD_DOCS: Readonly<Partial<Record<string, string>>> = {
  "message.reasoning_content": "An assistant's reasoning.",
  "message.tool_calls": "An assistant's calls of tools.",
};

function docOf(docs: Readonly<Partial<Record<string, string>>>, name: string): string | null {
  return Object.hasOwn(docs, name) ? (docs[name] ?? null) : null;
}

/** Inputs that are lists of objects. */
const LISTS: ReadonlySet<string> = new Set(["tools", "documents"]);

/** A method that dicts have: read to be called, unlike `items` and `values`, which JSON Schema has as keys too. */
const DICT_METHOD = "get";

const FLAG = /^(add_|enable_|clear_|keep_|use_|is_|has_|no_|disable_|continue_|skip_)/;

/** `accidental`: inputs that share their name with a variable of the template. */
export function inputInterfaces(
  template: { readonly name: string; readonly file: string },
  input: Shape,
  accidental: ReadonlySet<string>,
  meta: Pick<TemplateMeta, "variables" | "capabilities">,
): InputInterface[] {
  const writer = new InterfaceWriter(typeName(template.name), accidental, meta);
  return writer.write(template.file, input);
}

class InterfaceWriter {
  readonly #prefix: string;
  readonly #accidental: ReadonlySet<string>;
  readonly #meta: Pick<TemplateMeta, "variables" | "capabilities">;
  readonly #names = new Map<Shape, string>();
  readonly #taken = new Set<string>();
  /** Items whose type is being written. */
  readonly #open = new Set<Shape>();
  readonly #written: InputInterface[] = [];

  constructor(
    prefix: string,
    accidental: ReadonlySet<string>,
    meta: Pick<TemplateMeta, "variables" | "capabilities">,
  ) {
    this.#prefix = prefix;
    this.#accidental = accidental;
    this.#meta = meta;
  }

  write(file: string, input: Shape): InputInterface[] {
    const name = this.#take(`${this.#prefix}Input`);
    const properties = [...input.root.fields]
      .sort(([a], [b]) => rank(a) - rank(b))
      .map(([field, shape]) => this.#input(field, shape.root));
    const doc = `What ${commentText(file)} reads.`;
    return [{ name, doc, isOpen: false, properties }, ...this.#written];
  }

  #input(name: string, shape: Shape): Property {
    const isAccidental = this.#accidental.has(name);
    const variable = this.#meta.variables.find((one) => one.name === name);
    const isRequired = variable?.required === true;
    const type = isAccidental ? "unknown" : this.#inputType(name, shape, variable);
    return {
      name: propertyName(name),
      type: isRequired || type === "unknown" ? type : `${type} | null | undefined`,
      isOptional: !isRequired,
      doc: isAccidental
        ? `Read by accident: what the template's own ${name} is where no branch has set it.`
        : documented(docOf(INPUT_DOCS, name), variable?.default),
    };
  }

  #inputType(name: string, shape: Shape, variable: Variable | undefined): string {
    if (LISTS.has(name)) {
      const list = `readonly ${this.#objectType(shape.itemIfAny(), singular(name))}[]`;
      return shape.literals.size > 0 ? `string | ${list}` : list;
    }
    const isFlat = shape.fields.size === 0 && shape.itemIfAny() === null;
    const known = isFlat ? choicesOf(variable, shape) : null;
    if (known !== null) return known;
    if (FLAG.test(name) && isFlat) return "boolean";
    if (name.endsWith("_token")) return ["string", ...scalarsOf(shape)].join(" | ");
    return this.#type(shape, singular(name));
  }

  /** The type of an object; what the template prints or writes as JSON may be any. */
  #objectType(shape: Shape | null, name: string): string {
    return shape === null || shape.fields.size === 0 ? "Open" : this.#interface(shape, name);
  }

  /** The union of what a shape is used as; `unknown` where the template shows or passes on anything. */
  #type(shape: Shape, name: string): string {
    const parts: string[] = [];
    const item = shape.itemIfAny();
    const isText = shape.uses.has("text") || shape.literals.size > 0;
    if (shape.literals.size > 0 && shape.fields.size === 0 && item === null) {
      const literals = [...shape.literals].map(quote);
      return [...scalarsOf(shape), ...literals, "(string & {})"].join(" | ");
    }
    if (isText) parts.push("string");
    if (isText || item !== null || shape.fields.size > 0) parts.push(...scalarsOf(shape));
    if (item !== null) parts.push(`readonly ${this.#itemType(item, name)}[]`);
    if (shape.fields.size > 0 && !(item !== null && shape.fields.size === 0)) {
      parts.push(this.#interface(shape, name));
    }
    if (shape.uses.has("mapping") && shape.fields.size === 0) parts.push("object");
    if (parts.length === 0 || (shape.uses.has("shown") && !isText)) {
      return parts.length === 0 ? "unknown" : parts.join(" | ");
    }
    return parts.join(" | ");
  }

  /** A list of lists of itself has no finite type but that of its fields. */
  #itemType(item: Shape, name: string): string {
    if (this.#open.has(item)) return this.#names.get(item) ?? "unknown";
    this.#open.add(item);
    const type = this.#type(item, name);
    this.#open.delete(item);
    return type.includes(" | ") || type.startsWith("readonly ") ? `(${type})` : type;
  }

  #interface(shape: Shape, name: string): string {
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const own = this.#take(`${this.#prefix}${typeName(name)}`);
    this.#names.set(shape, own);
    const position = this.#written.length;
    const properties = [...shape.fields]
      .filter(([field]) => field !== DICT_METHOD)
      .map(([field, inner]) => this.#field(name, field, inner.root));
    const doc = `${articled(name)}; other fields are ignored.`;
    this.#written.splice(position, 0, { name: own, doc, isOpen: true, properties });
    return own;
  }

  #field(owner: string, name: string, shape: Shape): Property {
    const isRole = name === "role";
    const type = this.#fieldType(owner, name, shape);
    const isContent = owner === "message" && name === "content";
    return {
      name: propertyName(name),
      type: isRole || type === "unknown" ? type : `${type} | null | undefined`,
      isOptional: !isRole,
      doc: isContent
        ? CONTENT_DOCS[this.#meta.capabilities.content]
        : docOf(FIELD_DOCS, `${owner}.${name}`),
    };
  }

  #fieldType(owner: string, name: string, shape: Shape): string {
    if (name === "arguments" && shape.fields.size === 0) {
      return shape.literals.size > 0
        ? ARGUMENT_TYPES.both
        : ARGUMENT_TYPES[this.#meta.capabilities.arguments];
    }
    // The parts of other packages' messages differ in all but these two.
    if (owner === "content_part" && name !== "type" && name !== "text") return "unknown";
    const type = this.#type(shape, nestedName(owner, name));
    const isContent = owner === "message" && name === "content" && type !== "unknown";
    if (!isContent) return type;
    const isText = /\bstring\b/.test(type.replace(/\(.*\)/, ""));
    const text = isText ? [] : ["string"];
    return [...text, type, ...(shape.itemIfAny() === null ? ["readonly Open[]"] : [])].join(" | ");
  }

  #take(name: string): string {
    let candidate = name;
    for (let n = 2; this.#taken.has(candidate); n++) candidate = `${name}${String(n)}`;
    this.#taken.add(candidate);
    return candidate;
  }
}

/**
 * What a template knows an input to be, by name or by what stands in for it; null where it knows nothing. Completion
 * offers the texts, any other text passes.
 */
function choicesOf(variable: Variable | undefined, shape: Shape): string | null {
  const fallback = variable?.default;
  const known = [...(variable?.values ?? []), ...(fallback === undefined ? [] : [fallback])];
  if (known.length === 0) return null;
  const texts = [...(variable?.values ?? []), ...(fallback === "" ? [] : [fallback])];
  const choices = texts.filter((value) => typeof value === "string").map(quote);
  const types = scalarsOf(shape, known);
  if (variable?.values?.some((value) => typeof value === "string") === true) {
    types.push(...new Set(choices), "(string & {})");
  } else if (known.some((value) => typeof value === "string") || usesText(shape)) {
    types.push("string");
  }
  return types.join(" | ");
}

function usesText(shape: Shape): boolean {
  return shape.uses.has("text") || shape.literals.size > 0;
}

/** The types of values that are neither text nor data, by how the template asks for them and by values that it knows. */
function scalarsOf(shape: Shape, known: readonly unknown[] = []): string[] {
  return (["boolean", "number"] as const).filter(
    (type) => shape.uses.has(type) || known.some((value) => typeof value === type),
  );
}

/** A remark and what stands in for an absent input, as one text. */
function documented(remark: string | null, fallback: unknown): string | null {
  if (fallback === undefined) return remark;
  const shown = commentText(JSON.stringify(fallback));
  return [...(remark === null ? [] : [remark]), `Default: ${shown}.`].join(" ");
}

const ORDER = ["messages", "tools", "documents", "add_generation_prompt"];

function rank(name: string): number {
  const known = ORDER.indexOf(name);
  return known < 0 ? ORDER.length : known;
}

function propertyName(name: string): string {
  return isIdentifier(name) ? name : quote(name);
}

/** What one of a list is called: messages → message. */
function singular(name: string): string {
  if (name === "content") return "content_part";
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(name)) return name;
  return name.replace(/s$/, "");
}

/** The name of what a field holds: a message's tool_calls are tool_call, a tool_call's function tool_call_function. */
function nestedName(owner: string, name: string): string {
  const own = singular(name);
  return owner === "message" ? own : `${owner}_${own}`;
}

function articled(name: string): string {
  const words = name.replace(/_/g, " ");
  return `${/^[aeiou]/.test(words) ? "An" : "A"} ${words}`;
}
