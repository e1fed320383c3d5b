/**
 * The look at what a template reads of its input, as code of its own: engines then know the shapes of what each place
 * is given, and tell a prototype without a call. It finds plain what `InputRule` does.
 */
import { quote } from "../emit/names.js";
import { isPlain, isPlainOutside } from "./plain-input.js";
import type { Reads } from "./reads.js";

/** What the code calls. */
export const LOOK_RULES = { isPlain, isPlainOutside } as const;

/** Declarations, the last of which is `look(input)`: whether the input is plain where it is read. */
export function lookCode(input: Reads): string {
  return new LookPrinter().print(input);
}

/** How many levels of objects, all of which is read, have a function of the template's own: as deep as tools go. */
const LEVELS = 5;

class LookPrinter {
  readonly #names = new Map<Reads, string>();
  readonly #functions: string[] = [];
  #hasWhole = false;

  print(input: Reads): string {
    const look = `function look(value) {
try {
if (typeof value !== "object" || value === null) return false;
${input.isWhole ? `return ${this.#rule(input)}(value);` : this.#some(input)}
} catch {
return false;
}
}`;
    const levels = this.#hasWhole ? Array.from({ length: LEVELS }, (_, i) => wholeCode(i)) : [];
    const head = "const { getPrototypeOf, prototype } = Object;";
    return [head, ...levels, ...this.#functions, look].join("\n");
  }

  /** A function is refused under any name. */
  #some(input: Reads): string {
    return `for (const key in value) if (typeof value[key] === "function") return false;
${this.#fields(input)}`;
  }

  #object(reads: Reads): string {
    return `if (Array.isArray(value)) return isPlain(value);
if (typeof value.toJSON === "function") return false;
${this.#fields(reads)}`;
  }

  /** Engines that have read a field of the value know its prototype without a call. */
  #fields({ fields }: Reads): string {
    const read = [...fields].map(([name], i) => `const a${String(i)} = value[${quote(name)}];`);
    const tests = [...fields].map(([, field], i) => this.#test(field.root, `a${String(i)}`));
    return `${read.join("\n")}
const its = getPrototypeOf(value);
if (its !== prototype && its !== null) return false;
return ${["true", ...tests].join(" && ")};`;
  }

  #test(reads: Reads, value: string): string {
    return `(typeof ${value} !== "object" || ${value} === null || ${this.#rule(reads)}(${value}))`;
  }

  /** The function that looks at such a list or object. */
  #rule(reads: Reads): string {
    if (reads.isWhole) {
      this.#hasWhole = true;
      return "whole0";
    }
    if (reads.items === null && reads.fields.size === 0) return "isPlainOutside";
    const known = this.#names.get(reads);
    if (known !== undefined) return known;
    const name = `look${String(this.#names.size)}`;
    this.#names.set(reads, name);
    const body = reads.items === null ? this.#object(reads) : this.#list(reads.items);
    this.#functions.push(`function ${name}(value) {\n${body}\n}`);
    return name;
  }

  #list(items: Reads): string {
    return `if (!Array.isArray(value)) return isPlain(value);
for (let i = 0; i < value.length; i++) {
const item = value[i];
if (!${this.#test(items, "item")}) return false;
}
return true;`;
  }
}

/** `isPlain` of an object or list, for one level. */
function wholeCode(level: number): string {
  const next = level + 1 < LEVELS ? `whole${String(level + 1)}` : "isPlain";
  const isOther = (value: string): string =>
    `typeof ${value} === "object" ? ${value} !== null && !${next}(${value}) : typeof ${value} === "function"`;
  return `function whole${String(level)}(value) {
if (Array.isArray(value)) {
for (let i = 0; i < value.length; i++) {
const item = value[i];
if (${isOther("item")}) return false;
}
return true;
}
if (typeof value.toJSON === "function") return isPlain(value);
const its = getPrototypeOf(value);
if (its !== prototype && its !== null) return isPlain(value);
for (const key in value) {
const field = value[key];
if (typeof field === "string") continue;
if (${isOther("field")}) return false;
}
return true;
}`;
}
