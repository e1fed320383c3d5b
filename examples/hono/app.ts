/**
 * A service that answers with prompts: the text that a model would get for a request. It runs wherever Hono does;
 * server.ts starts it on Node.
 */
import { Hono } from "hono";
import { applyChatTemplate, RenderError, type Renderer } from "chat-template-compiler/chat";
import { parseJson } from "chat-template-compiler/runtime";

/** A generated module, a `Template`, or several of one model by name. */
export type Model = Renderer<object> | Readonly<Record<string, Renderer<object>>>;

/** What a client sends, by the names of OpenAI's and vLLM's requests. */
interface PromptRequest {
  readonly messages: readonly object[];
  readonly tools?: readonly object[];
  readonly add_generation_prompt?: boolean;
  readonly continue_final_message?: boolean;
  /** The template's own variables, such as `enable_thinking`. */
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>>;
}

export function createApp(models: ReadonlyMap<string, Model>): Hono {
  const app = new Hono();

  app.get("/models", (c) => c.json({ models: [...models.keys()] }));

  app.post("/models/:model/render", async (c) => {
    const model = models.get(c.req.param("model"));
    if (model === undefined) return c.json({ error: "no such model" }, 404);
    // JSON.parse would make 1 of 1.0, and change long integers.
    const request = parseJson(await c.req.text());
    if (!isPromptRequest(request)) return c.json({ error: "messages must be a list" }, 400);
    const isContinued = request.continue_final_message ?? false;
    const prompt = applyChatTemplate(model, request.messages, {
      tools: request.tools,
      addGenerationPrompt: request.add_generation_prompt ?? !isContinued,
      continueFinalMessage: isContinued,
      kwargs: request.chat_template_kwargs,
    });
    return c.json({ prompt });
  });

  app.onError((error, c) => {
    if (error instanceof SyntaxError) return c.json({ error: "the body is not JSON" }, 400);
    if (!(error instanceof RenderError)) throw error;
    // The template has refused the request, in a line of its own.
    const { message, type, line, column } = error;
    return c.json({ error: message, type, line, column }, 400);
  });

  return app;
}

function isPromptRequest(value: unknown): value is PromptRequest {
  return (
    typeof value === "object" &&
    value !== null &&
    "messages" in value &&
    Array.isArray(value.messages)
  );
}
