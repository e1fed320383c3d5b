/** The forms in which a template takes a conversation's parts: found by rendering conversations of markers. */
import type { Capabilities, Forms, Role } from "../../runtime/index.js";
import type { Dialect, Module } from "../ir/nodes.js";
import {
  asParts,
  asText,
  IMAGE_PARTS,
  inputOf,
  MARKS,
  NINE_SIGNS,
  TOOLS,
  UNKNOWN_PART,
  type Content,
  type Message,
} from "./conversations.js";
import { probeOf, type Probe } from "./probe.js";

/** Templates of dialect "go" have data of their own; of some no conversation shows anything. */
export function formsOf(module: Module, capabilities: Capabilities): Forms {
  const found = module.dialect === "go" ? null : new FormFinder(module, capabilities).find();
  return found ?? unknownForms(module.dialect, capabilities);
}

const ROLES = ["system", "user", "assistant", "tool"] as const;
/** Results of several calls follow each other in all templates. */
const SPEAKERS = ["system", "user", "assistant"] as const;

/** Where nothing is known nothing is refused. */
function unknownForms(dialect: Dialect, { images, content }: Capabilities): Forms {
  const form = content === "parts" ? "parts" : "text";
  const image = dialect === "ollama" ? "images" : images ? "image" : null;
  return {
    content: { system: form, user: content, assistant: form, tool: form },
    emptyContent: "absent",
    callsWithText: true,
    toolCalls: true,
    toolResults: true,
    toolsIn: "input",
    callIds: "any",
    reasoning: dialect === "ollama" ? "thinking" : "reasoning_content",
    image,
    imagesIn: image === null ? [] : ["user"],
    developer: false,
    laterSystem: true,
    neighbours: SPEAKERS,
  };
}

/** Longer than nine signs, and with one that is neither letter nor digit. */
const LONG_ID = "call_zq0123456789";
const [FIRST, SECOND] = ["zqfirstqz", "zqsecondqz"];
/** The name of a call, or the value of its argument. */
const CALL = new RegExp(`${MARKS.callName}|${MARKS.argumentValue}`, "i");
const UNKNOWN_ROLE = "zqroleqz";

class FormFinder {
  readonly #module: Module;
  readonly #capabilities: Capabilities;
  readonly #probe: Probe;
  /** How the content of a message is written that is not what is being asked for. */
  readonly #content: Content;

  constructor(module: Module, capabilities: Capabilities) {
    this.#module = module;
    this.#capabilities = capabilities;
    this.#probe = probeOf(module);
    this.#content = capabilities.content === "parts" ? asParts : asText;
  }

  /** Null where no conversation shows its user's text. */
  find(): Forms | null {
    if (!this.#isShown(MARKS.user, [this.#of("user", MARKS.user)])) return null;
    const emptyContent = this.#emptyContent();
    const empty = emptyContent ?? "absent";
    const reads = (role: Role): Forms["content"][Role] => this.#contentForm(role, empty);
    const image = this.#imageForm();
    return {
      content: {
        system: reads("system"),
        user: reads("user"),
        assistant: reads("assistant"),
        tool: reads("tool"),
      },
      emptyContent: empty,
      callsWithText: this.#showsCallsWithText(),
      toolCalls: emptyContent !== null,
      toolResults: [this.#content, asText].some((content) =>
        this.#isShown(FIRST, this.#exchange(empty, content(FIRST))),
      ),
      toolsIn: this.#toolsIn(),
      callIds: this.#callIds(empty),
      reasoning: this.#reasoningField(empty),
      image,
      imagesIn: this.#rolesWithImages(image, empty),
      developer: this.#knowsDeveloper(),
      laterSystem: this.#showsLaterSystem(),
      neighbours: SPEAKERS.filter((role) => this.#takesNeighbours(role)),
    };
  }

  // ---------------------------------------------------------------- conversations

  #of(role: string, text: string): Message {
    return { role, content: this.#content(text) };
  }

  /** The conversation as it is, and behind a system message, which some templates demand. */
  #render(messages: readonly Message[], fields: object = {}): readonly string[] {
    const input = (list: readonly Message[]): object =>
      inputOf(this.#module.dialect, list, { enable_thinking: true, ...fields });
    const plain = this.#probe(input(messages));
    if (plain !== null) return [plain];
    const prompt = this.#probe(input([this.#of("system", MARKS.system), ...messages]));
    return prompt === null ? [] : [prompt];
  }

  #isShown(mark: string | RegExp, messages: readonly Message[], fields?: object): boolean {
    return this.#render(messages, fields).some(
      (prompt) => showsIn(prompt, mark) && !showsIn(prompt, MARKS.unread),
    );
  }

