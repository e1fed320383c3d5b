/** The worker that reads files, renders and measures. */
import { isEngineQuestion, type EngineAnswer, type EngineQuestion } from "./job.js";
import { measure } from "./measure.js";
import { openFile, openText } from "./open.js";
import { renderJob } from "./render.js";
import { answerQuestions } from "./worker-calls.js";

async function answer(question: EngineQuestion): Promise<EngineAnswer> {
  switch (question.kind) {
    case "open":
      return { kind: "opened", templates: openFile(question.file) };
    case "paste":
      return { kind: "opened", templates: openText(question.text) };
    case "render":
      return { kind: "rendered", rendered: renderJob(question.job) };
    case "measure":
      return { kind: "measured", measured: await measure(question.job) };
  }
}

answerQuestions(isEngineQuestion, answer);
