/** The functions a template can call, with the number of arguments they accept. */

export interface Builtin {
  readonly name: string;
  /** The fewest arguments; a piped value counts as the last one. */
  readonly min: number;
  /** The most arguments, null if variadic. */
  readonly max: number | null;
  /** Whose function it is: Go's text/template or Ollama's function map. */
  readonly origin: "go" | "ollama";
}

function variadic(name: string, min: number, origin: Builtin["origin"] = "go"): Builtin {
  return { name, min, max: null, origin };
}

function fixed(name: string, count: number, origin: Builtin["origin"] = "go"): Builtin {
  return { name, min: count, max: count, origin };
}

/** Go's builtins (text/template funcs.go) and the four that Ollama's template.go adds. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  [
    variadic("and", 1),
    variadic("call", 1),
    variadic("eq", 1),
    fixed("ge", 2),
    fixed("gt", 2),
    variadic("html", 0),
    variadic("index", 1),
    variadic("js", 0),
    fixed("le", 2),
    fixed("len", 1),
    fixed("lt", 2),
    fixed("ne", 2),
    fixed("not", 1),
    variadic("or", 1),
    variadic("print", 0),
    variadic("printf", 1),
    variadic("println", 0),
    variadic("slice", 1),
    variadic("urlquery", 0),
    fixed("json", 1, "ollama"),
    variadic("currentDate", 0, "ollama"),
    variadic("yesterdayDate", 0, "ollama"),
    fixed("toTypeScriptType", 1, "ollama"),
  ].map((builtin) => [builtin.name, builtin]),
);
