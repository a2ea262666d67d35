import pLimit, { type LimitFunction } from 'p-limit';
import type pg from 'pg';
import type { Database } from './client';

/** How many statements of one read run at the same time. The overview alone has more than a dozen. */
const MAX_STATEMENTS_PER_READ = 3;

/** The pool behind each limited one. */
const pools = new WeakMap<pg.Pool, pg.Pool>();

/** Returns the pool behind a limited one, or the pool itself: for what outlives a read, such as a cache by pool. */
export const unlimitedPool = (pool: pg.Pool): pg.Pool => pools.get(pool) ?? pool;

/** Returns the pool with another way to run statements and to begin transactions. */
function wrapPool(pool: pg.Pool, schedule: (run: () => unknown) => unknown, check: () => void): pg.Pool {
  const limitedPool: pg.Pool = Object.create(pool, {
    query: { value: (...args: [string]) => schedule(() => pool.query(...args)) },
    connect: {
      async value() {
        check();
        return pool.connect();
      },
    },
  });
  pools.set(limitedPool, pool);
  return limitedPool;
}

/**
 * Limits how many connections the pages of one user take: the pool lends its connections first come, first served, and gives up
 * after a few seconds, so that a user who reloads a slow page would otherwise make everybody's requests fail. A statement that has
 * not begun when its read ends or its client disconnects is not run.
 *
 * Limits statements of our own, not transactions and not Prisma's statements, which are few.
 */
export class PageReads {
  readonly #usersById = new Map<number, { limit: LimitFunction; readCount: number }>();
  readonly #maxPerUser: number;

  /** @param poolSize how many connections all users share; the pages of one user take at most half of them */
  constructor(poolSize: number) {
    this.#maxPerUser = Math.max(1, Math.floor(poolSize / 2));
  }

  /**
   * Runs a read with a limited database.
   *
   * @param signal aborts when the result is no longer needed; statements that have not begun are then rejected with its reason
   */
  async run<Result>(
    { userId, db, signal }: { userId: number; db: Database; signal: AbortSignal },
    read: (db: Database) => Promise<Result>,
  ): Promise<Result> {
    const user = this.#usersById.get(userId) ?? { limit: pLimit(this.#maxPerUser), readCount: 0 };
    this.#usersById.set(userId, user);
    user.readCount++;
    const limitStatements = pLimit(MAX_STATEMENTS_PER_READ);
    let hasEnded = false;
    const check = () => {
      signal.throwIfAborted();
      // Nobody waits for the other statements of a read that has failed.
      if (hasEnded) throw new Error('The read has ended.');
    };
    const schedule = (run: () => unknown) =>
      limitStatements(() =>
        user.limit(() => {
          check();
          return run();
        }),
      );
    try {
      return await read({ ...db, pool: wrapPool(db.pool, schedule, check) });
    } finally {
      hasEnded = true;
      user.readCount--;
      if (user.readCount === 0) this.#usersById.delete(userId);
    }
  }
}
