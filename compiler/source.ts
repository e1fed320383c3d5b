/** A template's text with its name, and the arithmetic of lines and columns. */

/** A range of the source text, in UTF-16 units, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in the source, 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export class Source {
  readonly text: string;
  /** What diagnostics and the generated header show: a path, or the template's name. */
  readonly file: string;
  readonly #lineStarts: readonly number[];
  /** The index of the line that was asked for last: most questions follow each other in the text. */
  #last = 0;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
    this.#lineStarts = lineStartsOf(text);
  }

  get lineCount(): number {
    return this.#lineStarts.length;
  }

  /** The line and column of an offset. */
  position(offset: number): Position {
    const line = this.#lineAt(offset);
    return { line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) + 1 };
  }

  /** The index of the line in which an offset lies. */
  #lineAt(offset: number): number {
    const starts = this.#lineStarts;
    const last = this.#last;
    if (offset >= (starts[last] ?? 0) && offset < (starts[last + 1] ?? Infinity)) return last;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.#last = low;
    return low;
  }

  /** The text of a 1-based line, without its line break. */
  lineText(line: number): string {
    const start = this.#lineStarts[line - 1];
    if (start === undefined) return "";
    const end = this.#lineStarts[line] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, "");
  }

  /** The offset at which a 1-based line starts. */
  lineStart(line: number): number {
    return this.#lineStarts[line - 1] ?? this.text.length;
  }
}

/** Line breaks are "\n", "\r\n" and a lone "\r", as both engines count them once normalised. */
function lineStartsOf(text: string): number[] {
  const starts = [0];
  if (!text.includes("\r")) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/**
 * Tokens of a template, in expressions too: the real engines have no such bound. The largest published templates have a
 * twentieth of it; what has as many takes seconds to compile.
 */
export const MOST_TOKENS = 100_000;
