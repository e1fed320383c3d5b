/** The rules of docs/architecture.md that can be read off the source: imports, lengths, names. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const HAND_WRITTEN = ["compiler", "examples", "runtime", "scripts", "test"];
const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 60;

interface Import {
  readonly from: string;
  /** A path relative to the root, or the name of a package. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** `import("…")`, loaded only when it is reached. */
  readonly lazy: boolean;
}

const paths = [...HAND_WRITTEN, "generated"].flatMap(typescriptFiles);
const files: readonly ts.SourceFile[] = paths.map((path) =>
  ts.createSourceFile(path, readFileSync(join(ROOT, path), "utf8"), ts.ScriptTarget.Latest, true),
);
const imports = files.flatMap(importsOf);

function typescriptFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules"));
}

function importsOf(file: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (module: ts.Node | undefined, typeOnly: boolean, lazy: boolean): void => {
    if (module === undefined || !ts.isStringLiteral(module)) return;
    const to = resolveModule(file.fileName, module.text);
    found.push({ from: file.fileName, to, typeOnly, lazy });
  };
  visit(file, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, hasOnlyTypes(node), false);
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, false);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
  });
  return found;
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}

function hasOnlyTypes({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = importClause.namedBindings;
  if (importClause.name !== undefined || named === undefined || !ts.isNamedImports(named))
    return false;
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function resolveModule(from: string, module: string): string {
  if (!module.startsWith(".")) return module;
  return join(dirname(from), module).replace(/\.js$/, ".ts");
}

/** Whether a path or package is one of the places, each a file or a folder ending in "/". */
function isIn(places: readonly string[], path: string): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}

function show(found: readonly Import[]): string[] {
  return found.map(({ from, to, typeOnly }) => `${from} → ${to}${typeOnly ? " (type)" : ""}`);
}

/** What the plugin for bundlers takes from the compiler; the pipeline only where a template is compiled. */
const BUNDLED = [
  "compiler/index.ts",
  "compiler/typescript/",
  "compiler/load/",
  "compiler/options.ts",
  "compiler/diagnostics.ts",
  "compiler/source.ts",
  "esbuild",
];

/** What each layer may import, beside itself. Folders end in "/". */
const LAYERS: readonly (readonly [layer: string, allowed: readonly string[]])[] = [
  ["compiler/source.ts", []],
  ["compiler/inert-text.ts", []],
  ["compiler/diagnostics.ts", ["compiler/source.ts", "compiler/inert-text.ts"]],
  ["compiler/ir/", ["compiler/source.ts"]],
  ["compiler/jinja/", ["compiler/source.ts", "compiler/diagnostics.ts", "compiler/ir/"]],
  ["compiler/go/", ["compiler/source.ts", "compiler/diagnostics.ts", "compiler/ir/"]],
  ["compiler/evaluate/", ["compiler/ir/", "runtime/"]],
  ["compiler/input/", ["compiler/ir/", "compiler/emit/names.ts", "runtime/"]],
  ["compiler/segments/", ["compiler/ir/", "compiler/source.ts"]],
  ["compiler/append/", ["compiler/ir/"]],
  ["runtime/", []],
  ["generated/", ["runtime/"]],
  ["compiler/inline/", ["compiler/version.ts", "node:path", "ts-morph"]],
  ["compiler/typescript/", ["ts-morph"]],
  ["compiler/bundler/", [...BUNDLED, "node:fs", "node:path", "node:url", "minimatch", "unplugin"]],
];

/** The part of the emitter that only a generated file needs. */
const MODULE_EMITTER = ["compiler/emit/align.ts", "compiler/emit/module.ts"];

/** What an interpreter may take from the compiler: the syntax tree, how it is made and printed. */
const SYNTAX = [
  "compiler/source.ts",
  "compiler/diagnostics.ts",
  "compiler/jinja/ast.ts",
  "compiler/jinja/parser.ts",
  "compiler/go/ast.ts",
  "compiler/go/parser.ts",
  "compiler/go/print.ts",
];

describe("imports", () => {
  it.each(LAYERS)("%s imports only what it may", (layer, allowed) => {
    const wrong = imports.filter(
      ({ from, to }) => isIn([layer], from) && !isIn([layer, ...allowed], to),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("passes import the IR, and one file of them the runtime, for folding", () => {
    const outside = imports.filter(
      ({ from, to }) =>
        isIn(["compiler/passes/"], from) &&
        !isIn(["compiler/passes/", "compiler/ir/", "compiler/source.ts"], to),
    );
    const runtime = outside.filter(({ to }) => isIn(["runtime/"], to));
    expect(show(outside.filter((each) => !runtime.includes(each)))).toEqual([]);
    const values = runtime.filter(({ typeOnly }) => !typeOnly);
    expect(new Set(values.map(({ from }) => from)).size).toBeLessThanOrEqual(1);
  });

  it("the emitter imports the IR, and the runtime as types only", () => {
    const allowed = ["compiler/emit/", "compiler/ir/", "compiler/source.ts"];
    const packages = ["ts-morph", "prettier"];
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      if (!isIn(["compiler/emit/"], from) || isIn(allowed, to)) return false;
      if (isIn(["runtime/"], to)) return !typeOnly;
      return !(MODULE_EMITTER.includes(from) && packages.includes(to));
    });
    expect(show(wrong)).toEqual([]);
  });

  it("only the emitter's module and what reads TypeScript load ts-morph and prettier", () => {
    const wrong = imports.filter(
      ({ from, to, typeOnly }) =>
        isIn(["compiler/", "runtime/"], from) &&
        ["ts-morph", "prettier"].includes(to) &&
        !typeOnly &&
        !isIn([...MODULE_EMITTER, "compiler/inline/", "compiler/typescript/"], from),
    );
    expect(show(wrong)).toEqual([]);
  });

  it.each(["compiler/template.ts", "compiler/index.ts", "compiler/bundler/index.ts"])(
    "%s starts without ts-morph and prettier",
    (entry) => {
      const reached = closure(entry, ({ typeOnly, lazy }) => !typeOnly && !lazy);
      expect([...reached].filter((to) => ["ts-morph", "prettier"].includes(to))).toEqual([]);
    },
  );

  it("compiling at run time never reaches the module emitter", () => {
    const reached = closure("compiler/template.ts", ({ typeOnly }) => !typeOnly);
    expect([...reached]).not.toContain("compiler/emit/module.ts");
    expect([...reached]).not.toContain("compiler/inline/index.ts");
  });

  it("interpreters share the syntax trees with the compiler and nothing else", () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        isIn(["test/interpreter/"], from) && !isIn(["test/interpreter/", ...SYNTAX], to),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("the plugin starts without the pipeline, and knows esbuild by its types only", () => {
    const reached = closure(
      "compiler/bundler/index.ts",
      ({ typeOnly, lazy }) => !typeOnly && !lazy,
    );
    expect([...reached].filter((to) => ["compiler/pipeline.ts", "esbuild"].includes(to))).toEqual(
      [],
    );
  });

  it("the compiler and the runtime import no test, script, example or generated file", () => {
    const outside = ["test/", "scripts/", "examples/", "generated/"];
    const wrong = imports.filter(
      ({ from, to }) => isIn(["compiler/", "runtime/"], from) && isIn(outside, to),
    );
    expect(show(wrong)).toEqual([]);
  });

  it("the playground's page runs without Node, and only its worker for modules loads ts-morph", () => {
    const page = "scripts/playground/page/";
    const emitter = `${page}emitter-worker.ts`;
    const worker = closure(emitter, ({ typeOnly }) => !typeOnly);
    const rest = ["main", "engine-worker"].flatMap((name) => [
      ...closure(`${page}${name}.ts`, ({ typeOnly }) => !typeOnly),
    ]);
    expect([...worker, ...rest].filter((to) => to.startsWith("node:"))).toEqual([]);
    expect(rest.filter((to) => ["ts-morph", "prettier"].includes(to))).toEqual([]);
  });

  it("examples import the package by its name, as a user does", () => {
    const wrong = imports.filter(
      ({ from, to }) => isIn(["examples/"], from) && isIn(["compiler/", "runtime/"], to),
    );
    expect(show(wrong)).toEqual([]);
  });
});

/** Everything that a file reaches over the imports that count. */
function closure(entry: string, counts: (each: Import) => boolean): Set<string> {
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const each of imports) if (each.from === path && counts(each)) reached.add(each.to);
  }
  return reached;
}

const handWritten = files.filter(({ fileName }) => !isIn(["generated/"], fileName));

describe("size and names", () => {
  it("files stay short", () => {
    const long = handWritten
      .map((file) => ({ path: file.fileName, lines: file.getLineStarts().length - 1 }))
      .filter(({ lines }) => lines > MAX_FILE_LINES);
    expect(long).toEqual([]);
  });

  it("functions stay short", () => {
    expect(handWritten.flatMap(longFunctionsOf)).toEqual([]);
  });

  it("no file has a name that says nothing", () => {
    const empty = new Set(["utils", "util", "helpers", "helper", "common", "shared", "misc"]);
    const names = handWritten.flatMap(({ fileName }) => fileName.split("/"));
    expect(names.filter((name) => empty.has(name.replace(/\..*/, "")))).toEqual([]);
  });
});

function longFunctionsOf(file: ts.SourceFile): string[] {
  const long: string[] = [];
  visit(file, (node) => {
    if (!ts.isFunctionLike(node) || isSuite(node)) return;
    const [first, last] = [node.getStart(), node.getEnd()].map(
      (at) => file.getLineAndCharacterOfPosition(at).line + 1,
    );
    const lines = (last ?? 0) - (first ?? 0) + 1;
    if (lines > MAX_FUNCTION_LINES) long.push(`${file.fileName}:${first ?? 0}: ${lines} lines`);
  });
  return long;
}

/** The callback of `describe`: a list of tests, not a function to read. */
function isSuite(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());
}
