import type pg from 'pg';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { validationError } from '../../core/errors/errors';
import { withCsvText } from '../../core/text/table';
import { NEW_YORK } from '../../core/time';
import type { Database } from '../../db/client';
import { inRetriedTransaction } from '../../db/transaction';
import { EXTRA_PROBLEM, isExtraTooLarge, MAX_EXTRA_BYTES } from '../extra';
import { addStatisticImport } from '../statistics.queries';
import {
  type Day,
  type DayKind,
  readDays,
  SETTINGS_BY_KIND,
  shopIdOf,
  toRowsJson,
  toSizeProblems,
} from './day-rows';

/** The result of an import of days: the number of rows with each outcome. */
interface DayImportResult {
  inserted: number;
  updated: number;
  unchanged: number;
}

/**
 * Stores the daily statistics in a CSV file's text, all or nothing, by the rules of the API's upserts: blank cells keep the
 * stored values, members of `extra` are merged, and replaced values are recorded as restatements. Importing the same text twice
 * in a row changes nothing the second time.
 *
 * @param requireCaller throws if the user may no longer import; called once the days are written, for which it may have waited
 * for minutes
 * @throws ServiceError `validation_failed` naming the line and column of every problem
 */
export function importDays(
  db: Database,
  actor: Actor,
  input: { kind: DayKind; csv: string },
  requireCaller: () => Promise<void>,
): Promise<DayImportResult> {
  return withCsvText(input.csv, async (sheet) =>
    storeDays(db, actor, input.kind, await readDays(input.kind, sheet), requireCaller),
  );
}

async function storeDays(
  db: Database,
  actor: Actor,
  kind: DayKind,
  days: readonly Day[],
  requireCaller: () => Promise<void>,
): Promise<DayImportResult> {
  const { table } = SETTINGS_BY_KIND[kind];
  return inRetriedTransaction(db.bulkPool, async (client) => {
    const [addedImport] = await addStatisticImport.run(client, { kind: table.kind, actor: actor.name });
    const importId = addedImport!.id;
    const { inserted, updated } = await writeDays(client, kind, days, importId);
    await requireCaller();
    const result = { inserted, updated, unchanged: days.length - inserted - updated };
    // The values before and after are in this import's restatements.
    await writeAuditEntries(client, actor, [
      {
        action: 'statistics.import',
        recordType: 'statistics',
        recordId: importId,
        after: { kind, ...result },
      },
    ]);
    return result;
  }).catch(async (error: Error) => {
    if (!isExtraTooLarge(error)) throw error;
    throw validationError(await findSizeProblems(db, kind, days));
  });
}

/** The maximum number of days that a statement stores. It holds their stored versions in memory, with up to 64 KiB of `extra` each. */
const DAYS_PER_STATEMENT = 500;

const compareValues = <T extends string | number>(a: T, b: T) => (a < b ? -1 : Number(a > b));

/** Returns the days in the order in which all imports write them. */
const sortDays = (days: readonly Day[]): Day[] =>
  days.toSorted(
    (a, b) =>
      compareValues(shopIdOf(a), shopIdOf(b)) ||
      compareValues(String(a.values.date), String(b.values.date)) ||
      compareValues(Number(a.values.listing_id ?? 0), Number(b.values.listing_id ?? 0)),
  );

/**
 * Writes the days, always in the same order, so that two imports cannot deadlock. The first attempt locks rows that others write at
 * the same time, and a second one writes them. Unwritten rows may also be merely unchanged, so the second attempt is skipped only if
 * the first wrote every row.
 */
async function writeDays(
  client: pg.PoolClient,
  kind: DayKind,
  days: readonly Day[],
  importId: string,
): Promise<{ inserted: number; updated: number }> {
  const { importDays: importStatement } = SETTINGS_BY_KIND[kind];
  const writtenRows: { created: boolean }[] = [];
  const sortedDays = sortDays(days);
  for (let start = 0; start < sortedDays.length; start += DAYS_PER_STATEMENT) {
    const batch = sortedDays.slice(start, start + DAYS_PER_STATEMENT);
    const params = { rowsJson: toRowsJson(batch), importId, timeZone: NEW_YORK };
    const firstRows = await importStatement.run(client, params);
    writtenRows.push(...firstRows);
    if (firstRows.length < batch.length) writtenRows.push(...(await importStatement.run(client, params)));
  }
  const inserted = writtenRows.filter(({ created }) => created).length;
  return { inserted, updated: writtenRows.length - inserted };
}

/**
 * Returns a problem for each row whose `extra` would grow too large together with the stored members, or one problem without a row
 * if there is no such row any more.
 */
async function findSizeProblems(db: Database, kind: DayKind, days: readonly Day[]) {
  const rowsOverLimit = await SETTINGS_BY_KIND[kind].findDaysOverLimit.run(db.pool, {
    rowsJson: toRowsJson(days),
    maxBytes: MAX_EXTRA_BYTES,
  });
  const problems = toSizeProblems(rowsOverLimit, days);
  return problems.length > 0 ? problems : [EXTRA_PROBLEM];
}
