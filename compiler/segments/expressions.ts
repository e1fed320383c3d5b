/** Expressions in two ways: as plain values, and with the origin of what they give. */
import * as build from "../ir/build.js";
import { Any, isDeep, isNever, only, Text } from "../ir/kinds.js";
import type { IntrinsicName } from "../ir/intrinsics.js";
import type { Expr, Ids, Local, Module } from "../ir/nodes.js";
import { possibleKinds } from "../ir/possible-kinds.js";
import { mapChildren } from "../ir/visit.js";
import type { Carriers } from "./carriers.js";
import { CONTAINER, PLAIN, VALUE, type Level, type Levels } from "./levels.js";
import type { Places, Spot } from "./places.js";
import {
  derivation,
  givesOrigin,
  isChanging,
  isRepeatable,
  isSource,
  mayBeScalar,
  passing,
  passingForm,
  takesText,
} from "./rules.js";
import { Spots } from "./spots.js";
import { writtenText } from "./writers.js";

type Of<Op extends Expr["op"]> = Extract<Expr, { op: Op }>;

/** What was found out about the module. */
export interface Found {
  readonly levels: Levels;
  readonly carriers: Carriers;
  readonly places: Places;
}

export class ExpressionTracer {
  readonly #module: Module;
  readonly #levels: Levels;
  readonly #carriers: Carriers;
  readonly #places: Places;
  readonly #spots: Spots;
  readonly #ids: Ids;
  readonly #trace: Expr;
  readonly #parameters: ReadonlyMap<number, readonly Local[]>;

