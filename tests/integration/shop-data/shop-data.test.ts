import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReason, problemAt } from '../../../src/server/core/errors/reason';
import { recordUnsuccessfulImport } from '../../../src/server/orders/history/history-service';
import { EXPORT_STATEMENT_BY_TABLE, exportShop } from '../../../src/server/shop-data/export-service';
import { deleteMarkedShops } from '../../../src/server/shop-data/removal-service';
import { countWaitingStatements } from '../../support/database/test-database';
import { makeFullShop } from '../../support/service/full-shop';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let foxShop: Awaited<ReturnType<typeof makeFullShop>>;
let owlShop: Awaited<ReturnType<typeof makeFullShop>>;
const OWN_NUMBER = 'LX000000001CN';
const SHARED_NUMBER = 'LX000000002CN';

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
  foxShop = await makeFullShop(service, owner, 'Fox Shop', {
    ownNumber: OWN_NUMBER,
    sharedNumber: SHARED_NUMBER,
  });
  owlShop = await makeFullShop(service, owner, 'Owl Shop', {
    ownNumber: 'LX000000003CN',
    sharedNumber: SHARED_NUMBER,
  });
});
afterAll(() => service.close());

/** Tables of a shop that an export leaves out, because they hold import drafts or data derived from other tables. */
const EXCLUDED_TABLES = ['import_drafts', 'order_days', 'order_search', 'tracking_number_shops'];

type ExportLine = { table: string; row: Record<string, unknown> } | { rows: Record<string, number> };

