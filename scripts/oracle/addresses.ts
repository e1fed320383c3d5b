/** What Python prints of objects that have an address: no two runs have it in common. */

/** Whether a text holds an address. */
export function hasAddress(text: string): boolean {
  return /0x[0-9a-f]{6,}/i.test(text);
}

/** The text with all its addresses alike. */
export function withoutAddresses(text: string): string {
  return text.replace(/ at 0x\w+/g, " at 0x0");
}
