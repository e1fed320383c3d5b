/** The SYSTEM, MESSAGE and TEMPLATE lines of an Ollama Modelfile (parser/parser.go of v0.32.15). */
import type { OllamaModelfile } from "./ollama.js";

export interface ParsedModelfile extends OllamaModelfile {
  readonly template?: string;
}

/** The Modelfile breaks Ollama's rules; `line` counts from 1. */
export class ModelfileError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(`(line ${String(line)}): ${message}`);
    this.name = "ModelfileError";
    this.line = line;
  }
}

const COMMANDS =
  "from license template system adapter draft renderer parser parameter message requires".split(
    " ",
  );
const ROLES = ["system", "user", "assistant"];
const UNKNOWN_COMMAND = `command must be one of ${list(COMMANDS)}`;
const UNKNOWN_ROLE = `message role must be one of ${list(ROLES)}`;
const UNFINISHED = "unexpected EOF";

function list(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`);
  return `${quoted.slice(0, -1).join(", ")}, or ${quoted.at(-1) ?? ""}`;
}

/** Reads a Modelfile; throws a ModelfileError where Ollama refuses it. */
export function parseModelfile(text: string): ParsedModelfile {
  const reader = new Reader(text.replace(/^\ufeff/, ""));
  const commands = [...reader.commands()];
  if (!commands.some(({ name }) => name === "from"))
    throw new ModelfileError(reader.line, "no FROM line");
  const valueOf = (name: string) => commands.findLast((each) => each.name === name)?.value;
  const messages = commands.flatMap(({ name, role, value }) =>
    name === "message" ? [{ role, content: value }] : [],
  );
  const [system, template] = [valueOf("system"), valueOf("template")];
  return {
    ...(system === undefined ? {} : { system }),
    ...(template === undefined ? {} : { template }),
    messages,
  };
}

interface Command {
  readonly name: string;
  readonly role: string;
  readonly value: string;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get line(): number {
    return this.#text.slice(0, this.#at).split(/[\r\n]/).length;
  }

  *commands(): Generator<Command> {
    while (this.#hasCommand()) yield this.#command();
  }

  /** Whether anything follows after blank lines, spaces and comments. */
  #hasCommand(): boolean {
    this.#take(/(?:[ \t\r\n]|#[^\r\n]*)*/y);
    return this.#at < this.#text.length;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #fail(message: string): never {
    throw new ModelfileError(this.line, message);
  }

  #command(): Command {
    const name = this.#take(/[A-Za-z]*/y).toLowerCase();
    if (!COMMANDS.includes(name)) this.#fail(UNKNOWN_COMMAND);
    this.#space(UNKNOWN_COMMAND);
    const word = name === "message" ? /[A-Za-z]*/y : /[A-Za-z0-9_]*/y;
    const hasWord = name === "message" || name === "parameter";
    const role = hasWord ? this.#take(word) : "";
    if (name === "message" && !ROLES.includes(role)) this.#fail(UNKNOWN_ROLE);
    if (hasWord) this.#space(UNFINISHED);
    return { name, role, value: this.#value() };
  }

  /** The blank after a command; at the end of the text Ollama misses the value. */
  #space(message: string): void {
    if (this.#take(/[ \t]/y) === "")
      this.#fail(this.#at < this.#text.length ? message : UNFINISHED);
  }

  /** A value to the end of its line, or between quotation marks over as many lines as it takes. */
  #value(): string {
    this.#take(/[ \t]*/y);
    const isTriple = this.#text.startsWith('"""', this.#at);
    if (isTriple || this.#text[this.#at] === '"') return this.#quoted(isTriple ? '"""' : '"');
    return printable(this.#take(/[^\r\n]*/y)).trim();
  }

  /** The value ends at the first closing mark before which a line ends. */
  #quoted(mark: string): string {
    const start = this.#at + mark.length;
    for (let end = this.#text.indexOf(mark, start); end >= 0;) {
      const after = /[ \t]*(?:[\r\n]|$)/y;
      after.lastIndex = end + mark.length;
      if (after.test(this.#text)) {
        this.#at = end + mark.length;
        return printable(this.#text.slice(start, end));
      }
      end = this.#text.indexOf(mark, end + 1);
    }
    this.#at = this.#text.length;
    return this.#fail(UNFINISHED);
  }
}

/** What parser.go keeps of a value: line breaks, blanks and what strconv.IsPrint accepts, so no other spaces. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n\r\t]|[^\P{Z} ]/gu, "");
}
