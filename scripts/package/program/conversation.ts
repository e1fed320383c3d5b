/** The conversation that every way renders. */
const CALL = { function: { name: "weather", arguments: { city: "Zürich", days: 3, now: true } } };

export const messages = [
  { role: "user", content: "Weather in Zürich? 🌦" },
  { role: "assistant", content: "", tool_calls: [CALL] },
  { role: "tool", content: "21.5 degrees", tool_name: "weather" },
];

export const tools = [
  {
    type: "function",
    function: {
      name: "weather",
      description: "The weather <today>",
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "A city" }, days: { type: "integer" } },
        required: ["city"],
      },
    },
  },
];

/** What a render fails on. */
export const broken = { messages: 7 };
