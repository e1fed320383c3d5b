/** How much of the corpus a test takes. */

/** With WHOLE_CORPUS set, tests that take a part of the corpus take all of it, and minutes. */
const isWhole = process.env["WHOLE_CORPUS"] !== undefined;

/** Every so manieth of a list; all of it where WHOLE_CORPUS is set. */
export function sample<T>(list: readonly T[], step: number): T[] {
  return list.filter((_item, at) => isWhole || at % step === 0);
}
