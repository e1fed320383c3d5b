import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "compiler/index.ts",
    template: "compiler/template.ts",
    "character-names": "compiler/character-names.ts",
    cli: "compiler/cli/index.ts",
    chat: "runtime/chat/index.ts",
    // The runtime keeps its layout: modules may import it as a folder.
    "runtime/index": "runtime/index.ts",
    "runtime/jinja/index": "runtime/jinja/index.ts",
    "runtime/go/index": "runtime/go/index.ts",
    "bundler/index": "compiler/bundler/index.ts",
    "bundler/vite": "compiler/bundler/vite.ts",
    "bundler/rollup": "compiler/bundler/rollup.ts",
    "bundler/rolldown": "compiler/bundler/rolldown.ts",
    "bundler/webpack": "compiler/bundler/webpack.ts",
    "bundler/rspack": "compiler/bundler/rspack.ts",
    "bundler/esbuild": "compiler/bundler/esbuild.ts",
  },
  format: "esm",
  // The runtime, the templates at run time and the chat functions run in browsers and workers too.
  platform: "neutral",
  deps: { neverBundle: [/^node:/] },
  target: "node20.19",
  fixedExtension: false,
  dts: true,
});
