/** Render times beside those of @huggingface/jinja, taken when they are asked for. */
import { table } from "./about-view.js";
import { find, make } from "./dom.js";
import type { Measured } from "./job.js";
import type { State } from "./state.js";
import { measure } from "./workers.js";

export class SpeedPanel {
  readonly #state: () => State;
  readonly #note = find("#measure-note", HTMLElement);
  readonly #region = find("#speed", HTMLElement);
  readonly #button = find("#measure", HTMLButtonElement);
  #measured: State | null = null;

  constructor(state: () => State) {
    this.#state = state;
    this.#button.addEventListener("click", () => {
      void this.#measure();
    });
  }

  /** Forgets what was measured of another state. */
  clear(): void {
    const { dialect } = this.#state();
    this.#button.disabled = dialect !== "jinja";
    if (this.#measured === this.#state()) return;
    this.#region.replaceChildren();
    this.#note.textContent =
      dialect === "jinja"
        ? "Renders in turns with @huggingface/jinja."
        : "@huggingface/jinja renders Jinja only.";
  }

  async #measure(): Promise<void> {
    const state = this.#state();
    this.#button.disabled = true;
    this.#note.textContent = "Measuring…";
    try {
      showMeasured(this.#region, await measure(state));
      this.#note.textContent = "Measured.";
      this.#measured = state;
    } catch (error) {
      this.#note.textContent = error instanceof Error ? error.message : String(error);
    }
    this.#button.disabled = false;
  }
}

function showMeasured(region: HTMLElement, measured: Measured): void {
  const { own, other, ratio, rounds, isEqual, failure } = measured;
  if (failure !== null) {
    const text = `@huggingface/jinja does not render this: ${failure}`;
    region.replaceChildren(make("p", { class: "note", text }));
    return;
  }
  const times =
    ratio >= 1 ? `${digits(ratio)} times as fast` : `${digits(1 / ratio)} times as slow`;
  const prompts = isEqual
    ? "The prompts are equal."
    : "The prompts differ: this compiler does as Jinja2 and transformers do.";
  region.replaceChildren(
    make("p", { class: "ratio", text: times }),
    table(
      ["engine", "µs a render"],
      [
        ["chat-template-compiler", digits(own)],
        ["@huggingface/jinja", digits(other)],
      ],
    ),
    make("p", {
      class: "note",
      text: `Medians of ${rounds} rounds in turns, in this browser. ${prompts}`,
    }),
  );
}

/** Three digits that count. */
function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
