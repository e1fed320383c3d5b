/** Whatever a request holds, an adapter gives an input or says where it cannot, and changes nothing. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meta as glm } from "../generated/glm.js";
import { meta as mimo } from "../generated/mimo.js";
import {
  fromAiSdk,
  fromAnthropic,
  fromOllama,
  fromOpenAI,
  fromResponses,
  RenderError,
  type ConversationInput,
  type TemplateMeta,
} from "../runtime/chat/index.js";
import { metaOf } from "./adapted.js";
import {
  aiSdkRequest,
  anthropicRequest,
  ollamaRequest,
  openAIRequest,
  responsesRequest,
  type Features,
} from "./requests.js";

type Adapter = (request: object, meta: TemplateMeta) => ConversationInput;

const ADAPTERS: readonly (readonly [Adapter, (features: Features) => object])[] = [
  [fromOpenAI, (features) => openAIRequest(features, metaOf())],
  [fromResponses, responsesRequest],
  [fromAnthropic, anthropicRequest],
  [fromAiSdk, aiSdkRequest],
  [fromOllama, (features) => ollamaRequest(features, false)],
];

const PARTS = { system: "parts", user: "parts", assistant: "parts", tool: "parts" } as const;
const METAS = [
  glm,
  mimo,
  metaOf(),
  metaOf({ content: PARTS, emptyContent: "null", callIds: "nine", neighbours: [] }),
  metaOf({ toolsIn: "system text", image: "image_url", developer: true }, { arguments: "text" }),
];

/** Words that the APIs' fields hold, so that requests get past the first check. */
const WORDS = [
  ..."system developer user assistant tool function text image image_url input_text output_text".split(
    " ",
  ),
  ..."input_image message function_call function_call_output reasoning thinking tool_use".split(
    " ",
  ),
  ..."tool_result tool-call tool-result file json content base64 url image/png enabled none auto".split(
    " ",
  ),
  '{"a": 1}',
  "data:image/png;base64,AA==",
  "",
];

const FIELDS = [
  ..."role content name tool_calls tool_call_id reasoning_content function arguments id type text".split(
    " ",
  ),
  ..."image_url url image source media_type data input output call_id summary thinking tool_use_id".split(
    " ",
  ),
  ..."toolCallId toolName value mediaType images tool_name parameters input_schema inputSchema".split(
    " ",
  ),
  ..."jsonSchema is_error description __proto__ constructor encrypted_content refusal".split(" "),
];

const TOP = [
  ..."messages input system instructions prompt tools tool_choice toolChoice reasoning".split(" "),
  ..."thinking think chat_template_kwargs reasoning_effort documents output_config".split(" "),
];

const word = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 3 }));
const field = fc.constantFrom(...FIELDS);

const { value } = fc.letrec<{ value: unknown; object: object; list: unknown[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    { arbitrary: word, weight: 4 },
    fc.constantFrom(null, undefined, true, 0, 1.5, 10n, new Uint8Array([1])),
    tie("object"),
    tie("list"),
  ),
  object: fc.dictionary(field, tie("value"), { maxKeys: 6, noNullPrototype: false }),
  list: fc.array(tie("value"), { maxLength: 4 }),
}));

/** What a request in one of the shapes becomes where a part of it, found by its number, is anything. */
interface Change {
  readonly at: number;
  readonly to: unknown;
}

const changes = fc.array(fc.record({ at: fc.nat(), to: value }), { maxLength: 2 });
const features = fc.record({ image: fc.boolean(), reasoning: fc.boolean() });

function isPlain(v: unknown): v is Readonly<Record<string, unknown>> {
  return typeof v === "object" && v !== null && Object.getPrototypeOf(v) === Object.prototype;
}

function changed(v: unknown, { at, to }: Change): unknown {
  const target = at % sizeOf(v);
  let count = 0;
  const visit = (part: unknown): unknown => {
    if (count++ === target) return to;
    if (Array.isArray(part)) return part.map(visit);
    if (!isPlain(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item)]));
  };
  return visit(v);
}

function sizeOf(v: unknown): number {
  if (!Array.isArray(v) && !isPlain(v)) return 1;
  return Object.values(v).reduce<number>((sum, item) => sum + sizeOf(item), 1);
}

function requestFor(valid: (features: Features) => object): fc.Arbitrary<object> {
  const near = fc.tuple(features, changes).map(([which, list]) => {
    const any = list.reduce<unknown>(changed, valid(which));
    return typeof any === "object" && any !== null ? any : { messages: any };
  });
  const far = fc.dictionary(fc.constantFrom(...TOP), value, { maxKeys: 6 });
  return fc.oneof({ arbitrary: near, weight: 4 }, far, fc.object());
}

/** What an adapter tries to change throws a TypeError. */
function deepFrozen<T>(v: T): T {
  if (typeof v === "object" && v !== null && !ArrayBuffer.isView(v) && !Object.isFrozen(v)) {
    Object.freeze(v);
    for (const item of Object.values(v)) deepFrozen(item);
  }
  return v;
}

describe.each(ADAPTERS.map((pair) => [pair[0].name, ...pair] as const))(
  "%s",
  (_, adapter, valid) => {
    it("gives an input, or an error with a place", () => {
      let given = 0;
      fc.assert(
        fc.property(requestFor(valid), fc.constantFrom(...METAS), (any, meta) => {
          try {
            const { messages } = adapter(deepFrozen(any), meta);
            expect(messages.length).toBeGreaterThan(0);
            given++;
          } catch (error) {
            if (!(error instanceof RenderError)) throw error;
            expect(error.phase).toBe("input");
            expect(error.path).toBeTypeOf("string");
          }
        }),
        { numRuns: 1500 },
      );
      expect(given).toBeGreaterThan(100);
    });

    it.each([null, undefined, 1, "text", [], new Map(), () => 1])("refuses %s", (any) => {
      for (const meta of METAS) {
        const take = (): void => void Reflect.apply(adapter, undefined, [any, meta]);
        expect(take).toThrow(RenderError);
      }
    });

    it("says so where a request is nested too deeply", () => {
      let deep: object = {};
      for (let i = 0; i < 100_000; i++) deep = { a: deep };
      const call = { id: "1", type: "function", function: { name: "f", arguments: deep } };
      const messages = [
        { role: "user", content: "Hi" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "1", content: "" },
      ];
      const meta = metaOf({}, { arguments: "text" });
      try {
        adapter({ messages, input: messages }, meta);
      } catch (error) {
        expect(error).toBeInstanceOf(RenderError);
      }
    });
  },
);
