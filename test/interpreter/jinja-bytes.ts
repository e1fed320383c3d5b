/** Python's bytes: the sandbox gives a template little to do with them but print them. */
import { Instance, raise } from "./jinja-values.js";

export function bytes(values: readonly number[]): Instance {
  const shown = values.map((byte) => {
    const char = String.fromCharCode(byte);
    if (char === "\\" || char === "'") return `\\${char}`;
    const named = { 9: "\\t", 10: "\\n", 13: "\\r" }[byte];
    return named ?? (byte >= 32 && byte < 127 ? char : `\\x${byte.toString(16).padStart(2, "0")}`);
  });
  return new Instance("builtins", "bytes", { representation: `b'${shown.join("")}'` });
}

/** `int.to_bytes(length, byteorder)` of a number that is not negative. */
export function intToBytes(value: bigint, length: number, order: string): Instance {
  if (value < 0n) raise("OverflowError", "can't convert negative int to unsigned");
  if (order !== "big" && order !== "little") {
    raise("ValueError", "byteorder must be either 'little' or 'big'");
  }
  const digits: number[] = [];
  let rest = value;
  for (let at = 0; at < length; at++, rest >>= 8n) digits.push(Number(rest & 255n));
  if (rest > 0n) raise("OverflowError", "int too big to convert");
  return bytes(order === "big" ? digits.reverse() : digits);
}
