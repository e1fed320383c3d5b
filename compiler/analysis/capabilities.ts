/** What a template can show of a conversation: found by rendering conversations of markers. */
import type { Capabilities } from "../../runtime/index.js";
import type { Module } from "../ir/nodes.js";
import {
  asParts,
  assistant,
  asText,
  called,
  DOCUMENTS,
  IMAGES,
  inputOf,
  MARKS,
  REASONING,
  system,
  TOOLS,
  UNKNOWN_PART,
  user,
  type Content,
  type Message,
} from "./conversations.js";
import { probeOf, type Probe } from "./probe.js";
import { capabilitiesByNames, THINKING, traitsOf, type Traits } from "./traits.js";

export interface Findings {
  readonly capabilities: Capabilities;
  /** Whether the prompt begins with the token that begins every sequence. */
  readonly leadingBos: boolean;
}

/** Templates of dialect "go" have data of their own, and some show no conversation: for those the names are all there is. */
export function findingsOf(module: Module): Findings {
  const traits = traitsOf(module);
  const found = module.dialect === "go" ? null : new Explorer(module, traits).find();
  return found ?? { capabilities: capabilitiesByNames(traits), leadingBos: false };
}

/** Tokens that begin sequences, where a template writes one out instead of reading `bos_token`. */
const BOS =
  /^(<s>|\[gMASK\]|<\|begin_of_text\|>|<bos>|<\|startoftext\|>|<｜begin▁of▁sentence｜>|<\|begin_of_sentence\|>|<BOS_TOKEN>|<\|bos\|>|<seed:bos>)/;

class Explorer {
  readonly #module: Module;
  readonly #traits: Traits;
  readonly #probe: Probe;

  constructor(module: Module, traits: Traits) {
    this.#module = module;
    this.#traits = traits;
    this.#probe = probeOf(module);
  }

  /** Null where no conversation shows its user's text. */
  find(): Findings | null {
    const isText = this.#showsUser(asText);
    const isParts = this.#module.dialect === "jinja" && this.#showsUser(asParts);
    if (!isText && !isParts) return null;
    const content = isText ? asText : asParts;
    return {
      capabilities: {
        system: this.#showsSystem(content),
        tools: this.#showsTools(content),
        documents: this.#showsDocuments(content),
        thinking: this.#showsThinking(content),
        images: this.#showsImages(),
        prefill: this.#takesPrefill(content),
        content: !isParts ? "text" : isText ? "both" : "parts",
        arguments: this.#argumentsForm(content),
      },
      leadingBos: this.#leadsWithBos(content),
    };
  }

