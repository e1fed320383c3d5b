/** What the generated files and `meta` say of the compiler and of the engines that it equals. */
import type { Dialect } from "./ir/nodes.js";

export { VERSION } from "../runtime/version.js";

export const REFERENCE: Readonly<Record<Dialect, string>> = {
  jinja: "jinja2 3.1.6, transformers 5.24.0",
  ollama: "ollama 0.32.15, go 1.26.8",
  go: "go 1.26.8",
};
