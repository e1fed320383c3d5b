import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores([
    "dist",
    "coverage",
    "playground-dist",
    "test/golden",
    "test/fixtures",
    ".venv",
    "scripts/bench/work",
    // Compiled in the project that `npm run check:install` makes.
    "scripts/package/program",
  ]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts"],
    extends: [
      js.configs.recommended,
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
    ],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // `_name` says that a parameter belongs to the signature and is not read.
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      // Numbers print in a template literal as everywhere else.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // tsconfig.json has noPropertyAccessFromIndexSignature off; both ways of reading are in use.
      "@typescript-eslint/dot-notation": "off",
      // Spreading a text gives its code points, which is what Python's str counts.
      "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
      // Control characters are what JSON's and Python's escapes are about.
      "no-control-regex": "off",
    },
  },
  {
    // The index of a loop that has just been bounded.
    files: ["generated/**/*.ts"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    // The one place that turns text into a program: compiling in this process is what it is for.
    files: ["compiler/engines.ts"],
    rules: { "@typescript-eslint/no-implied-eval": "off" },
  },
  {
    // `Open` admits the message types of other packages: only an index signature of any does. `Opaque` has no members,
    // since a template's read of a name must find nothing: it is there to be asked for by instanceof.
    files: ["runtime/values.ts"],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-extraneous-class": ["error", { allowEmpty: true }],
    },
  },
);
