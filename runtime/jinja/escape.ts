/** markupsafe's escape(), on texts. */

const SPECIAL = /[&<>'"]/g;

/** The text with the five characters of HTML replaced. */
export function escapeText(s: string): string {
  return s.replace(SPECIAL, entity);
}

function entity(character: string): string {
  switch (character) {
    case "&":
      return "&amp;";
    case "<":
      return "&lt;";
    case ">":
      return "&gt;";
    case "'":
      return "&#39;";
    default:
      return "&#34;";
  }
}
