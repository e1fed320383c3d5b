/** markupsafe's `striptags` and `unescape`. */
import { entities } from "./jinja-entities.js";
import { splitSpace } from "./jinja-unicode.js";

/** What the numbers of Windows-1252 mean in a numeric reference. */
const windows =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

function numeric(code: number): string {
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return "\ufffd";
  if (code >= 0x80 && code <= 0x9f) return windows.charAt(code - 0x80);
  if (code === 0x0d) return "\r";
  const invalid = code < 0x20 && ![9, 10, 12].includes(code);
  if (invalid || code === 0x0b || code === 0x7f || (code & 0xfffe) === 0xfffe) return "";
  return code >= 0xfdd0 && code <= 0xfdef ? "" : String.fromCodePoint(code);
}

/** Entities that HTML also accepts without their semicolon: those of Latin-1, and the basic ones. */
function withoutSemicolon(name: string): string | null {
  for (let end = name.length; end > 1; end--) {
    const found = entities.get(name.slice(0, end));
    if (found !== undefined && found <= "\u00ff" && name.slice(0, end) !== "apos")
      return found + name.slice(end);
  }
  return null;
}

/** Python's `html.unescape`, for the entities of HTML 4. */
export function unescapeHtml(source: string): string {
  const pattern = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/g;
  return source.replace(pattern, (all, reference: string) => {
    if (reference.startsWith("#")) {
      const digits = reference.slice(1).replace(";", "");
      const hex = /^[xX]/.test(digits);
      return numeric(Number.parseInt(hex ? digits.slice(1) : digits, hex ? 16 : 10));
    }
    if (reference.endsWith(";")) {
      const found = entities.get(reference.slice(0, -1));
      if (found !== undefined) return found;
    }
    return withoutSemicolon(reference) ?? all;
  });
}

/** markupsafe's `striptags`: comments and tags out, white space collapsed, entities resolved. */
export function stripTags(source: string): string {
  let out = "";
  let at = 0;
  for (;;) {
    const start = source.indexOf("<", at);
    if (start < 0) break;
    const comment = source.startsWith("<!--", start);
    const end = comment ? source.indexOf("-->", start + 4) : source.indexOf(">", start);
    if (end < 0) break;
    out += source.slice(at, start);
    at = end + (comment ? 3 : 1);
  }
  return unescapeHtml(splitSpace(out + source.slice(at), -1).join(" "));
}
