/**
 * A handler of requests with nothing but web standards, for Node, Bun, Deno and workers: the body of a chat completion
 * in, its prompt out. What goes wrong is answered as OpenAI's API answers it, and tells nothing of the server.
 */
import { RenderError } from "../../../runtime/chat/index.js";
import { parseJson } from "../../../runtime/index.js";

/** Makes the prompt of a request's body; throws a RenderError for what the template refuses. */
export type MakePrompt = (body: object) => string;

export interface HandlerOptions {
  /** Bytes of a body; larger ones are refused unread. Default: 4 MiB. */
  readonly maxBody?: number;
}

/** An answer of OpenAI's API to a request that it refuses. */
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly type: "invalid_request_error" | "server_error";
  readonly param?: string | undefined;
}

const PATH = "/v1/chat/completions/render";
const DEFAULT_MAX_BODY = 4 * 1024 * 1024;

/** Answers `POST /v1/chat/completions/render` with `{ "prompt": … }`. */
export function createHandler(
  makePrompt: MakePrompt,
  { maxBody = DEFAULT_MAX_BODY }: HandlerOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== PATH)
      return refuse(404, "There is nothing at this path.");
    if (request.method !== "POST") return refuse(405, "Send a POST request.", { allow: "POST" });
    const body = await bodyOf(request, maxBody);
    if (body === "too large")
      return refuse(413, `The body has more than ${String(maxBody)} bytes.`);
    if (body === "no JSON") return refuse(400, "The body is no JSON object.");
    try {
      return Response.json({ prompt: makePrompt(body) });
    } catch (error) {
      return answer(refusalOf(error));
    }
  };
}

/** The body as an object: numbers as 1.0 stay what they are. */
async function bodyOf(
  request: Request,
  maxBody: number,
): Promise<object | "no JSON" | "too large"> {
  if (Number(request.headers.get("content-length")) > maxBody) return "too large";
  const bytes = await bytesOf(request, maxBody);
  if (bytes === null) return "too large";
  try {
    const body = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof body === "object" && body !== null && !Array.isArray(body) ? body : "no JSON";
  } catch {
    return "no JSON";
  }
}

/** Null where the body is larger, whatever its header says. */
async function bytesOf(request: Request, maxBody: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream: ReadableStream<Uint8Array> | null = request.body;
  const reader = stream?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    length += next.value.length;
    if (length > maxBody) {
      await reader?.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** What the request or the template's author says against it is told; an engine's message and a fault of ours are not. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof RenderError)) {
    return { status: 500, message: "The server failed to make a prompt.", type: "server_error" };
  }
  const isTold = error.phase === "input" || error.type === "TemplateError";
  const message = isTold ? error.message : "The model's template cannot render this conversation.";
  return { status: 400, message, type: "invalid_request_error", param: error.path };
}

function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return answer({ status, message, type: "invalid_request_error" }, headers);
}

function answer(
  { status, message, type, param }: Refusal,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = { message, type, param: param ?? null, code: null };
  return Response.json({ error }, { status, headers });
}
