/** Python's urllib.parse.quote, as Jinja2 calls it. */
import { fail } from "../errors.js";

/** The text in UTF-8, percent-encoded; in a query a slash is encoded too, and a blank becomes a plus. */
export function urlQuote(s: string, isQuery: boolean, place: string): string {
  if (!s.isWellFormed()) {
    return fail("UnicodeEncodeError", "'utf-8' codec can't encode surrogates", place);
  }
  const quoted = encodeURIComponent(s).replace(/[!'()*]/g, percent);
  return isQuery ? quoted.replaceAll("%20", "+") : quoted.replaceAll("%2F", "/");
}

function percent(c: string): string {
  return `%${c.charCodeAt(0).toString(16).toUpperCase()}`;
}
