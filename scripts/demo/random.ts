import { createRandom } from '../../tests/support/service/order-traffic';

/** Random choices that repeat for the same seed, so that two demos begun at the same instant are equal. */
export class SeededRandom {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = createRandom(seed);
  }

  /** Returns a number that is at least `low` and less than `high`. */
  between(low: number, high: number): number {
    return low + this.#next() * (high - low);
  }

  /** Returns an integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }

  /** Returns a random element of the list; its probability is proportional to its weight. */
  pickWeighted<T extends { weight: number }>(list: readonly T[]): T {
    const totalWeight = list.reduce((sum, { weight }) => sum + weight, 0);
    let remainingWeight = this.between(0, totalWeight);
    for (const element of list) {
      remainingWeight -= element.weight;
      if (remainingWeight < 0) return element;
    }
    return list.at(-1)!;
  }
}
