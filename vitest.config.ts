import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // One test runs every case of a family through an engine.
    testTimeout: 120_000,
    maxWorkers: 2,
  },
});
