/** A message of the form. */
import { button, make } from "./dom.js";
import { jsonField } from "./json-field.js";

export type Message = Readonly<Record<string, unknown>>;

/** What can be done to the message at an index. */
export interface MessageActions {
  change(at: number, message: Message): void;
  move(at: number, to: number): void;
  remove(at: number): void;
}

/** The row of the message at an index of so many. */
export function messageRow(
  given: Message,
  at: number,
  count: number,
  actions: MessageActions,
): HTMLElement {
  let message = given;
  const change = (name: string, value: unknown): void => {
    message = withField(message, name, value);
    actions.change(at, message);
  };
  const number = at + 1;
  const up = button(
    "↑",
    () => {
      actions.move(at, at - 1);
    },
    `Move message ${number} up`,
  );
  const down = button(
    "↓",
    () => {
      actions.move(at, at + 1);
    },
    `Move message ${number} down`,
  );
  const remove = button(
    "✕",
    () => {
      actions.remove(at);
    },
    `Remove message ${number}`,
  );
  up.disabled = at === 0;
  down.disabled = at === count - 1;
  const head = make("div", { class: "message-head" }, [
    make("span", { class: "number", text: String(number) }),
    roleField(message["role"], number, (role) => {
      change("role", role);
    }),
    up,
    down,
    remove,
  ]);
  return make("li", { class: "message" }, [
    head,
    contentField(message["content"], number, (content) => {
      change("content", content);
    }),
    otherFields(message, number, (others) => {
      const { role, content } = message;
      message = { role, content, ...others };
      actions.change(at, message);
    }),
  ]);
}

/** A field that is undefined is absent. */
export function withField(object: Message, name: string, value: unknown): Message {
  if (value !== undefined) return { ...object, [name]: value };
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

function roleField(role: unknown, number: number, changed: (role: string) => void): HTMLElement {
  const input = make("input", {
    class: "role",
    set: { "aria-label": `Role of message ${number}`, list: "roles", autocomplete: "off" },
  });
  input.value = typeof role === "string" ? role : "";
  input.addEventListener("input", () => {
    changed(input.value);
  });
  return input;
}

/** Text as text; parts, null and whatever else it is as JSON. */
function contentField(
  content: unknown,
  number: number,
  changed: (content: unknown) => void,
): HTMLElement {
  const label = `Content of message ${number}`;
  if (typeof content !== "string") return jsonField(`${label} as JSON`, content, changed);
  const area = make("textarea", { set: { "aria-label": label, rows: "1" } });
  area.value = content;
  area.addEventListener("input", () => {
    changed(area.value);
  });
  return area;
}

function otherFields(
  { role: _role, content: _content, ...others }: Message,
  number: number,
  changed: (others: Message) => void,
): HTMLElement {
  const names = Object.keys(others);
  const field = jsonField(
    `Other fields of message ${number} as JSON`,
    names.length === 0 ? undefined : others,
    (value) => {
      changed(isFields(value) ? value : {});
    },
  );
  const summary = make("summary", { text: names.length === 0 ? "more fields" : names.join(", ") });
  return make("details", {}, [summary, field]);
}

function isFields(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
