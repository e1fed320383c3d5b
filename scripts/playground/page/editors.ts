/** CodeMirror for the page: templates, JSON, and code to read. */
import { javascript } from "@codemirror/lang-javascript";
import { jinja } from "@codemirror/lang-jinja";
import { json } from "@codemirror/lang-json";
import { LanguageSupport, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup, EditorView } from "codemirror";
import type { Dialect } from "../../../runtime/index.js";
import { goTemplate } from "./go-language.js";
import type { Problem } from "./job.js";

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--field)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "13px", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--field)",
    color: "var(--quiet)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--active-line)" },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--pane)",
    color: "var(--text)",
    border: "1px solid var(--line)",
  },
  ".cm-foldPlaceholder": { backgroundColor: "var(--pane)", borderColor: "var(--line)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
});

const LOOK: Extension = [THEME, syntaxHighlighting(classHighlighter), EditorView.lineWrapping];

/** A file's line breaks stay what they are, since prompts have them; those of a clipboard are the system's. */
const LINE_BREAKS: Extension = [
  EditorState.lineSeparator.of("\n"),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, "\n")),
];

/** Around Jinja's tags stands plain text: as HTML, special tokens would be tags. */
const PLAIN = new LanguageSupport(
  StreamLanguage.define({
    token(stream) {
      stream.skipToEnd();
      return null;
    },
  }),
);

function languageOf(dialect: Dialect): Extension {
  return dialect === "jinja" ? jinja({ base: PLAIN }) : goTemplate;
}

/** How a change came about: the page's own ones are not heard of. */
type Changed = (text: string, isPastedWhole: boolean) => void;

/** An editor of one text. */
export class TextEditor {
  readonly #view: EditorView;
  readonly #language = new Compartment();
  #isOwn = false;

  constructor(parent: HTMLElement, label: string, language: Extension, changed: Changed) {
    const heard = EditorView.updateListener.of((update) => {
      if (!update.docChanged || this.#isOwn) return;
      const isPaste = update.transactions.some((each) => each.isUserEvent("input.paste"));
      let isWhole = false;
      update.changes.iterChangedRanges((from, to) => {
        isWhole = from === 0 && to === update.startState.doc.length;
      });
      changed(this.text, isPaste && isWhole);
    });
    const named = EditorView.contentAttributes.of({ "aria-label": label });
    this.#view = new EditorView({
      parent,
      extensions: [
        basicSetup,
        LOOK,
        LINE_BREAKS,
        this.#language.of(language),
        lintGutter(),
        heard,
        named,
      ],
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.#isOwn = true;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    this.#isOwn = false;
  }

  set language(language: Extension) {
    this.#view.dispatch({ effects: this.#language.reconfigure(language) });
  }

  /** Marks problems at their places. */
  mark(problems: readonly Problem[]): void {
    const marks = problems.flatMap(({ line, column, severity, message }): Diagnostic[] => {
      if (line === undefined) return [];
      const from = this.#offset(line, column ?? 1);
      const end = this.#view.state.doc.lineAt(from).to;
      const word = this.#view.state.wordAt(from)?.to ?? from + 1;
      return [{ from, to: Math.min(Math.max(word, from + 1), end), severity, message }];
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Puts the cursor at a place and shows it. */
  goTo(line: number, column: number): void {
    const anchor = this.#offset(line, column);
    const scroll = EditorView.scrollIntoView(anchor, { y: "center" });
    this.#view.dispatch({ selection: { anchor }, effects: scroll });
    this.#view.focus();
  }

  #offset(line: number, column: number): number {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return Math.min(from + column - 1, to);
  }
}

export function templateEditor(parent: HTMLElement, changed: Changed): TextEditor {
  return new TextEditor(parent, "Template", languageOf("jinja"), changed);
}

/** What a template's editor colours by its dialect. */
export function setDialect(editor: TextEditor, dialect: Dialect): void {
  editor.language = languageOf(dialect);
}

export function jsonEditor(parent: HTMLElement, changed: Changed): TextEditor {
  return new TextEditor(parent, "Conversation and options as JSON", json(), changed);
}

/** Code to read and copy; gives what sets its text. */
export function codeView(parent: HTMLElement, label: string): (text: string) => void {
  const view = new EditorView({
    parent,
    extensions: [
      basicSetup,
      LOOK,
      javascript({ typescript: true }),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label }),
    ],
  });
  return (text) => {
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  };
}
