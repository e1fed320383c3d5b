/** markupsafe's Markup.unescape and Markup.striptags. */
import { entity } from "./entities.js";
import { strip } from "./text.js";

const REFERENCE = /&(#\d+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/g;
const SPACES = /[\s\x1c-\x1f\x85]+/g;

/** The text with HTML's character references resolved, as Python's html.unescape. */
export function unescape(s: string): string {
  return s.replace(REFERENCE, (whole, name: string) => {
    if (name.startsWith("#")) {
      return character(name);
    }
    const exact = entity(name);
    return exact ?? longestPrefix(name) ?? whole;
  });
}

/** Names without a semicolon match the longest known beginning. */
function longestPrefix(name: string): string | undefined {
  for (let end = name.length - 1; end > 1; end--) {
    const found = entity(name.slice(0, end));
    if (found !== undefined) {
      return found + name.slice(end);
    }
  }
  return undefined;
}

function character(reference: string): string {
  const digits = reference.replace(/[#;]/g, "");
  const code = /^[xX]/.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits);
  const windows = code >= 0x80 && code <= 0x9f ? WINDOWS.charAt(code - 0x80) : "";
  if (windows !== "") {
    return windows;
  }
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    return "\ufffd";
  }
  return isInvalid(code) ? "" : String.fromCodePoint(code);
}

/** Code points 0x80 to 0x9f stand for Windows' characters. */
const WINDOWS =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

function isInvalid(code: number): boolean {
  const control = code < 9 || code === 11 || (code >= 14 && code < 32) || code === 127;
  return control || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
}

/** The text without tags and comments, white space collapsed, references resolved. */
export function striptags(s: string): string {
  let kept = "";
  let at = 0;
  for (let start = s.indexOf("<"); start >= 0; start = s.indexOf("<", at)) {
    const isComment = s.startsWith("<!--", start);
    const end = isComment ? s.indexOf("-->", start + 4) : s.indexOf(">", start);
    if (end < 0) {
      break;
    }
    kept += s.slice(at, start);
    at = end + (isComment ? 3 : 1);
  }
  return unescape(strip((kept + s.slice(at)).replace(SPACES, " ")));
}
