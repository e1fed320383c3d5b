/** Elements: found in the page, or made. */

/** The element of a selector; an Error where the page has none of that kind. */
export function find<T extends Element>(selector: string, kind: new () => T): T {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${selector}`);
}

export interface Traits {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  /** Attributes by name, such as `aria-label`. */
  readonly set?: Readonly<Record<string, string>>;
}

/** A new element. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  traits: Traits = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (traits.class !== undefined) element.className = traits.class;
  if (traits.title !== undefined) element.title = traits.title;
  if (traits.text !== undefined) element.textContent = traits.text;
  for (const [name, value] of Object.entries(traits.set ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button; `name` is what it is called where its text is a sign. */
export function button(text: string, press: () => void, name?: string): HTMLButtonElement {
  const made = make("button", { text, set: { type: "button" } });
  if (name !== undefined) {
    made.setAttribute("aria-label", name);
    made.title = name;
  }
  made.addEventListener("click", press);
  return made;
}

/** A list of choices, of which one is chosen. */
export function choices(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): void {
  const made = options.map(([value, text]) => new Option(text, value, false, value === chosen));
  select.replaceChildren(...made);
}

/** Runs what is asked for once nothing more has been asked for in a while. */
export function later(milliseconds: number, run: () => void): () => void {
  let timer = 0;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(run, milliseconds);
  };
}
