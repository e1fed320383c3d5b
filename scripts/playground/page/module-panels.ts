/** The generated TypeScript and its types, written when one of them is looked at. */
import { codeView } from "./editors.js";
import { find } from "./dom.js";
import type { Emitted } from "./job.js";
import type { State } from "./state.js";
import { emit } from "./workers.js";

export class ModulePanels {
  /** The module that is shown. */
  code = "";
  readonly #say: (text: string) => void;
  readonly #note = find("#typescript-note", HTMLElement);
  readonly #setCode = codeView(find("#typescript", HTMLElement), "Generated TypeScript");
  readonly #setTypes = codeView(find("#types", HTMLElement), "Types of the generated module");
  #shown = "";

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** Shows the module of a template, unless it is there already. */
  show({ source, dialect, name, define }: State): void {
    const key = JSON.stringify([source, dialect, name, define]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#note.textContent = "Writing the module…";
    const job = { source, dialect, name, define, input: "" };
    void emit(job).then(
      (emitted) => {
        if (key === this.#shown) this.#fill(emitted);
      },
      (error: unknown) => {
        if (key !== this.#shown) return;
        this.#fill({ code: "", types: "" });
        this.#note.textContent = `No module: ${error instanceof Error ? error.message : ""}`;
      },
    );
  }

  #fill({ code, types }: Emitted): void {
    this.code = code;
    this.#setCode(code);
    this.#setTypes(types);
    const lines = code.split("\n").length - 1;
    this.#note.textContent = `${lines} lines, as chat-template generate writes them`;
    this.#say(`The module has ${lines} lines.`);
  }
}