  #render(messages: readonly Message[], fields: object = {}): string {
    return this.#probe(inputOf(this.#module.dialect, messages, fields)) ?? "";
  }

  /** Whether one of the conversations shows the text, whatever case it is written in. */
  #shows(mark: string, conversations: readonly (readonly Message[])[], fields?: object): boolean {
    return conversations.some((messages) => showsIn(this.#render(messages, fields), mark));
  }

  #showsUser(content: Content): boolean {
    const conversations = [
      [user(content)],
      [system(content), user(content)],
      [user(content), assistant(content), user(content)],
    ];
    return conversations.some((messages) => {
      const prompt = this.#render(messages, { add_generation_prompt: true });
      return showsIn(prompt, MARKS.user) && !showsIn(prompt, MARKS.unread);
    });
  }

  #showsSystem(content: Content): boolean {
    return this.#shows(MARKS.system, [
      [system(content), user(content)],
      [system(content), user(content), assistant(content), user(content)],
    ]);
  }

  /** Tools are an input of their own, or a field of the system message. */
  #showsTools(content: Content): boolean {
    if (this.#traits.inputs.has("tools")) {
      const conversations = [[user(content)], [system(content), user(content)]];
      if (TOOLS.some((tools) => this.#shows(MARKS.toolName, conversations, { tools }))) return true;
    }
    if (!this.#traits.fields.has("tools")) return false;
    const forms = [...TOOLS, JSON.stringify(TOOLS[0])];
    const conversations = forms.map((tools) => [{ ...system(content), tools }, user(content)]);
    return this.#shows(MARKS.toolName, conversations);
  }

  #showsDocuments(content: Content): boolean {
    if (!this.#traits.inputs.has("documents")) return false;
    const conversations = [[user(content)], [system(content), user(content)]];
    return this.#shows(MARKS.document, conversations, { documents: DOCUMENTS });
  }

  /** Reasoning is shown, cut out of the answer, or asked for by a switch. */
  #showsThinking(content: Content): boolean {
    const answer = assistant(content, REASONING);
    const calls = called(content, {}).map((message, i) =>
      i === 0 ? { ...message, ...REASONING } : message,
    );
    const conversations = [
      [user(content), answer],
      [user(content), answer, user(content)],
      [user(content), ...calls],
    ];
    if (this.#shows(MARKS.reasoning, conversations, { enable_thinking: true })) return true;
    return this.#cutsReasoning(content) || this.#hasThinkingSwitch(content);
  }

  #cutsReasoning(content: Content): boolean {
    return ["think", "thought"].some((tag) => {
      const text = `<${tag}>${MARKS.reasoning}</${tag}>${MARKS.assistant}`;
      const answer: Message = { role: "assistant", content: content(text) };
      const prompt = this.#render([user(content), answer, user(content)]);
      return showsIn(prompt, MARKS.assistant) && !showsIn(prompt, MARKS.reasoning);
    });
  }

  #hasThinkingSwitch(content: Content): boolean {
    const switches = [...this.#traits.inputs].filter((name) => THINKING.test(name));
    return switches.some((name) => {
      const prompts = [true, false, "high", "low"].map((value) =>
        this.#render([user(content)], { add_generation_prompt: true, [name]: value }),
      );
      return new Set(prompts.filter((prompt) => prompt !== "")).size > 1;
    });
  }

  /** An image leaves a trace that a part of no known type does not. */
  #showsImages(): boolean {
    if (this.#module.dialect !== "jinja") return this.#traits.fields.has("images");
    const withPart = (part: object): string =>
      this.#render([{ role: "user", content: [...IMAGE_TEXT, part] }]);
    const others = [this.#render([{ role: "user", content: IMAGE_TEXT }]), withPart(UNKNOWN_PART)];
    return IMAGES.some((image) => {
      const prompt = withPart(image);
      return (
        showsIn(prompt, MARKS.user) && !showsIn(prompt, MARKS.unread) && !others.includes(prompt)
      );
    });
  }

  /**
   * Whether the model can go on with a last message of the assistant: transformers cuts the prompt behind its text
   * (`continue_final_message`), Ollama renders a template whose end is that text.
   */
  #takesPrefill(content: Content): boolean {
    const prompt = this.#render([user(content), assistant(content)]);
    return this.#module.dialect === "jinja"
      ? prompt.includes(MARKS.assistant)
      : prompt.trimEnd().endsWith(MARKS.assistant);
  }

  #argumentsForm(content: Content): Capabilities["arguments"] {
    if (this.#module.dialect !== "jinja") return "object";
    const args = { [MARKS.argument]: MARKS.argumentValue };
    const isObject = this.#showsArguments(content, args, `{'${MARKS.argument}'`);
    const isText = this.#showsArguments(content, JSON.stringify(args), `\\"${MARKS.argument}`);
    if (isObject === isText) return "both";
    return isObject ? "object" : "text";
  }

  /** Whether a call's arguments are shown, and not in the form that only data of the other kind gets. */
  #showsArguments(content: Content, args: unknown, wrong: string): boolean {
    const [call, result] = called(content, args);
    if (call === undefined || result === undefined) return false;
    const bare: Message = { ...call, content: null };
    const conversations = [
      [user(content), call, result],
      [user(content), bare, result],
      [user(content), call],
      [user(content), call, result, assistant(content), user(content)],
    ];
    return conversations.some((messages) => {
      const prompt = this.#render(messages, { tools: TOOLS[0] });
      return prompt.includes(MARKS.argumentValue) && !prompt.includes(wrong);
    });
  }

  #leadsWithBos(content: Content): boolean {
    const prompt = this.#render([user(content)]) || this.#render([system(content), user(content)]);
    return prompt.startsWith(MARKS.bos) || BOS.test(prompt);
  }
}

const IMAGE_TEXT: readonly object[] = [{ type: "text", text: MARKS.user, extra: MARKS.unread }];

function showsIn(prompt: string, mark: string): boolean {
  return prompt.toLowerCase().includes(mark);
}
