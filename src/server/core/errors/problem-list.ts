import { MAX_LISTED_PROBLEMS, validationError } from './errors';
import type { Problem } from './reason';

/** Gets a function that creates a problem, so that problems which are only counted cost no memory. */
export type ReportProblem = (createProblem: () => Problem) => void;

/** Problems of a large input: counts all of them, but creates only as many as a response lists. */
export class ProblemList {
  readonly #problems: Problem[] = [];
  #count = 0;

  add(createProblem: () => Problem): void {
    this.#count++;
    if (this.#problems.length < MAX_LISTED_PROBLEMS) this.#problems.push(createProblem());
  }

  /** Adds the problems of a list that is cut to the first hundred. */
  addAll(firstProblems: readonly Problem[], count: number): void {
    this.#problems.push(...firstProblems.slice(0, MAX_LISTED_PROBLEMS - this.#problems.length));
    this.#count += count;
  }

  /** @throws ServiceError `validation_failed` if there is a problem */
  throwIfAny(): void {
    if (this.#count > 0) throw validationError(this.#problems, this.#count);
  }
}
