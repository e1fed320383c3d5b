export { webpack as default, type ChatTemplateOptions } from "./index.js";
