/** Small changes of the project's own code, each of which some test should notice. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { Random } from "../fuzz/random.js";

/** A piece of a file, and what is put in its place. */
export interface Mutant {
  /** Stays the same as long as the code around it does. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["&&", "||"],
  ["||", "&&"],
  ["??", "&&"],
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["/", "*"],
  ["%", "*"],
  ["&", "|"],
  ["|", "&"],
]);

type Change = readonly [node: ts.Node, after: string];

function* changesOf(node: ts.Node): Generator<Change> {
  if (ts.isBinaryExpression(node)) {
    const after = OPERATORS.get(node.operatorToken.getText());
    if (after !== undefined) yield [node.operatorToken, after];
  } else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
    yield [node.expression, ts.isWhileStatement(node) ? "false" : "true"];
    if (ts.isIfStatement(node)) yield [node.expression, "false"];
  } else if (ts.isConditionalExpression(node)) {
    yield [node.condition, "true"];
    yield [node.condition, "false"];
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === ts.SyntaxKind.ExclamationToken) yield [node, node.operand.getText()];
    if (node.operator === ts.SyntaxKind.MinusToken) yield [node, node.operand.getText()];
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) yield [node, "false"];
  else if (node.kind === ts.SyntaxKind.FalseKeyword) yield [node, "true"];
  else if (ts.isNumericLiteral(node)) yield [node, `(${node.getText()} + 1)`];
  else if (ts.isStringLiteral(node)) yield [node, node.text === "" ? '"mutant"' : '""'];
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) yield [node, "[]"];
  else if (ts.isExpressionStatement(node)) yield [node, ";"];
  else if (ts.isBlock(node) && isFunctionBody(node) && node.statements.length > 0)
    yield [node, "{}"];
}

function isFunctionBody(node: ts.Block): boolean {
  return ts.isFunctionLike(node.parent);
}

/** What says nothing of behaviour: types, the names of modules and operators, and tables of the compiler's own cases. */
function isLeftOut(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isCaseClause(node.parent)
  );
}

function mutantsOf(root: string, file: string): Mutant[] {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (node !== source && isLeftOut(node) && !ts.isStatement(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const [changed, after] of changesOf(node)) {
      const [start, end] = [changed.getStart(source), changed.getEnd()];
      const before = text.slice(start, end);
      const around = text.slice(Math.max(0, start - 80), end + 80);
      const key = `${file}\n${around}\n${before}\n${after}`;
      const id = createHash("sha256").update(key).digest("hex").slice(0, 10);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ id, file, line, start, end, before, after });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}

/** So many mutants of the folders, drawn by the seed; the first of a larger sample are those of a smaller one. */
export function sample(
  root: string,
  folders: readonly string[],
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Mutant[] {
  const all = folders
    .flatMap((folder) => filesUnder(root, folder))
    .flatMap((file) => mutantsOf(root, file));
  const random = new Random(seed);
  const drawn: Mutant[] = [];
  while (drawn.length < count && all.length > 0) {
    drawn.push(...all.splice(random.below(all.length), 1));
  }
  return drawn;
}

/** The file's text with the mutant in it. */
export function mutatedText(text: string, { start, end, after }: Mutant): string {
  return text.slice(0, start) + after + text.slice(end);
}
