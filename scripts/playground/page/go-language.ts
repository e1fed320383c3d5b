/** Go's text/template for CodeMirror, by the rules of its own lexer. */
import { StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";

/** Where the reader stands: in text, between braces, or in something that goes on over lines. */
type Place = "text" | "action" | "comment" | "raw";

interface State {
  place: Place;
}

const KEYWORDS = new Set("if else end range with define block template break continue".split(" "));
const ATOMS = new Set(["true", "false", "nil"]);
/** The functions that every template has, and Ollama's. */
const FUNCTIONS = new Set(
  "and or not len index slice print printf println html js urlquery call eq ne lt le gt ge json currentDate yesterdayDate toTypeScriptType".split(
    " ",
  ),
);

const parser: StreamParser<State> = {
  name: "go-template",
  startState: () => ({ place: "text" }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    switch (state.place) {
      case "text":
        return text(stream, state);
      case "comment":
        return until(stream, state, "*/", "comment");
      case "raw":
        return until(stream, state, "`", "string");
      case "action":
        return action(stream, state);
    }
  },
  languageData: { commentTokens: { block: { open: "{{/*", close: "*/}}" } } },
};

function text(stream: StringStream, state: State): string | null {
  if (stream.match(/^\{\{(?:- )?/) !== null) {
    state.place = "action";
    return "brace";
  }
  if (!stream.skipTo("{{")) stream.skipToEnd();
  return null;
}

/** Up to the end that closes what is being read, or of the line. */
function until(stream: StringStream, state: State, end: string, name: string): string {
  if (stream.skipTo(end)) {
    for (const _ of end) stream.next();
    state.place = "action";
  } else stream.skipToEnd();
  return name;
}

const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/^"(?:[^"\\]|\\.)*"?/, "string"],
  [/^'(?:[^'\\]|\\.)*'?/, "string"],
  [/^[+-]?(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)i?/, "number"],
  [/^\$[\p{L}\p{N}_]*/u, "variableName.special"],
  [/^\.[\p{L}_][\p{L}\p{N}_]*/u, "propertyName"],
  [/^\./, "propertyName"],
  [/^(?::=|=|\|)/, "operator"],
  [/^[(),]/, "punctuation"],
];

function action(stream: StringStream, state: State): string | null {
  if (stream.eatSpace()) {
    if (stream.match(/^-\}\}/) === null) return null;
    state.place = "text";
    return "brace";
  }
  if (stream.match("}}")) {
    state.place = "text";
    return "brace";
  }
  if (stream.match("/*")) {
    state.place = "comment";
    return "comment";
  }
  if (stream.eat("`") !== undefined) {
    state.place = "raw";
    return "string";
  }
  for (const [form, name] of TOKENS) if (stream.match(form) !== null) return name;
  return word(stream);
}

function word(stream: StringStream): string | null {
  const start = stream.pos;
  if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u) === null) {
    stream.next();
    return "invalid";
  }
  const found = stream.string.slice(start, stream.pos);
  if (KEYWORDS.has(found)) return "keyword";
  if (ATOMS.has(found)) return "atom";
  return FUNCTIONS.has(found) ? "variableName.standard" : "invalid";
}

export const goTemplate = StreamLanguage.define(parser);
