/** Which declarations of the runtime are reached from the names that modules import. */
import { join, relative } from "node:path";
import { ts } from "ts-morph";

/** A name that an `export *` passes on. */
interface PassedName {
  readonly name: string;
  readonly isType: boolean;
}

const ENTRIES = ["index.ts", "jinja/index.ts", "go/index.ts"];

/** Only names are resolved, never types: the standard library is not needed. */
const OPTIONS: ts.CompilerOptions = {
  noLib: true,
  types: [],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** The sources of the runtime, and what of them is used. */
export class RuntimeSources {
  readonly #folder: string;
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #files = new Set<ts.SourceFile>();
  readonly #used = new Set<ts.Node>();
  readonly #passed = new Map<ts.ExportDeclaration, PassedName[]>();
  /** Declarations whose own references have not been followed yet. */
  readonly #pending: ts.Statement[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    const entries = ENTRIES.map((entry) => join(folder, entry));
    this.#program = ts.createProgram(entries, OPTIONS);
    this.#checker = this.#program.getTypeChecker();
  }

  /** Notes that a module imports a name from a file of the runtime; false where there is none. */
  use(path: string, name: string): boolean {
    const file = this.#program.getSourceFile(join(this.#folder, path));
    if (file === undefined || !this.#useExport(file, name)) return false;
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      this.#follow(next);
    }
    return true;
  }

  /** The files that something is used of, by their paths inside the runtime, in order of path. */
  files(): readonly (readonly [path: string, file: ts.SourceFile])[] {
    return [...this.#files]
      .map((file) => [relative(this.#folder, file.fileName).replaceAll("\\", "/"), file] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Whether a statement, or a name in an import or export, is used. */
  isUsed(node: ts.Node): boolean {
    return this.#used.has(node);
  }

  /** The used names that an `export *` passes on. */
  passedBy(declaration: ts.ExportDeclaration): readonly PassedName[] {
    return this.#passed.get(declaration) ?? [];
  }

  /** False where the file exports no such name. */
  #useExport(file: ts.SourceFile, name: string): boolean {
    const symbol = this.#exportOf(file, name);
    if (symbol === undefined) return false;
    this.#useFile(file);
    const direct = symbol.declarations?.filter((each) => each.getSourceFile() === file) ?? [];
    if (direct.length === 0) this.#passOn(file, name, symbol);
    for (const each of direct) {
      if (ts.isExportSpecifier(each)) this.#useExportSpecifier(each);
      else this.#useStatement(each);
    }
    return true;
  }

  #exportOf(file: ts.SourceFile, name: string): ts.Symbol | undefined {
    const module = this.#checker.getSymbolAtLocation(file);
    return module && this.#checker.tryGetMemberInModuleExports(name, module);
  }

  #useExportSpecifier(specifier: ts.ExportSpecifier): void {
    if (this.#used.has(specifier)) return;
    this.#used.add(specifier);
    const declaration = specifier.parent.parent;
    const name = (specifier.propertyName ?? specifier.name).text;
    if (declaration.moduleSpecifier !== undefined) {
      this.#useExport(this.#target(declaration.moduleSpecifier), name);
      return;
    }
    const local = this.#checker.getExportSpecifierLocalTargetSymbol(specifier);
    for (const each of local?.declarations ?? []) this.#useDeclaration(each);
  }

  /** A name that the file has from an `export *`. */
  #passOn(file: ts.SourceFile, name: string, symbol: ts.Symbol): void {
    for (const statement of file.statements) {
      if (!ts.isExportDeclaration(statement) || statement.exportClause !== undefined) continue;
      if (statement.moduleSpecifier === undefined) continue;
      const passed = this.#passed.get(statement) ?? [];
      if (passed.some((each) => each.name === name)) return;
      if (!this.#useExport(this.#target(statement.moduleSpecifier), name)) continue;
      passed.push({ name, isType: !this.#isValue(symbol) });
      this.#passed.set(statement, passed);
      return;
    }
  }

  #isValue(symbol: ts.Symbol): boolean {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const { flags } = isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return (flags & ts.SymbolFlags.Value) !== 0;
  }

  #target(specifier: ts.Expression): ts.SourceFile {
    const file = this.#checker.getSymbolAtLocation(specifier)?.declarations?.[0];
    if (file === undefined || !ts.isSourceFile(file))
      throw new Error(`${specifier.getSourceFile().fileName}: no ${specifier.getText()}`);
    return file;
  }

  /** What a module does when it is loaded is kept with whatever is used of it. */
  #useFile(file: ts.SourceFile): void {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    for (const statement of file.statements) {
      if (isEffect(statement)) this.#useStatement(statement);
      if (!ts.isImportDeclaration(statement) || statement.importClause !== undefined) continue;
      this.#used.add(statement);
      this.#useFile(this.#target(statement.moduleSpecifier));
    }
  }

  #useStatement(node: ts.Node): void {
    const statement = statementOf(node);
    if (this.#used.has(statement)) return;
    this.#used.add(statement);
    this.#pending.push(statement);
  }

  #follow(node: ts.Node): void {
    if (ts.isIdentifier(node) && !isMemberName(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
        : this.#checker.getSymbolAtLocation(node);
      for (const each of symbol?.declarations ?? []) {
        if (ts.isNamespaceImport(each)) this.#useNamespace(each, node);
        else this.#useDeclaration(each);
      }
    }
    ts.forEachChild(node, (child) => {
      this.#follow(child);
    });
  }

  /** What a name inside a file stands for: an import, or a declaration of the same file. */
  #useDeclaration(declaration: ts.Declaration): void {
    if (!ts.isImportSpecifier(declaration)) {
      this.#useStatement(declaration);
      return;
    }
    if (this.#used.has(declaration)) return;
    this.#used.add(declaration);
    const { moduleSpecifier } = declaration.parent.parent.parent;
    const name = (declaration.propertyName ?? declaration.name).text;
    this.#useExport(this.#target(moduleSpecifier), name);
  }

  /** `namespace.member` uses that member; any other use of the namespace all of them. */
  #useNamespace(declaration: ts.NamespaceImport, use: ts.Identifier): void {
    this.#used.add(declaration);
    const file = this.#target(declaration.parent.parent.moduleSpecifier);
    const { parent } = use;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === use) {
      this.#useExport(file, parent.name.text);
    } else if (ts.isQualifiedName(parent) && parent.left === use) {
      this.#useExport(file, parent.right.text);
    } else {
      const module = this.#checker.getSymbolAtLocation(file);
      const all = module === undefined ? [] : this.#checker.getExportsOfModule(module);
      for (const { name } of all) this.#useExport(file, name);
    }
  }
}

/** A statement that does something when the module is loaded, beside giving its own names their values. */
function isEffect(statement: ts.Statement): boolean {
  return !(
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  );
}

/** The statement of the file that a node stands in. */
function statementOf(node: ts.Node): ts.Statement {
  const statement = node
    .getSourceFile()
    .statements.find(({ pos, end }) => pos <= node.pos && node.end <= end);
  if (statement === undefined) throw new Error(`${node.getText()} stands in no statement`);
  return statement;
}

/** A name after a dot, or of a member: looking it up would need types, and it never is a declaration of a file. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isClassElement(parent) ||
      ts.isTypeElement(parent)) &&
    parent.name === node
  );
}
