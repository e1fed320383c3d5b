/**
 * Starts the service with the project's GLM, and with a template of each location that is named:
 * `npx tsx examples/hono/server.ts hf:org/name model.gguf`
 */
import { serve } from "@hono/node-server";
import { load } from "chat-template-compiler";
import type { Renderer } from "chat-template-compiler/chat";
import { Template } from "chat-template-compiler/template";
import * as glm from "../../generated/glm.js";
import { createApp } from "./app.js";

const models = new Map<string, Renderer<object>>([["glm", glm]]);
for (const location of process.argv.slice(2)) {
  for (const { name, dialect, source, define } of await load(location)) {
    models.set(name, new Template(source, { name, dialect, define }));
  }
}

serve({ fetch: createApp(models).fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`http://localhost:${port}/models`);
});
