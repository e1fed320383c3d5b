/** Code for `new Function` that carries its source map, so that stack traces and debuggers show the template. */
import { takeMarks } from "./emit/marks.js";
import { sha256 } from "./meta.js";
import { sourceMap } from "./source-map.js";

/** A template's text and the name under which stack traces show it. */
export interface Named {
  readonly name: string;
  readonly source: string;
}

/** ECMAScript's CreateDynamicFunction puts a head of two lines before the code. */
const HEAD = "\n\n";

/** Whether the process shows the sources of what runs in stack traces, as with `node --enable-source-maps`. */
export function showsSources(): boolean {
  const host: { readonly process?: { readonly sourceMapsEnabled?: boolean } } = globalThis;
  return host.process?.sourceMapsEnabled === true;
}

/** The code of a marked text, and its map in comments at the end. */
export function mappedCode(marked: string, { name, source }: Named): string {
  const { text, marks } = takeMarks(HEAD + marked);
  const url = urlOf(name);
  const map = sourceMap({ text, marks }, url.slice(url.lastIndexOf("/") + 1), source);
  return [
    text.slice(HEAD.length),
    // Node keeps maps by this name: the same code shares one.
    `//# sourceURL=${url}.${sha256(text).slice(0, 8)}.js`,
    `//# sourceMappingURL=data:application/json;base64,${base64(map)}`,
  ].join("\n");
}

/** A name as a relative URL or an absolute path: it holds nothing that could end a comment or a URL. */
function urlOf(name: string): string {
  const path = name.toWellFormed().replace(/[\\/]+/g, "/");
  const url = path.split("/").map(encodeURIComponent).join("/").replaceAll("'", "%27");
  return url === "" || url.endsWith("/") ? `${url}template` : url;
}

/** JSON in base64, which `btoa` makes of Latin-1 only: other characters are escaped as JSON has it. */
function base64(json: string): string {
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return btoa(ascii);
}
