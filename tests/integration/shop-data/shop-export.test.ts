import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_STATEMENT_BY_TABLE, exportShop } from '../../../src/server/shop-data/export-service';
import { type FullShop, makeFoxAndOwlShop } from '../../support/service/full-shop';
import { countRows, exportLinesOf, readExport } from '../../support/service/shop-contents';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let foxShop: FullShop;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
  ({ foxShop } = await makeFoxAndOwlShop(service, owner));
});
afterAll(() => service.close());

/** Tables of a shop that an export leaves out, because they hold import drafts or data derived from other tables. */
const EXCLUDED_TABLES = ['import_drafts', 'order_days', 'order_search', 'tracking_number_shops'];

const downloadExport = (id: number | string, cookie: string) =>
  fetch(`${service.url}/api/downloads/shop?id=${id}`, { headers: { Cookie: cookie } });

describe('the export of a shop', () => {
  it('has every row of every table that belongs to the shop, and their counts at its end', async () => {
    const lines = await readExport(service, foxShop.id);
    const { rows: rowCounts } = lines.at(-1) as { rows: Record<string, number> };
    const rowLines = lines.slice(0, -1) as { table: string; row: Record<string, unknown> }[];
    for (const [table, count] of Object.entries(rowCounts)) {
      expect([table, rowLines.filter((line) => line.table === table).length]).toEqual([table, count]);
      expect(
        count,
        `makeFullShop (tests/support/service/full-shop.ts) must create a row of ${table}`,
      ).toBeGreaterThan(0);
    }
    const storedCounts = await countRows(service, foxShop);
    expect(rowCounts).toMatchObject({
      orders: 3,
      replies: 2,
      tracking_numbers: 2,
      prompts: 1,
      prompt_versions: 1,
    });
    // One of the replies has the shop's name, but no shop_id, so it is not among the stored counts.
    for (const [table, count] of Object.entries(storedCounts))
      if (!EXCLUDED_TABLES.includes(table) && table !== 'replies')
        expect([table, rowCounts[table]]).toEqual([table, count]);
    const order = rowLines.find(({ table }) => table === 'orders')!.row;
    const [orderRow] = await service.database.query('SELECT to_jsonb(o) AS row FROM orders o WHERE id = $1', [
      order.id,
    ]);
    expect(order).toEqual(orderRow!.row);
    const shopIds = new Set(rowLines.filter(({ table }) => table === 'orders').map(({ row }) => row.shop_id));
    expect([...shopIds]).toEqual([foxShop.id]);
  });

  it('covers every table with a shop_id, except those that it leaves out on purpose', async () => {
    const tableNames = Object.keys(await countRows(service, foxShop));
    const coveredTables = [...Object.keys(EXPORT_STATEMENT_BY_TABLE), ...EXCLUDED_TABLES];
    expect(
      tableNames.filter((table) => !coveredTables.includes(table)),
      'Add the table to EXPORT_STATEMENT_BY_TABLE or to EXCLUDED_TABLES',
    ).toEqual([]);
  });

  it('can be downloaded only by users who may change shops, and is in the audit log', async () => {
    const response = await downloadExport(foxShop.id, owner.cookie);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="shop-\d+-\d{4}-\d\d-\d\d\.ndjson\.gz"$/,
    );
    expect(exportLinesOf(new Uint8Array(await response.arrayBuffer()))).toEqual(
      await readExport(service, foxShop.id),
    );
    const [auditEntry] = await service.database.query(
      `SELECT actor, record_id FROM audit_log WHERE action = 'account.export' ORDER BY id LIMIT 1 OFFSET 1`,
    );
    expect(auditEntry).toEqual({ actor: owner.email, record_id: String(foxShop.id) });
    expect(
      (await downloadExport(foxShop.id, (await createSignedInUser(service, 'admin')).cookie)).status,
    ).toBe(200);
    for (const role of ['operator', 'viewer'] as const)
      expect(
        (await downloadExport(foxShop.id, (await createSignedInUser(service, role)).cookie)).status,
      ).toBe(403);
    expect((await downloadExport(foxShop.id, '')).status).toBe(401);
    expect((await downloadExport(999_999, owner.cookie)).status).toBe(404);
    // 'x' is not a number, and 3,000,000,000 is larger than any id can be.
    for (const id of ['x', 3_000_000_000]) expect((await downloadExport(id, owner.cookie)).status).toBe(422);
  });

  it('ends when its reader goes away, and releases its connection', async () => {
    const { db } = service.app.services;
    const exportPromise = exportShop(db, TEST_ACTOR, foxShop.id, async () => {
      throw new Error('gone');
    });
    await expect(exportPromise).rejects.toThrow('gone');
    expect(db.bulkPool.totalCount).toBe(db.bulkPool.idleCount);
  });
});
