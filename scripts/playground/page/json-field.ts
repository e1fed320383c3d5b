/** Fields of the form: JSON, and values that may be left out. */
import { json } from "../../../runtime/jinja/json.js";
import { choices, make } from "./dom.js";
import { printJson, readJson } from "./json-text.js";

/** Hears of a value, or of undefined where the field is empty. */
type Changed = (value: unknown) => void;

/** A field for any JSON; what is not valid is said, and changes nothing. */
export function jsonField(label: string, value: unknown, changed: Changed): HTMLElement {
  const note = make("p", { class: "note wrong", set: { role: "alert" } });
  note.hidden = true;
  const area = make("textarea", { class: "code", set: { "aria-label": label, rows: "2" } });
  area.spellcheck = false;
  area.value = value === undefined ? "" : printJson(value);
  area.addEventListener("input", () => {
    const parsed = area.value.trim() === "" ? { value: undefined } : readJson(area.value);
    const isWrong = "problem" in parsed;
    area.setAttribute("aria-invalid", String(isWrong));
    note.hidden = !isWrong;
    if (isWrong) note.textContent = `${label}: ${parsed.problem.message}`;
    else changed(parsed.value);
  });
  return make("div", { class: "json-field" }, [area, note]);
}

/** A choice of values given as JSON, the first of them none. */
export function valueChoice(
  id: string,
  values: readonly string[],
  absent: string,
  value: unknown,
  changed: Changed,
): HTMLSelectElement {
  const select = make("select", { set: { id } });
  const current = value === undefined ? "" : json(value);
  const all = current === "" || values.includes(current) ? values : [...values, current];
  choices(select, [["", absent], ...all.map((each) => [each, each] as const)], current);
  select.addEventListener("change", () => {
    const parsed = readJson(select.value);
    changed("value" in parsed ? parsed.value : undefined);
  });
  return select;
}

/** A line of text for a value: JSON where it is JSON, else the text itself; empty: none. */
export function valueField(
  id: string,
  values: readonly string[],
  absent: string,
  value: unknown,
  changed: Changed,
): HTMLElement {
  const input = make("input", { set: { id, placeholder: absent, autocomplete: "off" } });
  input.value = shownValue(value);
  input.addEventListener("input", () => {
    const parsed = readJson(input.value);
    if (input.value === "") changed(undefined);
    else changed("value" in parsed ? parsed.value : input.value);
  });
  if (values.length === 0) return input;
  input.setAttribute("list", `${id}-values`);
  const options = values.map((each) => make("option", { set: { value: shownText(each) } }));
  const list = make("datalist", { set: { id: `${id}-values` } }, options);
  return make("span", {}, [input, list]);
}

function shownText(text: string): string {
  const parsed = readJson(text);
  return "value" in parsed ? shownValue(parsed.value) : text;
}

/** A text as it stands, unless it would be read as JSON. */
function shownValue(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return json(value);
  return value === "" || "value" in readJson(value) ? json(value) : value;
}
