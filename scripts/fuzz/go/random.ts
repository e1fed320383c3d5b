/** Random choices that a seed repeats, and counts of what was chosen. */
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

/** How often each construct was made, and what came of it. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  hit(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** `group  name count, name count`, groups being what stands before the first space. */
  report(): string[] {
    const groups = new Map<string, string[]>();
    for (const [name, count] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [group = "", ...rest] = name.split(" ");
      const members = groups.get(group) ?? [];
      groups.set(group, [...members, `${rest.join(" ")} ${String(count)}`]);
    }
    return [...groups].map(([group, members]) => `  ${group}: ${members.join(", ")}`);
  }
}
