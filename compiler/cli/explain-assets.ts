/** The style and the script of the page that `explain --html` writes: nothing of a template or an input is in them. */

export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1e21; --faint: #6a7078; --line: #d9dce1; --bar: #f4f5f7;
  --on: #fff3b0; --ring: #0b57d0; --template: #5d646d; --system: #eadcfb; --user: #d5f0db; --assistant: #d3e8fb;
  --tool: #fbe7bf; --other: #dde2f7; --input: #fad6d6; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #e6e8eb; --faint: #8b929c; --line: #32363d;
  --bar: #1e2126; --on: #57490f; --ring: #8ab4f8; --template: #9aa1ab; --system: #46306a; --user: #1f4a2c;
  --assistant: #17405f; --tool: #574112; --other: #343b63; --input: #642b2b; } }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--back); color: var(--text);
  font: 14px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .6rem 1rem;
  background: var(--bar); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h2 { margin: 0; padding: .5rem 1rem .25rem; font-size: .75rem; font-weight: 600; color: var(--faint); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem .5rem; margin: 0; padding: 0; list-style: none; }
.legend li { padding: 0 .5rem; border-radius: .25rem; font-size: .8rem; overflow-wrap: anywhere; }
.legend .g-template { border: 1px solid var(--line); }
main { flex: 1; display: grid; grid-template-columns: 1fr 1fr; min-height: 0; }
section { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
section + section { border-left: 1px solid var(--line); }
#prompt, #template { flex: 1; margin: 0; padding: .25rem 0 2rem; overflow: auto; tab-size: 4;
  font: 13px/1.6 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
#prompt { padding: .25rem 1rem 2rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.s { color: inherit; text-decoration: none; border-radius: 2px; -webkit-box-decoration-break: clone;
  box-decoration-break: clone; }
.g-template { color: var(--template); }
.g-system, .g-developer { background: var(--system); }
.g-user { background: var(--user); }
.g-assistant { background: var(--assistant); }
.g-tool { background: var(--tool); }
.g-other { background: var(--other); }
.g-input { background: var(--input); }
.n::before { content: "↵"; color: var(--faint); opacity: .6; }
.w { position: relative; }
.w::before { content: attr(data-sign); position: absolute; left: 0; color: var(--faint); }
.c { color: var(--faint); }
.row { display: flex; padding-right: 1rem; }
.number { flex: none; width: 4rem; padding-right: 1rem; text-align: right; color: var(--faint);
  text-decoration: none; user-select: none; }
a.number { color: var(--ring); }
.row code { flex: 1; min-width: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.on, .row:target, .s:target { background: var(--on); }
.s.on { box-shadow: 0 0 0 1px var(--ring); }
a:focus-visible, .s:focus-visible { outline: 2px solid var(--ring); outline-offset: 1px; }
footer { padding: .4rem 1rem; background: var(--bar); border-top: 1px solid var(--line); font-size: .85rem;
  overflow-wrap: anywhere; }
@media (max-width: 48rem) { main { grid-template-columns: 1fr; grid-template-rows: 1fr 1fr; }
  section + section { border-left: 0; border-top: 1px solid var(--line); } }
`;

export const SCRIPT = `
"use strict";
const status = document.getElementById("status");
const pieces = [...document.querySelectorAll(".s")];
const numbers = [...document.querySelectorAll("a.number")];
const rowOf = (piece) => piece.dataset.line && document.getElementById("L" + piece.dataset.line);
const piecesOf = (row) => pieces.filter((piece) => "L" + piece.dataset.line === row.id);
for (const piece of pieces) {
  piece.setAttribute("aria-description", piece.title);
  piece.dataset.label = piece.title;
  piece.removeAttribute("title");
}
let lit = [];
function light(elements, seen, label) {
  for (const each of lit) each.classList.remove("on");
  lit = elements;
  for (const each of lit) each.classList.add("on");
  if (seen) seen.scrollIntoView({ block: "nearest" });
  status.textContent = label;
}
function show(target) {
  const piece = target.closest(".s");
  if (piece) {
    const row = rowOf(piece);
    return light(row ? [piece, row] : [piece], row, piece.dataset.label);
  }
  const row = target.closest(".row");
  if (!row) return;
  const written = piecesOf(row);
  const count = written.length === 1 ? "1 piece" : written.length + " pieces";
  light([row, ...written], written[0], "line " + row.id.slice(1) + " wrote " + count + " of the prompt");
}
document.addEventListener("mouseover", (event) => show(event.target));
document.addEventListener("focusin", (event) => show(event.target));
function rove(list, current) {
  for (const each of list) each.tabIndex = each === current ? 0 : -1;
}
rove(pieces, pieces[0]);
rove(numbers, numbers[0]);
function go(list, to) {
  rove(list, to);
  to.focus();
}
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const list = [pieces, numbers].find((each) => each.includes(document.activeElement));
  if (!list) return;
  const at = list.indexOf(document.activeElement);
  const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 };
  const to = list[next[event.key]];
  if (!to) return;
  event.preventDefault();
  go(list, to);
});
document.addEventListener("click", (event) => {
  const piece = event.target.closest(".s");
  const number = event.target.closest("a.number");
  const row = piece && rowOf(piece);
  const to = row ? row.querySelector("a.number") : number && piecesOf(number.parentElement)[0];
  if (!to) return;
  event.preventDefault();
  go(to.matches(".s") ? pieces : numbers, to);
  if (row) light([piece, row], row, piece.dataset.label);
});
const start = document.getElementById(document.body.dataset.start || "");
if (start) go(pieces, start);
`;
