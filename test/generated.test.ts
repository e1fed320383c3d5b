/** generated/ is what the compiler writes now, and the same program as the one it runs in process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { planGeneration } from "../compiler/cli/plan.js";
import { emitBody } from "../compiler/emit/body.js";
import { toModule } from "../compiler/pipeline.js";
import { programText } from "../compiler/template.js";
import { chatTemplate, ROOT } from "./terminal.js";

const MAX_LINES = 300;

const { templates } = await planGeneration({ directory: ROOT, patterns: [] });
const modules = templates.map((planned) => ({
  ...planned,
  code: readFileSync(join(ROOT, planned.output), "utf8"),
}));

it("generated/ is current, and holds nothing else", async () => {
  expect(await chatTemplate(ROOT, ["generate", "--check", "--quiet"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  const written = modules.map(({ output }) => output);
  const present = readdirSync(join(ROOT, "generated")).map((name) => `generated/${name}`);
  expect(present.toSorted()).toEqual(written.toSorted());
});

describe.each(modules)("$output", ({ template, code }) => {
  it("has no any, no cast, and stays short", () => {
    const found: string[] = [];
    visit(ts.createSourceFile("module.ts", code, ts.ScriptTarget.Latest, true), (node) => {
      const isCast = ts.isAsExpression(node) && !ts.isConstTypeReference(node.type);
      const isAny = node.kind === ts.SyntaxKind.AnyKeyword;
      if (isCast || isAny || ts.isTypeAssertionExpression(node)) found.push(node.getText());
    });
    expect(found).toEqual([]);
    expect(code).not.toMatch(/eslint-disable|@ts-/);
    expect(code.split("\n").length).toBeLessThan(MAX_LINES);
  });

  it("names no time and no path of this machine", () => {
    expect(code).not.toContain(ROOT);
    expect(code.split("\n")[0]).toContain(`from ${template.file}`);
  });

  it("is the program that runs in process, with types", async () => {
    const { module } = toModule(template.source, template);
    const body = emitBody(module, { typed: false, comments: false, inputType: "" });
    expect(await bodyOf(code)).toBe(await bodyOf(programText(body)));
  });
});

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}

/** The statements that render, without types and comments, in one formatting. */
async function bodyOf(code: string): Promise<string> {
  // The export makes both a module, so that neither gets a "use strict".
  const { outputText } = ts.transpileModule(`${code}\nexport {};`, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      removeComments: true,
    },
  });
  const file = ts.createSourceFile("module.js", outputText, ts.ScriptTarget.Latest, true);
  const body = file.statements.filter(
    (node) => !ts.isImportDeclaration(node) && !isExported(node) && !isOfModuleOnly(node),
  );
  return format(body.map((node) => node.getText()).join("\n"), { parser: "babel" });
}

/** The default export, and the check of the runtime's version. */
function isOfModuleOnly(node: ts.Statement): boolean {
  return ts.isExportAssignment(node) || node.getText().startsWith("checkRuntime(");
}

/** `render` and `meta` are the module's own: the class Template has them in process. */
function isExported(node: ts.Statement): boolean {
  return (
    ts.isExportDeclaration(node) ||
    (ts.canHaveModifiers(node) &&
      (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
  );
}
