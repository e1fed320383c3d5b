/** A process or worker that forbids code from text renders templates: read from standard input, answered on standard output. */
import { readFileSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { Template } from "../compiler/template.js";

export interface Order {
  readonly source: string;
  readonly dialect: "jinja" | "ollama" | "go";
  readonly input: object;
  /** How often it is rendered: the last answers come after the passes have run. */
  readonly renders: number;
}

export interface Report {
  readonly place: string;
  /** What `new Function` and `codegen: true` were answered. */
  readonly refusals: readonly string[];
  /** The distinct texts of each order. */
  readonly texts: readonly (readonly string[])[];
}

function refusal(run: () => unknown): string {
  try {
    run();
    return "allowed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function render({ source, dialect, input, renders }: Order): string[] {
  const template = new Template(source, { dialect });
  const texts = new Set<string>();
  for (let i = 0; i < renders; i++) {
    texts.add(template.render(input));
    texts.add(new TextDecoder().decode(template.renderBytes(input)));
  }
  return [...texts];
}

function report(place: string, orders: readonly Order[]): Report {
  return {
    place,
    refusals: [
      refusal(() => Reflect.construct(Function, ["return 1"])),
      refusal(() => new Template("", { codegen: true })),
    ],
    texts: orders.map(render),
  };
}

function isOrders(value: unknown): value is readonly Order[] {
  return Array.isArray(value);
}

function ordersOf(value: unknown): readonly Order[] {
  if (!isOrders(value)) throw new TypeError("no orders");
  return value;
}

if (isMainThread) {
  const orders = ordersOf(JSON.parse(readFileSync(0, "utf8")));
  const worker = new Worker(new URL("without-code-worker.mjs", import.meta.url), {
    workerData: orders,
  });
  worker.once("message", (fromWorker: unknown) => {
    console.log(JSON.stringify([report("process", orders), fromWorker]));
  });
} else {
  parentPort?.postMessage(report("worker", ordersOf(workerData)));
}
