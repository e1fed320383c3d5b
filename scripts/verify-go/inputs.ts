/** Data for the templates of Go's and Ollama's tests: JSON in the form of what those tests execute them with. */

/** What Go's exec_test.go calls tVal, as far as JSON has it, then data that few fields fit. */
export const GO_DATA: readonly object[] = [
  {
    True: true,
    I: 17,
    U16: 16,
    X: "x",
    S: "xyz",
    U: { V: "v" },
    V0: { J: 666 },
    SI: [3, 4, 5],
    SICap: [0, 0, 0, 0, 0],
    SIEmpty: [],
    SB: [true, false],
    MSI: { one: 1, two: 2, three: 3 },
    MSIone: { one: 1 },
    MSIEmpty: {},
    MXI: { one: 1 },
    MII: { 1: 1 },
    SMSI: [
      { one: 1, two: 2 },
      { eleven: 11, twelve: 12 },
    ],
    Empty0: null,
    Empty1: 3,
    Empty2: "empty2",
    Empty3: [7, 8],
    Empty4: { V: "UinEmpty" },
    PI: 23,
    PS: "a string",
    PSI: [21, 22, 23],
    NIL: null,
    Zero: 0,
    Float: 1.5,
    x: 1,
    y: 2,
  },
  {},
];

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly object[];
  readonly tool_name?: string;
}

interface Request {
  readonly messages?: readonly Message[];
  readonly [name: string]: unknown;
}

const user = { role: "user", content: "Hello, how are you?" };
const assistant = { role: "assistant", content: "I'm doing great. How can I help you today?" };
const question = { role: "user", content: "I'd like to show off how chat templating works!" };
const system = { role: "system", content: "You are a helpful assistant." };

const tools = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "Weather",
      parameters: {
        type: "object",
        required: ["city"],
        properties: { city: { type: "string", description: "City" }, days: { type: "integer" } },
      },
    },
  },
];

const call = { id: "1", function: { name: "get_weather", arguments: { city: "Paris", days: 3 } } };

/** The three conversations of Ollama's TestTemplate come first. */
export const OLLAMA_REQUESTS: readonly Request[] = [
  { messages: [user] },
  { messages: [user, assistant, question] },
  { messages: [system, user, assistant, question] },
  { messages: [user, assistant] },
  { prompt: "def f():", suffix: "return 1", system: "code" },
  { prompt: "only a prompt", think: true },
  {
    messages: [
      user,
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", content: "sunny", tool_name: "get_weather" },
    ],
    tools,
  },
];
