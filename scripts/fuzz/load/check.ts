/** What a loader may do with a broken file: give templates, which compile or not, or throw one LoadError. */
import { CompileError, compileTemplate } from "../../../compiler/template.js";
import { LoadError } from "../../../compiler/load/loaded.js";
import { Random } from "../random.js";
import { broken } from "./broken.js";
import type { LoaderForm } from "./forms.js";

export interface LoadOutcome {
  readonly kind: "loaded" | "refused" | "wrong";
  readonly error: string;
}

/** The bytes of a case: found again by seed and number. */
export function brokenCase(form: LoaderForm, seed: number, number: number): Uint8Array {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  return broken(random.pick(form.whole), random);
}

export function loadOutcome(form: LoaderForm, bytes: Uint8Array): LoadOutcome {
  try {
    const sources = form.load(bytes);
    for (const source of sources) compiles(source, form.name === "modelfile");
    return { kind: "loaded", error: "" };
  } catch (error) {
    if (!(error instanceof LoadError)) return { kind: "wrong", error: String(error) };
    // A reader of the message sees one line, not a part of the file.
    const isClear = error.message.length < 500 && !error.message.includes("\n");
    return { kind: isClear ? "refused" : "wrong", error: error.message };
  }
}

function compiles(source: string, isGo: boolean): void {
  try {
    compileTemplate(source, { dialect: isGo ? "ollama" : "jinja", name: "loaded" });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
  }
}
