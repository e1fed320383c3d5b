/**
 * Where in the input the containers stand that the template reads, as far as its code tells: a loop over a list of the
 * input knows the place of each item, and what is read of that stands under a name. A local that holds such a container
 * has a companion, which holds its place; nothing needs to be looked for at run time then.
 */
import * as build from "../ir/build.js";
import { capturedLocals } from "../ir/captures.js";
import { Any, Index, List, None, only, Text, Undefined, type Kinds } from "../ir/kinds.js";
import type { Each, Entries, Expr, Ids, Local, Module, Stmt } from "../ir/nodes.js";
import { possibleKinds } from "../ir/possible-kinds.js";
import {
  assignedLocals,
  mapBodies,
  rewriteLists,
  walkExprs,
  walkModule,
  walkStmts,
} from "../ir/visit.js";
import { PLAIN, type Levels } from "./levels.js";
import { isRepeatable } from "./rules.js";

/** Where a value stands: the place of a container, and the key. */
export interface Spot {
  readonly at: Expr;
  readonly key: Expr;
}

/** What gives a local its value. */
type Definition =
  | { readonly from: "item"; readonly list: Expr; readonly isBackward: boolean }
  | { readonly from: "entry"; readonly container: Expr }
  | { readonly from: "value"; readonly value: Expr }
  | { readonly from: "elsewhere" };

/** Rules that give the pairs of a container as they stand in it. */
const PAIRS: ReadonlySet<string> = new Set(["jinja.items", "jinja.itemPairs", "go.sorted"]);

export class Places {
  readonly #module: Module;
  readonly #levels: Levels;
  readonly #ids: Ids;
  readonly #trace: Expr | null;
  readonly #definitions = new Map<Local, Definition[]>();
  /** Locals that hold containers of the input only, each in a place that the code tells. */
  readonly #placed: ReadonlySet<Local>;
  readonly #companions = new Map<Local, Local>();
  readonly #own = new Set<Local>();
  /** Functions are traced after what they stand in: what they read of these is not seen there. */
  readonly #captured: ReadonlySet<Local>;
  /** Of loops over pairs, by what they go through. */
  readonly #pairs = new Map<Expr, Pairs>();
  /** Keys and items of pairs that nothing else is assigned to. */
  readonly #spots = new Map<Local, Spot>();

  /** `trace`: null where the input has no places. */
  constructor(module: Module, levels: Levels, ids: Ids, trace: Local | null) {
    this.#module = module;
    this.#levels = levels;
    this.#ids = ids;
    this.#trace = trace === null ? null : build.ref(trace);
    this.#captured = capturedLocals(module);
    this.#findDefinitions();
    this.#placed = this.#findPlaced();
    for (const body of [module.body, ...module.functions.map((fn) => fn.body)]) {
      walkStmts(body, (stmt) => {
        if (stmt.op === "entries") this.#findSpots(stmt);
      });
    }
  }

  // ------------------------------------------------------------ what the code tells

