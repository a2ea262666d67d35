import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAuditEntries } from '../audit/service';
import { validationError } from '../core/errors/errors';
import { createReason, type Problem, problemAt, type Reason } from '../core/errors/reason';
import { rowPath } from '../core/errors/row-path';
import { reasonOf } from '../core/errors/validation';
import { readTable, withCsvText } from '../core/text/table';
import type { Database } from '../db/client';
import { inTransaction } from '../db/transaction';
import { listingStatisticsRequest, shopStatisticsRequest } from './schema';
import { EXTRA_PROBLEM, extraProblem, isExtraTooLarge, MAX_EXTRA_BYTES } from './service';
import { addStatisticImport, findListingDaysOverLimit, findShopDaysOverLimit } from './statistics.queries';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from './tables';

const SETTINGS_BY_KIND = {
  shop: { table: SHOP_TABLE, requestSchema: shopStatisticsRequest, findDaysOverLimit: findShopDaysOverLimit },
  listing: {
    table: LISTING_TABLE,
    requestSchema: listingStatisticsRequest,
    findDaysOverLimit: findListingDaysOverLimit,
  },
};

export type DayKind = keyof typeof SETTINGS_BY_KIND;

/** The result of an import of days: the number of rows with each outcome. */
interface DayImportResult {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** A row of the file, with its values as the API would store them. */
type Day = { index: number; values: Record<string, unknown> };

/**
 * Converts a cell to the value that the API would receive. If the cell of a numeric column is not a number, it stays a string,
 * which the schema rejects.
 */
function toApiValue(column: string, cell: string): unknown {
  const isText = column === 'shop_id' || column === 'date';
  return !isText && /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

/** Returns what is wrong with a cell, worded for someone looking at a spreadsheet. */
function cellReasonOf(issue: z.core.$ZodIssue, value: unknown): Reason {
  if (value === undefined) return createReason('csv.required');
  if (issue.code === 'too_small' && issue.origin !== 'string')
    return createReason('csv.least', { minimum: Number(issue.minimum) });
  if (issue.code === 'too_big' && issue.origin !== 'string')
    return createReason('csv.most', { maximum: Number(issue.maximum) });
  if (issue.code !== 'invalid_type') return reasonOf(issue);
  return issue.expected === 'int' ? createReason('csv.whole') : createReason('csv.number');
}

/** Reads the cell `extra`: a JSON object of members without a column of their own. */
function readExtra(
  cell: string | undefined,
  table: StatisticTable,
): { members: Record<string, unknown> } | { problem: Reason } {
  if (cell === undefined) return { members: {} };
  let extraValue: unknown;
  try {
    extraValue = JSON.parse(cell);
  } catch {
    return { problem: createReason('csv.json') };
  }
  if (typeof extraValue !== 'object' || extraValue === null || Array.isArray(extraValue))
    return { problem: createReason('csv.json') };
  const column = [...table.key, ...table.fields].find((name) => Object.hasOwn(extraValue, name));
  if (column !== undefined) return { problem: createReason('csv.ownColumn', { name: column }) };
  if (Object.hasOwn(extraValue, '__proto__')) return { problem: createReason('csv.ownName') };
  const members = extraValue as Record<string, unknown>;
  const problem = extraProblem(members);
  return problem ? { problem } : { members };
}

/**
 * Reads the rows by the same rules as an API request.
 *
 * @throws ServiceError `validation_failed` with every problem, each with its row and column
 */
function readDays(kind: DayKind, sheet: Parameters<typeof readTable>[0]): Day[] {
  const { table, requestSchema } = SETTINGS_BY_KIND[kind];
  const columns = { known: [...table.key, ...table.fields, 'extra'], required: table.key };
  const problems: Problem[] = [];
  const firstLineByKey = new Map<string, number>();
  const days = readTable(sheet, columns).rows.map(({ index, line, cells }): Day => {
    const { extra: extraCell, ...fields } = cells;
    const values = Object.fromEntries(
      Object.entries(fields).map(([column, cell]) => [column, toApiValue(column, cell!)]),
    );
    const parseResult = requestSchema.safeParse(values);
    for (const issue of parseResult.error?.issues ?? []) {
      const column = String(issue.path[0]);
      problems.push(problemAt(rowPath(index, column), cellReasonOf(issue, values[column])));
    }
    const extra = readExtra(extraCell, table);
    if ('problem' in extra) problems.push(problemAt(rowPath(index, 'extra'), extra.problem));
    // The values as the API would store them, with shop_id trimmed.
    const storedValues: Record<string, unknown> = parseResult.data ?? values;
    const key = JSON.stringify(table.key.map((name) => storedValues[name]));
    const firstLine = firstLineByKey.get(key);
    if (firstLine !== undefined)
      problems.push(problemAt(rowPath(index, 'date'), createReason('csv.sameDay', { line: firstLine })));
    else firstLineByKey.set(key, line);
    return { index, values: { ...storedValues, extra: 'problem' in extra ? {} : extra.members } };
  });
  if (problems.length > 0) throw validationError(problems);
  return days;
}

/**
 * Stores the daily statistics in a CSV file's text, all or nothing, by the rules of the API's upserts: blank cells keep the
 * stored values, members of `extra` are merged, and replaced values are recorded as restatements. Importing the same text twice
 * in a row changes nothing the second time.
 *
 * @throws ServiceError `validation_failed` naming the line and column of every problem
 */
export function importDays(
  db: Database,
  actor: Actor,
  input: { kind: DayKind; csv: string },
): Promise<DayImportResult> {
  return withCsvText(input.csv, (sheet) => storeDays(db, actor, input.kind, readDays(input.kind, sheet)));
}

async function storeDays(
  db: Database,
  actor: Actor,
  kind: DayKind,
  days: readonly Day[],
): Promise<DayImportResult> {
  const { table } = SETTINGS_BY_KIND[kind];
  return inTransaction(db.bulkPool, async (client) => {
    const [addedImport] = await addStatisticImport.run(client, { kind: table.kind, actor: actor.name });
    const importId = addedImport!.id;
    const { inserted, updated } = await writeDays(client, table, days, importId);
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

/**
 * Writes the days shop by shop, always in the same order, so that two imports cannot deadlock. The first attempt locks rows that
 * others write at the same time, and a second one writes them. Unwritten rows may also be merely unchanged, so the second attempt
 * is skipped only if the first wrote every row.
 */
async function writeDays(
  client: pg.PoolClient,
  table: StatisticTable,
  days: readonly Day[],
  importId: string,
): Promise<{ inserted: number; updated: number }> {
  const daysByShop = new Map<string, Day[]>();
  for (const day of days) {
    const shopDays = daysByShop.get(shopIdOf(day));
    if (shopDays) shopDays.push(day);
    else daysByShop.set(shopIdOf(day), [day]);
  }
  const writtenRows = [];
  for (const shopId of [...daysByShop.keys()].sort()) {
    const shopDays = daysByShop.get(shopId)!;
    const params = {
      shopId,
      rowsJson: toRowsJson(shopDays),
      writesUnchangedRows: false,
      apiKeyId: null,
      importId,
    };
    const firstRows = await table.upsert.run(client, params);
    writtenRows.push(...firstRows);
    if (firstRows.length < shopDays.length) writtenRows.push(...(await table.upsert.run(client, params)));
  }
  const inserted = writtenRows.filter(({ created }) => created).length;
  return { inserted, updated: writtenRows.length - inserted };
}

const shopIdOf = ({ values }: Day): string => String(values.shop_id);

const toRowsJson = (days: readonly Day[]) => JSON.stringify(days.map(({ values }) => values));

/**
 * Returns a problem for each row whose `extra` would grow too large together with the stored members, or one problem without a row
 * if there is no such row any more.
 */
async function findSizeProblems(db: Database, kind: DayKind, days: readonly Day[]) {
  const rowsOverLimit = await SETTINGS_BY_KIND[kind].findDaysOverLimit.run(db.pool, {
    rowsJson: toRowsJson(days),
    maxBytes: MAX_EXTRA_BYTES,
  });
  const problems = rowsOverLimit.map(({ position }) => ({
    ...EXTRA_PROBLEM,
    path: rowPath(days[position - 1]!.index, 'extra'),
  }));
  return problems.length > 0 ? problems : [EXTRA_PROBLEM];
}