  /** A call of a tool, and its result where one is given. */
  #exchange(
    content: Forms["emptyContent"] | Content,
    result?: unknown,
    {
      id = NINE_SIGNS,
      ...fields
    }: { readonly id?: string; readonly [field: string]: unknown } = {},
  ): readonly Message[] {
    const args = { [MARKS.argument]: MARKS.argumentValue };
    const given = this.#capabilities.arguments === "text" ? JSON.stringify(args) : args;
    const call = { id, type: "function", function: { name: MARKS.callName, arguments: given } };
    const asked = this.#of("user", MARKS.user);
    const calls = { ...contentField(content), ...fields, tool_calls: [call] };
    const answer = { role: "tool", name: MARKS.callName, tool_call_id: id, content: result };
    return [asked, { role: "assistant", ...calls }, ...(result === undefined ? [] : [answer])];
  }

  /** Some templates write a call's id instead of its name. */
  #isCallShown(messages: readonly Message[]): boolean {
    return this.#isShown(CALL, messages, { tools: TOOLS[0] });
  }

  // ---------------------------------------------------------------- answers

  /** Null where no call is shown. */
  #emptyContent(): Forms["emptyContent"] | null {
    const forms = ["absent", "text", "null"] as const;
    const result = this.#content("zqresultqz");
    const shown = (form: Forms["emptyContent"]): boolean =>
      this.#isCallShown(this.#exchange(form, result)) || this.#isCallShown(this.#exchange(form));
    return forms.find(shown) ?? null;
  }

  #showsCallsWithText(): boolean {
    const text: Content = () => this.#content(FIRST);
    return (
      this.#isCallShown(this.#exchange(text, this.#content("zqresultqz"))) ||
      this.#isCallShown(this.#exchange(text))
    );
  }

  #contentForm(role: Role, empty: Forms["emptyContent"]): Forms["content"][Role] {
    if (this.#module.dialect !== "jinja") return "text";
    const isShown = (content: Content): boolean =>
      this.#isShown(FIRST, this.#withContent(role, content(FIRST), empty));
    const [isText, isParts] = [isShown(asText), isShown(asParts)];
    if (isText === isParts && !isText) return this.#content === asParts ? "parts" : "text";
    return !isParts ? "text" : isText ? "both" : "parts";
  }

  /** A conversation in which a message of the role has the content. */
  #withContent(role: Role, content: unknown, empty: Forms["emptyContent"]): readonly Message[] {
    const asked = this.#of("user", MARKS.user);
    if (role === "user") return [{ role, content }];
    if (role === "tool") return this.#exchange(empty, content);
    return role === "system" ? [{ role, content }, asked] : [asked, { role, content }, asked];
  }

  #toolsIn(): Forms["toolsIn"] {
    const asked = this.#of("user", MARKS.user);
    const system = this.#of("system", MARKS.system);
    if (!this.#capabilities.tools) return "input";
    const inputs = [[asked], [system, asked]];
    if (inputs.some((messages) => this.#isShown(MARKS.toolName, messages, { tools: TOOLS[0] })))
      return "input";
    if (this.#isShown(MARKS.toolName, [{ ...system, tools: TOOLS[0] }, asked])) return "system";
    const text = JSON.stringify(TOOLS[0]);
    const isText = this.#isShown(MARKS.toolName, [{ ...system, tools: text }, asked]);
    return isText ? "system text" : "input";
  }

  #callIds(empty: Forms["emptyContent"]): Forms["callIds"] {
    const result = this.#content("zqresultqz");
    const [long, short] = [LONG_ID, NINE_SIGNS].map((id) =>
      this.#isCallShown(this.#exchange(empty, result, { id })),
    );
    return long !== true && short === true ? "nine" : "any";
  }

  #reasoningField(empty: Forms["emptyContent"]): Forms["reasoning"] {
    const fields = ["reasoning_content", "thinking", "reasoning"] as const;
    const asked = this.#of("user", MARKS.user);
    const isRead = (field: string): boolean => {
      const answer = { ...this.#of("assistant", MARKS.assistant), [field]: MARKS.reasoning };
      const calls = this.#exchange(empty, this.#content("zqresultqz"), {
        [field]: MARKS.reasoning,
      });
      const conversations = [[asked, answer], [asked, answer, asked], calls, calls.slice(0, 2)];
      return conversations.some((messages) =>
        this.#isShown(MARKS.reasoning, messages, { tools: TOOLS[0] }),
      );
    };
    return fields.find(isRead) ?? null;
  }

  #imageForm(): Forms["image"] {
    // Ollama's server writes the place of an image into the text, whatever the template reads.
    if (this.#module.dialect !== "jinja") return "images";
    const forms = ["image", "image_url"] as const;
    return forms.find((form) => this.#showsImage("user", form, "absent")) ?? null;
  }

  #rolesWithImages(image: Forms["image"], empty: Forms["emptyContent"]): readonly Role[] {
    if (image === null) return [];
    if (image === "images") return ROLES.filter((role) => role !== "system");
    return ROLES.filter((role) => this.#showsImage(role, image, empty));
  }

  /** An image leaves a trace that a part of no known type does not, and is not printed as it is. */
  #showsImage(role: Role, form: "image" | "image_url", empty: Forms["emptyContent"]): boolean {
    const withParts = (...parts: readonly object[]): string | undefined => {
      const content = [{ type: "text", text: FIRST }, ...parts];
      return this.#render(this.#withContent(role, content, empty))[0];
    };
    const prompt = withParts(IMAGE_PARTS[form]);
    if (prompt === undefined || !showsIn(prompt, FIRST) || showsIn(prompt, MARKS.unread))
      return false;
    return prompt !== withParts() && prompt !== withParts(UNKNOWN_PART);
  }

  /** A template that writes any role into a header knows none by that. */
  #knowsDeveloper(): boolean {
    const asked = this.#of("user", MARKS.user);
    const [prompt] = this.#render([this.#of("developer", FIRST), asked]);
    const [other] = this.#render([this.#of(UNKNOWN_ROLE, FIRST), asked]);
    if (prompt === undefined || !showsIn(prompt, FIRST)) return false;
    return prompt.toLowerCase() !== other?.toLowerCase().replaceAll(UNKNOWN_ROLE, "developer");
  }

  #showsLaterSystem(): boolean {
    const [asked, answer] = [this.#of("user", MARKS.user), this.#of("assistant", MARKS.assistant)];
    return this.#isShown(FIRST, [asked, answer, this.#of("system", FIRST), asked]);
  }

  #takesNeighbours(role: Role): boolean {
    const asked = this.#of("user", MARKS.user);
    const both = [this.#of(role, FIRST), this.#of(role, SECOND)];
    const messages =
      role === "user" ? both : role === "system" ? [...both, asked] : [asked, ...both, asked];
    return this.#render(messages).some(
      (prompt) => showsIn(prompt, FIRST) && showsIn(prompt, SECOND),
    );
  }
}

function contentField(content: Forms["emptyContent"] | Content): object {
  if (typeof content === "function") return { content: content("") };
  return content === "absent" ? {} : { content: content === "null" ? null : "" };
}

function showsIn(prompt: string, mark: string | RegExp): boolean {
  return typeof mark === "string" ? prompt.toLowerCase().includes(mark) : mark.test(prompt);
}
