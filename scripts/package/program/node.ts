/** Prints the answers of this process. */
import { answers } from "./answers.js";

console.log(JSON.stringify(answers()));
