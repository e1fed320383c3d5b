/** A real engine as `verify` asks it: a template and inputs go in, an answer for each input comes out. */
import type { Dialect } from "../../../runtime/index.js";

export interface EngineRequest {
  readonly template: string;
  /** Each input as JSON objects in text, of which later ones win: so each language reads its own numbers. */
  readonly inputs: readonly (readonly string[])[];
  /** `2025-03-01T12:00:00`, without a zone. */
  readonly now: string;
  /** The user's project: packages are taken from there. */
  readonly directory: string;
  readonly python: string;
}

export type EngineAnswer =
  /** The bytes of the text: Go's need not be UTF-8. */
  | { readonly ok: true; readonly output: Uint8Array }
  | { readonly ok: false; readonly phase: Phase; readonly error: string; readonly line?: number };

export type Phase = "parse" | "render";

export interface EngineAnswers {
  /** What answered, with its version. */
  readonly version: string;
  readonly answers: readonly EngineAnswer[];
}

export interface Engine {
  readonly dialect: Dialect;
  ask(request: EngineRequest): Promise<EngineAnswers>;
}

/** The engine is not installed, or did not answer. */
export class EngineError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EngineError";
  }
}

/** Checks what a program in another language printed. */
export function parseAnswers(text: string, count: number): EngineAnswers {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !Array.isArray(value["answers"]) || value["answers"].length !== count)
    throw new EngineError("the engine's answer is not complete");
  return { version: String(value["version"]), answers: value["answers"].map(answerOf) };
}

function answerOf(value: unknown): EngineAnswer {
  if (!isObject(value)) throw new EngineError("the engine's answer is not an object");
  if (typeof value["base64"] === "string")
    return { ok: true, output: Buffer.from(value["base64"], "base64") };
  const { phase, error, line } = value;
  return {
    ok: false,
    phase: phase === "parse" ? "parse" : "render",
    error: String(error),
    ...(typeof line === "number" ? { line } : {}),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
