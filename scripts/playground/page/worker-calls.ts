/** Questions to a worker and its answers, one at a time; a worker that takes too long is ended. */

interface Asked<Question> {
  readonly id: number;
  readonly question: Question;
}

type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: string };

/** Answers the questions of the page, in the worker. */
export function answerQuestions<Question, Answer>(
  isQuestion: (value: unknown) => value is Question,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  const reply = async ({ id, question }: Asked<unknown>): Promise<Answered<Answer>> => {
    try {
      if (!isQuestion(question)) throw new TypeError("this is no question for the worker");
      return { id, answer: await answer(question) };
    } catch (error) {
      return { id, failure: error instanceof Error ? error.message : String(error) };
    }
  };
  globalThis.addEventListener("message", ({ data }: MessageEvent<Asked<unknown>>) => {
    void reply(data).then((answered) => {
      globalThis.postMessage(answered);
    });
  });
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: number;
}

/** The page's side of a worker, which starts with the first question and again after one that was ended. */
export class WorkerCalls<Question, Answer> {
  readonly #text: () => Promise<string>;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Promise<Worker> | null = null;
  #id = 0;

  /** `text` gives the worker's program. */
  constructor(text: () => Promise<string>) {
    this.#text = text;
  }

  /** The answer; an Error with the worker's words, or one that says that it took too long. */
  async ask(question: Question, seconds: number): Promise<Answer> {
    const worker = await (this.#worker ??= this.#start());
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => {
        this.#end(`took longer than ${seconds} seconds and was ended`);
      }, seconds * 1000);
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, question });
    });
  }

  async #start(): Promise<Worker> {
    const blob = new Blob([await this.#text()], { type: "text/javascript" });
    const address = URL.createObjectURL(blob);
    const worker = new Worker(address);
    worker.addEventListener("message", ({ data }: MessageEvent<Answered<Answer>>) => {
      this.#settle(data);
    });
    worker.addEventListener("error", ({ message }) => {
      this.#end(message || "the worker could not be started");
    });
    return worker;
  }

  #settle(answered: Answered<Answer>): void {
    const waiting = this.#waiting.get(answered.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answered.id);
    window.clearTimeout(waiting.timer);
    if ("failure" in answered) waiting.reject(new Error(answered.failure));
    else waiting.resolve(answered.answer);
  }

  #end(reason: string): void {
    const ended = this.#worker;
    this.#worker = null;
    void ended?.then((worker) => {
      worker.terminate();
    });
    for (const { reject, timer } of this.#waiting.values()) {
      window.clearTimeout(timer);
      reject(new Error(reason));
    }
    this.#waiting.clear();
  }
}
