import { gunzipSync } from 'node:zlib';
import { exportShop } from '../../../src/server/shop-data/export-service';
import { TEST_ACTOR, type TestService } from './test-service';

/** A line of an export: a row of a table, or at the end the number of rows of each table. */
type ExportLine = { table: string; row: Record<string, unknown> } | { rows: Record<string, number> };

/** Returns the lines of an export's bytes. */
export const exportLinesOf = (bytes: Uint8Array): ExportLine[] =>
  gunzipSync(bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Returns the lines of the export of a shop. */
export async function readExport(service: TestService, id: number): Promise<ExportLine[]> {
  const chunks: Uint8Array[] = [];
  await exportShop(service.app.services.db, TEST_ACTOR, id, async (chunk) => {
    chunks.push(chunk);
  });
  return exportLinesOf(Buffer.concat(chunks));
}

/** Returns the number of a shop's rows in each table with a shop_id, except `shops`. */
export async function countRows(
  service: TestService,
  { id, marketplaceShopId }: { id: number; marketplaceShopId: string },
): Promise<Record<string, number>> {
  const tables = await service.database.query<{ name: string; type: string }>(
    `SELECT table_name AS name, data_type AS type FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'shop_id' AND table_name <> 'shops'`,
  );
  const countPromises = tables.map(async ({ name, type }) => {
    const [row] = await service.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "${name}" WHERE shop_id::text = $1`,
      [type === 'integer' ? String(id) : marketplaceShopId],
    );
    return [name, row!.count] as const;
  });
  return Object.fromEntries(await Promise.all(countPromises));
}
