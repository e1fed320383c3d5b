/** The example of a service: requests through Hono's own `request`, without a port. */
import { describe, expect, it } from "vitest";
import { createApp, type Model } from "../examples/hono/app.js";
import { Template } from "../compiler/template.js";
import * as glm from "../generated/glm.js";

const SHOWN = "{% for m in messages %}{{ m.content | tojson }}{% endfor %}{{ x | default('') }}";
const several = { default: new Template("default"), tool_use: new Template("tools") };
const app = createApp(
  new Map<string, Model>([
    ["glm", glm],
    ["shown", new Template(SHOWN)],
    ["several", several],
  ]),
);

async function post(path: string, body: unknown): Promise<unknown> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await app.request(path, { method: "POST", body: text });
  return [response.status, await response.json()];
}

const hi = { role: "user", content: "Hi" };

describe("the example with Hono", () => {
  it("lists its models", async () => {
    const response = await app.request("/models");
    expect(await response.json()).toEqual({ models: ["glm", "shown", "several"] });
  });

  it("renders a request with a generated module", async () => {
    const prompt = glm.render({
      messages: [hi],
      add_generation_prompt: true,
      enable_thinking: false,
    });
    const request = { messages: [hi], chat_template_kwargs: { enable_thinking: false } };
    expect(await post("/models/glm/render", request)).toEqual([200, { prompt }]);
  });

  it("renders with a template compiled at run time, numbers as they were sent", async () => {
    const body = '{"messages":[{"content":[1.0, 12345678901234567890]}],"tools":null}';
    const prompt = "[1.0, 12345678901234567890]";
    expect(await post("/models/shown/render", body)).toEqual([200, { prompt }]);
  });

  it("chooses among several templates, and leaves the last message open", async () => {
    const request = { messages: [hi], tools: [{ type: "function" }] };
    expect(await post("/models/several/render", request)).toEqual([200, { prompt: "tools" }]);
    const open = { messages: [hi], continue_final_message: true };
    expect(await post("/models/shown/render", open)).toEqual([200, { prompt: '"Hi' }]);
  });

  it("answers what a template refuses with the template's line", async () => {
    const request = { messages: [hi], chat_template_kwargs: { x: 1 }, tools: [1] };
    expect(await post("/models/shown/render", request)).toMatchObject([
      400,
      { type: "ValueError" },
    ]);
    const incomplete = { messages: [{ role: "user", content: "a" }, { role: "assistant" }] };
    expect(await post("/models/shown/render", incomplete)).toMatchObject([
      400,
      { error: "Object of type Undefined is not JSON serializable", line: 1, column: 27 },
    ]);
  });

  it.each([
    ["/models/none/render", "{}", 404],
    ["/models/glm/render", "{", 400],
    ["/models/glm/render", "[]", 400],
    ["/models/glm/render", { messages: "Hi" }, 400],
  ])("refuses %s %j", async (path, body, status) => {
    expect(await post(path, body)).toMatchObject([status, {}]);
  });
});
