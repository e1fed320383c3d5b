/** Answers of a worker in a browser. */
import { answers } from "./answers.js";

postMessage(JSON.stringify(answers()));
