/**
 * `for k, v in x.items()` goes through the fields of the dict itself where nothing else asks for its pairs: V8 takes half
 * the time of making and opening them. Segments ask where each pair comes from, so what keeps origins keeps the pairs.
 */
import { ref, set } from "../ir/build.js";
import { Dict, Text } from "../ir/kinds.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Ids, Stmt } from "../ir/nodes.js";
import { mapBodies, rewriteLists } from "../ir/visit.js";
import type { Pass } from "./pass.js";

export const fieldLoops: Pass = {
  name: "field-loops",
  run: (module, { ids, keepsOrigin }) =>
    keepsOrigin
      ? module
      : mapBodies(module, (body) =>
          rewriteLists(body, (list) => list.flatMap((stmt) => fieldLoop(stmt, ids))),
        ),
};

/** The rules that give pairs, and those that give what has them as fields. */
const FIELDS: Readonly<Partial<Record<IntrinsicName, IntrinsicName>>> = {
  "jinja.items": "jinja.fieldsOf",
  "jinja.itemPairs": "jinja.fieldsIn",
};

function fieldLoop(stmt: Stmt, ids: Ids): readonly Stmt[] {
  if (stmt.op !== "entries" || stmt.source.op !== "intrinsic") return [stmt];
  const name = FIELDS[stmt.source.name];
  if (name === undefined || stmt.empty.length > 0) return [stmt];
  const fields = ids.local("fields", Dict);
  const key = stmt.key ?? ids.local("key", Text);
  return [
    set(fields, { ...stmt.source, name }, stmt.origin),
    { ...stmt, of: "fields", source: ref(fields), key },
  ];
}
