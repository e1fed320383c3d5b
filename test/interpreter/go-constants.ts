/** Constants without a type of their own (exec.go's idealConstant). */
import type { NumberNode } from "../../compiler/go/ast.js";
import { complex, float, int, type Value } from "./go-values.js";

function isHexInteger(text: string): boolean {
  return /^0[xX]./.test(text) && !/[pP]/.test(text);
}

/** Complex, float or int, as the constant is written. */
export function idealConstant(node: NumberNode, fail: (message: string) => never): Value | null {
  const { text } = node;
  if (node.complex !== null) return complex(node.complex.real, node.complex.imaginary);
  const written = /[.eEpP]/.test(text) && !isHexInteger(text) && !text.startsWith("'");
  if (node.float !== null && written) return float(node.float);
  if (node.int !== null) return int(node.int);
  if (node.uint !== null) fail(`${text} overflows int`);
  return null;
}
