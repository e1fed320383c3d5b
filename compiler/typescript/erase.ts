/** A generated module as JavaScript: its types become blanks, so that every other character keeps its place. */
import { ts } from "ts-morph";

/**
 * The JavaScript of a module that uses erasable TypeScript only, as generated modules do: lines and columns stay, so a
 * source map of the module is one of the result. An import of types alone goes as a whole.
 */
export function eraseTypes(code: string): string {
  const file = ts.createSourceFile("module.ts", code, ts.ScriptTarget.Latest, false);
  const blanks = new Blanks(code);
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) blanks.add(node.getStart(file, true), node.end);
    else {
      eraseParts(node, blanks);
      ts.forEachChild(node, visit);
    }
  };
  ts.forEachChild(file, visit);
  return blanks.text();
}

/** Ranges of a text that are overwritten with spaces; line breaks stay. */
class Blanks {
  readonly #code: string;
  readonly #ranges: (readonly [start: number, end: number])[] = [];

  constructor(code: string) {
    this.#code = code;
  }

  add(start: number, end: number): void {
    this.#ranges.push([start, end]);
  }

  /** From the last `character` before a position: what introduces a type. */
  addFrom(character: string, before: number, end: number): void {
    this.add(this.#code.lastIndexOf(character, before - 1), end);
  }

  /** A list and the brackets around it. */
  addList({ pos, end }: ts.NodeArray<ts.Node>): void {
    this.add(pos - 1, this.#code.indexOf(">", end) + 1);
  }

  /** A node and the comma behind it. */
  addElement(node: ts.Node): void {
    const comma = /^\s*,/.exec(this.#code.slice(node.end));
    this.add(node.pos, node.end + (comma?.[0].length ?? 0));
  }

  text(): string {
    let text = "";
    let at = 0;
    for (const [start, end] of this.#ranges.toSorted(([a], [b]) => a - b)) {
      if (end <= at) continue;
      text += this.#code.slice(at, Math.max(at, start));
      text += this.#code.slice(Math.max(at, start), end).replace(/[^\r\n]/g, " ");
      at = end;
    }
    return text + this.#code.slice(at);
  }
}

/** Whether a statement says nothing at run time. */
function isTypeOnly(node: ts.Node): boolean {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportDeclaration(node) && importsTypesOnly(node.importClause);
}

function importsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** The types among a node's parts. */
function eraseParts(node: ts.Node, blanks: Blanks): void {
  if (ts.isImportSpecifier(node) && node.isTypeOnly) blanks.addElement(node);
  if (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isFunctionLike(node)) {
    if (node.type !== undefined) blanks.addFrom(":", node.type.pos, node.type.end);
  }
  if (ts.isParameter(node) && node.questionToken !== undefined) {
    blanks.add(node.questionToken.pos, node.questionToken.end);
  }
  if (ts.isFunctionLike(node) && node.typeParameters !== undefined) {
    blanks.addList(node.typeParameters);
  }
  if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && node.typeArguments !== undefined) {
    blanks.addList(node.typeArguments);
  }
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node)) {
    blanks.add(node.expression.end, node.end);
  }
}
