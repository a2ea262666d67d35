import type { z } from 'zod';
import { ProblemList } from '../../core/errors/problem-list';
import { createReason, type Problem, problemAt, type Reason } from '../../core/errors/reason';
import { rowPath } from '../../core/errors/row-path';
import { reasonOf } from '../../core/errors/validation';
import { forEachInSlices } from '../../core/slices';
import { isJsonObject } from '../../core/text/json-object';
import { readTable } from '../../core/text/table';
import { EXTRA_PROBLEM, extraProblem } from '../extra';
import { listingStatisticsRequest, shopStatisticsRequest } from '../schema';
import {
  countStoredListingDays,
  countStoredShopDays,
  findListingDaysOverLimit,
  findShopDaysOverLimit,
} from '../statistics.queries';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from '../tables';
import { importListingDays, importShopDays } from './day-imports.queries';

/** What differs between the imports of shops' and listings' days. */
export const SETTINGS_BY_KIND = {
  shop: {
    table: SHOP_TABLE,
    requestSchema: shopStatisticsRequest,
    findDaysOverLimit: findShopDaysOverLimit,
    countStoredDays: countStoredShopDays,
    importDays: importShopDays,
  },
  listing: {
    table: LISTING_TABLE,
    requestSchema: listingStatisticsRequest,
    findDaysOverLimit: findListingDaysOverLimit,
    countStoredDays: countStoredListingDays,
    importDays: importListingDays,
  },
};

export type DayKind = keyof typeof SETTINGS_BY_KIND;

/** A row of the file, with its values as the API would store them. */
export type Day = { index: number; values: Record<string, unknown> };

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
  if (!isJsonObject(extraValue)) return { problem: createReason('csv.json') };
  const column = [...table.key, ...table.fields].find((name) => Object.hasOwn(extraValue, name));
  if (column !== undefined) return { problem: createReason('csv.ownColumn', { name: column }) };
  if (Object.hasOwn(extraValue, '__proto__')) return { problem: createReason('csv.ownName') };
  const members = extraValue as Record<string, unknown>;
  const problem = extraProblem(members);
  return problem ? { problem } : { members };
}

/**
 * Reads the rows by the same rules as an API request, in slices between which other requests are handled.
 *
 * @throws ServiceError `validation_failed` with the first problems, each with its row and column, and the number of all
 */
export async function readDays(kind: DayKind, sheet: Parameters<typeof readTable>[0]): Promise<Day[]> {
  const { table, requestSchema } = SETTINGS_BY_KIND[kind];
  const columns = { known: [...table.key, ...table.fields, 'extra'], required: table.key };
  const problems = new ProblemList();
  const firstLineByKey = new Map<string, number>();
  const days: Day[] = [];
  await forEachInSlices(readTable(sheet, columns).rows, ({ index, line, cells }) => {
    const { extra: extraCell, ...fields } = cells;
    const values = Object.fromEntries(
      Object.entries(fields).map(([column, cell]) => [column, toApiValue(column, cell!)]),
    );
    const parseResult = requestSchema.safeParse(values);
    for (const issue of parseResult.error?.issues ?? []) {
      const column = String(issue.path[0]);
      problems.add(() => problemAt(rowPath(index, column), cellReasonOf(issue, values[column])));
    }
    const extra = readExtra(extraCell, table);
    if ('problem' in extra) problems.add(() => problemAt(rowPath(index, 'extra'), extra.problem));
    // The values as the API would store them, with shop_id trimmed.
    const storedValues: Record<string, unknown> = parseResult.data ?? values;
    const key = JSON.stringify(table.key.map((name) => storedValues[name]));
    const firstLine = firstLineByKey.get(key);
    if (firstLine !== undefined)
      problems.add(() => problemAt(rowPath(index, 'date'), createReason('csv.sameDay', { line: firstLine })));
    else firstLineByKey.set(key, line);
    days.push({ index, values: { ...storedValues, extra: 'problem' in extra ? {} : extra.members } });
  });
  problems.throwIfAny();
  return days;
}

/** Returns the marketplace shop ID of a row. */
export const shopIdOf = ({ values }: Day): string => String(values.shop_id);

/** Returns the rows as the statements take them. */
export const toRowsJson = (days: readonly Day[]) => JSON.stringify(days.map(({ values }) => values));

/** Returns a problem for each row whose `extra` would grow too large together with the stored members. */
export function toSizeProblems(
  rowsOverLimit: readonly { position: number }[],
  days: readonly Day[],
): Problem[] {
  return rowsOverLimit.map(({ position }) => ({
    ...EXTRA_PROBLEM,
    path: rowPath(days[position - 1]!.index, 'extra'),
  }));
}
