import { setTimeout as sleep } from 'node:timers/promises';
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

/** Longer than a lookup of the caller counts as recent. */
const WAIT_MS = 1_100;

/**
 * Ends a caller's access while the call waits for the lock that the statement takes, for so long that its caller is checked again.
 *
 * @returns the call's result
 */
export async function endAccessBehindLock<Result>(
  database: Pick<TestDatabase, 'url' | 'query'>,
  lockStatement: string,
  call: () => Promise<Result>,
  endAccess: () => Promise<unknown>,
): Promise<Result> {
  const lockingClient = new pg.Client({ connectionString: database.url });
  await lockingClient.connect();
  try {
    await lockingClient.query('BEGIN');
    await lockingClient.query(lockStatement);
    const resultPromise = call();
    await expect.poll(() => countWaitingStatements(database), { timeout: 20_000 }).toBe(1);
    await sleep(WAIT_MS);
    await endAccess();
    await lockingClient.query('COMMIT');
    return await resultPromise;
  } finally {
    await lockingClient.end();
  }
}
