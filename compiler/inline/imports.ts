/** What a generated module imports from the runtime beside it. */
import { ts } from "ts-morph";

/** The names that the module imports, by the file they come from: its path inside `folder`, such as `jinja/index.ts`. */
export function importedNames(code: string, folder: string): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  const file = ts.createSourceFile("module.ts", code, ts.ScriptTarget.Latest, false);
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue;
    const path = pathInside(folder, statement.moduleSpecifier.text);
    const bindings = statement.importClause?.namedBindings;
    if (path === undefined || bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const names = bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
    found.set(path, [...(found.get(path) ?? []), ...names]);
  }
  return found;
}

function pathInside(folder: string, specifier: string): string | undefined {
  const start = `./${folder}/`;
  if (!specifier.startsWith(start)) return undefined;
  return specifier.slice(start.length).replace(/\.js$/, ".ts");
}
