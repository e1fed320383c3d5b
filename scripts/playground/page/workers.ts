/** The page's two workers. */
import engineText from "./engine-worker.js?text";
import type {
  Emitted,
  EngineAnswer,
  EngineQuestion,
  Job,
  Measured,
  Opened,
  Rendered,
} from "./job.js";
import { WorkerCalls } from "./worker-calls.js";

/** How long each may take: a template need not come to an end. */
const SECONDS = { open: 30, render: 10, measure: 60, emit: 60 };

const engine = new WorkerCalls<EngineQuestion, EngineAnswer>(() => Promise.resolve(engineText));
const emitter = new WorkerCalls<Job, Emitted>(loadEmitter);

/** The templates that a file holds; an Error where it holds none. */
export async function open(file: File): Promise<readonly Opened[]> {
  return opened(await engine.ask({ kind: "open", file }, SECONDS.open));
}

/** The templates that a pasted text holds. */
export async function paste(text: string): Promise<readonly Opened[]> {
  return opened(await engine.ask({ kind: "paste", text }, SECONDS.open));
}

/** The prompt and what is known; an Error where it takes too long. */
export async function render(job: Job): Promise<Rendered> {
  const answer = await engine.ask({ kind: "render", job }, SECONDS.render);
  if (answer.kind !== "rendered") throw new Error("the worker answered something else");
  return answer.rendered;
}

/** Render times; an Error where Template does not render. */
export async function measure(job: Job): Promise<Measured> {
  const answer = await engine.ask({ kind: "measure", job }, SECONDS.measure);
  if (answer.kind !== "measured") throw new Error("the worker answered something else");
  return answer.measured;
}

/** The module and its types; an Error where the template is refused. */
export function emit(job: Job): Promise<Emitted> {
  return emitter.ask(job, SECONDS.emit);
}

function opened(answer: EngineAnswer): readonly Opened[] {
  if (answer.kind !== "opened") throw new Error("the worker answered something else");
  return answer.templates;
}

/** A script tag loads from `file:` too, which `fetch` and `import` do not. */
function loadEmitter(): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "emitter.js";
    script.addEventListener("load", () => {
      resolve(playgroundEmitter);
    });
    script.addEventListener("error", () => {
      reject(new Error("emitter.js could not be loaded: it stands beside index.html"));
    });
    document.head.append(script);
  });
}
