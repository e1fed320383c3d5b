export { rolldown as default, type ChatTemplateOptions } from "./index.js";
