/** What Python prints of objects that have an address, as our columns print them: without it. */

/** Whether a text holds an address, which no two runs have in common. */
export function hasAddress(text: string): boolean {
  return /0x[0-9a-f]{6,}/i.test(text);
}

export function withoutAddresses(text: string): string {
  return text
    .replace(/<generator object \w+/g, "<generator object")
    .replace(/ at 0x[0-9a-f]+/g, "");
}
