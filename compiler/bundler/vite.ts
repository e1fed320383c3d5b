export { vite as default, type ChatTemplateOptions } from "./index.js";
