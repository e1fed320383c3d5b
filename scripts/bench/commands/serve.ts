/**
 * `serve`: the example's handler under load, with a generated module, with @huggingface/jinja, and without a render. All
 * else is the same: the reading of the body, the adapter, the answer. Each engine has a process; rounds take turns.
 */
import { fileURLToPath } from "node:url";
import autocannon, { type Options, type Result } from "autocannon";
import { isRecord } from "../../rows.js";
import { median } from "../measure.js";
import { output, type OutputOptions } from "../output.js";
import { figure } from "../report.js";
import { Server } from "../server.js";
import { casesOf, SUBJECTS } from "../subjects.js";

export interface ServeOptions extends OutputOptions {
  readonly quick?: boolean;
  readonly node?: readonly string[];
}

/** What a round of requests came to. */
interface Round {
  readonly requests: number;
  readonly delay: number;
  readonly delay99: number;
  /** Of the processor, by request. */
  readonly ms: number;
}

interface Found extends Round {
  readonly workload: string;
  readonly engine: string;
  readonly node: string;
}

const ENGINES = ["generated", "hf", "none"] as const;
const PATH = "/v1/chat/completions/render";
const CONNECTIONS = 8;
const ROUNDS = 5;
/** Requests a round: about a second of @huggingface/jinja's. */
const AMOUNTS: Readonly<Record<string, number>> = { a: 1000, b: 200, c: 16 };
const QUICK_AMOUNT = 16;
/** A round that lasts longer is ended. */
const SECONDS = 60;
/** How often autocannon looks whether all is answered. */
const SAMPLE_MS = 20;

export async function serve(options: ServeOptions): Promise<void> {
  const { node: nodes = [process.execPath] } = options;
  const found: Found[] = [];
  for (const node of nodes) found.push(...(await inNode(node, options)));
  const head = ["workload", "engine", "Node", "requests/s", "ms of the processor", "delay", "99 %"];
  const body = found.map(({ workload, engine, node, requests, ms, delay, delay99 }) => [
    workload,
    engine,
    node,
    figure(requests),
    figure(ms),
    figure(delay),
    figure(delay99),
  ]);
  const title = `GLM, ${String(CONNECTIONS)} connections: requests, and the event loop's delay in ms`;
  output([{ title, head, body }], found, options);
}

async function inNode(node: string, { quick = false }: ServeOptions): Promise<readonly Found[]> {
  const servers = await Promise.all(
    ENGINES.map(async (engine) => ({ engine, ...(await startServer(node, engine)) })),
  );
  const found: Found[] = [];
  try {
    for (const { workload, body } of bodies(quick ? ["a"] : Object.keys(AMOUNTS))) {
      const amount = quick ? QUICK_AMOUNT : (AMOUNTS[workload] ?? QUICK_AMOUNT);
      const rounds = new Map<string, Round[]>(ENGINES.map((engine) => [engine, []]));
      for (const { server, port } of servers) await load(server, port, body, amount);
      for (let i = 0; i < (quick ? 1 : ROUNDS); i++)
        for (const { engine, server, port } of servers)
          rounds.get(engine)?.push(await load(server, port, body, amount));
      const { version } = servers[0] ?? { version: node };
      for (const [engine, list] of rounds)
        found.push({ workload, engine, node: version, ...middle(list) });
    }
  } finally {
    await Promise.all(servers.map(({ server }) => server.close()));
  }
  return found;
}

/** Chat completions with the workloads' messages: arguments as text. */
function bodies(names: readonly string[]): readonly { workload: string; body: string }[] {
  const subject = SUBJECTS.find(({ name }) => name === "glm");
  if (subject === undefined) throw new Error("there is no template glm");
  return casesOf(subject, names).map(({ workload, input }) => ({
    workload,
    body: JSON.stringify(input, (key, item: unknown) =>
      key === "arguments" && isRecord(item) ? JSON.stringify(item) : item,
    ),
  }));
}

async function startServer(
  node: string,
  engine: string,
): Promise<{ server: Server; port: number; version: string }> {
  const worker = fileURLToPath(new URL("../worker/serve.ts", import.meta.url));
  const server = new Server(node, ["--import", "tsx", worker, engine]);
  const said = await server.next();
  if (!isRecord(said)) throw new TypeError(`no address: ${JSON.stringify(said)}`);
  const { port, version } = said;
  if (typeof port !== "number" || typeof version !== "string") throw new TypeError("no port");
  return { server, port, version };
}

async function load(server: Server, port: number, body: string, amount: number): Promise<Round> {
  await server.ask({ start: true });
  const seconds = await send(port, body, amount);
  const said = await server.ask({ stop: true });
  const { delay, delay99, processor } = isRecord(said) ? said : {};
  if (typeof delay !== "number" || typeof delay99 !== "number" || typeof processor !== "number") {
    throw new TypeError(`no delays: ${JSON.stringify(said)}`);
  }
  return { requests: amount / seconds, delay, delay99, ms: processor / amount };
}

/** The seconds from the first request to the last answer; an error where one is no prompt. */
async function send(port: number, body: string, amount: number): Promise<number> {
  const started = performance.now();
  let answered = started;
  const options: Options = {
    url: `http://127.0.0.1:${String(port)}${PATH}`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    connections: CONNECTIONS,
    amount,
    bailout: 1,
    timeout: SECONDS,
    sampleInt: SAMPLE_MS,
  };
  const result = await new Promise<Result>((resolve, reject) => {
    const running = autocannon(options, (error: unknown, found) => {
      if (error instanceof Error) reject(error);
      else resolve(found);
    });
    running.on("response", () => {
      answered = performance.now();
    });
  });
  if (result["2xx"] === amount) return (answered - started) / 1000;
  throw new Error(`${String(result["2xx"])} of ${String(amount)} requests were answered`);
}

function middle(rounds: readonly Round[]): Round {
  const of = (name: keyof Round): number => median(rounds.map((round) => round[name]));
  return { requests: of("requests"), delay: of("delay"), delay99: of("delay99"), ms: of("ms") };
}
