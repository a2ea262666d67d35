import type { z } from 'zod';
import { type Actor, writeAudit } from '../audit/audit';
import { validationError } from '../core/errors';
import { because, type Problem, problemAt, type Reason } from '../core/reason';
import { readTable, rowPath, withCsvText } from '../core/table';
import { reasonOf } from '../core/validation';
import type { Database } from '../db/client';
import { importStamp } from './restatement-service';
import { productStatisticsRequest, shopStatisticsRequest } from './schema';
import { EXTRA_PROBLEM, extraProblem, MAX_EXTRA_BYTES } from './service';
import { PRODUCT_TABLE, SHOP_TABLE, type StatisticTable, upsertManySql } from './upsert-sql';

const KINDS = {
  shop: { table: SHOP_TABLE, request: shopStatisticsRequest },
  listing: { table: PRODUCT_TABLE, request: productStatisticsRequest },
};

export type DayKind = keyof typeof KINDS;

/** What an import of days did: rows of the file by what became of them. */
interface DayImportResult {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Prisma ends a transaction after five seconds by itself; a full file takes about one. */
const TRANSACTION = { timeout: 60_000, maxWait: 10_000 };

type Day = { index: number; values: Record<string, unknown> };

/** A cell as the API would be sent it; what is no number stays text, which the field's own schema then refuses. */
function asSent(column: string, cell: string): unknown {
  const isText = column === 'shop_id' || column === 'date';
  return !isText && /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

/** What is wrong with a cell, in the words of somebody who has a sheet before them. */
function problemOf(issue: z.core.$ZodIssue, value: unknown): Reason {
  if (value === undefined) return because('csv.required');
  if (issue.code === 'too_small' && issue.origin !== 'string')
    return because('csv.least', { minimum: Number(issue.minimum) });
  if (issue.code === 'too_big' && issue.origin !== 'string')
    return because('csv.most', { maximum: Number(issue.maximum) });
  if (issue.code !== 'invalid_type') return reasonOf(issue);
  return issue.expected === 'int' ? because('csv.whole') : because('csv.number');
}

/** The cell `extra`: a JSON object of members without a column of their own. */
function readExtra(
  cell: string | undefined,
  table: StatisticTable,
): { members: Record<string, unknown> } | { problem: Reason } {
  if (cell === undefined) return { members: {} };
  let read: unknown;
  try {
    read = JSON.parse(cell);
  } catch {
    return { problem: because('csv.json') };
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    return { problem: because('csv.json') };
  const column = [...table.key, ...table.fields].find((name) => Object.hasOwn(read, name));
  if (column !== undefined) return { problem: because('csv.ownColumn', { name: column }) };
  if (Object.hasOwn(read, '__proto__')) return { problem: because('csv.ownName') };
  const members = read as Record<string, unknown>;
  const problem = extraProblem(members);
  return problem ? { problem } : { members };
}

/** Reads the rows by the rules of the API's own request; every problem is told with its row and column. */
function readDays(kind: DayKind, sheet: Parameters<typeof readTable>[0]): Day[] {
  const { table, request } = KINDS[kind];
  const columns = { known: [...table.key, ...table.fields, 'extra'], required: table.key };
  const problems: Problem[] = [];
  const seen = new Map<string, number>();
  const days = readTable(sheet, columns).rows.map(({ index, line, cells }): Day => {
    const { extra: extraCell, ...fields } = cells;
    const values = Object.fromEntries(
      Object.entries(fields).map(([column, cell]) => [column, asSent(column, cell!)]),
    );
    const checked = request.safeParse(values);
    for (const issue of checked.error?.issues ?? []) {
      const column = String(issue.path[0]);
      problems.push(problemAt(rowPath(index, column), problemOf(issue, values[column])));
    }
    const extra = readExtra(extraCell, table);
    if ('problem' in extra) problems.push(problemAt(rowPath(index, 'extra'), extra.problem));
    // As the API stores it: without the spaces around a shop_id.
    const read: Record<string, unknown> = checked.data ?? values;
    const key = JSON.stringify(table.key.map((name) => read[name]));
    const first = seen.get(key);
    if (first !== undefined)
      problems.push(problemAt(rowPath(index, 'date'), because('csv.sameDay', { line: first })));
    else seen.set(key, line);
    return { index, values: { ...read, extra: 'problem' in extra ? {} : extra.members } };
  });
  if (problems.length > 0) throw validationError(problems);
  return days;
}

/**
 * Stores the days of a CSV text, all or nothing, by the rules of the API's upserts: blank cells keep what is stored, members of
 * `extra` are merged, what is replaced is kept. The same text again changes nothing.
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
  const { table } = KINDS[kind];
  const json = JSON.stringify(days.map(({ values }) => values));
  return db.prisma
    .$transaction(async (tx) => {
      const [stored] = await tx.$queryRawUnsafe<[{ inserted: number; updated: number; stamp: string }]>(
        upsertManySql(table, importStamp('now()')),
        json,
      );
      const { inserted, updated, stamp } = stored;
      const result = { inserted, updated, unchanged: days.length - inserted - updated };
      // The values before and after stand in the restatements, which find this entry by its record.
      await writeAudit(tx, actor, {
        action: 'statistics.import',
        recordType: 'statistics',
        recordId: stamp,
        after: { kind, ...result },
      });
      return result;
    }, TRANSACTION)
    .catch(async (error: unknown) => {
      if (!String(error).includes('_extra_size')) throw error;
      throw validationError(await overfullRows(db, table, days, json));
    });
}

/** The rows whose `extra` grows too large by what is stored already. */
async function overfullRows(db: Database, table: StatisticTable, days: readonly Day[], json: string) {
  const { rows } = await db.pool.query<{ position: number }>(
    `SELECT j.position::int FROM json_array_elements($1::json) WITH ORDINALITY AS j(row, position)
       JOIN ${table.table} s ON ${table.key.map((name) => `s.${name}::text = j.row ->> '${name}'`).join(' AND ')}
      WHERE octet_length((s.extra || (j.row -> 'extra')::jsonb)::text) > ${MAX_EXTRA_BYTES}`,
    [json],
  );
  const found = rows.map(({ position }) => days[position - 1]!.index);
  const problems = found.map((index) => ({ ...EXTRA_PROBLEM, path: rowPath(index, 'extra') }));
  return problems.length > 0 ? problems : [EXTRA_PROBLEM];
}
