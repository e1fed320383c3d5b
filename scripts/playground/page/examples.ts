/** The templates of the repository with conversations that show what they can. */
import glm from "../../../templates/glm.jinja";
import mimo from "../../../templates/mimo.gotmpl";
import qwen from "../../../templates/qwen3-coder.gotmpl";
import { printJson } from "./json-text.js";
import type { State } from "./state.js";

const TOOLS = [
  {
    type: "function",
    function: {
      name: "find_trains",
      description: "Finds trains between two cities.",
      parameters: {
        type: "object",
        properties: {
          from: { type: "string", description: "City of departure" },
          to: { type: "string", description: "City of arrival" },
        },
        required: ["from", "to"],
      },
    },
  },
];

const CALL = {
  type: "function",
  function: { name: "find_trains", arguments: { from: "Zürich", to: "Lyon" } },
};
const SYSTEM = { role: "system", content: "You help people to travel by train." };
const QUESTION = { role: "user", content: "How do I get from Zürich to Lyon in the morning?" };
const THOUGHT = "A direct train would be best.\nI look for one.";
const ANSWER = '[{"leaves": "07:34", "arrives": "12:26"}]';

const JINJA_INPUT = {
  messages: [
    SYSTEM,
    QUESTION,
    { role: "assistant", content: "", reasoning_content: THOUGHT, tool_calls: [CALL] },
    { role: "tool", content: ANSWER },
  ],
  tools: TOOLS,
  add_generation_prompt: true,
};

const OLLAMA_MESSAGES = [
  SYSTEM,
  QUESTION,
  { role: "assistant", content: "", thinking: THOUGHT, tool_calls: [CALL] },
  { role: "tool", content: ANSWER, tool_name: "find_trains" },
];

/** By the name in the menu; the first is what the page starts with. */
export const EXAMPLES: readonly State[] = [
  example("glm", "jinja", glm, JINJA_INPUT),
  example("qwen3-coder", "ollama", qwen, { messages: OLLAMA_MESSAGES, tools: TOOLS }),
  example("mimo", "ollama", mimo, { messages: OLLAMA_MESSAGES, tools: TOOLS, think: true }),
];

function example(name: string, dialect: State["dialect"], source: string, input: object): State {
  return { name, dialect, source, define: {}, input: printJson(input) };
}
