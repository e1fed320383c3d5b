/** What is wrong: a list whose entries lead to their places. */
import { button, make } from "./dom.js";
import type { Problem } from "./job.js";

/** Shows problems in a region; `goTo` is called for one that is chosen. */
export function showProblems(
  region: HTMLElement,
  problems: readonly Problem[],
  goTo: (problem: Problem) => void,
): void {
  region.hidden = problems.length === 0;
  region.replaceChildren(...problems.map((problem) => entry(problem, goTo)));
}

function entry(problem: Problem, goTo: (problem: Problem) => void): HTMLElement {
  const { line, column, frame, help, title, message, severity } = problem;
  const children: (Node | string)[] = [
    make("strong", { text: title }),
    make("span", { class: "said", text: message }),
  ];
  if (line !== undefined) {
    const where = problem.in === "input" ? "JSON, line" : "Line";
    children.unshift(
      button(`${where} ${line}, column ${column ?? 1}`, () => {
        goTo(problem);
      }),
    );
  }
  if (frame !== undefined) children.push(make("pre", { class: "frame", text: frame }));
  if (help !== undefined) children.push(make("p", { class: "note", text: help }));
  return make("div", { class: `problem ${severity}` }, children);
}
