/** Tabs as the ARIA practices have them: one stop of the Tab key, arrows between them. */
import { make } from "./dom.js";

export interface Tab {
  readonly name: string;
  readonly title: string;
  readonly panel: HTMLElement;
}

export interface Tabs {
  readonly current: string;
  show(name: string): void;
}

/** Fills a bar with tabs and shows the first; `shown` hears of each that is shown later. */
export function makeTabs(
  bar: HTMLElement,
  label: string,
  tabs: readonly Tab[],
  shown: (name: string) => void,
): Tabs {
  let current = tabs[0]?.name ?? "";
  const buttons = tabs.map((tab) => tabButton(tab));
  const show = (name: string): void => {
    current = name;
    for (const [at, each] of tabs.entries()) {
      const isShown = each.name === name;
      buttons[at]?.setAttribute("aria-selected", String(isShown));
      if (buttons[at] !== undefined) buttons[at].tabIndex = isShown ? 0 : -1;
      each.panel.hidden = !isShown;
    }
  };
  const choose = (at: number): void => {
    const [tab, button] = [tabs[at], buttons[at]];
    if (tab === undefined || button === undefined) return;
    show(tab.name);
    button.focus();
    shown(tab.name);
  };
  for (const [at, each] of buttons.entries()) {
    each.addEventListener("click", () => {
      choose(at);
    });
    each.addEventListener("keydown", (event) => {
      const next = nextTab(event.key, at, tabs.length);
      if (next === null) return;
      event.preventDefault();
      choose(next);
    });
  }
  bar.setAttribute("role", "tablist");
  bar.setAttribute("aria-label", label);
  bar.append(...buttons);
  show(current);
  return {
    get current() {
      return current;
    },
    show(name) {
      show(name);
      shown(name);
    },
  };
}

function tabButton({ name, title, panel }: Tab): HTMLButtonElement {
  const id = `${panel.id}-tab`;
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", id);
  return make("button", {
    text: title,
    set: { type: "button", role: "tab", id, "aria-controls": panel.id, "data-tab": name },
  });
}

function nextTab(key: string, at: number, count: number): number | null {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
