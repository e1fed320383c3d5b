/** `npm run playground`: builds the page into playground-dist/, from where a browser opens it as a file. */
import { join } from "node:path";
import { buildPlayground } from "./build.js";

const started = performance.now();
await buildPlayground("playground-dist");
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${join("playground-dist", "index.html")} (${seconds} s): open it in a browser`);
