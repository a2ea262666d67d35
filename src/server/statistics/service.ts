import { validationError } from '../core/errors';
import { inTransaction } from '../core/postgres';
import { because, type Problem, problemAt } from '../core/reason';
import { storableProblem } from '../core/storable-json';
import type { Database } from '../db/client';
import type { UpsertShopDaysParams } from './statistics.queries';
import { PRODUCT_TABLE, SHOP_TABLE, type StatisticTable } from './tables';

/** Most bytes of the members without a field, as JSON, of one row. */
export const MAX_EXTRA_BYTES = 64 * 1024;
export const EXTRA_PROBLEM = problemAt('', because('csv.extra', { count: MAX_EXTRA_BYTES }));

/** A statistic as stored, with numbers for its bigint and numeric columns. */
export interface StoredStatistic {
  [member: string]: unknown;
  extra: Record<string, unknown>;
  created: boolean;
  updated_at: string;
}

/** The row as the statement takes it: the members without a field in `extra`. */
function rowOf(input: Record<string, unknown>, table: StatisticTable): Record<string, unknown> {
  const known = new Set([...table.key, ...table.fields]);
  const members = Object.entries(input);
  const extra = Object.fromEntries(members.filter(([name]) => !known.has(name)));
  const problem = extraProblem(extra);
  if (problem) throw validationError([problem]);
  return { ...Object.fromEntries(members.filter(([name]) => known.has(name))), extra };
}

/** What keeps the members without a field from being stored; null where nothing does. */
export function extraProblem(extra: Record<string, unknown>): Problem | null {
  const problem = storableProblem(extra);
  if (problem) return problem;
  return Buffer.byteLength(JSON.stringify(extra)) > MAX_EXTRA_BYTES ? EXTRA_PROBLEM : null;
}

/** bigint and numeric come as text; within the bounds of the input every one of them is exact as a number. */
export function withNumbers(row: Record<string, unknown>, table: StatisticTable): Record<string, unknown> {
  const numbers = { ...row };
  for (const name of [...table.fields, 'listing_id'])
    if (typeof numbers[name] === 'string') numbers[name] = Number(numbers[name]);
  return numbers;
}

async function upsert(
  db: Database,
  table: StatisticTable,
  input: Record<string, unknown>,
  apiKeyId: number,
): Promise<StoredStatistic> {
  const rows = JSON.stringify([rowOf(input, table)]);
  const params = { rows, touch: true, apiKeyId, importId: null };
  const written = await writeDay(db, table, params).catch((error: { constraint?: string }) => {
    if (error.constraint?.endsWith('_extra_size')) throw validationError([EXTRA_PROBLEM]);
    throw error;
  });
  const { updated_at, created, extra, ...stored } = written;
  return {
    ...withNumbers(stored, table),
    extra: extra as Record<string, unknown>,
    created,
    updated_at: updated_at.toISOString(),
  };
}

async function writeDay(db: Database, table: StatisticTable, params: UpsertShopDaysParams) {
  const [written] = await table.upsert.runPrepared(db.pool, params);
  if (written) return written;
  // Another call wrote the same day meanwhile. The first attempt in this transaction locks it, so that the next one is the last.
  return inTransaction(db.pool, async (client) => {
    for (;;) {
      const [again] = await table.upsert.runPrepared(client, params);
      if (again) return again;
    }
  });
}

/**
 * Inserts or updates a shop's day. Members left out keep what is stored, additional ones are merged into `extra`; what is
 * replaced is kept (docs/statistics.md).
 *
 * @throws ServiceError `validation_failed` where `extra` cannot be stored or grows too large
 */
export function upsertShopStatistic(
  db: Database,
  input: Record<string, unknown>,
  apiKeyId: number,
): Promise<StoredStatistic> {
  return upsert(db, SHOP_TABLE, input, apiKeyId);
}

/** The same for a listing's day. */
export function upsertProductStatistic(
  db: Database,
  input: Record<string, unknown>,
  apiKeyId: number,
): Promise<StoredStatistic> {
  return upsert(db, PRODUCT_TABLE, input, apiKeyId);
}
