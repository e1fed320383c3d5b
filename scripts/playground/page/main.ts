/** The playground: a template, a conversation, and what becomes of them. */
import { isDict } from "../../../runtime/values.js";
import { withModelfile } from "../../../runtime/chat/index.js";
import { showAbout } from "./about-view.js";
import { choices, find, later } from "./dom.js";
import { jsonEditor, setDialect, templateEditor } from "./editors.js";
import { EXAMPLES } from "./examples.js";
import { Form } from "./form.js";
import type { Opened, Problem, Rendered } from "./job.js";
import { printJson, readJson } from "./json-text.js";
import { fragmentOf, stateOf } from "./link.js";
import { ModulePanels } from "./module-panels.js";
import { showProblems } from "./problems.js";
import { promptView } from "./prompt-view.js";
import { SpeedPanel } from "./speed-view.js";
import { dialectNamed, DIALECTS, type State } from "./state.js";
import { makeTabs } from "./tabs.js";
import { open, paste, render } from "./workers.js";

const START = EXAMPLES[0] ?? {
  name: "template",
  dialect: "jinja",
  source: "",
  define: {},
  input: "{}",
};

let state: State = START;
let templates: readonly Opened[] = [];
let asked = 0;

const status = find("#status", HTMLElement);
const dialect = find("#dialect", HTMLSelectElement);
const example = find("#example", HTMLSelectElement);
const variant = find("#variant", HTMLSelectElement);
const file = find("#file", HTMLInputElement);

/** Stands before what is said of each render until something is edited: the link that could not be read. */
let notice = "";

function say(text: string): void {
  if (status.textContent !== text) status.textContent = text;
}

function sayFailure(error: unknown): void {
  say(error instanceof Error ? error.message : String(error));
}

// ---------------------------------------------------------------- the three panes

const template = templateEditor(find("#template", HTMLElement), (source, isPastedWhole) => {
  edit({ source });
  if (isPastedWhole) void paste(source).then(recognised, sayFailure);
});

const form = new Form(find("#form", HTMLElement), {
  input: (input) => {
    edit({ input });
  },
  define: (define) => {
    edit({ define });
  },
});

const jsonInput = jsonEditor(find("#json", HTMLElement), (input) => {
  edit({ input });
});

const conversationTabs = makeTabs(
  find("#conversation-tabs", HTMLElement),
  "Conversation",
  [
    { name: "form", title: "Form", panel: find("#form", HTMLElement) },
    { name: "json", title: "JSON", panel: find("#json", HTMLElement) },
  ],
  showConversation,
);

const prompt = promptView(
  find("#prompt", HTMLElement),
  find("#spaces", HTMLInputElement),
  find("#origins", HTMLInputElement),
);
const modules = new ModulePanels(say);
const speed = new SpeedPanel(() => state);

const resultTabs = makeTabs(
  find("#result-tabs", HTMLElement),
  "Result",
  [
    { name: "prompt", title: "Prompt", panel: find("#prompt-panel", HTMLElement) },
    { name: "typescript", title: "TypeScript", panel: find("#typescript-panel", HTMLElement) },
    { name: "types", title: "Types", panel: find("#types-panel", HTMLElement) },
    { name: "speed", title: "Speed", panel: find("#speed-panel", HTMLElement) },
  ],
  showModule,
);

/** Only the part of the conversation that is seen is kept in step; the other when its turn comes. */
function showConversation(): void {
  if (conversationTabs.current === "form") form.show(state.input, state.define);
  else jsonInput.text = state.input;
}

function showModule(): void {
  if (["typescript", "types"].includes(resultTabs.current)) modules.show(state);
}

// ---------------------------------------------------------------- changes

/** A change that the user has made in one of the panes. */
function edit(change: Partial<State>): void {
  notice = "";
  state = { ...state, ...change };
  refresh();
}

/** A state from elsewhere: an example, a file, a link. */
function replace(next: State): void {
  state = next;
  template.text = state.source;
  dialect.value = state.dialect;
  setDialect(template, state.dialect);
  showConversation();
  refresh();
}

const refresh = later(150, () => {
  void show();
  keepLink();
});

async function show(): Promise<void> {
  const id = ++asked;
  const job = state;
  const rendered = await render(job).catch(stopped);
  if (id !== asked) return;
  const { described, problems, segments } = rendered;
  if (described !== null) form.describe(described.variables);
  showAbout(find("#about", HTMLElement), described);
  showProblems(find("#problems", HTMLElement), problems, goTo);
  template.mark(problems.filter((each) => each.in !== "input"));
  jsonInput.mark(problems.filter((each) => each.in === "input"));
  showPrompt(rendered);
  speed.clear();
  showModule();
  const error = problems.find(({ severity }) => severity === "error");
  const characters = segments?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
  find("#size", HTMLElement).textContent = segments === null ? "" : `${characters} characters`;
  const said =
    error === undefined ? `Rendered ${characters} characters.` : placeOf(error) + error.message;
  say(notice === "" ? said : `${notice}. ${said}`);
}

