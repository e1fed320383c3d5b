// Node 20 starts a thread with its own loader, so this one has to ask for TypeScript itself.
import { register } from "tsx/esm/api";

register();
await import("./worker.ts");
