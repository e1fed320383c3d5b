/** A value with its Go type, for where the value alone does not tell it. */

import { Opaque } from "../values.js";

/** reflect.Kind, as far as it matters; "pointer" stands for a pointer to a struct, "iterator" for iter.Seq2. */
export type GoKind =
  | "nil"
  | "bool"
  | "int"
  | "uint"
  | "float"
  | "complex"
  | "string"
  | "slice"
  | "map"
  | "struct"
  | "pointer"
  | "interface"
  | "func";

/** A field of a Go struct: its Go name, its name in the request, its type. */
export interface GoField {
  readonly name: string;
  readonly key: string;
  readonly type: GoType;
}

/** A Go type: what reflect, fmt and encoding/json need to know of it. */
export interface GoType {
  /** As `%T` prints it. */
  readonly name: string;
  readonly kind: GoKind;
  /** Of an interface: the type of the value in it. */
  readonly dynamic?: (value: unknown) => GoType;
  /** Of a slice, a map's values, a pointer. */
  readonly element?: GoType;
  readonly fields?: readonly GoField[];
  /** Of a map: a missing key gives no value at all, as without the option missingkey=zero. */
  readonly zeroless?: boolean;
  /** The String method, which fmt calls. */
  readonly string?: (value: unknown) => string;
  /** Methods that a template may call: the result, boxed unless it describes itself. */
  readonly methods?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** A slice given in another form (one bare name, base64): its items. */
  readonly items?: (value: unknown) => readonly unknown[];
  /** Its bytes in a slice that was appended to or decoded, which decide the slice's capacity. */
  readonly size?: number;
  /** Of a slice that did not grow item by item: the places that it has. */
  readonly capacity?: (value: unknown) => number | undefined;
  /** Whether the value is Go's nil of this type. */
  readonly isNil?: (value: unknown) => boolean;
  /** The zero value in the wire's form. */
  readonly zero: unknown;
  json(value: unknown): string;
}

/** A value that the compiler boxes, as its Go type is not to be seen from it. */
export class Typed extends Opaque {
  readonly #type: GoType;
  readonly #value: unknown;

  constructor(type: GoType, value: unknown) {
    super();
    this.#type = type;
    this.#value = value;
  }

  static typeOf(typed: Typed): GoType {
    return typed.#type;
  }

  static override valueOf(typed: Typed): unknown {
    return typed.#value;
  }
}

/** The value boxed with its type. */
export function typed(type: GoType, value: unknown): Typed {
  return new Typed(type, value);
}
