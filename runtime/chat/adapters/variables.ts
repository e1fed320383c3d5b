/** What a request says beside its conversation, as variables of the template. */
import type { TemplateMeta } from "../../index.js";
import { setField } from "../../values.js";
import { isParameter } from "../options.js";
import type { Settings } from "./conversation.js";
import { dictAt, given, refuse, type Dict } from "./fields.js";

/** transformers' SPECIAL_TOKENS_ATTRIBUTES: the tokenizer's, never a request's. */
const SPECIAL_TOKENS: ReadonlySet<string> = new Set([
  "bos_token",
  "eos_token",
  "unk_token",
  "sep_token",
  "pad_token",
  "cls_token",
  "mask_token",
  "additional_special_tokens",
]);

/** The field of requests that brings variables of the template, as vLLM and SGLang take it. */
const KWARGS = "chat_template_kwargs";

/**
 * `chat_template_kwargs`: variables of the template and nothing else. A RenderError where it names a template, an
 * input that the adapter writes, or a special token.
 */
export function kwargsOf(request: Dict): Dict {
  if (given(request, "chat_template") !== undefined) {
    refuse("chat_template", "a request never brings a template: the server chooses it");
  }
  const found = given(request, KWARGS);
  if (found === undefined) return {};
  const kwargs = dictAt(found, KWARGS);
  for (const name of Object.keys(kwargs)) checkName(name);
  return kwargs;
}

function checkName(name: string): void {
  const path = `${KWARGS}.${name}`;
  if (isParameter(name)) refuse(path, `${name} is no variable of the template`);
  if (SPECIAL_TOKENS.has(name)) refuse(path, "special tokens are the tokenizer's");
}

/** The variables for a Jinja template: those of `chat_template_kwargs`, and settings that the template reads. */
export function templateVariables(settings: Settings, meta: TemplateMeta): Dict {
  const names = new Set(meta.variables.map(({ name }) => name));
  const variables: Record<string, unknown> = {};
  for (const [name, setting] of settingsOf(settings, meta)) {
    if (setting !== undefined && names.has(name)) variables[name] = setting;
  }
  for (const [name, item] of Object.entries(settings.kwargs ?? {})) setField(variables, name, item);
  return variables;
}

function settingsOf(settings: Settings, meta: TemplateMeta): [string, unknown][] {
  const { effort, toolChoice, named = {} } = settings;
  const thinks = settings.thinks ?? (effort === "none" ? false : undefined);
  // DeepSeek and Granite call the switch so, other templates a text.
  const isSwitch = meta.variables.some(
    ({ name, default: value }) => name === "thinking" && typeof value === "boolean",
  );
  return [
    ["reasoning_effort", effort],
    ["enable_thinking", thinks],
    ["thinking", isSwitch ? thinks : undefined],
    ["tool_choice", toolChoice],
    ...Object.entries(named),
  ];
}

/** Ollama's words for how much to think (api/types.go, ThinkValue). */
const LEVELS = ["low", "medium", "high", "max"] as const;

/** `think` for a template of Ollama; its templates have no other variables. */
export function ollamaThink({ effort, thinks, kwargs = {} }: Settings): Dict {
  const [name] = Object.keys(kwargs);
  if (name !== undefined) refuse(`${KWARGS}.${name}`, "Ollama's templates have no variables");
  if (effort === "none") return { think: false };
  if (effort === undefined) return thinks === undefined ? {} : { think: thinks };
  const level = LEVELS.find((one) => one === effort);
  if (level === undefined) {
    refuse("reasoning_effort", `Ollama knows the efforts none, ${LEVELS.join(", ")}`);
  }
  return { think: level };
}
