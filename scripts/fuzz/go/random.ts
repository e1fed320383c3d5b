/** Random choices that a seed repeats. */
import { Random as Numbers } from "../random.js";

export class Random extends Numbers {
  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** One of a list, or undefined where it is empty. */
  pickOf<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  /** One of the choices, as often as their weights say. */
  weighted<T>(choices: readonly [readonly [number, T], ...(readonly [number, T])[]]): T {
    const total = choices.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return choices[0][1];
  }

  /** `count` results of `make`. */
  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}
