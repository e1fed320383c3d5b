import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "compiler/index.ts",
    template: "compiler/template.ts",
    cli: "compiler/cli/index.ts",
    runtime: "runtime/index.ts",
    chat: "runtime/chat/index.ts",
    "runtime/jinja": "runtime/jinja/index.ts",
    "runtime/go": "runtime/go/index.ts",
  },
  format: "esm",
  // The runtime, the templates at run time and the chat functions run in browsers and workers too.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  target: "node20.19",
  fixedExtension: false,
  dts: true,
});
