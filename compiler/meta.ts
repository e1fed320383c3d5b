/** What is known of a template without a conversation: its inputs and what of a conversation it shows. */
import { sha256 as digest } from "@noble/hashes/sha2.js";
import type { Forms, TemplateMeta } from "../runtime/index.js";
import { findingsOf, type Findings } from "./analysis/capabilities.js";
import { formsOf } from "./analysis/forms.js";
import { variablesOf } from "./analysis/variables.js";
import type { Dialect, Module } from "./ir/nodes.js";
import { REFERENCE, VERSION } from "./version.js";

/** What asks for more than a hash is found out when it is first read: templates are compiled that are never described. */
export function describeTemplate(
  source: string,
  name: string,
  dialect: Dialect,
  module: Module,
): TemplateMeta {
  let variables: TemplateMeta["variables"] | undefined;
  let found: Findings | undefined;
  let forms: Forms | undefined;
  const findings = (): Findings => (found ??= findingsOf(module));
  return {
    name,
    dialect,
    sha256: sha256(source),
    compiler: VERSION,
    reference: REFERENCE[dialect],
    get variables() {
      return (variables ??= variablesOf(module, dialect));
    },
    get capabilities() {
      return findings().capabilities;
    },
    get forms() {
      return (forms ??= formsOf(module, findings().capabilities));
    },
    get leadingBos() {
      return findings().leadingBos;
    },
  };
}

/** The hash of a text in UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = Array.from(digest(new TextEncoder().encode(text)));
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A description that is made when a field of it is first read that a template's options do not tell. */
export function describedLater(
  { name, dialect }: Pick<TemplateMeta, "name" | "dialect">,
  describe: () => TemplateMeta,
): TemplateMeta {
  let known: TemplateMeta | undefined;
  const all = (): TemplateMeta => (known ??= describe());
  return {
    name,
    dialect,
    get sha256() {
      return all().sha256;
    },
    get compiler() {
      return all().compiler;
    },
    get reference() {
      return all().reference;
    },
    get variables() {
      return all().variables;
    },
    get capabilities() {
      return all().capabilities;
    },
    get forms() {
      return all().forms;
    },
    get leadingBos() {
      return all().leadingBos;
    },
  };
}
