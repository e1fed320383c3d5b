/** A prompt and its template side by side, as one page that loads nothing: hovering or focusing a piece shows its line. */
import { createHash } from "node:crypto";
import { segmentAt, type ExplainedSegment } from "../explain.js";
import { Source } from "../source.js";
import type { Explanation } from "./explain.js";
import { SCRIPT, STYLE } from "./explain-assets.js";
import { groupOf, pathOf, visible } from "./explain-words.js";

/** The page; `at` is the UTF-16 unit that is shown first. All text of template and input is escaped. */
export function explainPage({ location, loaded, segments }: Explanation, at?: number): string {
  const title = escaped(visible(location));
  const shown = at === undefined ? undefined : segmentAt(segments, at);
  const start = shown === undefined ? "" : ` data-start="s${String(segments.indexOf(shown))}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${title}: explained</title>
<style>${STYLE}</style>
</head>
<body${start}>
<header><h1>${title}</h1><ul class="legend" aria-label="Colors">${legend(segments)}</ul></header>
<main>
<section aria-labelledby="prompt-title"><h2 id="prompt-title">Prompt</h2><pre id="prompt">
${promptOf(segments)}</pre></section>
<section aria-labelledby="template-title"><h2 id="template-title">Template</h2><div id="template">
${templateOf(loaded.source, segments)}</div></section>
</main>
<footer id="status" role="status">Point at a piece of the prompt or a line of the template, or move with Tab and the arrow keys; Enter leads across.</footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Text as it stands between tags and in quoted attributes; a carriage return would be read as a line break. */
function escaped(text: string): string {
  return text.replace(/[&<>"'\r]/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
}

/** Groups with a color of their own. */
const GROUPS: ReadonlySet<string> = new Set([
  "template",
  "system",
  "developer",
  "user",
  "assistant",
  "tool",
  "input",
]);

function classOf(segment: ExplainedSegment): string {
  const group = groupOf(segment);
  return `g-${GROUPS.has(group) ? group : "other"}`;
}

function legend(segments: readonly ExplainedSegment[]): string {
  const groups = new Map(segments.map((segment) => [groupOf(segment), classOf(segment)]));
  return [...groups].map(([group, name]) => `<li class="${name}">${escaped(group)}</li>`).join("");
}

function promptOf(segments: readonly ExplainedSegment[]): string {
  const shown = visible(segments.map(({ text }) => text).join(""));
  return segments
    .map((segment, i) => {
      const { start, text, line } = segment;
      const label = escaped(labelOf(segment));
      const attributes = `class="s ${classOf(segment)}" id="s${String(i)}" title="${label}"`;
      const inner = pieceOf(text, shown.slice(start, start + text.length));
      return line === undefined
        ? `<span ${attributes} tabindex="0">${inner}</span>`
        : `<a ${attributes} href="#L${String(line)}" data-line="${String(line)}">${inner}</a>`;
    })
    .join("");
}

function labelOf({ path, from, role, line, column, start }: ExplainedSegment): string {
  const place = path === undefined ? "input of no one place" : pathOf(path);
  const origin =
    from === "template" ? "template" : `${place}${role === undefined ? "" : ` (${role})`}`;
  const written =
    line === undefined ? "" : ` · line ${String(line)}, column ${String(column ?? 1)}`;
  return `${visible(origin)}${written} · offset ${String(start)}`;
}

/** A piece's text; what cannot be seen has a sign over it, so that copying gives the text itself. */
function pieceOf(text: string, shown: string): string {
  let html = "";
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    const sign = shown.charAt(i);
    if (unit === "\n") html += '<span class="n" aria-hidden="true"></span>\n';
    else if (unit === sign) html += escaped(unit);
    else if (unit === "\t") html += `<span class="w" data-sign="${sign}">\t</span>`;
    else if (/\s/.test(unit) && unit !== "\r")
      html += `<span class="w" data-sign="${sign}"> </span>`;
    else html += `<span class="c">\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}</span>`;
  }
  return html;
}

function templateOf(text: string, segments: readonly ExplainedSegment[]): string {
  const source = new Source(text, "");
  const first = new Map<number, number>();
  segments.forEach(({ line }, i) => {
    if (line !== undefined && !first.has(line)) first.set(line, i);
  });
  const rows: string[] = [];
  for (let line = 1; line <= source.lineCount; line++) {
    const number = String(line);
    const segment = first.get(line);
    const head =
      segment === undefined
        ? `<span class="number">${number}</span>`
        : `<a class="number" href="#s${String(segment)}" aria-label="Line ${number}, what it wrote">${number}</a>`;
    const code = escaped(visible(source.lineText(line)));
    rows.push(`<div class="row" id="L${number}">${head}<code>${code}</code></div>`);
  }
  return rows.join("\n");
}
