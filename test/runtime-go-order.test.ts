/** The order of a map's keys, which is remembered between maps: Go's own, whatever came before. */
import { describe, expect, it } from "vitest";
import { compareBytes, json, sorted, sortedKeys } from "../runtime/go/index.js";

const POOL = ["a", "b", "ab", "ba", "é", "～", "😀", "😁", "10", "9", "k0", "K1", "path", "mode"];

/** Maps of every size up to 40, some of the same keys in another order, some with keys that hold nothing. */
function maps(): Readonly<Record<string, number | undefined>>[] {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  return Array.from({ length: 400 }, (_, i) => {
    const count = i % 20 === 0 ? 40 : random(7);
    const keys = Array.from({ length: count }, (_, k) => {
      const key = POOL[random(POOL.length)] ?? "";
      return count === 40 ? key + String(k) : key;
    });
    return Object.fromEntries(keys.map((key, k) => [key, random(9) === 0 ? undefined : k]));
  });
}

function byBytes(keys: readonly string[]): string[] {
  return keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function inOrder(map: Readonly<Record<string, number | undefined>>): unknown[] {
  const keys = byBytes(Object.keys(map));
  const given = keys.filter((key) => map[key] !== undefined);
  const members = given.map((key) => `${JSON.stringify(key)}:${String(map[key])}`);
  return [given, given.map((key) => [key, map[key]]), `{${members.join(",")}}`];
}

describe("the order of keys", () => {
  it("is that of their bytes, for maps that come again and maps that are like others", () => {
    const all = maps();
    for (let round = 0; round < 3; round++) {
      expect(all.map((map) => [sortedKeys(map), sorted(map), json(map)])).toEqual(all.map(inOrder));
    }
  });

  it("does not take keys of the same lengths and middles for each other", () => {
    const likes = ["xay", "yax", "zaz", "waw"].map((first) => ({ [first]: 1, cac: 2, bab: 3 }));
    for (const map of [...likes, ...likes, ...likes]) {
      const keys = byBytes(Object.keys(map));
      expect(sortedKeys(map)).toEqual(keys);
      expect(sorted(map).map(([key]) => key)).toEqual(keys);
    }
  });

  it("stays as it is where a caller changes a map between two renders", () => {
    const map: Record<string, number> = { c: 1, a: 2, b: 3 };
    expect([sorted(map), sorted(map), sorted(map)].map((each) => each[0])).toEqual(
      Array.from({ length: 3 }, () => ["a", 2]),
    );
    map["0"] = 4;
    delete map["a"];
    expect(sorted(map)).toEqual([
      ["0", 4],
      ["b", 3],
      ["c", 1],
    ]);
  });

  it("is that of compareBytes", () => {
    const keys = byBytes(POOL);
    expect(POOL.toSorted(compareBytes)).toEqual(keys);
  });
});
