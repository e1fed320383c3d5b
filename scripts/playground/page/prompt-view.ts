/** The prompt: whose characters these are, tokens framed, white space as signs where it is asked for. */
import type { Segment } from "../../../runtime/index.js";
import { make } from "./dom.js";

/** More than this is not laid out; it is counted and copied all the same. */
const MOST_SHOWN = 600_000;

/** What looks like a special token or a tag of one: `<|user|>`, `<think>`, `[INST]`. */
const TOKEN =
  /<[|｜][^\s<>|｜]+[|｜]>|<\/?[A-Za-z_][\w:.-]*>|\[\/?[A-Za-z_]*[A-Z]{3,}[A-Za-z_]*\]|<<\/?[A-Z]+>>/g;

export interface PromptView {
  /** Shows a prompt with its constants, whose texts are tokens too; null: there is none. */
  show(segments: readonly Segment[] | null, tokens: readonly string[]): void;
  readonly text: string;
}

/** The view in a `pre`, with the switches for white space and for colours by origin. */
export function promptView(
  parent: HTMLElement,
  spaces: HTMLInputElement,
  origins: HTMLInputElement,
): PromptView {
  let shown: readonly Segment[] = [];
  let pattern = TOKEN;
  const draw = (): void => {
    parent.classList.toggle("origins", origins.checked);
    parent.replaceChildren(...drawn(shown, pattern, spaces.checked));
  };
  spaces.addEventListener("change", draw);
  origins.addEventListener("change", draw);
  return {
    show(segments, tokens) {
      shown = segments ?? [];
      pattern = patternOf(tokens);
      draw();
    },
    get text() {
      return shown.map(({ text }) => text).join("");
    },
  };
}

function patternOf(tokens: readonly string[]): RegExp {
  const literal = tokens
    .filter((token) => token !== "")
    .map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp([...literal, TOKEN.source].join("|"), "g");
}

function drawn(
  segments: readonly Segment[],
  pattern: RegExp,
  showsSpaces: boolean,
): readonly Node[] {
  const nodes: Node[] = [];
  let rest = MOST_SHOWN;
  for (const segment of segments) {
    nodes.push(piece({ ...segment, text: segment.text.slice(0, rest) }, pattern, showsSpaces));
    rest -= segment.text.length;
    if (rest > 0) continue;
    nodes.push(make("span", { class: "note", text: "\n… the rest is too long to show" }));
    break;
  }
  return nodes;
}

function piece({ text, from, path, role }: Segment, pattern: RegExp, showsSpaces: boolean): Node {
  const span = make("span", { class: from });
  if (from === "input") {
    const place = path === undefined ? "the input" : pathText(path);
    span.title = role === undefined ? place : `${place} (${role})`;
  }
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    span.append(visible(text.slice(at, match.index), showsSpaces));
    span.append(make("mark", { text: visible(match[0], showsSpaces) }));
    at = match.index + match[0].length;
  }
  span.append(visible(text.slice(at), showsSpaces));
  return span;
}

/** `messages[3].content`. */
function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    return before === "" ? key : `${before}.${key}`;
  }, "");
}

function visible(text: string, showsSpaces: boolean): string {
  if (!showsSpaces) return text;
  return text
    .replaceAll(" ", "·")
    .replaceAll("\t", "→\t")
    .replaceAll("\r", "␍")
    .replaceAll("\n", "↵\n");
}
