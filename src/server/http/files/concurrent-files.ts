import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';

/** Limits how many files a user sends or receives at the same time. */
export class ConcurrentFiles {
  readonly #runningCounts = new Map<number, number>();

  /** @param reason the error for a user who has reached the limit */
  constructor(
    private readonly maxCount: number,
    private readonly reason: 'file.uploads' | 'file.downloads',
  ) {}

  /** @throws ServiceError `rate_limited` if the user already has as many files under way as allowed */
  async run(userId: number, work: () => Promise<void>): Promise<void> {
    const runningCount = this.#runningCounts.get(userId) ?? 0;
    if (runningCount >= this.maxCount) {
      const reason = createReason(this.reason, { count: this.maxCount });
      throw new ServiceError('rate_limited', reason, { headers: { 'Retry-After': '5' } });
    }
    this.#runningCounts.set(userId, runningCount + 1);
    try {
      await work();
    } finally {
      const remainingCount = this.#runningCounts.get(userId)! - 1;
      if (remainingCount > 0) this.#runningCounts.set(userId, remainingCount);
      else this.#runningCounts.delete(userId);
    }
  }
}
