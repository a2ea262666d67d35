import type pg from 'pg';
import type { SheetFormat } from '../../core/spreadsheet/formats';
import { openSheetFile } from '../../core/spreadsheet/sheet-file';
import { NEW_YORK } from '../../core/time';
import { readByCursor } from '../../db/read-by-cursor';
import { inSnapshot } from '../../db/transaction';
import { buildOrderConditions } from '../filter/conditions-service';
import { ORDER_BY } from '../filter/filter-sql';
import type { OrderFilter } from '../filter/schema';
import { EXPORT_COLUMNS, type ExportColumnName, type SheetLayout } from './columns';
import { sheetStatement, zonesStatement } from './sheet-sql';
import { EXPORT_TEXTS, type ExportLanguage } from './texts';
import { type Total, Totals } from './totals';

/** Matches nothing, because no shop has the id 0. A cluster rejects `false` next to an outer join. */
const NO_ORDERS_CONDITION = 'o.shop_id = 0';

type Row = (string | null)[];
type Write = (chunk: Uint8Array) => Promise<void>;

/**
 * Returns the time zone of the shops if they share one, otherwise New York, whose days the marketplace and the order filter use.
 */
async function readZone(client: pg.PoolClient, condition: string, values: unknown[]): Promise<string> {
  const { rows } = await client.query<{ time_zone: string }>(zonesStatement(condition), values);
  return rows.length === 1 ? rows[0]!.time_zone : NEW_YORK;
}

function createTotalRow(
  names: readonly ExportColumnName[],
  { currency, sums }: Total,
  language: ExportLanguage,
): Row {
  const { total, noCurrency } = EXPORT_TEXTS[language];
  const row: Row = [...sums];
  const labelColumn = names.findIndex((name) => !EXPORT_COLUMNS[name].isSummed);
  if (labelColumn !== -1) row[labelColumn] = `${total} (${currency ?? noCurrency})`;
  const currencyColumn = names.indexOf('currency');
  if (currencyColumn !== -1 && currencyColumn !== labelColumn) row[currencyColumn] = currency;
  return row;
}

/** Replaces statuses with their names in the reader's language. */
function withStatusNames(row: Row, names: readonly ExportColumnName[], language: ExportLanguage): Row {
  const statuses: Readonly<Record<string, unknown>> = EXPORT_TEXTS[language].statuses;
  return row.map((cell, index) =>
    cell !== null && (names[index] === 'status' || names[index] === 'tracking_status')
      ? String(statuses[cell])
      : cell,
  );
}

/**
 * Writes the orders that match a filter, newest first, to a spreadsheet for people to read: in their language, with real
 * numbers and dates in a workbook, and with a byte order mark in CSV. Strings that a spreadsheet program would treat as formulas
 * stay text.
 *
 * Guarantee: memory does not grow with the number of orders; sums are exact.
 *
 * @param input.filter null to write no orders at all
 */
export async function exportSheet(
  pool: pg.Pool,
  input: {
    filter: OrderFilter | null;
    layout: SheetLayout;
    format: SheetFormat;
    language: ExportLanguage;
  },
  write: Write,
): Promise<void> {
  const { filter, layout, format, language } = input;
  const { conditions, values } = filter
    ? await buildOrderConditions(pool, filter, { readsAll: true })
    : { conditions: [NO_ORDERS_CONDITION], values: [] };
  const condition = conditions.join(' AND ') || 'true';
  const names = layout.columns.map(({ column }) => column);
  await inSnapshot(pool, async (client) => {
    const zone = await readZone(client, condition, values);
    const columns = layout.columns.map(({ column, header }) => {
      const { format, width, [language]: name } = EXPORT_COLUMNS[column];
      return { format, width, header: header ?? (format === 'time' ? `${name} (${zone})` : name) };
    });
    const file = await openSheetFile({ format, name: EXPORT_TEXTS[language].sheet, columns }, write);
    const totals = new Totals(names);
    const text = sheetStatement(names, { condition, orderBy: ORDER_BY.newest }, `$${values.length + 1}`);
    // PostgreSQL requires a statement to use all of its values, and only the column `sold` uses the zone.
    const parameters = names.includes('sold') ? [...values, zone] : values;
    await readByCursor(client, { text, values: parameters }, async (rows) => {
      const cellRows = rows.map((row) => {
        const cells = row.slice(0, -1);
        if (layout.totals) totals.add(cells, row.at(-1) ?? null);
        return withStatusNames(cells, names, language);
      });
      await file.writeRows(cellRows);
    });
    const totalRows = totals.read().map((total) => createTotalRow(names, total, language));
    if (totalRows.length > 0) await file.writeRows(totalRows, true);
    await file.end();
  });
}
