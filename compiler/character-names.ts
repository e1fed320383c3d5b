/**
 * The names of characters for `\N{…}` in Jinja's string literals, for programs that compile templates at run time. What
 * compiles ahead of time has them always.
 */
import { EMOJI_NAMES } from "./jinja/character-names-emoji.js";
import { SYMBOLS_NAMES } from "./jinja/character-names-symbols.js";
import { TEXT_NAMES } from "./jinja/character-names-text.js";
import { provideNames } from "./jinja/character-names.js";

/** Makes the names known to every `Template` of the process. Without them a template that has one is refused. */
export function registerCharacterNames(): void {
  provideNames(ALL_NAMES);
}

const ALL_NAMES = `${TEXT_NAMES}${SYMBOLS_NAMES}${EMOJI_NAMES}`;
