import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReason, problemAt } from '../../../src/server/core/errors/reason';
import { recordUnsuccessfulImport } from '../../../src/server/orders/history/history-service';
import { deleteMarkedShops } from '../../../src/server/shop-data/removal-service';
import { countWaitingStatements } from '../../support/database/test-database';
import {
  FOX_NUMBER,
  type FullShop,
  makeFoxAndOwlShop,
  makeFullShop,
  SHARED_NUMBER,
} from '../../support/service/full-shop';
import { countRows, readExport } from '../../support/service/shop-contents';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let foxShop: FullShop;
let owlShop: FullShop;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
  ({ foxShop, owlShop } = await makeFoxAndOwlShop(service, owner));
});
afterAll(() => service.close());

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
    expect((await countRows(service, foxShop)).orders).toBe(3);
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
    const owlExportBefore = await readExport(service, owlShop.id);
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
    const remainingOrderCount = (await countRows(service, foxShop)).orders!;
    expect(remainingOrderCount).toBeGreaterThan(0);
    expect(remainingOrderCount).toBeLessThan(2503);

    // Runs twice at the same time, as a command and the background job may.
    await Promise.all([deleteMarkedShops(services), deleteMarkedShops(services)]);

    const counts = await countRows(service, foxShop);
    expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((table) => [table, 0])));
    const leftovers = await service.database.query(
      `SELECT 'shop' FROM shops WHERE id = $1 UNION ALL SELECT 'number' FROM tracking_numbers WHERE tracking_number = $3
        UNION ALL SELECT 'event' FROM tracking_events WHERE tracking_number = $3
        UNION ALL SELECT 'reply' FROM replies WHERE shop_name = $2`,
      [foxShop.id, foxShop.name, FOX_NUMBER],
    );
    expect(leftovers).toEqual([]);
    expect(await readExport(service, owlShop.id)).toEqual(owlExportBefore);
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
    const owlExportBefore = await readExport(service, owlShop.id);
    await owner.call('shopData.delete', { id: crowShop.id, name: crowShop.name });
    const remainingCounts = [await countRows(service, crowShop)];
    for (let allowedCheckCount = 1; (await readMarkedIds()).includes(crowShop.id); allowedCheckCount++) {
      const isInterrupted = await deleteMarkedShops(
        service.app.services,
        createInterruptSignal(allowedCheckCount),
      ).then(
        () => false,
        (error: Error) => error.message === 'interrupted',
      );
      expect(isInterrupted).toBe((await readMarkedIds()).includes(crowShop.id));
      expect(await readExport(service, owlShop.id)).toEqual(owlExportBefore);
      remainingCounts.push(await countRows(service, crowShop));
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
