/** Prints the answers of a worker thread. */
import { Worker } from "node:worker_threads";

new Worker(new URL("node.js", import.meta.url));
