/** Files that are almost whole: cut, with bytes changed, pieces doubled, moved or taken out, and lengths that lie. */
import type { Random } from "../random.js";

/** A number that means something to a reader of lengths, in eight bytes or four. */
const LIES = [
  0n,
  1n,
  0xffn,
  0xffffn,
  0x7fff_ffffn,
  0xffff_ffffn,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
];
/** What a text reader may stumble over. */
const WORDS = [
  '"',
  "\\",
  "{",
  "[",
  "}",
  '"""',
  "null",
  "1e999",
  "9".repeat(5000),
  "[".repeat(20_000),
  '{"a":'.repeat(5000),
  "\\ud800",
  "\0",
  "\u{feff}",
  "../../../../etc/passwd",
  "sha256:../../../../etc/passwd",
  "__proto__",
  "TEMPLATE ",
  "FROM ",
  "\n",
];

type Breaking = (bytes: Uint8Array, random: Random) => Uint8Array;

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function piece(bytes: Uint8Array, random: Random): readonly [from: number, to: number] {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random.below(40))];
}

const BREAKINGS: readonly Breaking[] = [
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => bytes.with(random.below(bytes.length), random.below(256)),
  (bytes, random) => {
    const at = random.below(bytes.length);
    return bytes.with(at, (bytes[at] ?? 0) ^ (1 << random.below(8)));
  },
  (bytes, random) => {
    const [from, to] = piece(bytes, random);
    return joined(bytes.slice(0, from), bytes.slice(to));
  },
  (bytes, random) => {
    const [from, to] = piece(bytes, random);
    return joined(bytes.slice(0, to), bytes.slice(from));
  },
  (bytes, random) => {
    const [from, to] = piece(bytes, random);
    const at = random.below(bytes.length + 1);
    return joined(bytes.slice(0, at), bytes.slice(from, to), bytes.slice(at));
  },
  (bytes, random) => {
    const word = new TextEncoder().encode(random.pick(WORDS));
    const [from, to] = piece(bytes, random);
    return joined(bytes.slice(0, from), word, bytes.slice(random.chance(0.5) ? from : to));
  },
  (bytes, random) => {
    const width = random.chance(0.5) ? 8 : 4;
    if (bytes.length < width) return bytes;
    const lied = bytes.slice();
    const view = new DataView(lied.buffer, lied.byteOffset, lied.byteLength);
    const at = random.below(bytes.length - width + 1);
    const lie = BigInt.asUintN(64, random.pick(LIES));
    if (width === 8) view.setBigUint64(at, lie, random.chance(0.7));
    else view.setUint32(at, Number(BigInt.asUintN(32, lie)), random.chance(0.7));
    return lied;
  },
];

/** The bytes, broken one to four times. */
export function broken(bytes: Uint8Array, random: Random): Uint8Array {
  let result = bytes;
  for (let left = 1 + random.below(4); left > 0 && result.length > 0; left--) {
    result = random.pick(BREAKINGS)(result, random);
  }
  return result;
}
