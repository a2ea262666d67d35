// Written by `npm run sql` from advisory-locks.sql: change that file instead.
import { Statement } from './statement';

export type NumberOrString = number | string;

export interface LockParams {
  key: NumberOrString;
}

export interface LockRow {
  locked: number;
}

export const lock = new Statement<LockParams, LockRow>('advisory-locks.lock', `
SELECT 1 AS "locked" FROM pg_advisory_xact_lock($1::bigint)`, ["key"]);

export interface LockSharedParams {
  key: NumberOrString;
}

export interface LockSharedRow {
  locked: number;
}

export const lockShared = new Statement<LockSharedParams, LockSharedRow>('advisory-locks.lockShared', `
SELECT 1 AS "locked" FROM pg_advisory_xact_lock_shared($1::bigint)`, ["key"]);

export interface TryLockParams {
  key: NumberOrString;
}

export interface TryLockRow {
  locked: boolean;
}

export const tryLock = new Statement<TryLockParams, TryLockRow>('advisory-locks.tryLock', `
-- Does not wait.
SELECT pg_try_advisory_xact_lock($1::bigint) AS "locked"`, ["key"]);

export interface LockByIdParams {
  id: number;
  key: number;
}

export interface LockByIdRow {
  locked: number;
}

export const lockById = new Statement<LockByIdParams, LockByIdRow>('advisory-locks.lockById', `
SELECT 1 AS "locked" FROM pg_advisory_xact_lock($1::int, $2::int)`, ["key","id"]);
