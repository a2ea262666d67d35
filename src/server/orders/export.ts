import type pg from 'pg';
import { csvLines } from '../core/csv';
import { ServiceError } from '../core/errors';
import { inSnapshot, readByCursor } from '../core/snapshot';
import { EXPORT_JSON, EXPORT_NAMES, EXPORT_TEXT } from './export-sql';

/** One JSON object a line, or RFC 4180 with a header row and `shipments` and `items` as JSON text. */
export type ExportFormat = 'ndjson' | 'csv';

const MAX_ACCOUNT_ID = 2_147_483_647;

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
  await inSnapshot(pool, async (client) => {
    await requireAccount(client, accountId);
    if (format === 'csv') await write(csvLines([EXPORT_NAMES]));
    const text = format === 'csv' ? EXPORT_TEXT : EXPORT_JSON;
    await readByCursor(client, { text, values: [accountId] }, (rows) =>
      write(format === 'csv' ? csvLines(rows) : ndjsonLines(rows)),
    );
  });
}

async function requireAccount(client: pg.PoolClient, accountId: number): Promise<void> {
  const possible = Number.isInteger(accountId) && accountId >= 1 && accountId <= MAX_ACCOUNT_ID;
  const found = possible
    ? await client.query('SELECT 1 FROM shops WHERE id = $1', [accountId])
    : { rows: [] };
  if (found.rows.length === 0) throw new ServiceError('not_found', `No account has the id ${accountId}.`);
}
