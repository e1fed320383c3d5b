/**
 * Types for imports of templates that a bundler compiles: `/// <reference types="chat-template-compiler/client" />`, or
 * `"types": ["chat-template-compiler/client"]` in tsconfig.json. A declaration file that `chat-template generate --dts`
 * wrote beside a template has that template's own input and goes before these.
 */

declare module "*.jinja" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*.j2" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*.gotmpl" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*.tmpl" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*?chat-template" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*?chat-template=default" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*?chat-template=tool_use" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}

declare module "*?chat-template=rag" {
  import type { Renderer } from "chat-template-compiler/runtime";
  export const render: Renderer<object>["render"];
  export const meta: Renderer<object>["meta"];
  export default render;
}
