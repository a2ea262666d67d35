import type pg from 'pg';
import { BYTE_ORDER_MARK, csvLines } from '../../core/text/csv';
import { readByCursor } from '../../db/read-by-cursor';
import { inSnapshot } from '../../db/transaction';
import { type ComposedStatement, type DayFilter, dayConditionSql, dayValues } from '../sums-sql';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from '../tables';

const TABLE_BY_KIND = { shop: SHOP_TABLE, listing: LISTING_TABLE };

/** Returns the SQL for a column as text: numbers without trailing zeros, and `extra` only if it has members. */
function columnTextSql(name: string, { key, fields }: StatisticTable): string {
  if (name === 'extra') return `CASE WHEN s.extra <> '{}' THEN s.extra::text END`;
  return key.includes(name) || !fields.includes(name)
    ? `s.${name}::text`
    : `trim_scale(s.${name}::numeric)::text`;
}

const columnsOf = (table: StatisticTable) => [...table.key, ...table.fields, 'extra'];

/** Returns the statement of the export: all columns as text, oldest day first. */
export function exportStatement(table: StatisticTable, filter: DayFilter): ComposedStatement {
  const columns = columnsOf(table).map((name) => `${columnTextSql(name, table)} AS ${name}`);
  const text = `SELECT ${columns.join(', ')} FROM ${table.tableName} s WHERE ${dayConditionSql(table)}
   ORDER BY s.date, ${table.key.map((name) => `s.${name}`).join(', ')}`;
  return { text, values: dayValues(filter) };
}

/**
 * Writes stored days as CSV with a byte order mark, oldest first, in the columns that the import of days accepts. Importing the file changes nothing as
 * long as the stored days are the same. Memory use does not grow with the number of days.
 */
export async function exportDays(
  pool: pg.Pool,
  { kind, ...filter }: DayFilter & { kind: keyof typeof TABLE_BY_KIND },
  write: (chunk: string) => Promise<void>,
): Promise<void> {
  const table = TABLE_BY_KIND[kind];
  const statement = exportStatement(table, filter);
  await inSnapshot(pool, async (client) => {
    await write(BYTE_ORDER_MARK + csvLines([columnsOf(table)]));
    await readByCursor(client, statement, (rows) => write(csvLines(rows)));
  });
}
