/** Rows of dialect chat: the input names what apply_chat_template takes, as the oracle's program reads it. */
import { applyChatTemplate } from "../runtime/chat/index.js";
import { parseJson, type Renderer, type RenderOptions } from "../runtime/index.js";
import { isRecord, type Row } from "./rows.js";

/** The product's function; JSON may hold anything, so its parameters are wider here. */
const product: {
  apply(template: Renderer<object>, messages: unknown, options: object): string;
} = { apply: applyChatTemplate };

/** Renders a row with a template that is compiled. */
export function renderChat(
  renderer: Renderer<object>,
  row: Row,
  renderOptions: RenderOptions,
): string {
  const input = parseJson(row.input);
  if (!isRecord(input))
    throw Object.assign(new Error("the input is not an object"), { phase: "input" });
  const { messages, tools, documents, kwargs, special_tokens: specialTokens } = input;
  const { add_generation_prompt: addGenerationPrompt, continue_final_message: asked } = input;
  const open = asked ?? row.continueFinalMessage;
  return product.apply(renderer, messages, {
    ...renderOptions,
    tools,
    documents,
    kwargs,
    specialTokens,
    addGenerationPrompt,
    continueFinalMessage: typeof open === "string" ? open : Boolean(open),
  });
}
