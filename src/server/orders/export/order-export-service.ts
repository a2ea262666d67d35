import type pg from 'pg';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { SheetFormat } from '../../core/spreadsheet/formats';
import { jsonCell, openWorkbookStream } from '../../core/spreadsheet/workbook-stream';
import { csvLines } from '../../core/text/csv';
import { readByCursor } from '../../db/read-by-cursor';
import { inSnapshot } from '../../db/transaction';
import { shopExists } from '../../shops/service';
import { buildOrderConditions } from '../filter/conditions-service';
import { ORDER_BY } from '../filter/filter-sql';
import type { OrderFilter } from '../filter/schema';
import { EXPORT_MEMBER_NAMES, jsonStatement, textStatement } from './export-sql';
import { addShipmentStatuses, type TextRows } from './shipment-statuses-service';

/**
 * `ndjson` is one JSON object per line, and `json` one array of all orders. `csv` is RFC 4180 with a header row, and with
 * `shipments` and `items` as JSON.
 */
export type ExportFormat = 'ndjson' | 'json' | 'csv';

/** The index of the shipments in the rows of `textStatement`, and in those of `jsonStatement`. */
const TEXT_SHIPMENTS_INDEX = EXPORT_MEMBER_NAMES.indexOf('shipments');
const JSON_SHIPMENTS_INDEX = 1;
/** The indexes of the columns of `textStatement` that are JSON. */
const TEXT_JSON_INDEXES = new Set([TEXT_SHIPMENTS_INDEX, EXPORT_MEMBER_NAMES.indexOf('items')]);

/** Joins the parts of an order's JSON that `jsonStatement` selects. */
const jsonOf = ([fieldsJson, shipmentsJson, itemsJson]: TextRows[number]) =>
  `${fieldsJson},"shipments":${shipmentsJson},"items":${itemsJson}}`;

const ndjsonLines = (rows: TextRows) => rows.map((row) => `${jsonOf(row)}\n`).join('');

/** Returns a function that formats orders as the next elements of one array, each on its own line. */
function createArrayFormatter(): (rows: TextRows) => string {
  let separator = '\n';
  return (rows) =>
    rows
      .map((row) => {
        const text = separator + jsonOf(row);
        separator = ',\n';
        return text;
      })
      .join('');
}

/** Writes one chunk of an export. The next orders are read once its promise resolves; if it rejects, the export fails. */
type Write<Chunk> = (chunk: Chunk) => Promise<void>;

/**
 * Writes all orders of a shop, sorted by id, each with its items and shipments.
 *
 * Guarantee: memory does not grow with the number of orders. Amounts are exact, instants are ISO 8601 in UTC.
 *
 * @throws ServiceError `not_found` if no shop has the id or the shop is being deleted, before anything is written
 */
export async function exportOrders(
  pool: pg.Pool,
  shopId: number,
  format: ExportFormat,
  write: Write<string>,
): Promise<void> {
  const selection = { condition: 'o.shop_id = $1', orderBy: 'o.id' };
  await inSnapshot(pool, async (client) => {
    await requireShop(client, shopId);
    if (format === 'csv') await write(csvLines([EXPORT_MEMBER_NAMES]));
    if (format === 'json') await write('[');
    const [text, shipmentsIndex] =
      format === 'csv'
        ? [textStatement(selection), TEXT_SHIPMENTS_INDEX]
        : [jsonStatement(selection), JSON_SHIPMENTS_INDEX];
    const formatRows = { csv: csvLines, json: createArrayFormatter(), ndjson: ndjsonLines }[format];
    await readByCursor(client, { text, values: [shopId] }, async (rows) =>
      write(formatRows(await addShipmentStatuses(client, rows, shipmentsIndex))),
    );
    if (format === 'json') await write('\n]\n');
  });
}

/** Returns a cell of `textStatement` for a workbook. */
const toRawCell = (cell: string | null, index: number) =>
  TEXT_JSON_INDEXES.has(index) ? jsonCell(cell) : cell;

/**
 * Writes exactly the orders that the list shows for a filter, newest first, as CSV or as a workbook. In both formats, values that
 * a spreadsheet program would treat as formulas are written as text. In a workbook, a cell says so if its JSON is too long for it.
 */
export async function exportFilteredOrders(
  pool: pg.Pool,
  filter: OrderFilter,
  format: SheetFormat,
  write: Write<Uint8Array>,
): Promise<void> {
  const { conditions, values } = await buildOrderConditions(pool, filter, { readsAll: true });
  const condition = conditions.length > 0 ? conditions.join(' AND ') : 'true';
  const text = textStatement({ condition, orderBy: ORDER_BY.newest });
  if (format === 'csv') {
    await write(Buffer.from(csvLines([EXPORT_MEMBER_NAMES])));
    await inSnapshot(pool, (client) =>
      readByCursor(client, { text, values }, async (rows) =>
        write(Buffer.from(csvLines(await addShipmentStatuses(client, rows, TEXT_SHIPMENTS_INDEX)))),
      ),
    );
    return;
  }
  const workbook = openWorkbookStream('Orders', write);
  await workbook.writeRows([EXPORT_MEMBER_NAMES]);
  await inSnapshot(pool, (client) =>
    readByCursor(client, { text, values }, async (rows) => {
      const completeRows = await addShipmentStatuses(client, rows, TEXT_SHIPMENTS_INDEX);
      await workbook.writeRows(completeRows.map((row) => row.map(toRawCell)));
    }),
  );
  await workbook.end();
}

async function requireShop(client: pg.PoolClient, shopId: number): Promise<void> {
  if (!(await shopExists(client, shopId))) throw notFound(createReason('answer.noShop', { id: shopId }));
}
