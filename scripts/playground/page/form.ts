/** The conversation and the options as a form, in step with the JSON of the input. */
import { isDict } from "../../../runtime/values.js";
import { button, make } from "./dom.js";
import type { ShownVariable } from "./job.js";
import { jsonField, valueChoice, valueField } from "./json-field.js";
import { printJson, readJson } from "./json-text.js";
import { messageRow, withField, type Message } from "./message-row.js";

type Constants = Readonly<Record<string, string>>;

/** Hears of what is entered: the input as JSON, or the constants. */
export interface FormChanges {
  input(text: string): void;
  define(define: Constants): void;
}

/** Inputs that hold JSON rather than a value. */
const DATA: ReadonlySet<string> = new Set(["tools", "documents"]);

export class Form {
  readonly #parent: HTMLElement;
  readonly #changes: FormChanges;
  readonly #note = make("p", { class: "note" });
  readonly #messages = make("ol", { class: "messages" });
  readonly #options = make("div", { class: "options" });
  #input: Message = {};
  #variables: readonly ShownVariable[] = [];
  #define: Constants = {};

  constructor(parent: HTMLElement, changes: FormChanges) {
    this.#parent = parent;
    this.#changes = changes;
    const add = button("Add message", () => {
      this.#add();
    });
    add.id = "add-message";
    const roles = ["system", "user", "assistant", "tool", "developer"];
    const options = roles.map((value) => make("option", { set: { value } }));
    parent.append(
      this.#note,
      make("datalist", { set: { id: "roles" } }, options),
      this.#messages,
      add,
      make("h3", { text: "Options" }),
      this.#options,
    );
  }

  /** Shows an input that was not entered here. */
  show(text: string, define: Constants): void {
    const parsed = readJson(text);
    const input = "value" in parsed ? parsed.value : undefined;
    const problem = "problem" in parsed ? parsed.problem.message : "the input is no object";
    this.#note.hidden = isDict(input);
    this.#note.textContent = `The JSON has no form to show: ${problem}.`;
    for (const child of this.#parent.children)
      if (child instanceof HTMLElement && child !== this.#note) child.hidden = !isDict(input);
    if (!isDict(input)) return;
    this.#input = input;
    this.#define = define;
    this.#showMessages();
    this.#showOptions();
  }

  /** Shows the options of a template. */
  describe(variables: readonly ShownVariable[]): void {
    if (JSON.stringify(variables) === JSON.stringify(this.#variables)) return;
    this.#variables = variables;
    this.#showOptions();
  }

  get #list(): readonly unknown[] {
    const { messages } = this.#input;
    return isList(messages) ? messages : [];
  }

  #change(name: string, value: unknown): void {
    this.#input = withField(this.#input, name, value);
    this.#changes.input(printJson(this.#input));
  }

  #showMessages(): void {
    const list = this.#list;
    const rows = list.map((message, at) =>
      messageRow(isDict(message) ? message : {}, at, list.length, {
        change: (place, changed) => {
          this.#change("messages", this.#list.with(place, changed));
        },
        move: (from, to) => {
          const moved = this.#list.toSpliced(from, 1).toSpliced(to, 0, this.#list[from]);
          this.#restructure(moved, to, to < from ? "up" : "down");
        },
        remove: (place) => {
          this.#restructure(this.#list.toSpliced(place, 1), place, "Remove");
        },
      }),
    );
    this.#messages.replaceChildren(...rows);
  }

  #add(): void {
    const last = this.#list.at(-1);
    const role = isDict(last) && last["role"] === "user" ? "assistant" : "user";
    this.#restructure([...this.#list, { role, content: "" }], this.#list.length, "Content");
  }

  /** Other rows than before: the focus goes where the same can be done again. */
  #restructure(list: readonly unknown[], at: number, action: string): void {
    this.#change("messages", list);
    this.#showMessages();
    const row = this.#messages.children[Math.min(at, list.length - 1)];
    const wanted = row?.querySelector(`[aria-label*="${action}"]:not(:disabled)`);
    const fallback = row?.querySelector("input, textarea");
    const target = wanted ?? fallback ?? document.querySelector("#add-message");
    if (target instanceof HTMLElement) target.focus();
  }

  #showOptions(): void {
    const known = this.#variables.filter(
      ({ name }) => name !== "messages" && !Object.hasOwn(this.#define, name),
    );
    const names = new Set(known.map(({ name }) => name));
    const others = Object.keys(this.#input)
      .filter((name) => name !== "messages" && !names.has(name))
      .map((name) => ({ name, required: false, values: [], fallback: null }));
    const ordered = [...known].sort((a, b) => Number(isData(a)) - Number(isData(b)));
    const rows = [
      ...ordered.map((variable) => this.#option(variable, "")),
      ...others.map((variable) => this.#option(variable, " (not read by the template)")),
      ...Object.keys(this.#define).map((name) => this.#constant(name)),
    ];
    this.#options.replaceChildren(...rows);
  }

  #option(variable: ShownVariable, remark: string): HTMLElement {
    const { name, values, fallback, required } = variable;
    const value = this.#input[name];
    const changed = (next: unknown): void => {
      this.#change(name, next);
    };
    const id = `option-${name}`;
    const label = make("label", {
      text: `${name}${required ? " *" : ""}${remark}`,
      set: { for: id },
    });
    if (isData(variable) || (typeof value === "object" && value !== null)) {
      const heading = make("span", { text: `${name}${remark}` });
      return make("div", { class: "option wide" }, [heading, jsonField(name, value, changed)]);
    }
    const absent = fallback === null ? "not given" : `not given: ${fallback}`;
    const field = isSwitch(variable, value)
      ? valueChoice(id, ["true", "false"], absent, value, changed)
      : valueField(id, values, absent, value, changed);
    return make("div", { class: "option" }, [label, field]);
  }

  #constant(name: string): HTMLElement {
    const input = make("input", { set: { id: `option-${name}`, autocomplete: "off" } });
    input.value = this.#define[name] ?? "";
    input.addEventListener("input", () => {
      this.#define = { ...this.#define, [name]: input.value };
      this.#changes.define(this.#define);
    });
    const text = `${name} (from the file)`;
    const label = make("label", { text, set: { for: `option-${name}` } });
    return make("div", { class: "option" }, [label, input]);
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isData({ name }: ShownVariable): boolean {
  return DATA.has(name);
}

const BOOLEANS: ReadonlySet<string> = new Set(["true", "false"]);

function isSwitch({ values, fallback }: ShownVariable, value: unknown): boolean {
  if (value !== undefined && typeof value !== "boolean") return false;
  if (values.some((each) => !BOOLEANS.has(each))) return false;
  return typeof value === "boolean" || values.length > 0 || BOOLEANS.has(fallback ?? "");
}
