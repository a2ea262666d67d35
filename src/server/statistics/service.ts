import { validationError } from '../core/errors/errors';
import { createReason, type Problem, problemAt } from '../core/errors/reason';
import { createRunInTurn } from '../core/run-in-turn';
import { storageProblem } from '../core/text/storable-json';
import type { Database } from '../db/client';
import { inTransaction } from '../db/transaction';
import type { UpsertShopDaysParams } from './statistics.queries';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from './tables';

/** The maximum size of a row's unknown members as JSON, in bytes. */
export const MAX_EXTRA_BYTES = 64 * 1024;
export const EXTRA_PROBLEM = problemAt('', createReason('csv.extra', { count: MAX_EXTRA_BYTES }));

/**
 * Returns whether the database rejected a row because of the size of its unknown members. A cluster names the constraint only in
 * the message.
 */
export const isExtraTooLarge = ({ constraint, message }: { constraint?: string; message: string }): boolean =>
  /_daily_statistics_extra_size\b/.test(constraint ?? message);

/** A day as stored, with its bigint and numeric columns as numbers. */
export interface StoredStatistic {
  [member: string]: unknown;
  extra: Record<string, unknown>;
  created: boolean;
  updated_at: string;
}

/**
 * Returns the row for the statement, with unknown members in `extra`.
 *
 * @throws ServiceError `validation_failed` if the unknown members cannot be stored
 */
function rowOf(input: Record<string, unknown>, table: StatisticTable): Record<string, unknown> {
  const columnNames = new Set([...table.key, ...table.fields]);
  const members = Object.entries(input);
  const extra = Object.fromEntries(members.filter(([name]) => !columnNames.has(name)));
  const problem = extraProblem(extra);
  if (problem) throw validationError([problem]);
  return { ...Object.fromEntries(members.filter(([name]) => columnNames.has(name))), extra };
}

/** Returns why the unknown members cannot be stored; null if they can. */
export function extraProblem(extra: Record<string, unknown>): Problem | null {
  const problem = storageProblem(extra);
  if (problem) return problem;
  return Buffer.byteLength(JSON.stringify(extra)) > MAX_EXTRA_BYTES ? EXTRA_PROBLEM : null;
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

/** Who sends a day. */
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
  const rowsJson = JSON.stringify([rowOf(input, table)]);
  const params = {
    shopId: String(input.shop_id),
    rowsJson,
    writesUnchangedRows: true,
    apiKeyId,
    importId: null,
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
 * @throws ServiceError `validation_failed` if `extra` cannot be stored or grows too large; what `sender.requireCallerAfterWait` throws
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
