/** Mutants that change nothing that is promised, by their ids, each with why. */
export const EQUIVALENT: ReadonlyMap<string, string> = new Map([
  ["c4ea218016", "boundArguments is asked for join and replace alone, which both have a rule"],
  [
    "8167100834",
    "with precision 0 the digits have been rounded to one before, as many as are wanted",
  ],
  ["ed6d4ff44e", "the last term of an exact sum is 2^-106 of it, which no rounded power shows"],
  [
    "476734d12a",
    "an argument named self is a TypeError either way; how Python words it is not promised",
  ],
]);
