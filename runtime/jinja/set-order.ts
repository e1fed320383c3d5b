/** The order in which CPython's sets give their members, where it does not depend on the run. */

const LEAST_SLOTS = 8;
const LINEAR_PROBES = 9;
const MODULUS = (1n << 61n) - 1n;

/** The members in the order of the slots of CPython's hash table; texts hash differently in each run of it. */
export function slotOrder(members: readonly unknown[]): readonly unknown[] {
  const hashes = members.map(hashOf);
  if (members.length < 2 || hashes.includes(null)) return members;
  let slots: (number | undefined)[] = Array.from({ length: LEAST_SLOTS });
  members.forEach((_, member) => {
    insert(slots, member, hashes);
    const used = member + 1;
    if (used * 5 >= (slots.length - 1) * 3) slots = grown(slots, used, hashes);
  });
  return slots.filter((member) => member !== undefined).map((member) => members[member]);
}

/** `hash(v)` of an integer as 64 bits; null where a run decides. */
function hashOf(v: unknown): bigint | null {
  if (typeof v === "boolean") return v ? 1n : 0n;
  const isInteger = typeof v === "bigint" || (typeof v === "number" && Number.isInteger(v));
  if (!isInteger) return null;
  const n = BigInt(v);
  const size = (n < 0n ? -n : n) % MODULUS;
  const hash = n < 0n ? -size : size;
  return BigInt.asUintN(64, hash === -1n ? -2n : hash);
}

type Hashes = readonly (bigint | null)[];

function insert(slots: (number | undefined)[], member: number, hashes: Hashes): void {
  const mask = BigInt(slots.length - 1);
  const hash = hashes[member] ?? 0n;
  let perturb = hash;
  let at = Number(hash & mask);
  for (;;) {
    const probes = at + LINEAR_PROBES <= slots.length - 1 ? LINEAR_PROBES : 0;
    for (let i = at; i <= at + probes; i++) {
      if (slots[i] === undefined) {
        slots[i] = member;
        return;
      }
    }
    perturb >>= 5n;
    at = Number((BigInt(at) * 5n + 1n + perturb) & mask);
  }
}

/** A table four times as large as what it holds, filled in the order of the old one. */
function grown(
  slots: readonly (number | undefined)[],
  used: number,
  hashes: Hashes,
): (number | undefined)[] {
  let size = LEAST_SLOTS;
  while (size <= used * 4) size *= 2;
  const larger: (number | undefined)[] = Array.from({ length: size });
  for (const member of slots) if (member !== undefined) insert(larger, member, hashes);
  return larger;
}
