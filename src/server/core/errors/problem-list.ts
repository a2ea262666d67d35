import { MAX_LISTED_PROBLEMS, validationError } from './errors';
import type { Problem } from './reason';

/** Problems of a large input: counts all of them, but creates only as many as a response lists. */
export class ProblemList {
  readonly #problems: Problem[] = [];
  #count = 0;

  add(createProblem: () => Problem): void {
    this.#count++;
    if (this.#problems.length < MAX_LISTED_PROBLEMS) this.#problems.push(createProblem());
  }

  /** @throws ServiceError `validation_failed` if there is a problem */
  throwIfAny(): void {
    if (this.#count > 0) throw validationError(this.#problems, this.#count);
  }
}
