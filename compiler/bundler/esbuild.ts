export { esbuild as default, type ChatTemplateOptions } from "./index.js";
