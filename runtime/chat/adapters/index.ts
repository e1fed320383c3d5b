/** Adapters: from the requests of five APIs to what a template reads. */
export { fromAiSdk } from "./ai-sdk.js";
export { fromAnthropic } from "./anthropic.js";
export type { ConversationInput, ConversationMessage } from "./conversation.js";
export { fromOllama } from "./ollama.js";
export { fromOpenAI } from "./openai.js";
export { fromResponses } from "./responses.js";
