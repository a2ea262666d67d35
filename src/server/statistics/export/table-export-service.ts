import type { z } from 'zod';
import { openSheetFile } from '../../core/spreadsheet/sheet-file';
import type { Database } from '../../db/client';
import { readByCursor } from '../../db/read-by-cursor';
import { inSnapshot } from '../../db/transaction';
import { listKnownShops } from '../calendar-service';
import { orderBySql } from '../days-service';
import { findTopListings } from '../series-service';
import {
  type ComposedStatement,
  type DayFilter,
  dayConditionSql,
  daysWithShopSql,
  dayValues,
} from '../sums-sql';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from '../tables';
import { columnOf, sheetName, type TableColumn, untitledListingTitle, withCurrency } from './table-columns';
import type { listingDaysTableQuery, listingsTableQuery, shopDaysTableQuery } from './table-schema';

type Write = (chunk: Uint8Array) => Promise<void>;

const EXPRESSION_BY_COLUMN: Partial<Record<TableColumn, string>> = {
  date: 's.date::text',
  shop: 'coalesce(k.name, s.shop_id)',
  currency: 'k.currency::text',
};

/**
 * Returns the statement for all days that match a filter, sorted like the page's list, with cells as text. Parameter $5 is the
 * time zone, if a column needs it.
 */
export function dayTableStatement(
  table: StatisticTable,
  query: DayFilter & { sort: string; direction: 'asc' | 'desc' },
  columns: readonly TableColumn[],
  zone: string,
): ComposedStatement {
  const cellsSql = columns.map((name, index) => {
    const expression =
      name === 'updated'
        ? `to_char(s.updated_at AT TIME ZONE $5, 'YYYY-MM-DD HH24:MI')`
        : (EXPRESSION_BY_COLUMN[name] ?? `trim_scale(s.${name}::numeric)::text`);
    return `${expression} AS c${index}`;
  });
  return {
    text: `SELECT ${cellsSql.join(', ')} FROM ${daysWithShopSql(table)} WHERE ${dayConditionSql(table)} ORDER BY ${orderBySql(table, query)}`,
    values: [...dayValues(query), ...(columns.includes('updated') ? [zone] : [])],
  };
}

/**
 * Writes all days that match the filter of the web page's table, in the columns and order of that table. Memory use does not grow
 * with the number of days.
 */
async function exportDayTable(
  db: Database,
  table: StatisticTable,
  query: z.output<typeof shopDaysTableQuery> | z.output<typeof listingDaysTableQuery>,
  write: Write,
): Promise<void> {
  const { format, language, zone, column, input } = query;
  const columnNames = withCurrency(column);
  const name = sheetName(table.kind === 'shop' ? 'shop' : 'listing', language);
  const columns = columnNames.map((columnName) => columnOf(columnName, { language, zone }));
  await inSnapshot(db.bulkPool, async (client) => {
    const file = await openSheetFile({ format, name, columns }, write);
    await readByCursor(client, dayTableStatement(table, input, columnNames, zone), (rows) =>
      file.writeRows(rows),
    );
    await file.end();
  });
}

/** Writes the daily statistics of shops as a table. */
export const exportShopDays = (
  { db }: { db: Database },
  query: z.output<typeof shopDaysTableQuery>,
  write: Write,
) => exportDayTable(db, SHOP_TABLE, query, write);

/** Writes the daily statistics of listings as a table. */
export const exportListingDays = (
  { db }: { db: Database },
  query: z.output<typeof listingDaysTableQuery>,
  write: Write,
) => exportDayTable(db, LISTING_TABLE, query, write);

/** Writes the table of listings with their sums: as many as the page shows, in its order. */
export async function exportListings(
  { db }: { db: Database },
  { format, language, zone, column, input }: z.output<typeof listingsTableQuery>,
  write: Write,
): Promise<void> {
  const [listings, shops] = await Promise.all([findTopListings(db, input), listKnownShops(db)]);
  const shopNameById = new Map(shops.map(({ shop_id, name }) => [shop_id, name ?? shop_id]));
  const columnNames = withCurrency(column);
  const columns = columnNames.map((columnName) => columnOf(columnName, { language, zone }));
  const file = await openSheetFile({ format, name: sheetName('listings', language), columns }, write);
  const rows = listings.map((listing) => {
    const id = String(listing.listing_id);
    const cells: Record<string, unknown> = {
      ...listing,
      id,
      title: listing.title ?? untitledListingTitle(id, language),
      shop: listing.shop_ids.map((shopId) => shopNameById.get(shopId) ?? shopId).join(', '),
    };
    return columnNames.map((name) => (cells[name] === null ? null : String(cells[name])));
  });
  await file.writeRows(rows);
  await file.end();
}
