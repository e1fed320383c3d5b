/** What the templates of the fuzzer know of their inputs: shapes by name, for each dialect. */
import { models, roots, type GoType } from "../../../compiler/go/model.js";

export type Kind = "string" | "int" | "float" | "bool" | "nil" | "any" | "list" | "map" | "struct";

export interface Shape {
  readonly kind: Kind;
  /** The shape of a list's or a map's items. */
  readonly element?: string;
  /** Keys of a map and fields or methods of a struct, with their shapes. */
  readonly fields?: Readonly<Record<string, string>>;
}

export type Shapes = ReadonlyMap<string, Shape>;

const BASIC: Readonly<Record<string, Shape>> = {
  string: { kind: "string" },
  int: { kind: "int" },
  float64: { kind: "float" },
  bool: { kind: "bool" },
  nil: { kind: "nil" },
  any: { kind: "any" },
  json: { kind: "any" },
};

/** Shapes of the inputs that inputs.ts makes for dialect go. */
export const goShapes: Shapes = new Map(
  Object.entries({
    ...BASIC,
    root: {
      kind: "map",
      fields: {
        name: "string",
        text: "string",
        n: "int",
        f: "float64",
        yes: "bool",
        none: "nil",
        words: "strings",
        ints: "ints",
        mixed: "anys",
        messages: "messages",
        map: "map",
        deep: "deep",
        missing: "nil",
        odd: "any",
      },
    },
    strings: { kind: "list", element: "string" },
    ints: { kind: "list", element: "int" },
    anys: { kind: "list", element: "any" },
    messages: { kind: "list", element: "message" },
    message: {
      kind: "map",
      fields: { role: "string", content: "string", calls: "anys", n: "int", f: "float64" },
    },
    map: { kind: "map", element: "any", fields: { a: "string", b: "int", missing: "nil" } },
    deep: { kind: "map", fields: { one: "map", two: "strings", three: "message" } },
  } satisfies Record<string, Shape>),
);

/** Keys that arguments and properties of the requests often have. */
export const ARGUMENT_KEYS = ["city", "days", "String", "é", "10", "constructor"] as const;

function modelShapes(): [string, Shape][] {
  return Object.entries(models).map(([name, model]) => {
    const fields: Record<string, string> = {};
    for (const [field, { type }] of Object.entries(model.fields ?? {})) fields[field] = type;
    for (const [method, type] of Object.entries(model.methods ?? {})) fields[method] = type;
    for (const method of Object.keys(model.refused ?? {})) fields[method] = "nil";
    if (model.shape === "map") for (const key of ARGUMENT_KEYS) fields[key] ??= model.element ?? "";
    const { shape: kind, element } = model;
    return [name, { kind, fields, ...(element === undefined ? {} : { element }) }];
  });
}

function rootShape(): Shape {
  const fields: Record<string, string> = { Response: "string", Missing: "nil" };
  for (const root of Object.values(roots)) {
    const known: Readonly<Record<string, { readonly type: GoType }>> = root;
    for (const [name, { type }] of Object.entries(known)) fields[name] = type;
  }
  return { kind: "map", fields };
}

/** Shapes of Ollama's data model; the root has the keys of all its ways to execute a template. */
export const ollamaShapes: Shapes = new Map([
  ...Object.entries(BASIC),
  ["root", rootShape()],
  ...modelShapes(),
]);
