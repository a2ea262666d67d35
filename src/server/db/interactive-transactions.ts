import type { PrismaClient } from '../../generated/prisma/client';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { LIMITED_WAIT_SETTINGS, LOCK_TIMEOUT_CODE } from './locks/lock-waits';
import { postgresCodeOf } from './unavailable';

/**
 * How long a Prisma transaction may take in all. Prisma's default of five seconds would end one that waits for two locks, or does
 * a lot. It is longer than any statement may take, so that a slow statement fails with its own error.
 */
export const TRANSACTION_TIMEOUT_MS = 20_000;

const DEADLOCK_CODE = '40P01';

/** Runs a Prisma transaction: `$transaction` without its overloads. */
type RunTransaction = (
  work: (tx: Pick<PrismaClient, '$executeRawUnsafe'>) => Promise<unknown>,
  options?: object,
) => Promise<unknown>;

/**
 * Makes every interactive transaction of this client wait for each lock for a few seconds, then fail with `service_unavailable`,
 * as does one that PostgreSQL ends because of a deadlock. An import keeps the rows that its orders refer to locked until it has
 * stored everything, and a request that waited for it would keep a connection from other requests.
 */
export function limitLockWaits(prisma: PrismaClient): void {
  const runTransaction = prisma.$transaction.bind(prisma) as RunTransaction;
  const runLimited: RunTransaction = async (work, options) => {
    try {
      return await runTransaction(async (tx) => {
        await tx.$executeRawUnsafe(`SET LOCAL ${LIMITED_WAIT_SETTINGS}`);
        return work(tx);
      }, options);
    } catch (error) {
      const code = error instanceof Error ? postgresCodeOf(error) : undefined;
      if (code !== LOCK_TIMEOUT_CODE && code !== DEADLOCK_CODE) throw error;
      throw new ServiceError('service_unavailable', createReason('service.recordsBusy'), {
        headers: { 'Retry-After': '60' },
        cause: error,
      });
    }
  };
  Object.assign(prisma, { $transaction: runLimited });
}
