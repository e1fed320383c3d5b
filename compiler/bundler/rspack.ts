export { rspack as default, type ChatTemplateOptions } from "./index.js";