function stopped(error: unknown): Rendered {
  const message = error instanceof Error ? error.message : String(error);
  const problem = { in: "render", severity: "error", title: "no prompt", message } as const;
  return { problems: [problem], described: null, segments: null };
}

function showPrompt({ segments, problems }: Rendered): void {
  const tokens = Object.values(state.define);
  prompt.show(segments, tokens);
  find("#legend", HTMLElement).hidden = segments === null;
  if (segments !== null) return;
  const error = problems.find(({ severity }) => severity === "error");
  const text = error === undefined ? "" : `No prompt. ${placeOf(error)}${error.message}`;
  find("#prompt", HTMLElement).replaceChildren(text);
}

function placeOf({ in: where, line, column }: Problem): string {
  if (line === undefined) return "";
  return `${where === "input" ? "JSON, line" : "Line"} ${line}, column ${column ?? 1}: `;
}

function goTo({ in: where, line = 1, column = 1 }: Problem): void {
  if (where !== "input") {
    template.goTo(line, column);
    return;
  }
  conversationTabs.show("json");
  jsonInput.goTo(line, column);
}

// ---------------------------------------------------------------- files and examples

/** Takes the first template of a file; the others are in a menu. */
function recognised(found: readonly Opened[]): void {
  const [first] = found;
  if (first === undefined) return;
  templates = found;
  const names = found.map(({ variant: name }, at) => [String(at), name] as const);
  choices(variant, names, "0");
  find("#variant-label", HTMLElement).hidden = found.length < 2;
  take(first);
}

function take({ source, dialect: its, name, define, modelfile }: Opened): void {
  const parsed = readJson(state.input);
  const input = "value" in parsed && isDict(parsed.value) ? parsed.value : {};
  const { messages } = input;
  const given = Array.isArray(messages) ? messages.filter(isMessage) : [];
  const isServed =
    modelfile !== undefined && (modelfile.system ?? modelfile.messages) !== undefined;
  const text = isServed
    ? printJson({ ...input, messages: withModelfile(given, modelfile) })
    : state.input;
  example.value = "";
  replace({ source, dialect: its, name, define, input: text });
}

function isMessage(value: unknown): value is { readonly role: string; readonly content: string } {
  return isDict(value) && typeof value["role"] === "string";
}

function openFile(chosen: File | undefined): void {
  if (chosen === undefined) return;
  say(`Reading ${chosen.name}…`);
  void open(chosen).then(recognised, sayFailure);
}

function listenToFiles(): void {
  find("#open", HTMLButtonElement).addEventListener("click", () => {
    file.click();
  });
  file.addEventListener("change", () => {
    openFile(file.files?.[0]);
    file.value = "";
  });
  // Before an editor takes the file's text for its own.
  window.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault();
  });
  const drop = (event: DragEvent): void => {
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    openFile(dropped);
  };
  window.addEventListener("drop", drop, { capture: true });
}

function listenToMenus(): void {
  const names = EXAMPLES.map(({ name }, at) => [String(at), name] as const);
  choices(example, [["", "your own"], ...names], "0");
  example.addEventListener("change", () => {
    const chosen = EXAMPLES[Number(example.value)];
    if (example.value === "" || chosen === undefined) return;
    find("#variant-label", HTMLElement).hidden = true;
    replace(chosen);
  });
  choices(dialect, DIALECTS, state.dialect);
  dialect.addEventListener("change", () => {
    const chosen = dialectNamed(dialect.value);
    if (chosen !== undefined) replace({ ...state, dialect: chosen });
  });
  variant.addEventListener("change", () => {
    const chosen = templates[Number(variant.value)];
    if (chosen !== undefined) take(chosen);
  });
}

// ---------------------------------------------------------------- links

let ownFragment = "";

const keepLink = later(300, () => {
  void fragmentOf(state).then((fragment) => {
    ownFragment = fragment ?? "";
    history.replaceState(null, "", fragment ?? location.href.replace(/#.*/, "#"));
  });
});

async function copyLink(): Promise<void> {
  const fragment = await fragmentOf(state);
  if (fragment === null) say("This is too long for a link.");
  else await copy(location.href.replace(/#.*/, "") + fragment, "Link");
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    say("The browser does not let this page copy.");
  }
}

async function restore(): Promise<void> {
  try {
    const kept = await stateOf(location.hash);
    if (kept !== null) example.value = "";
    replace(kept ?? state);
  } catch (error) {
    notice = error instanceof Error ? error.message : String(error);
    replace(state);
  }
}

listenToFiles();
listenToMenus();
find("#link", HTMLButtonElement).addEventListener("click", () => {
  void copyLink();
});
find("#copy-prompt", HTMLButtonElement).addEventListener("click", () => {
  void copy(prompt.text, "Prompt");
});
find("#copy-typescript", HTMLButtonElement).addEventListener("click", () => {
  void copy(modules.code, "TypeScript");
});
window.addEventListener("hashchange", () => {
  if (location.hash !== ownFragment) void restore();
});
void restore();
