/** The sets and facts that passes share from point to point, against plain ones that are copied. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NameSet } from "../compiler/emit/names.js";
import { Any, Text, union } from "../compiler/ir/kinds.js";
import type { Local } from "../compiler/ir/nodes.js";
import { LocalSet } from "../compiler/passes/local-set.js";
import type { Fact } from "../compiler/passes/specialize/fact.js";
import { Facts, localKey } from "../compiler/passes/specialize/facts.js";

const LOCALS: readonly Local[] = [0, 1, 29, 30, 31, 59, 60, 200].map((id) => ({
  id,
  name: `x${String(id)}`,
  kinds: Any,
}));

function localAt(index: number): Local {
  const local = LOCALS[index % LOCALS.length];
  if (local === undefined) throw new Error("no local");
  return local;
}

const index = fc.nat(LOCALS.length - 1);

describe("sets of locals", () => {
  const content = (set: LocalSet): number[] => LOCALS.filter((x) => set.has(x)).map(({ id }) => id);
  const made = (indexes: readonly number[]): LocalSet => LocalSet.none.with(indexes.map(localAt));
  const ids = (indexes: readonly number[]): Set<number> =>
    new Set(indexes.map((at) => localAt(at).id));

  it("hold what was put into them", () => {
    fc.assert(
      fc.property(fc.array(index), fc.array(index), (one, two) => {
        const [a, b] = [made(one), made(two)];
        expect(new Set(content(a))).toEqual(ids(one));
        expect(new Set(content(a.union(b)))).toEqual(ids([...one, ...two]));
        const rest = [...ids(one)].filter((id) => !ids(two).has(id));
        expect(new Set(content(a.without(two.map(localAt))))).toEqual(new Set(rest));
        // None of that has changed the sets.
        expect(new Set(content(a))).toEqual(ids(one));
      }),
    );
  });

  it("are the same set where nothing changes", () => {
    const set = made([0, 7]);
    expect(set.with([localAt(7)])).toBe(set);
    expect(set.without([localAt(3)])).toBe(set);
    expect(set.union(made([0]))).toBe(set);
    expect(made([0]).union(set)).not.toBe(set);
  });
});

describe("sets of names", () => {
  it("copies go their own way, as if the names were copied", () => {
    const step = fc.record({ set: fc.nat(5), copies: fc.boolean(), name: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const sets = [{ set: new NameSet(["a0"]), plain: new Set(["a0"]) }];
        for (const { set: at, copies, name } of steps) {
          const chosen = sets[at % sets.length];
          if (chosen === undefined) throw new Error("no set");
          if (copies) sets.push({ set: chosen.set.copy(), plain: new Set(chosen.plain) });
          else {
            const given = chosen.set.unique(`a${String(name)}`);
            expect(chosen.plain.has(given)).toBe(false);
            chosen.plain.add(given);
          }
        }
        const names = [...new Set(sets.flatMap(({ plain }) => [...plain]))];
        for (const { set, plain } of sets) {
          expect(names.filter((name) => set.has(name))).toEqual(
            names.filter((name) => plain.has(name)),
          );
        }
      }),
    );
  });
});

/** Facts as a map that each point copies: what a local's forgetting takes with it is looked for. */
type Plain = ReadonlyMap<string, Fact>;

const PATHS = LOCALS.slice(0, 3).flatMap((local) => [localKey(local), `${localKey(local)}.a`]);
const ALL = [...PATHS, "@a", "@a.b"];

function forgotten(facts: Plain, local: Local): Plain {
  const key = localKey(local);
  return new Map(
    [...facts].filter(
      ([path, fact]) => path !== key && !path.startsWith(`${key}.`) && fact.list !== local,
    ),
  );
}

describe("facts", () => {
  const step = fc.record({
    point: fc.nat(30),
    path: fc.constantFrom(...ALL),
    local: fc.nat(2),
    what: fc.constantFrom("with", "list", "forget"),
  });

  it("of a point are those of the point before, with its change, in whatever order they are asked for", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const points: { facts: Facts; plain: Plain }[] = [{ facts: Facts.of(), plain: new Map() }];
        for (const { point, path, local, what } of steps) {
          const from = points[point % points.length];
          if (from === undefined) throw new Error("no point");
          const fact: Fact = {
            kinds: Text,
            literal: points.length,
            ...(what === "list" ? { list: localAt(local) } : {}),
          };
          points.push(
            what === "forget"
              ? {
                  facts: from.facts.forget(localAt(local)),
                  plain: forgotten(from.plain, localAt(local)),
                }
              : {
                  facts: from.facts.with(path, fact),
                  plain: new Map([...from.plain, [path, fact]]),
                },
          );
          expect(from.facts.get(path)).toEqual(from.plain.get(path));
        }
        for (const { facts, plain } of points) {
          for (const path of ALL) expect(facts.get(path)).toEqual(plain.get(path));
        }
      }),
    );
  });

  it("that hold after two ways are those of both", () => {
    const [x] = LOCALS;
    if (x === undefined) throw new Error("no local");
    const start = Facts.of().with("@a", { kinds: Text, literal: "1" }).with("@b", { kinds: Text });
    const one = start.with("@c", { kinds: Text }).with(localKey(x), { kinds: Text, literal: "2" });
    const two = start.with("@a", { kinds: Text, literal: "3" }).forget(x);
    const joined = one.join(two);
    expect(joined.get("@a")).toEqual({ kinds: union(Text, Text) });
    expect(joined.get("@b")).toEqual({ kinds: Text });
    expect(joined.get("@c")).toBeUndefined();
    expect(joined.get(localKey(x))).toBeUndefined();
  });

  it("that follow from a path hold until either has another value", () => {
    const [x, y] = LOCALS;
    if (x === undefined || y === undefined) throw new Error("no locals");
    const implied = Facts.of().imply(localKey(x), localKey(y), { kinds: Text });
    const key = localKey(y);
    expect(implied.assumeTrue(localKey(x), Any).get(key)).toEqual({ kinds: Text });
    expect(implied.forget(x).assumeTrue(localKey(x), Any).get(key)).toBeUndefined();
    expect(implied.forget(y).assumeTrue(localKey(x), Any).get(key)).toBeUndefined();
  });
});
