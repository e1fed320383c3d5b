/** Answers as the text of a page: those of the page, or with `?worker` those of a worker. */
import { answers } from "./answers.js";

function show(text: string): void {
  const shown = document.createElement("pre");
  shown.textContent = text;
  document.body.append(shown);
}

if (location.search === "?worker") {
  const worker = new Worker(new URL("/worker.js", location.href), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<string>) => {
    show(data);
  };
  worker.onerror = ({ message }) => {
    show(JSON.stringify({ "code: failed": message }));
  };
} else {
  show(JSON.stringify(answers()));
}
