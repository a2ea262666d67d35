import { stringify } from 'csv-stringify/sync';
import type pg from 'pg';
import { ServiceError } from '../core/errors';
import { inTransaction } from '../core/postgres';
import { EXPORT_JSON, EXPORT_NAMES, EXPORT_TEXT } from './export-sql';

/** One JSON object a line, or RFC 4180 with a header row and `shipments` and `items` as JSON text. */
export type ExportFormat = 'ndjson' | 'csv';

/** How many orders are held in memory at a time. */
const BATCH = 1_000;
const MAX_ACCOUNT_ID = 2_147_483_647;

/** What a spreadsheet program would take for a formula; its full-width forms too. */
const FORMULA = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** A cell that would be a formula gets a leading apostrophe, so that opening the file runs nothing. */
function harmless(cell: string | null): string | null {
  return cell !== null && FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell;
}

function csvLines(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((row) => row.map(harmless)),
    { record_delimiter: '\r\n' },
  );
}

function ndjsonLines(rows: readonly (readonly (string | null)[])[]): string {
  return rows.map(([line]) => `${line}\n`).join('');
}

/**
 * Writes all orders of a shop, oldest first, each with its items and shipments: one consistent picture, as one transaction
 * sees the database, whatever is imported meanwhile.
 *
 * Guarantee: memory does not grow with the number of orders; the next ones are read when `write` has resolved. Amounts are
 * exact, instants are ISO 8601 in UTC.
 *
 * @param write takes the text piece by piece; what it throws ends the export and reaches the caller
 * @throws ServiceError `not_found` where no account has the id, before anything is written
 */
export async function exportOrders(
  pool: pg.Pool,
  accountId: number,
  format: ExportFormat,
  write: (chunk: string) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // A connection that breaks while `write` waits has no query to fail, and would end the process.
    let lost: Error | undefined;
    const note = (error: Error) => {
      lost = error;
    };
    client.on('error', note);
    try {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await requireAccount(client, accountId);
      // One cursor, not a query for each batch: the shop's orders are found once, however many other shops there are.
      const statement = format === 'csv' ? EXPORT_TEXT : EXPORT_JSON;
      await client.query(`DECLARE export NO SCROLL CURSOR FOR ${statement}`, [accountId]);
      if (format === 'csv') await write(csvLines([EXPORT_NAMES]));
      for (;;) {
        const { rows } = await client.query<(string | null)[]>({
          text: `FETCH ${BATCH} FROM export`,
          rowMode: 'array',
        });
        if (rows.length > 0) await write(format === 'csv' ? csvLines(rows) : ndjsonLines(rows));
        if (lost) throw lost;
        if (rows.length < BATCH) break;
      }
    } finally {
      client.off('error', note);
    }
  });
}

async function requireAccount(client: pg.PoolClient, accountId: number): Promise<void> {
  const possible = Number.isInteger(accountId) && accountId >= 1 && accountId <= MAX_ACCOUNT_ID;
  const found = possible
    ? await client.query('SELECT 1 FROM shops WHERE id = $1', [accountId])
    : { rows: [] };
  if (found.rows.length === 0) throw new ServiceError('not_found', `No account has the id ${accountId}.`);
}
