/** Calls of the runtime's rules, by how many arguments they have: most have few. */
import type { Evaluate } from "./frame.js";

/** A rule of the runtime. */
export type Rule = (...args: readonly unknown[]) => unknown;

/** The call; `place` is the last argument of a rule that can fail. */
export function bindRule(rule: Rule, args: readonly Evaluate[], place: string | null): Evaluate {
  return place === null ? bindPlain(rule, args) : bindPlaced(rule, args, place);
}

function bindPlain(rule: Rule, args: readonly Evaluate[]): Evaluate {
  const [a, b, c] = args;
  if (a === undefined) return () => rule();
  if (b === undefined) return (frame) => rule(a(frame));
  if (c === undefined) return (frame) => rule(a(frame), b(frame));
  if (args.length === 3) return (frame) => rule(a(frame), b(frame), c(frame));
  return (frame) => rule(...args.map((arg) => arg(frame)));
}

function bindPlaced(rule: Rule, args: readonly Evaluate[], place: string): Evaluate {
  const [a, b, c] = args;
  if (a === undefined) return () => rule(place);
  if (b === undefined) return (frame) => rule(a(frame), place);
  if (c === undefined) return (frame) => rule(a(frame), b(frame), place);
  if (args.length === 3) return (frame) => rule(a(frame), b(frame), c(frame), place);
  return (frame) => rule(...args.map((arg) => arg(frame)), place);
}
