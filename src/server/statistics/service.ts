import { validationError } from '../core/errors/errors';
import { createRunInTurn } from '../core/run-in-turn';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import { inTransaction } from '../db/transaction';
import { EXTRA_PROBLEM, isExtraTooLarge, splitMembers } from './extra';
import type { UpsertShopDaysParams } from './statistics.queries';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from './tables';

/** A day as stored, with its bigint and numeric columns as numbers. */
export interface StoredStatistic {
  [member: string]: unknown;
  extra: Record<string, unknown>;
  created: boolean;
  updated_at: string;
}

/** Converts bigint and numeric columns, which arrive as strings. Within the limits of the input, every number is exact. */
export function withNumbers(row: Record<string, unknown>, table: StatisticTable): Record<string, unknown> {
  const convertedRow = { ...row };
  for (const name of [...table.fields, 'listing_id'])
    if (typeof convertedRow[name] === 'string') convertedRow[name] = Number(convertedRow[name]);
  return convertedRow;
}

/**
 * Runs concurrent calls for the same day one after another. If they waited in the database instead, each would hold a connection
 * and then have to write again.
 */
const runInTurn = createRunInTurn();

/** The sender of a day. */
export interface DaySender {
  apiKeyId: number;
  /** Checks the caller again after a wait, and throws if they may no longer send the day. */
  requireCallerAfterWait(): Promise<void>;
}

async function upsertDay(
  db: Database,
  table: StatisticTable,
  input: Record<string, unknown>,
  { apiKeyId, requireCallerAfterWait }: DaySender,
): Promise<StoredStatistic> {
  const { columns, extra: sentExtra } = splitMembers(input, table);
  const rowsJson = JSON.stringify([{ ...columns, extra: sentExtra }]);
  const params = {
    shopId: String(input.shop_id),
    rowsJson,
    apiKeyId,
    timeZone: NEW_YORK,
  };
  const dayKey = JSON.stringify([table.kind, ...table.key.map((name) => input[name])]);
  const writtenRow = await runInTurn(dayKey, async () => {
    await requireCallerAfterWait();
    return writeDay(db, table, params, requireCallerAfterWait);
  }).catch((error: Error) => {
    if (isExtraTooLarge(error)) throw validationError([EXTRA_PROBLEM]);
    throw error;
  });
  const { updated_at, created, extra, ...storedFields } = writtenRow;
  return {
    ...withNumbers(storedFields, table),
    extra: extra as Record<string, unknown>,
    created,
    updated_at: updated_at.toISOString(),
  };
}

async function writeDay(
  db: Database,
  table: StatisticTable,
  params: UpsertShopDaysParams,
  requireCallerAfterWait: () => Promise<void>,
) {
  const [writtenRow] = await table.upsert.runPrepared(db.pool, params);
  if (writtenRow) return writtenRow;
  // Another process or an import has written the same day, and the statement may have waited for its end.
  await requireCallerAfterWait();
  // If the first attempt in this transaction also fails, it has locked the row, so the next one succeeds.
  return inTransaction(db.pool, async (client) => {
    for (;;) {
      const [retriedRow] = await table.upsert.runPrepared(client, params);
      await requireCallerAfterWait();
      if (retriedRow) return retriedRow;
    }
  });
}

/**
 * Inserts or updates a shop's day. Missing members keep their stored value, unknown ones are merged into `extra`, and replaced
 * values are recorded as restatements (docs/statistics.md).
 *
 * @throws ServiceError `validation_failed` if `extra` grows too large together with the stored members; what
 * `sender.requireCallerAfterWait` throws
 */
export function upsertShopStatistic(
  db: Database,
  input: Record<string, unknown>,
  sender: DaySender,
): Promise<StoredStatistic> {
  return upsertDay(db, SHOP_TABLE, input, sender);
}

/** Like {@link upsertShopStatistic}, for a listing's day. */
export function upsertListingStatistic(
  db: Database,
  input: Record<string, unknown>,
  sender: DaySender,
): Promise<StoredStatistic> {
  return upsertDay(db, LISTING_TABLE, input, sender);
}
