/** The SYSTEM, MESSAGE and TEMPLATE lines of an Ollama Modelfile (parser/parser.go of v0.32.15). */
import type { OllamaInputMessage } from "../go/model.js";
import { isPrint } from "../go/quote.js";
import type { OllamaModelfile } from "./ollama.js";

export interface ParsedModelfile extends OllamaModelfile {
  readonly template?: string;
}

/** The Modelfile breaks Ollama's rules; `line` counts from 1. */
export class ModelfileError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
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
  const reader = new Reader();
  const commands = reader.commands(text);
  if (!commands.some(({ name }) => name === "model"))
    throw new ModelfileError(reader.line, "no FROM line");
  const valueOf = (name: string) => commands.findLast((each) => each.name === name)?.value;
  const [system, template] = [valueOf("system"), valueOf("template")];
  return {
    ...(system === undefined ? {} : { system }),
    ...(template === undefined ? {} : { template }),
    messages: commands.filter(({ name }) => name === "message").map(messageOf),
  };
}

/** CreateRequest: the role is what stands before the first colon. */
function messageOf({ value }: Command): OllamaInputMessage {
  const colon = value.indexOf(": ");
  if (colon < 0) return { role: value, content: "" };
  return { role: value.slice(0, colon), content: value.slice(colon + 2) };
}

/** A PARAMETER line. */
export interface ModelfileParameter {
  readonly name: string;
  readonly value: string;
}

/** All names that CreateRequest does not take for a parameter's; FROM is `model` there. */
const OTHERS = new Set(["model", ...COMMANDS.filter((name) => !/^(?:from|parameter)$/.test(name))]);

/** The PARAMETER lines of a Modelfile, in order; throws a ModelfileError where Ollama refuses the file. */
export function modelfileParameters(text: string): readonly ModelfileParameter[] {
  return new Reader().commands(text).filter(({ name }) => !OTHERS.has(name));
}

/** A line as Ollama keeps it: FROM is named `model`, a parameter by its own name, a message is `role: content`. */
interface Command {
  readonly name: string;
  readonly value: string;
}

type State = "nothing" | "name" | "parameter" | "role" | "value" | "comment";

/** The state machine of ParseFile: each rune continues what is being read, ends it, or is refused. */
class Reader {
  /** Counted before the rune is looked at, so that a line break belongs to the line that it begins. */
  line = 1;
  readonly #commands: Command[] = [];
  #state: State = "nothing";
  #text = "";
  #name = "";
  #role = "";

  commands(source: string): readonly Command[] {
    for (const rune of source.replace(/^\ufeff/, "").toWellFormed()) {
      if (isLineBreak(rune)) this.line++;
      this.#rune(rune);
    }
    if (this.#state === "nothing" || this.#state === "comment") return this.#commands;
    if (this.#state !== "value" || !this.#finish()) this.#fail(UNFINISHED);
    return this.#commands;
  }

  /** An error of the line; where the text ends too early Ollama names none. */
  #fail(message: string): never {
    const isUnfinished = message.startsWith(UNFINISHED);
    const where = isUnfinished ? "" : `(line ${String(this.line)}): `;
    throw new ModelfileError(this.line, where + message);
  }

  #rune(rune: string): void {
    switch (this.#state) {
      case "nothing":
        if (rune === "#") this.#enter("comment");
        else if (!isBlank(rune) && !isLineBreak(rune)) this.#enter("name", rune);
        break;
      case "comment":
        if (isLineBreak(rune)) this.#enter("nothing");
        break;
      case "name":
        if (isBlank(rune)) this.#named();
        else this.#continue(rune, /[A-Za-z]/, UNKNOWN_COMMAND);
        break;
      case "parameter":
      case "role":
        if (isBlank(rune)) this.#qualified();
        else this.#word(rune);
        break;
      case "value":
        this.#valueRune(rune);
    }
  }

  #enter(state: State, first = ""): void {
    this.#state = state;
    this.#text = printable(first);
  }

  #continue(rune: string, allowed: RegExp, message: string): void {
    if (!allowed.test(rune)) this.#fail(message);
    this.#text += rune;
  }

  #word(rune: string): void {
    const allowed = this.#state === "role" ? /[A-Za-z]/ : /[A-Za-z0-9_]/;
    this.#continue(rune, allowed, `${UNFINISHED}: ${this.#text}`);
  }

  /** A blank behind a command's name. */
  #named(): void {
    const name = this.#text.toLowerCase();
    if (!COMMANDS.includes(name)) this.#fail(UNKNOWN_COMMAND);
    if (name === "parameter") {
      this.#enter("parameter");
      return;
    }
    this.#name = name === "from" ? "model" : name;
    this.#enter(name === "message" ? "role" : "value");
  }

  /** A blank behind a parameter's name or a message's role. */
  #qualified(): void {
    if (this.#state === "parameter") {
      this.#name = this.#text;
    } else {
      if (!ROLES.includes(this.#text)) this.#fail(UNKNOWN_ROLE);
      this.#role = this.#text;
    }
    this.#enter("value");
  }

  /** Only a line break ends a value, and only where no quotation is open. */
  #valueRune(rune: string): void {
    if (!isLineBreak(rune)) this.#text += isBlank(rune) ? rune : printable(rune);
    else if (this.#finish()) this.#enter("nothing");
    else this.#text += rune;
  }

  /** Keeps the command unless the quotation of its value is still open. */
  #finish(): boolean {
    const value = unquoted(this.#text.trim());
    if (value === undefined) return false;
    this.#commands.push({
      name: this.#name,
      value: this.#role === "" ? value : `${this.#role}: ${value}`,
    });
    this.#role = "";
    return true;
  }
}

function isBlank(rune: string): boolean {
  return rune === " " || rune === "\t";
}

function isLineBreak(rune: string): boolean {
  return rune === "\n" || rune === "\r";
}

/** The text between one or three quotation marks; undefined where those that open it have none that close it. */
function unquoted(text: string): string | undefined {
  const mark = text.startsWith('"""') ? '"""' : text.startsWith('"') ? '"' : "";
  const isClosed = text.length >= 2 * mark.length && text.endsWith(mark);
  return isClosed ? text.slice(mark.length, text.length - mark.length) : undefined;
}

/** The rune where strconv.IsPrint accepts it, which drops control characters and all spaces but one. */
function printable(rune: string): string {
  const point = rune.codePointAt(0);
  return point !== undefined && isPrint(point) ? rune : "";
}
