import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // The examples import the package by its name, as a user's code does; tsconfig.json says the same to TypeScript.
  resolve: {
    alias: {
      "chat-template-compiler/template": root("compiler/template.ts"),
      "chat-template-compiler/runtime": root("runtime/index.ts"),
      "chat-template-compiler/chat": root("runtime/chat/index.ts"),
    },
  },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    // One test runs every case of a family through an engine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Files of a worker share the compiler's modules; a test that changes the process must put it back.
    isolate: false,
  },
});
