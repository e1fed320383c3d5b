/** Generated text that remembers its structure, so that it can be made smaller. */

export type Piece = string | Node;

/** What may stand in a node's place: an expression, statements (or nothing), or a JSON value. */
export type Category = "expression" | "statements" | "value";

export interface Node {
  readonly category: Category;
  readonly parts: readonly Piece[];
}

export function textOf(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.parts.map(textOf).join("");
}

const SIMPLEST: Readonly<Record<Category, readonly string[]>> = {
  expression: ["1", "'a'", "none", "true", "[]"],
  statements: [""],
  value: ["1", '"a"', "null"],
};

/** Smaller trees of the same kind, the boldest cuts first. */
export function* smaller(root: Node): Generator<Node> {
  for (const [node, replace] of inner(root, (other) => other)) {
    for (const other of replacements(node)) yield replace(other);
  }
}

type Replace = (other: Node) => Node;

/** Every node with what puts another in its place; outer nodes first. */
function* inner(node: Node, replace: Replace): Generator<readonly [Node, Replace]> {
  let level: (readonly [Node, Replace])[] = [[node, replace]];
  while (level.length > 0) {
    yield* level;
    level = level.flatMap(([parent, put]) =>
      parent.parts.flatMap((part, at): (readonly [Node, Replace])[] =>
        typeof part === "string"
          ? []
          : [[part, (other) => put({ ...parent, parts: parent.parts.with(at, other) })]],
      ),
    );
  }
}

function* replacements(node: Node): Generator<Node> {
  const length = textOf(node).length;
  for (const text of SIMPLEST[node.category]) {
    if (text.length < length) yield { category: node.category, parts: [text] };
  }
  for (const nested of nearest(node)) {
    if (textOf(nested).length < length) yield nested;
  }
  yield* withoutMembers(node);
}

/** The next nodes below of the same category. */
function nearest(node: Node): readonly Node[] {
  return node.parts.flatMap((part) => {
    if (typeof part === "string") return [];
    return part.category === node.category ? [part] : nearest(part);
  });
}

/** JSON objects and arrays without one member: a value, what separates it, and its key. */
function* withoutMembers(node: Node): Generator<Node> {
  if (node.category !== "value") return;
  const last = node.parts.length - 1;
  for (let at = 0; at < node.parts.length; at++) {
    if (typeof node.parts[at] === "string") continue;
    const hasKey = textOf(node.parts[0] ?? "").startsWith("{");
    const start = hasKey ? at - 1 : at;
    const kept = [...node.parts.slice(0, start), ...node.parts.slice(at + 1)];
    const [first, ...rest] = kept;
    if (first === undefined || start < 1 || at === last) continue;
    yield { ...node, parts: [first, ...dropSeparator(rest, start - 1)] };
  }
}

/** Removes the comma that a removed member leaves doubled or dangling. */
function dropSeparator(parts: readonly Piece[], at: number): readonly Piece[] {
  const before = at - 1;
  if (parts[before] === ",") return parts.toSpliced(before, 1);
  return parts[at] === "," ? parts.toSpliced(at, 1) : parts;
}
