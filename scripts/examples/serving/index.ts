/**
 * Serves GLM's prompts. Bun, Deno (`deno serve`) and workers take the default export as it is; in Node an adapter such
 * as @hono/node-server hands it requests.
 */
import { meta, render } from "../../../generated/glm.js";
import { fromOpenAI } from "../../../runtime/chat/index.js";
import { createHandler } from "./handler.js";

export const handler = createHandler((body) => render(fromOpenAI(body, meta)));

export default { fetch: handler };