  constructor(module: Module, found: Found, ids: Ids, trace: Local) {
    this.#module = module;
    this.#levels = found.levels;
    this.#carriers = found.carriers;
    this.#places = found.places;
    this.#spots = new Spots(module, found.carriers, found.places);
    this.#ids = ids;
    this.#trace = build.ref(trace);
    this.#parameters = new Map(
      module.functions.map((fn) => [fn.name.id, fn.params.map(({ local }) => local)]),
    );
  }

  isCarrier(local: Local): boolean {
    return this.#carriers.isCarrier(local);
  }

  // ------------------------------------------------------------ plain values

  /** The value as it is without segments. */
  plain(expr: Expr): Expr {
    switch (expr.op) {
      case "local":
        return this.#carriers.isCarrier(expr.local) ? this.#unwrapped(expr, expr) : expr;
      case "read":
        return this.#plainRead(expr, this.#readable(expr.object));
      case "call":
        return this.#carriers.gives(expr.callee.id)
          ? this.#unwrapped(expr, this.#call(expr))
          : this.#call(expr);
      case "assign": {
        const assigned = this.#assign(expr);
        return this.#carriers.isCarrier(expr.local) ? this.#unwrapped(expr, assigned) : assigned;
      }
      case "function":
        return this.#traced("segments.function", expr);
      case "written":
        return build.literal(0);
      case "chain":
        return this.#plainChain(expr);
      case "method":
        return expr.name === "push" ? this.#push(expr) : this.#plainMethod(expr);
      case "concat":
        return mapChildren(expr, (child) => this.#plainText(child));
      case "intrinsic":
        if (expr.name === "segments.written") return this.plain(writtenText(expr));
        return isChanging(expr.name)
          ? this.#unwrapped(expr, this.#intrinsic(expr))
          : this.#plainRule(expr);
      default:
        return this.#plainChildren(expr);
    }
  }

  /** An expression that is evaluated for its effect. */
  effect(expr: Expr): Expr {
    return expr.op === "intrinsic" && isChanging(expr.name)
      ? this.#intrinsic(expr)
      : this.plain(expr);
  }

  #plainChildren(expr: Expr): Expr {
    return mapChildren(expr, (child) => this.plain(child));
  }

  #plainText(expr: Expr): Expr {
    return asText(this.plain(expr));
  }

  #plainMethod(expr: Of<"method">): Expr {
    const isSet = expr.name === "has" || expr.name === "add";
    return isSet
      ? this.#plainChildren(expr)
      : {
          ...expr,
          object: this.#plainText(expr.object),
          args: expr.args.map((arg) => this.plain(arg)),
        };
  }

  /** Nor does it see that something is there. */
  #plainRead(expr: Of<"read">, object: Expr): Expr {
    const isCarrier = object.op === "local" && this.#carriers.isCarrier(object.local);
    return { ...expr, object, optional: expr.optional || isCarrier };
  }

  /** What names are read of: a text with an origin has as few of them as a plain one. */
  #readable(object: Expr): Expr {
    return object.op === "local" ? object : this.plain(object);
  }

  #unwrapped(original: Expr, traced: Expr): Expr {
    const kinds = possibleKinds(this.#module, original);
    const isText = only(kinds, Text) && !isNever(kinds);
    return build.intrinsic(isText ? "segments.plainText" : "segments.plain", [traced]);
  }

  #plainChain(expr: Of<"chain">): Expr {
    if (!this.#carriers.isCarrier(expr.item)) {
      const source = this.#value(
        expr.source,
        this.#levels.of(expr.item) === PLAIN ? PLAIN : CONTAINER,
      );
      return { ...expr, source, body: this.plain(expr.body) };
    }
    const chain = { ...expr, source: this.#items(expr.source), body: this.plain(expr.body) };
    switch (expr.mode) {
      case "find":
        return this.#unwrapped(expr, chain);
      case "filter":
        return this.#traced("segments.list", chain);
      case "map":
      case "some":
        return chain;
    }
  }

  // ------------------------------------------------------------ values with their origin

  /** The value as far as its origin is asked for. */
  value(expr: Expr, level: Level): Expr {
    return this.#value(expr, level);
  }

  #value(expr: Expr, level: Level): Expr {
    if (level === PLAIN) return this.plain(expr);
    const spot = level === VALUE ? this.#spots.of(expr) : null;
    if (spot !== null) return this.#placed(expr, spot);
    switch (expr.op) {
      case "local":
        return level === VALUE ? expr : this.plain(expr);
      case "input":
        return level === VALUE && this.#carriers.has(expr) ? this.#input(expr.name) : expr;
      case "read":
        return this.#read(expr, level);
      case "at":
        return this.#at(expr, level);
      case "concat":
        return level === VALUE && this.#carriers.has(expr)
          ? build.intrinsic(
              "segments.join",
              expr.parts.map((part) => this.#value(part, VALUE)),
            )
          : this.plain(expr);
      case "choose":
        return build.choose(
          this.plain(expr.test),
          this.#value(expr.then, level),
          this.#value(expr.otherwise, level),
        );
      case "coalesce":
        return {
          ...expr,
          value: this.#value(expr.value, level),
          otherwise: this.#value(expr.otherwise, level),
        };
      case "assign":
        return level === VALUE ? this.#assign(expr) : this.plain(expr);
      case "call":
        return level === VALUE ? this.#call(expr) : this.plain(expr);
      case "list":
        return this.#list(expr);
      case "record":
        return this.#traced("segments.record", {
          ...expr,
          fields: expr.fields.map(({ name, value }) => ({
            name,
            value: this.#value(value, VALUE),
          })),
        });
      case "chain":
        return this.#chain(expr, level);
      case "method":
        return this.#method(expr, level);
      case "intrinsic":
        if (!givesOrigin(expr.name, level)) return this.plain(expr);
        return level === VALUE || !this.#carriers.has(expr)
          ? this.#intrinsic(expr)
          : this.#unwrapped(expr, this.#intrinsic(expr));
      default:
        return this.plain(expr);
    }
  }

  /** What is written: text, whatever kinds a value has elsewhere. */
  written(expr: Expr, level: Level): Expr {
    if (level !== VALUE) return this.#value(expr, level);
    if (expr.op === "concat" && this.#carriers.has(expr)) {
      return build.intrinsic(
        "segments.join",
        expr.parts.map((part) => this.written(part, VALUE)),
      );
    }
    const spot = this.#spots.ofWritten(expr);
    return spot === null ? this.#value(expr, VALUE) : placed(spot, this.plain(expr));
  }

  /** A value of which the code tells where it stands. */
  #placed(expr: Expr, { at, key }: Spot): Expr {
    const plain = this.plain(expr);
    if (!this.#carriers.has(expr)) return plain;
    return only(possibleKinds(this.#module, expr), Text)
      ? placed({ at, key }, plain)
      : this.#traced("segments.placedItem", at, key, plain);
  }

  #traced(name: IntrinsicName, ...args: readonly Expr[]): Expr {
    return build.intrinsic(name, [this.#trace, ...args]);
  }

  #input(name: string): Expr {
    const whole = build.input("");
    return name === ""
      ? this.#traced("segments.root", whole)
      : this.#traced("segments.read", whole, build.literal(name));
  }

  #read(expr: Of<"read">, level: Level): Expr {
    const object = this.#container(expr.object);
    const isKnown = this.#isData(expr.object);
    if (isKnown && (level === CONTAINER || !this.#carriers.has(expr))) {
      return this.#plainRead(expr, object);
    }
    const read = this.#traced("segments.read", object, build.literal(expr.name));
    return level === CONTAINER ? this.#unwrapped(expr, read) : read;
  }

  /** Whether the containers in a value are the input's own, which are known wherever they are read. */
  #isData(expr: Expr): boolean {
    switch (expr.op) {
      case "input":
        return true;
      case "read":
        return this.#isData(expr.object);
      case "at":
        return this.#isData(expr.list);
      default:
        return this.#places.isPlaced(expr) || isDeep(possibleKinds(this.#module, expr));
    }
  }

  /** A container of which something is read. */
  #container(expr: Expr): Expr {
    return expr.op === "local" ? expr : this.#value(expr, CONTAINER);
  }

  #at(expr: Of<"at">, level: Level): Expr {
    const list = this.#value(expr.list, CONTAINER);
    const index = this.plain(expr.index);
    const isKnown = this.#isData(expr.list);
    if (level === CONTAINER && isKnown) return { ...expr, list, index };
    const item = this.#traced("segments.at", list, index);
    return level === CONTAINER ? this.#unwrapped(expr, item) : item;
  }

  #list(expr: Of<"list">): Expr {
    if (expr.items.length === 0) return expr;
    const items = expr.items.map((item): Expr =>
      item.op === "spread" ? { ...item, value: this.#items(item.value) } : this.#value(item, VALUE),
    );
    return this.#traced("segments.list", { ...expr, items });
  }

  /** The items of a list, those with an origin of their own wrapped. */
  #items(list: Expr): Expr {
    return this.#traced("segments.items", this.#value(list, CONTAINER));
  }

  /** What a loop goes through, as far as the origin of its items is asked for. */
  source(list: Expr, item: Local | null): Expr {
    const level = this.#levels.of(item);
    if (level === PLAIN || item === null) return this.plain(list);
    if (this.#carriers.isCarrier(item)) return this.#items(list);
    if (this.#places.isPlaced(build.ref(item))) return this.plain(list);
    const kinds = this.#module.facts.get(item.id) ?? item.kinds;
    if (!isDeep(kinds)) return this.#traced("segments.containers", this.#value(list, CONTAINER));
    // A list of the input is gone through as it is; of anything else the items are no containers.
    const isInput =
      list.op === "intrinsic" &&
      list.name === "jinja.list" &&
      list.args.some((arg) => this.#isData(arg));
    return isInput ? this.plain(list) : this.#value(list, CONTAINER);
  }

  #chain(expr: Of<"chain">, level: Level): Expr {
    if (expr.mode === "some") return this.plain(expr);
    const isCarrier = this.#carriers.isCarrier(expr.item);
    if (expr.mode === "map") {
      const source = isCarrier ? this.#items(expr.source) : this.#value(expr.source, CONTAINER);
      const mapped = { ...expr, source, body: this.#value(expr.body, VALUE) };
      return this.#traced("segments.list", mapped);
    }
    if (isCarrier) {
      const chain = { ...expr, source: this.#items(expr.source), body: this.plain(expr.body) };
      if (expr.mode === "filter") return this.#traced("segments.list", chain);
      return level === VALUE ? chain : this.#unwrapped(expr, chain);
    }
    const { once, again } = this.#twice(expr.source, CONTAINER);
    const chain = { ...expr, source: once, body: this.plain(expr.body) };
    const origin = expr.mode === "filter" ? "segments.made" : "segments.derived";
    const traced = this.#traced(origin, chain, again);
    return level === VALUE || expr.mode === "filter" ? traced : this.#unwrapped(expr, traced);
  }

  #method(expr: Of<"method">, level: Level): Expr {
    if (expr.name === "push") return this.#push(expr);
    if (expr.name !== "slice") return this.plain(expr);
    const object = this.#value(expr.object, VALUE);
    const sliced = this.#traced(
      "segments.slice",
      object,
      ...expr.args.map((arg) => this.plain(arg)),
    );
    return level === VALUE ? sliced : this.#unwrapped(expr, sliced);
  }

  #push(expr: Of<"method">): Expr {
    return this.#traced(
      "segments.push",
      this.#value(expr.object, CONTAINER),
      ...expr.args.map((arg) => this.#value(arg, VALUE)),
    );
  }

  #assign(expr: Of<"assign">): Expr {
    return { ...expr, value: this.#value(expr.value, this.#levels.of(expr.local)) };
  }

  #call(expr: Of<"call">): Expr {
    const parameters = this.#parameters.get(expr.callee.id) ?? [];
    const args = expr.args.map((arg, i) =>
      arg === null ? null : this.#value(arg, this.#levels.of(parameters[i] ?? null)),
    );
    return { ...expr, args };
  }

  #intrinsic(expr: Of<"intrinsic">): Expr {
    if (expr.name === "segments.written") {
      return mapChildren(expr, (child) => this.#value(child, VALUE));
    }
    const place = expr.place === null ? [] : [build.literal(expr.place)];
    const rule = build.rule(expr.name);
    if (expr.name === "jinja.setAttr" || expr.name === "jinja.setItem") {
      return this.#traced("segments.set", rule, ...this.#values(expr.args), ...place);
    }
    const isScalar = mayBeScalar(possibleKinds(this.#module, expr));
    const applying = passing(expr.name) ?? derivation(expr.name, isScalar, expr.args.length);
    const spot = this.#spots.ofRule(expr);
    if (spot !== null) return placed(spot, this.#plainRule(expr));
    if (passingForm(applying) === "call") {
      return this.#traced(applying, rule, build.list(this.#values(expr.args)), ...place);
    }
    if (expr.name === "jinja.dict") return this.#dict(expr);
    const again: Expr[] = [];
    const args = expr.args.map((arg, i) => {
      const text = (plain: Expr): Expr => (takesText(expr.name, i) ? asText(plain) : plain);
      if (!isSource(applying, i)) return text(this.plain(arg));
      const { once, again: source } = this.#twice(arg, VALUE);
      again.push(source);
      return text(once);
    });
    const sources = passingForm(applying) === "rule" ? withRule(rule, again, place) : again;
    return this.#traced(applying, { ...expr, args }, ...sources);
  }

  #plainRule(expr: Of<"intrinsic">): Expr {
    return {
      ...expr,
      args: expr.args.map((arg, i) =>
        takesText(expr.name, i) ? this.#plainText(arg) : this.plain(arg),
      ),
    };
  }

  /** A dict that the template writes: each of its keys and values keeps its origin. */
  #dict(expr: Of<"intrinsic">): Expr {
    const [pairs] = expr.args;
    const items = pairs?.op === "list" ? pairs.items : [];
    const twice = items.map((pair) =>
      pair.op === "list" ? pair.items.map((part) => this.#twice(part, VALUE)) : [],
    );
    const listOf = (parts: readonly (readonly Expr[])[]): Expr =>
      build.list(parts.map((pair) => build.list(pair)));
    const once = listOf(twice.map((pair) => pair.map((part) => part.once)));
    const again = listOf(twice.map((pair) => pair.map((part) => part.again)));
    const dict = { ...expr, args: [once] };
    return items.length === 0
      ? this.#traced("segments.made", dict)
      : this.#traced("segments.dict", dict, again);
  }

  #values(args: readonly Expr[]): readonly Expr[] {
    return args.map((arg) => this.#value(arg, VALUE));
  }

  /** An argument of a rule, plain, and again as the source of what the rule gives. */
  #twice(arg: Expr, level: Level): { readonly once: Expr; readonly again: Expr } {
    if (arg.op === "function") return { once: this.plain(arg), again: build.literal(null) };
    const traced = this.#value(arg, level);
    if (isRepeatable(arg)) return { once: this.plain(arg), again: traced };
    const kinds = possibleKinds(this.#module, arg);
    const isCarrier = level === VALUE && this.#carriers.has(arg);
    const source = this.#ids.local("source", isCarrier ? Any : kinds);
    const assigned: Expr = { op: "assign", local: source, value: traced };
    const once = isCarrier ? this.#unwrapped(arg, assigned) : assigned;
    return { once, again: build.ref(source) };
  }

  /** The pairs of a container, by a rule that gives them. */
  entries(source: Expr, key: Local | null, value: Local | null, isRule: boolean): Expr {
    const isCarried = [key, value].some(
      (local) => local !== null && this.#carriers.isCarrier(local),
    );
    const isAsked = Math.max(this.#levels.of(key), this.#levels.of(value)) > PLAIN;
    if (!isAsked || this.#places.isPairs(source)) return this.plain(source);
    if (isRule && source.op === "intrinsic") {
      const [container] = source.args;
      if (container === undefined || (!isCarried && this.#isData(container))) {
        return this.plain(source);
      }
      const { once, again } = this.#twice(container, CONTAINER);
      const isPlain = value !== null && !this.#carriers.isCarrier(value);
      const traced = isPlain ? "segments.keyed" : "segments.entries";
      return this.#traced(traced, { ...source, args: [once] }, again);
    }
    return this.#traced("segments.pairs", this.#value(source, CONTAINER));
  }

  /** The items of what is unpacked. */
  unpacked(value: Expr, locals: readonly Local[]): Expr {
    return locals.some((local) => this.#levels.of(local) > PLAIN)
      ? this.#items(value)
      : this.plain(value);
  }
}

function placed({ at, key }: Spot, text: Expr): Expr {
  return build.intrinsic("segments.placed", [at, key, text]);
}

/** A rule with its first argument and, where there are more, a list of the others. */
function withRule(rule: Expr, args: readonly Expr[], place: readonly Expr[]): readonly Expr[] {
  const rest = [...args.slice(1), ...place];
  return [rule, args[0] ?? build.literal(null), ...(rest.length === 0 ? [] : [build.list(rest)])];
}

/** What a test has shown to be text: TypeScript does not see that of what is unwrapped. */
function asText(plain: Expr): Expr {
  return plain.op === "intrinsic" && plain.name === "segments.plain"
    ? { ...plain, name: "segments.plainText" }
    : plain;
}
