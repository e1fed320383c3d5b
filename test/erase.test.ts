/** Generated modules without their types: JavaScript that says the same, in the same places. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { compile } from "../compiler/index.js";
import { declarationsOf } from "../compiler/typescript/declarations.js";
import { eraseTypes } from "../compiler/typescript/erase.js";
import { ROOT } from "./terminal.js";

const MODULES = readdirSync(join(ROOT, "generated"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => [name, readFileSync(join(ROOT, "generated", name), "utf8")] as const);

/** As TypeScript itself takes types away, which moves everything. */
function transpiled(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  });
  return printed(outputText);
}

/** A module of JavaScript as TypeScript prints it, so that spaces do not count. Throws where it is none. */
function printed(code: string): string {
  const { diagnostics = [], outputText } = ts.transpileModule(code, {
    fileName: "module.js",
    reportDiagnostics: true,
    compilerOptions: {
      allowJs: true,
      removeComments: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
    },
  });
  expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  return outputText;
}

function expectErased(code: string): void {
  const javascript = eraseTypes(code);
  expect(printed(javascript)).toBe(transpiled(code));
  expect(javascript.length).toBe(code.length);
  const kept = [...code.matchAll(/[^]/g)].map(({ 0: char, index }) =>
    javascript[index] === " " ? " " : char,
  );
  expect(javascript).toBe(kept.join(""));
}

describe("eraseTypes", () => {
  it.each(MODULES)("leaves %s as TypeScript does, and every place", (_, code) => {
    expectErased(code);
  });

  it.each([
    ["annotations", "const a: number = 1; let b: string; for (const [x, y] of list) { f(x, y); }"],
    [
      "functions",
      "export function f<T extends object>(a: T, b?: string, ...c: number[]): a is T { return !b; }",
    ],
    ["arrows", "const f = <T,>(a: T, { b }: { b: T } = d): T => a;"],
    ["type arguments", "const s = new Set<Map<string, number>>(); const t = g<string>(s);"],
    ["assertions", "const a = b as const; const c = [d satisfies E]; e(f!.g as unknown as H);"],
    [
      "interfaces and aliases",
      "/** Doc. */\nexport interface A { b: string }\ntype C = A | null;\nexport const e = d();",
    ],
    [
      "imports",
      'import { a, type B, c } from "x";\nimport { type D } from "y";\nimport type E from "z";\na(c);',
    ],
    ["exports", 'export type { A } from "x";\nexport { b } from "y";'],
    [
      "text like types",
      'const a = "let b: string"; const c = `${d ? e : f}: ${g as string}`; h({ i: j });',
    ],
  ])("erases %s", (_, code) => {
    expectErased(code);
  });
});

describe("declarationsOf", () => {
  it("keeps the exports and their types", async () => {
    const { code } = await compile("{{ name }}{% for m in messages %}{{ m.role }}{% endfor %}", {
      name: "chat",
      dialect: "jinja",
      targets: ["bytes"],
    });
    const declarations = declarationsOf(code);
    expect(declarations).toContain("export interface ChatInput {\n  ");
    expect(declarations).toContain("export declare function render(input: ChatInput, ");
    expect(declarations).toContain("export declare function renderBytes(input: ChatInput, ");
    expect(declarations).toContain("export declare const meta: TemplateMeta;");
    expect(declarations).not.toContain("renderPrompt");
  });
});
