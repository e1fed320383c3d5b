export { rollup as default, type ChatTemplateOptions } from "./index.js";