const linesOf = (bytes: Uint8Array): ExportLine[] =>
  gunzipSync(bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function readExport(id: number): Promise<ExportLine[]> {
  const chunks: Uint8Array[] = [];
  await exportShop(service.app.services.db, TEST_ACTOR, id, async (chunk) => {
    chunks.push(chunk);
  });
  return linesOf(Buffer.concat(chunks));
}

const downloadExport = (id: number | string, cookie: string) =>
  fetch(`${service.url}/api/downloads/shop?id=${id}`, { headers: { Cookie: cookie } });

/** Returns the number of a shop's rows in each table with a shop_id, except `shops`. */
async function countRows({
  id,
  marketplaceShopId,
}: {
  id: number;
  marketplaceShopId: string;
}): Promise<Record<string, number>> {
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

describe('the export of a shop', () => {
  it('has every row of every table that belongs to the shop, and their counts at its end', async () => {
    const lines = await readExport(foxShop.id);
    const { rows: rowCounts } = lines.at(-1) as { rows: Record<string, number> };
    const rowLines = lines.slice(0, -1) as { table: string; row: Record<string, unknown> }[];
    for (const [table, count] of Object.entries(rowCounts)) {
      expect([table, rowLines.filter((line) => line.table === table).length]).toEqual([table, count]);
      expect(
        count,
        `makeFullShop (tests/support/service/full-shop.ts) must create a row of ${table}`,
      ).toBeGreaterThan(0);
    }
    const storedCounts = await countRows(foxShop);
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
    const tableNames = Object.keys(await countRows(foxShop));
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
    expect(linesOf(new Uint8Array(await response.arrayBuffer()))).toEqual(await readExport(foxShop.id));
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

/** Returns a signal that interrupts a deletion: after `allowedCheckCount` checks of the signal, the next check throws. */
function createInterruptSignal(allowedCheckCount: number): AbortSignal {
  let checkCount = 0;
  const throwIfAborted = () => {
    if (++checkCount > allowedCheckCount) throw new Error('interrupted');
  };
  return { throwIfAborted } as AbortSignal;
}

describe('the deletion of a shop', () => {
  const requestDeletion = (user: SignedInUser, name: string) =>
    user.call('shopData.delete', { id: foxShop.id, name });
  const readMarkedIds = async () =>
    (
      await service.database.query<{ id: number }>(
        'SELECT id FROM shops WHERE deleting_at IS NOT NULL ORDER BY id',
      )
    ).map(({ id }) => id);

  it('is only for owners who type the name of the shop', async () => {
    const admin = await createSignedInUser(service, 'admin');
    expect((await requestDeletion(admin, foxShop.name)).status).toBe(403);
    const response = await requestDeletion(owner, 'Owl Shop');
    expect(response.status).toBe(422);
    expect(response.error!.problems).toEqual([
      { path: 'name', message: 'must be the name of the shop: Fox Shop' },
    ]);
    expect((await countRows(foxShop)).orders).toBe(3);
  });

  it('stops an import that was still waiting when the shop was marked for deletion', async () => {
    const { bulkPool } = service.app.services.db;
    const { data: shop } = await owner.call('shops.create', { name: 'Brief shop' });
    const client = await bulkPool.connect();
    let responsePromise: ReturnType<TestService['importRows']>;
    try {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(20261, $1)', [shop.id]);
      responsePromise = service.importRows([{ receipt_id: 'late', transaction_id: '1' }], {
        account_id: shop.id,
      });
      await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
      await client.query('UPDATE shops SET deleting_at = now() WHERE id = $1', [shop.id]);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    const { status, json } = await responsePromise;
    expect(status).toBe(422);
    expect(json.errors).toEqual([{ path: 'account_id', message: expect.stringContaining(String(shop.id)) }]);
    expect(await service.database.query(`SELECT 1 FROM orders WHERE receipt_id = 'late'`)).toEqual([]);
  });

  it('keeps the problems of an import that is refused just after the shop was marked for deletion', async () => {
    const { data: shop } = await owner.call('shops.create', { name: 'Marked shop' });
    await service.database.query('UPDATE shops SET deleting_at = now() WHERE id = $1', [shop.id]);
    await recordUnsuccessfulImport(
      service.app.services.db.pool,
      { source: 'api', actor: 'test key' },
      { rowCount: 1, contentHash: '0'.repeat(64) },
      { outcome: 'rejected', shopId: shop.id, errorCount: 1, durationMs: 1 },
      [problemAt('rows.0.receipt_id', createReason('cell.noReceipt'))],
    );
    const [entry] = (await owner.call('imports.history', {})).data.entries;
    expect(entry).toMatchObject({ outcome: 'rejected', account_id: null, errors: 1 });
    const { data } = await owner.call('imports.one', { id: entry.id, part: 'issues' });
    expect(data.entries).toMatchObject([{ path: 'rows.0.receipt_id', severity: 'error' }]);
  });

  it('removes all data of the shop and none of any other shop, and continues after an interruption', async () => {
    await service.database.query(
      `INSERT INTO orders (shop_id, receipt_id) SELECT $1, 'many-' || n FROM generate_series(1, 2500) n`,
      [foxShop.id],
    );
    await service.database.query(
      `INSERT INTO notification_channels (vendor, name, url, kinds, shop_ids, send_at, time_zone, locale, empty_days)
       VALUES ('slack', 'one', 'x', '{}', $1, '08:00', 'UTC', 'en', false), ('slack', 'both', 'x', '{}', $2, '08:00', 'UTC', 'en', false)`,
      [[foxShop.id], [foxShop.id, owlShop.id]],
    );
    const owlExportBefore = await readExport(owlShop.id);
    expect((await requestDeletion(owner, foxShop.name)).data).toEqual({ deleting: true });

    expect((await requestDeletion(owner, foxShop.name)).status).toBe(409);
    const listedShop = (await owner.call('shops.list')).data.find(
      ({ id }: { id: number }) => id === foxShop.id,
    );
    expect(listedShop.deleting_at).not.toBeNull();
    expect((await owner.call('shops.restore', { id: foxShop.id })).status).toBe(409);
    const response = await service.importRows([{ receipt_id: 'x', transaction_id: '1' }], {
      account_id: foxShop.id,
    });
    expect(response.status).toBe(422);

    const { services } = service.app;
    await expect(deleteMarkedShops(services, createInterruptSignal(2))).rejects.toThrow('interrupted');
    const remainingOrderCount = (await countRows(foxShop)).orders!;
    expect(remainingOrderCount).toBeGreaterThan(0);
    expect(remainingOrderCount).toBeLessThan(2503);

    // Runs twice at the same time, as a command and the background job may.
    await Promise.all([deleteMarkedShops(services), deleteMarkedShops(services)]);

    const counts = await countRows(foxShop);
    expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((table) => [table, 0])));
    const leftovers = await service.database.query(
      `SELECT 'shop' FROM shops WHERE id = $1 UNION ALL SELECT 'number' FROM tracking_numbers WHERE tracking_number = $3
        UNION ALL SELECT 'event' FROM tracking_events WHERE tracking_number = $3
        UNION ALL SELECT 'reply' FROM replies WHERE shop_name = $2`,
      [foxShop.id, foxShop.name, OWN_NUMBER],
    );
    expect(leftovers).toEqual([]);
    expect(await readExport(owlShop.id)).toEqual(owlExportBefore);
    expect(
      await service.database.query('SELECT name, active, shop_ids FROM notification_channels ORDER BY name'),
    ).toEqual([
      { name: 'both', active: true, shop_ids: [owlShop.id] },
      { name: 'one', active: false, shop_ids: [] },
    ]);
    const auditEntries = await service.database.query(
      `SELECT actor, before FROM audit_log WHERE action = 'account.delete' AND record_id = $1`,
      [String(foxShop.id)],
    );
    expect(auditEntries).toEqual([
      { actor: owner.email, before: { name: 'Fox Shop', shop_id: 'fox-shop', orders: 2503 } },
    ]);
    expect((await owner.call('shops.create', { name: 'Fox Shop', shop_id: 'fox-shop' })).status).toBe(200);
  });

  it('is completed wherever it was interrupted, and never touches another shop’s data', async () => {
    const numbers = { ownNumber: 'LX000000004CN', sharedNumber: SHARED_NUMBER };
    const crowShop = await makeFullShop(service, owner, 'Crow Shop', numbers);
    const owlExportBefore = await readExport(owlShop.id);
    await owner.call('shopData.delete', { id: crowShop.id, name: crowShop.name });
    const remainingCounts = [await countRows(crowShop)];
    for (let allowedCheckCount = 1; (await readMarkedIds()).includes(crowShop.id); allowedCheckCount++) {
      const isInterrupted = await deleteMarkedShops(
        service.app.services,
        createInterruptSignal(allowedCheckCount),
      ).then(
        () => false,
        (error: Error) => error.message === 'interrupted',
      );
      expect(isInterrupted).toBe((await readMarkedIds()).includes(crowShop.id));
      expect(await readExport(owlShop.id)).toEqual(owlExportBefore);
      remainingCounts.push(await countRows(crowShop));
    }
    const totals = remainingCounts.map((counts) => Object.values(counts).reduce((sum, count) => sum + count));
    expect(new Set(totals).size).toBeGreaterThan(7);
    expect(totals.at(-1)).toBe(0);
  });

  it('does not hold up the deletion of the next shop if it fails', async () => {
    const createShopPendingDeletion = async (name: string) => {
      const { data } = await owner.call('shops.create', { name });
      await owner.call('shopData.delete', { id: data.id, name });
      return data.id as number;
    };
    const [stuckShopId, nextShopId] = [
      await createShopPendingDeletion('Stuck shop'),
      await createShopPendingDeletion('Next shop'),
    ];
    // Deleting a channel's only shop makes the channel inactive, which the constraint below refuses.
    await service.database.query(
      `INSERT INTO notification_channels (vendor, name, url, kinds, shop_ids, send_at, time_zone, locale, empty_days)
       VALUES ('slack', 'stuck', 'x', '{}', $1, '08:00', 'UTC', 'en', false)`,
      [[stuckShopId]],
    );
    await service.database.query(
      `ALTER TABLE notification_channels ADD CONSTRAINT refused CHECK (name <> 'stuck' OR active)`,
    );
    try {
      await expect(deleteMarkedShops(service.app.services)).rejects.toThrow(
        `a shop could not be deleted: ${stuckShopId}`,
      );
      expect(await readMarkedIds()).toEqual([stuckShopId]);
      expect(service.readLog()).toContain(`"shopId":${stuckShopId},"msg":"a shop could not be deleted"`);
      expect(service.readLog()).toContain(`"shopId":${nextShopId},"msg":"shop deleted with all its data"`);
    } finally {
      await service.database.query('ALTER TABLE notification_channels DROP CONSTRAINT refused');
    }
    await deleteMarkedShops(service.app.services);
    expect(await readMarkedIds()).toEqual([]);
  });
});
