/** What a render may do so that nothing but its locals differs from one round of a loop to the next. */
import { intrinsics, type IntrinsicName } from "../ir/intrinsics.js";
import { Any, Generator, may } from "../ir/kinds.js";
import type { Expr, Module, Stmt } from "../ir/nodes.js";
import { walkExprs, walkModule, walkStmts } from "../ir/visit.js";

/** Rules that are not pure, since what they are given may be read only once, they end the render or read its clock, and change nothing. */
const READING: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "jinja.raiseException",
  "jinja.list",
  "jinja.filtered",
  "jinja.unpack",
  "jinja.isIn",
  "jinja.splat",
  "jinja.callFilter",
  "jinja.callTest",
  "go.fail",
  "go.currentDate",
  "go.yesterdayDate",
]);

/** Methods of texts, lists and dicts that change nothing. */
const READING_METHODS: ReadonlySet<unknown> = new Set(
  (
    "strip lstrip rstrip split rsplit splitlines partition rpartition startswith endswith replace upper lower " +
    "capitalize title join format find rfind index rindex count isdigit isalpha isspace isupper islower " +
    "removeprefix removesuffix get items keys values"
  ).split(" "),
);

/** Whether renders of the module change values in place, or keep what can be read only once. */
export function keepsState(module: Module): boolean {
  const changing: Expr[] = [];
  walkModule(module, (expr) => {
    if (changes(expr)) changing.push(expr);
  });
  const bodies = [module.body, ...module.functions.map(({ body }) => body)];
  return changing.length > 0 || bodies.some((body) => storesGenerator(body));
}

function changes(expr: Expr): boolean {
  switch (expr.op) {
    case "function":
    case "new-set":
    case "written":
      return true;
    case "method":
      return expr.name === "push" || expr.name === "add";
    case "intrinsic":
      return !isReading(expr);
    default:
      return false;
  }
}

function isReading({ name, args }: Extract<Expr, { op: "intrinsic" }>): boolean {
  if (intrinsics[name].pure || READING.has(name) || name.endsWith("Filter")) return true;
  const [, method] = args;
  return (
    name === "jinja.callMethod" && method?.op === "literal" && READING_METHODS.has(method.value)
  );
}

/** Whether a generator is kept in a local, a list or a record, so that who reads it first matters. */
function storesGenerator(body: readonly Stmt[]): boolean {
  let found = false;
  const store = (expr: Expr): void => {
    found ||= isGenerator(expr);
  };
  walkExprs(body, (expr) => {
    if (expr.op === "assign") store(expr.value);
    if (expr.op === "list") expr.items.forEach(store);
    if (expr.op === "record") {
      expr.fields.forEach(({ value }) => {
        store(value);
      });
    }
    if (expr.op === "call") {
      for (const arg of expr.args) if (arg !== null) store(arg);
    }
  });
  walkStmts(body, (stmt) => {
    if (stmt.op === "set") store(stmt.value);
  });
  return found;
}

function isGenerator(expr: Expr): boolean {
  switch (expr.op) {
    case "choose":
      return isGenerator(expr.then) || isGenerator(expr.otherwise);
    case "coalesce":
      return isGenerator(expr.value) || isGenerator(expr.otherwise);
    case "intrinsic": {
      const { gives } = intrinsics[expr.name];
      return expr.name === "jinja.callFilter" || (gives !== Any && may(gives, Generator));
    }
    default:
      return false;
  }
}
