/** text/template's html, js and urlquery, which first print their arguments. */

import { print, text } from "./fmt.js";
import { isNilOf, reflect } from "./gotypes.js";
import { toBytes } from "./bytes.js";
import { isPrint, validRune } from "./quote.js";
import { typed } from "./typed.js";

/** evalArgs: fmt.Sprint, but nil is `<no value>` and a pointer shows its target. */
function printed(args: readonly unknown[]): string {
  const [first] = args;
  if (args.length === 1 && typeof first === "string") {
    return first;
  }
  return print(args.map(printable));
}

/** What stands for a pointer's target is no string, so that Sprint puts spaces around it. */
function printable(v: unknown): unknown {
  const { type, value } = reflect(v);
  if (type === undefined) {
    return text(v);
  }
  const isTarget = type.kind === "pointer" && !isNilOf(type, value);
  return isTarget ? typed({ ...type, string: () => text(v) }, value) : v;
}

const HTML: Readonly<Record<string, string>> = {
  "\u0000": "\ufffd",
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

/** template.HTMLEscaper. */
export function html(args: readonly unknown[]): string {
  return printed(args).replaceAll(/["'&<>\0]/g, (sign) => HTML[sign] ?? sign);
}

/** template.JSEscaper. */
export function js(args: readonly unknown[]): string {
  return printed(args).replaceAll(/[^ !#-%(-;?-[\]-\u007f]/gu, jsSign);
}

function jsSign(sign: string): string {
  if (sign === "\\" || sign === "'" || sign === '"') {
    return "\\" + sign;
  }
  const rune = sign.codePointAt(0) ?? 0;
  if (rune >= 0xdc80 && rune <= 0xdcff) {
    return sign;
  }
  const point = validRune(rune);
  if (point > 0x7f && isPrint(point)) {
    return String.fromCodePoint(point);
  }
  return "\\u" + point.toString(16).toUpperCase().padStart(4, "0");
}

/** template.URLQueryEscaper, which is url.QueryEscape: all but letters, digits and `-_.~` as bytes, a space as `+`. */
export function urlquery(args: readonly unknown[]): string {
  return printed(args).replaceAll(/[^A-Za-z0-9\-_.~]+/g, (signs) => {
    let out = "";
    for (const byte of toBytes(signs)) {
      out += byte === 0x20 ? "+" : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    }
    return out;
  });
}
