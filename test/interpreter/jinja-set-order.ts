/** CPython's hash table of a set: the order in which it gives whole numbers. */
import { PyInt } from "./jinja-values.js";
import type { Value } from "./jinja-values.js";

const PRIME = 2n ** 61n - 1n;

function hash(value: bigint): bigint {
  const found = value < 0n ? -(-value % PRIME) : value % PRIME;
  return (found === -1n ? -2n : found) & (2n ** 64n - 1n);
}

class Table {
  slots: (PyInt | null)[];

  constructor(size: number) {
    this.slots = Array.from({ length: size }, () => null);
  }

  add(item: PyInt): void {
    const mask = this.slots.length - 1;
    let perturb = hash(item.value);
    let at = Number(perturb & BigInt(mask));
    for (;;) {
      const last = at + 9 <= mask ? at + 9 : at;
      for (let slot = at; slot <= last; slot++) {
        if (this.slots[slot] !== null) continue;
        this.slots[slot] = item;
        return;
      }
      perturb >>= 5n;
      at = Number((BigInt(at) * 5n + 1n + perturb) & BigInt(mask));
    }
  }

  items(): PyInt[] {
    return this.slots.filter((item) => item !== null);
  }
}

/** What is no whole number hashes by a seed of the run: it stays in the order in which it came. */
export function inOrder(items: readonly Value[]): readonly Value[] {
  const whole = items.filter((item) => item instanceof PyInt);
  if (whole.length < items.length) return items;
  let table = new Table(8);
  whole.forEach((item, at) => {
    table.add(item);
    const used = at + 1;
    if (used * 5 < (table.slots.length - 1) * 3) return;
    let size = 8;
    while (size <= used * 4) size *= 2;
    const larger = new Table(size);
    for (const each of table.items()) larger.add(each);
    table = larger;
  });
  return table.items();
}
