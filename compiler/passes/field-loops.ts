/**
 * A loop over the pairs of a dict goes through its fields (Jinja) or its sorted keys (Go) where nothing else asks for the
 * pairs: V8 takes half the time of making and opening them. What keeps origins keeps the pairs, of which segments ask
 * where they come from, until the places are known.
 */
import { intrinsic, ref, set } from "../ir/build.js";
import { Dict, Text } from "../ir/kinds.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Entries, Expr, Ids, Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteLists } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const fieldLoops: Pass = {
  name: "field-loops",
  run: (module, { ids, keepsOrigin }) =>
    keepsOrigin
      ? module
      : mapBodies(module, (body) =>
          rewriteLists(body, (list) => list.flatMap((stmt) => loop(stmt, ids))),
        ),
};

/** The rules that give pairs, and those that give what has them as fields. */
const FIELDS: Readonly<Partial<Record<IntrinsicName, IntrinsicName>>> = {
  "jinja.items": "jinja.fieldsOf",
  "jinja.itemPairs": "jinja.fieldsIn",
};

function loop(stmt: Stmt, ids: Ids): readonly Stmt[] {
  if (stmt.op !== "entries" || stmt.empty.length > 0) return [stmt];
  const { source } = stmt;
  if (source.op !== "intrinsic") return [stmt];
  const [map] = source.args;
  if (source.name === "go.sorted" && map !== undefined) return keyLoop(stmt, map, ids);
  const name = FIELDS[source.name];
  return name === undefined ? [stmt] : fieldLoop(stmt, { ...source, name }, ids);
}

function fieldLoop(stmt: Entries, dict: Expr, ids: Ids): readonly Stmt[] {
  const fields = ids.local("fields", Dict);
  const key = stmt.key ?? ids.local("key", Text);
  return [set(fields, dict, stmt.origin), { ...stmt, of: "fields", source: ref(fields), key }];
}

/** `range` over a map of Ollama's data: its order is known by its keys alone. */
function keyLoop(stmt: Entries, map: Expr, ids: Ids): readonly Stmt[] {
  const always = isArguments(stmt);
  const owner = ids.local(always ? "args" : "properties", Dict);
  const key = stmt.key ?? ids.local("key", Text);
  const source = intrinsic("go.sortedKeys", [ref(owner)]);
  return [
    set(owner, always ? map : { op: "coalesce", value: map, otherwise: NONE }),
    { ...stmt, of: "keys", owner, source, key },
  ];
}

const NONE: Expr = { op: "record", fields: [] };

/** Those of a call are always there; the properties of a schema may be absent. */
function isArguments({ value }: Entries): boolean {
  return value?.type === "Value";
}
