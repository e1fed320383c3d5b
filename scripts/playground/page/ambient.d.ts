/** What the build and the browser put in place. */

declare module "*.jinja" {
  const text: string;
  export default text;
}

declare module "*.gotmpl" {
  const text: string;
  export default text;
}

/** A worker's bundle. */
declare module "*-worker.js?text" {
  const text: string;
  export default text;
}

/** Set by emitter.js: the bundle of the worker that writes modules. */
declare const playgroundEmitter: string;

/** Workers have it, and pages do not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
