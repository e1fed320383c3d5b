/** What a template sees beside the conversation: special tokens and the caller's variables. */
import { toInput } from "../input.js";
import { setField } from "../values.js";
import { checkVariable, type ChatOptions } from "./options.js";

/** transformers' `{**special_tokens_map, **kwargs}`; the map holds only the tokens that are set. */
export function templateVariables(options: ChatOptions): Readonly<Record<string, unknown>> {
  const variables: Record<string, unknown> = {};
  for (const [name, token] of entriesOf(options.specialTokens)) {
    if (token !== null && token !== undefined) addVariable(variables, name, token);
  }
  for (const [name, variable] of entriesOf(options.kwargs)) addVariable(variables, name, variable);
  return variables;
}

function entriesOf(option: object | undefined): [string, unknown][] {
  const plain = toInput(option);
  return typeof plain === "object" && plain !== null ? Object.entries(plain) : [];
}

function addVariable(variables: Record<string, unknown>, name: string, variable: unknown): void {
  checkVariable(name);
  setField(variables, name, variable);
}