  #findDefinitions(): void {
    const { body, functions } = this.#module;
    for (const list of [body, ...functions.map((fn) => fn.body)]) {
      walkStmts(list, (stmt) => {
        this.#findDefinition(stmt);
      });
    }
    for (const { params } of functions) {
      for (const { local } of params) this.#define(local, { from: "elsewhere" });
    }
    walkModule(this.#module, (expr) => {
      if (expr.op === "assign") this.#define(expr.local, { from: "elsewhere" });
      if (expr.op === "chain") this.#define(expr.item, { from: "elsewhere" });
    });
  }

  #findDefinition(stmt: Stmt): void {
    switch (stmt.op) {
      case "set":
        this.#define(stmt.local, { from: "value", value: stmt.value });
        return;
      case "each":
        this.#define(stmt.item, { from: "item", list: stmt.source, isBackward: stmt.backward });
        this.#define(stmt.index, { from: "elsewhere" });
        return;
      case "entries": {
        const container = pairsOf(stmt.source);
        const from: Definition =
          container === null ? { from: "elsewhere" } : { from: "entry", container };
        this.#define(stmt.key, from);
        this.#define(stmt.value, from);
        return;
      }
      default:
        for (const local of assignedLocals(stmt)) this.#define(local, { from: "elsewhere" });
    }
  }

  #define(local: Local | null, definition: Definition): void {
    if (local === null) return;
    const known = this.#definitions.get(local);
    if (known === undefined) this.#definitions.set(local, [definition]);
    else known.push(definition);
  }

  /** Takes all locals first, and leaves out those that are given something else, until none is left out. */
  #findPlaced(): ReadonlySet<Local> {
    const placed = new Set(this.#definitions.keys());
    for (let size = -1; size !== placed.size;) {
      size = placed.size;
      for (const [local, definitions] of this.#definitions) {
        if (!definitions.every((each) => this.#isPlacedBy(each, placed))) placed.delete(local);
      }
    }
    return placed;
  }

  #isPlacedBy(definition: Definition, placed: ReadonlySet<Local>): boolean {
    switch (definition.from) {
      case "item":
        return (
          this.#isOllamaMessages(definition.list) ||
          (!definition.isBackward && this.#isPlaced(definition.list, placed))
        );
      case "entry":
        return this.#isPlaced(definition.container, placed);
      case "value":
        return this.#isPlaced(definition.value, placed);
      case "elsewhere":
        return false;
    }
  }

  /** Whether the code tells the place of a container, if the value is one. */
  isPlaced(expr: Expr): boolean {
    return this.#isPlaced(expr, this.#placed);
  }

  #isPlaced(expr: Expr, placed: ReadonlySet<Local>): boolean {
    switch (expr.op) {
      case "input":
        return this.#isOwn(expr.name);
      case "local":
        return placed.has(expr.local);
      case "read":
        return this.#isPlaced(expr.object, placed);
      case "at":
        return this.#isIndex(expr.index) && this.#isPlaced(expr.list, placed);
      case "coalesce": {
        const isNothing = only(possibleKinds(this.#module, expr.otherwise), None | Undefined);
        return isNothing && this.#isPlaced(expr.value, placed);
      }
      default: {
        const list = listed(expr);
        return list !== null && this.#isPlaced(list, placed);
      }
    }
  }

  /** Pairs stand where their container does: an item under its key, and the key in the same place. */
  #findSpots(stmt: Entries): void {
    const { source, value } = stmt;
    if (![stmt.key, value].every((local) => local === null || this.#isOnly(local))) return;
    const container = pairsOf(stmt.source);
    if (container === null || !this.isPlaced(container)) return;
    const key = stmt.key ?? this.#ids.local("key", Text);
    const known = container.op === "local" ? this.#companion(container.local) : null;
    const place = known ?? this.#local("pairsAt");
    this.#pairs.set(source, { key, place, isKnown: known !== null });
    const spot = { at: build.ref(place), key: build.ref(key) };
    this.#spots.set(key, spot);
    if (value !== null) this.#spots.set(value, spot);
  }

  /** Whether nothing else gives the local a value. */
  #isOnly(local: Local): boolean {
    return this.#definitions.get(local)?.length === 1;
  }

  #isIndex(expr: Expr): boolean {
    return isRepeatable(expr) && only(possibleKinds(this.#module, expr), Index);
  }

  /** Ollama's messages may be made of several; what else it gives a template is text, or stands where it stood. */
  #isOwn(name: string): boolean {
    const { dialect } = this.#module;
    if (this.#trace === null) return false;
    return dialect === "jinja" ? name !== "" : dialect === "ollama" && name === "tools";
  }

  #isOllamaMessages(list: Expr): boolean {
    const isMessages = list.op === "input" && list.name === "messages";
    return this.#module.dialect === "ollama" && this.#trace !== null && isMessages;
  }

  // ------------------------------------------------------------ places in code

  /** Where the value of an expression stands; null: the code does not tell. */
  spot(expr: Expr): Spot | null {
    switch (expr.op) {
      case "input":
        return this.#isOwn(expr.name) ? { at: this.#root(), key: build.literal(expr.name) } : null;
      case "local":
        return this.#spots.get(expr.local) ?? null;
      case "read":
        return this.#spotIn(expr.object, build.literal(expr.name));
      case "at":
        return this.#isIndex(expr.index) ? this.#spotIn(expr.list, expr.index) : null;
      case "coalesce":
        return this.isPlaced(expr) ? this.spot(expr.value) : null;
      default:
        return null;
    }
  }

  /** Whether a loop goes through the pairs of a container as they stand in it. */
  isPairs(source: Expr): boolean {
    return this.#pairs.has(source);
  }

  #spotIn(container: Expr, key: Expr): Spot | null {
    return this.isPlaced(container) ? { at: this.#place(container), key } : null;
  }

  /** The place of a container of which the code tells it. */
  #place(expr: Expr): Expr {
    switch (expr.op) {
      case "local":
        return build.ref(this.#companion(expr.local));
      case "input":
        return placeIn(this.#root(), build.literal(expr.name));
      case "read":
        return placeIn(this.#place(expr.object), build.literal(expr.name));
      case "at":
        return placeIn(this.#place(expr.list), expr.index);
      case "coalesce":
        return this.#place(expr.value);
      default:
        return this.#place(listed(expr) ?? expr);
    }
  }

  #root(): Expr {
    return build.intrinsic("segments.rootPlace", this.#trace === null ? [] : [this.#trace]);
  }

  #companion(local: Local): Local {
    const known = this.#companions.get(local);
    if (known !== undefined) return known;
    const made = this.#local(companionName(local.name));
    this.#companions.set(local, made);
    return made;
  }

  /** A local of our own: where nothing reads it, it is not needed. */
  #local(name: string, kinds: Kinds = Any): Local {
    const local = this.#ids.local(name, kinds);
    this.#own.add(local);
    return local;
  }

  /** The module without places that nothing asks for. */
  withoutUnread(module: Module): Module {
    const read = new Set<Local>();
    walkModule(module, (expr) => {
      if (expr.op === "local") read.add(expr.local);
    });
    const isRead = (stmt: Stmt): boolean =>
      stmt.op !== "set" || !this.#own.has(stmt.local) || read.has(stmt.local);
    let unread = 0;
    const changed = mapBodies(module, (body) =>
      rewriteLists(body, (list) => {
        const kept = list.filter(isRead);
        unread += list.length - kept.length;
        return kept;
      }),
    );
    // What was read for those only is read no more.
    return unread > 0 ? this.withoutUnread(changed) : module;
  }

  /** Whether anything that is read of the local has an origin that is asked for. */
  #isAsked(local: Local | null): local is Local {
    return local !== null && this.#placed.has(local) && this.#levels.of(local) !== PLAIN;
  }

  // ------------------------------------------------------------ statements

  /** Notes the place of what a local is set to. */
  afterSet(local: Local, value: Expr): readonly Stmt[] {
    return this.#isAsked(local) ? [build.set(this.#companion(local), this.#place(value))] : [];
  }

  /** A loop over items that knows the place of each, and what stands before it; `source`: what it went through at first. */
  each(stmt: Each, source: Expr): readonly Stmt[] {
    const { item, origin } = stmt;
    if (!this.#isAsked(item)) return [stmt];
    const companion = this.#companion(item);
    if (!this.#captured.has(item) && !readsLocal(stmt.body, companion)) return [stmt];
    const index = stmt.index ?? this.#ids.local("i", Index);
    if (this.#trace !== null && this.#isOllamaMessages(source)) {
      const args = [this.#trace, build.literal("messages"), build.ref(index), build.ref(item)];
      const found = build.set(companion, build.intrinsic("segments.placeAt", args));
      return [{ ...stmt, index, body: [found, ...stmt.body] }];
    }
    const list = nameOf(stmt.source) === null ? this.#local(`${item.name}List`, List) : null;
    const known = this.#place(source);
    const place =
      known.op === "local"
        ? null
        : this.#local(companionName(nameOf(source) ?? `${item.name}List`));
    const each = placeIn(place === null ? known : build.ref(place), build.ref(index));
    return [
      ...(place === null ? [] : [build.set(place, known)]),
      ...(list === null ? [] : [build.set(list, stmt.source, origin)]),
      {
        ...stmt,
        index,
        source: list === null ? stmt.source : build.ref(list),
        body: [build.set(companion, each), ...stmt.body],
      },
    ];
  }

  /** The same of a loop over pairs. */
  entries(stmt: Entries, source: Expr): readonly Stmt[] {
    const { value, body } = stmt;
    const pairs = this.#pairs.get(source);
    const container = pairsOf(source);
    const isAsked = [stmt.key, value].some((local) => this.#levels.of(local) !== PLAIN);
    if (pairs === undefined || container === null || !isAsked) return [stmt];
    const { key, place, isKnown } = pairs;
    const item = placeIn(build.ref(place), build.ref(key));
    const inner = this.#isAsked(value) ? [build.set(this.#companion(value), item), ...body] : body;
    const loop = { ...stmt, key, body: inner };
    return isKnown ? [loop] : [build.set(place, this.#place(container)), loop];
  }
}

/** What holds the key of a pair, and the place of the container; whether that is known before the loop. */
interface Pairs {
  readonly key: Local;
  readonly place: Local;
  readonly isKnown: boolean;
}

/** The container whose pairs a loop goes through. */
function pairsOf(source: Expr): Expr | null {
  return source.op === "intrinsic" && PAIRS.has(source.name) ? (source.args[0] ?? null) : null;
}

/** The list itself, where a rule gives a list of what it is given: of anything else the items are no containers. */
function listed(expr: Expr): Expr | null {
  return expr.op === "intrinsic" && expr.name === "jinja.list" ? (expr.args[0] ?? null) : null;
}

function placeIn(place: Expr, key: Expr): Expr {
  return build.intrinsic("segments.placeIn", [place, key]);
}

/** Whether two are one place, as far as the code tells. */
export function isSameSpot(a: Spot | null, b: Spot | null): boolean {
  return a !== null && b !== null && isSame(a.at, b.at) && isSame(a.key, b.key);
}

/** Of what places and keys are written with. */
function isSame(a: Expr, b: Expr): boolean {
  switch (a.op) {
    case "local":
      return b.op === "local" && a.local === b.local;
    case "literal":
      return b.op === "literal" && a.value === b.value;
    case "intrinsic":
      return (
        b.op === "intrinsic" &&
        a.name === b.name &&
        a.args.length === b.args.length &&
        a.args.every((arg, i) => isSame(arg, b.args[i] ?? arg))
      );
    default:
      return false;
  }
}

function readsLocal(list: readonly Stmt[], local: Local): boolean {
  let isRead = false;
  walkExprs(list, (expr) => {
    isRead ||= expr.op === "local" && expr.local === local;
  });
  return isRead;
}

/** What a value is called that stands by itself. */
function nameOf(expr: Expr): string | null {
  if (expr.op === "local") return expr.local.name;
  return expr.op === "input" ? expr.name : null;
}

function companionName(name: string): string {
  return name.includes("_") ? `${name}_at` : `${name}At`;
}
