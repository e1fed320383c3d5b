/** What a project renders with the installed package, each way once. It is compiled and run inside that project. */
import { applyChatTemplate } from "chat-template-compiler/chat";
import { RenderError } from "chat-template-compiler/runtime";
import { createTemplateCache, Template } from "chat-template-compiler/template";
import { broken, messages, tools } from "./conversation.js";
import * as inlinedGlm from "./inlined/glm.js";
import * as inlinedMimo from "./inlined/mimo.js";
import * as packagedGlm from "./packaged/glm.js";
import * as packagedMimo from "./packaged/mimo.js";
import { GLM, MIMO } from "./sources.js";

/** How often a Template renders, so that the last times are after its passes have run. */
const RENDERS = 40;

function isCodeAllowed(): boolean {
  try {
    return Reflect.construct(Function, ["return true"]) instanceof Function;
  } catch {
    return false;
  }
}

function often(render: () => string): string {
  const texts = new Set<string>();
  for (let i = 0; i < RENDERS; i++) texts.add(render());
  return [...texts].join("\nbut also\n");
}

function refusal(template: Template): string {
  try {
    return template.render(broken);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return `${error.type} in line ${String(error.line)}: ${error.message}`;
  }
}

/** Each way with what it rendered; ways of one subject, the word before the colon, answer alike. */
export function answers(): Readonly<Record<string, string>> {
  const input = { messages, tools, add_generation_prompt: true };
  const chat = { tools, addGenerationPrompt: true };
  const decoder = new TextDecoder();
  const glm = new Template(GLM);
  const mimo = createTemplateCache(2).get(MIMO, { dialect: "ollama" });
  return {
    "code: allowed": String(isCodeAllowed()),
    "glm: module": packagedGlm.render(input),
    "glm: module, bytes": decoder.decode(packagedGlm.renderBytes(input)),
    "glm: module, inlined runtime": inlinedGlm.render(input),
    "glm: Template": often(() => glm.render(input)),
    "glm: Template, bytes": decoder.decode(glm.renderBytes(input)),
    "glm: applyChatTemplate, module": applyChatTemplate(packagedGlm, messages, chat),
    "glm: applyChatTemplate, Template": applyChatTemplate(glm, messages, chat),
    "mimo: module": packagedMimo.render({ messages, tools }),
    "mimo: module, inlined runtime": inlinedMimo.render({ messages, tools }),
    "mimo: Template": often(() => mimo.render({ messages, tools })),
    "refusal: Template": refusal(glm),
    "refusal: Template, optimised": refusal(glm),
  };
}
