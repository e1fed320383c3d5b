/** Of which values the code tells where they stand, and of which texts that they are written of one such value. */
import type { IntrinsicName } from "../ir/intrinsics.js";
import { only, Text } from "../ir/kinds.js";
import type { Expr, Module } from "../ir/nodes.js";
import { possibleKinds } from "../ir/possible-kinds.js";
import type { Carriers } from "./carriers.js";
import { isSameSpot, type Places, type Spot } from "./places.js";
import { derivation, mayBeScalar, passing } from "./rules.js";

export class Spots {
  readonly #module: Module;
  readonly #carriers: Carriers;
  readonly #places: Places;

  constructor(module: Module, carriers: Carriers, places: Places) {
    this.#module = module;
    this.#carriers = carriers;
    this.#places = places;
  }

  /** Where a value stands; null: the code does not tell, or a local holds it with its origin anyway. */
  of(expr: Expr): Spot | null {
    const isCarried = expr.op === "local" && this.#carriers.isCarrier(expr.local);
    return isCarried ? null : this.#places.spot(expr);
  }

  /** Where text stands that is written: that of one value, or of one or another form of it. */
  ofWritten(expr: Expr): Spot | null {
    if (expr.op === "choose") {
      const spot = this.ofWritten(expr.then);
      return isSameSpot(spot, this.ofWritten(expr.otherwise)) ? spot : null;
    }
    if (!this.#carriers.has(expr)) return null;
    return expr.op === "intrinsic" ? this.ofRule(expr) : this.of(expr);
  }

  /** Where the one value stands that a rule writes a text of. */
  ofRule(expr: Extract<Expr, { op: "intrinsic" }>): Spot | null {
    const kinds = possibleKinds(this.#module, expr);
    const [first, ...rest] = expr.args;
    const applying = passing(expr.name) ?? derivation(expr.name, mayBeScalar(kinds), 1);
    if (!WRITING.has(applying) || !only(kinds, Text) || !rest.every(isConstant)) return null;
    return first === undefined ? null : this.of(first);
  }
}

/** Rules that write one text of a value, as a whole where that is the input's own. */
const WRITING: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "segments.printed",
  "segments.json",
  "segments.goJson",
]);

function isConstant(expr: Expr): boolean {
  if (expr.op === "record") return expr.fields.every(({ value }) => isConstant(value));
  return expr.op === "literal";
}
