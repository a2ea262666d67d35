import pg from 'pg';
import { expect } from 'vitest';
import { countWaitingStatements, type TestDatabase } from './test-database';

/**
 * Runs calls in this order, each until it waits for the lock that the statement takes, then lets them finish in this order.
 *
 * @returns their results
 */
export async function runBehindLock<Results extends unknown[]>(
  database: Pick<TestDatabase, 'url' | 'query'>,
  lockStatement: string,
  ...calls: { [Index in keyof Results]: () => Promise<Results[Index]> }
): Promise<Results> {
  const lockingClient = new pg.Client({ connectionString: database.url });
  await lockingClient.connect();
  try {
    await lockingClient.query('BEGIN');
    await lockingClient.query(lockStatement);
    const resultPromises: Promise<unknown>[] = [];
    for (const call of calls) {
      resultPromises.push(call());
      await expect
        .poll(() => countWaitingStatements(database), { timeout: 20_000 })
        .toBe(resultPromises.length);
    }
    await lockingClient.query('COMMIT');
    return (await Promise.all(resultPromises)) as Results;
  } finally {
    await lockingClient.end();
  }
}
