/** Ifs that follow each other and ask one path for different texts exclude each other: they become else-ifs. */
import type { Expr, If, Local, Stmt } from "../ir/nodes.js";
import { assignedLocals, mapBodies, rewriteLists, walkStmts } from "../ir/visit.js";
import type { Pass } from "./pass.js";
import { localKey, pathOf } from "./specialize/facts.js";

export const elseIf: Pass = {
  name: "else-if",
  run: (module) => mapBodies(module, (body) => rewriteLists(body, chain)),
};

/** Longer chains nest too deep for the passes and for the reader. */
const LONGEST_CHAIN = 100;

/** The ifs of one chain: what they ask, and for which texts. */
interface Chain {
  readonly path: string;
  readonly texts: ReadonlySet<string>;
}

function chain(list: readonly Stmt[]): readonly Stmt[] {
  const result: Stmt[] = [];
  let following: Chain | null = null;
  for (let i = list.length - 1; i >= 0; i--) {
    const stmt = list[i];
    if (stmt === undefined) continue;
    const next = result.at(-1);
    const longer: Chain | null = stmt.op === "if" ? joined(stmt, following) : null;
    if (longer !== null && stmt.op === "if" && next !== undefined) {
      result[result.length - 1] = { ...stmt, otherwise: [next] };
      following = longer;
    } else {
      result.push(stmt);
      following = stmt.op === "if" ? chainOf(stmt) : null;
    }
  }
  return result.reverse();
}

/** The chain with the if before it; null where they do not exclude each other. */
function joined(first: If, following: Chain | null): Chain | null {
  const asked = question(first.test);
  if (asked === null || following === null || first.otherwise.length > 0) return null;
  const isExclusive = asked.path === following.path && !following.texts.has(asked.text);
  if (!isExclusive || following.texts.size >= LONGEST_CHAIN) return null;
  if (changes(first.then, asked.path)) return null;
  return { path: asked.path, texts: new Set(following.texts).add(asked.text) };
}

/** What an if and its else-ifs ask; null with a final else, which would not be exclusive. */
function chainOf(stmt: If): Chain | null {
  const texts = new Set<string>();
  let path: string | null = null;
  for (let at: If = stmt; ;) {
    const asked = question(at.test);
    if (asked === null) return null;
    if (path !== null && asked.path !== path) return null;
    path = asked.path;
    texts.add(asked.text);
    const [only] = at.otherwise;
    if (only === undefined) return { path, texts };
    if (only.op !== "if" || at.otherwise.length > 1 || texts.size > LONGEST_CHAIN) return null;
    at = only;
  }
}

/** `path === "text"`. */
function question(test: Expr): { path: string; text: string } | null {
  if (test.op !== "compare" || test.operator !== "===" || test.right.op !== "literal") return null;
  const path = pathOf(test.left);
  const { value } = test.right;
  return path === null || typeof value !== "string" ? null : { path, text: value };
}

/** Whether the statements assign what the path starts from, or might change what it reads. */
function changes(list: readonly Stmt[], path: string): boolean {
  const assigned: Local[] = [];
  walkStmts(list, (stmt) => assigned.push(...assignedLocals(stmt)));
  return assigned.some(
    (local) => path === localKey(local) || path.startsWith(`${localKey(local)}.`),
  );
}
