/** The example of a server: what it answers, and that a refusal tells nothing of the server. */
import { describe, expect, it } from "vitest";
import { render } from "../generated/glm.js";
import { RenderError } from "../runtime/chat/index.js";
import { createHandler } from "../scripts/examples/serving/handler.js";
import server, { handler } from "../scripts/examples/serving/index.js";

const ADDRESS = "http://localhost/v1/chat/completions/render";
const MESSAGES = [{ role: "user", content: "Hi" }];

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answerOf(
  handle: (request: Request) => Promise<Response>,
  body: string | Uint8Array<ArrayBuffer>,
  address = ADDRESS,
): Promise<Answer> {
  const response = await handle(new Request(address, { method: "POST", body }));
  expect(response.headers.get("content-type")).toBe("application/json");
  const answered: unknown = await response.json();
  return { status: response.status, body: answered };
}

function refused(status: number, message: unknown, param: string | null = null): Answer {
  const type = status === 500 ? "server_error" : "invalid_request_error";
  return { status, body: { error: { message, type, param, code: null } } };
}

describe("the example of a server", () => {
  it("answers a chat completion with its prompt", async () => {
    const call = { id: "1", type: "function", function: { name: "f", arguments: '{"x": 1.0}' } };
    const messages = [...MESSAGES, { role: "assistant", content: null, tool_calls: [call] }];
    const { status, body } = await answerOf(handler, JSON.stringify({ model: "glm", messages }));
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain("<arg_value>1.0</arg_value>");
    const plain = { messages: MESSAGES, add_generation_prompt: true };
    expect(await answerOf(server.fetch, JSON.stringify({ messages: MESSAGES }))).toEqual({
      status: 200,
      body: { prompt: render(plain) },
    });
  });

  it.each([
    ["", "The body is no JSON object."],
    ["[]", "The body is no JSON object."],
    ["{", "The body is no JSON object."],
    [new Uint8Array([0xff]), "The body is no JSON object."],
  ])("refuses a body that is no JSON: %j", async (body, message) => {
    expect(await answerOf(handler, body)).toEqual(refused(400, message));
  });

  it("names the place of what is refused", async () => {
    const content = [{ type: "input_audio", input_audio: { data: "", format: "wav" } }];
    const body = JSON.stringify({ messages: [{ role: "user", content }] });
    const expected = refused(400, expect.stringContaining("audio"), "messages[0].content[0]");
    expect(await answerOf(handler, body)).toEqual(expected);
    const kwargs = JSON.stringify({ messages: MESSAGES, chat_template_kwargs: { messages: [] } });
    expect(await answerOf(handler, kwargs)).toEqual(
      refused(400, expect.any(String), "chat_template_kwargs.messages"),
    );
  });

  it("tells what the template's author says, and no more", async () => {
    const failing = (type: string): ReturnType<typeof createHandler> =>
      createHandler(() => {
        throw new RenderError("secret", { phase: "render", type, line: 3 });
      });
    expect(await answerOf(failing("TemplateError"), "{}")).toEqual(refused(400, "secret"));
    expect(await answerOf(failing("UndefinedError"), "{}")).toEqual(
      refused(400, "The model's template cannot render this conversation."),
    );
    const broken = createHandler(() => {
      throw new Error("/srv/secret");
    });
    expect(await answerOf(broken, "{}")).toEqual(
      refused(500, "The server failed to make a prompt."),
    );
  });

  it("knows one path and one method", async () => {
    expect(await answerOf(handler, "{}", "http://localhost/")).toMatchObject({ status: 404 });
    const response = await handler(new Request(ADDRESS));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("refuses a body that is too large, whatever its header says", async () => {
    const small = createHandler(() => "", { maxBody: 10 });
    const message = "The body has more than 10 bytes.";
    expect(await answerOf(small, '{"a": "0123456789"}')).toEqual(refused(413, message));
    const headers = { "content-length": "11" };
    const request = new Request(ADDRESS, { method: "POST", body: "{}", headers });
    expect((await small(request)).status).toBe(413);
    expect(await answerOf(small, "{}")).toEqual({ status: 200, body: { prompt: "" } });
  });
});
