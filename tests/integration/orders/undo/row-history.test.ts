import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteOldRowHistory } from '../../../../src/server/orders/undo/retention-service';
import { createShop } from '../../../../src/server/shops/account-service';
import { type Cells, rowOf, uploadAndImport } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

const importFile = (rows: readonly Cells[]) => uploadAndImport(service, user, rows);
const setAgeInDays = (id: string, days: number) =>
  service.database.query('UPDATE imports SET created_at = now() - make_interval(days => $2) WHERE id = $1', [
    id,
    days,
  ]);
const readImport = async (id: string, part: string) => (await user.call('imports.one', { id, part })).data;
const deleteHistoryOlderThan = (days: number, signal?: AbortSignal) =>
  deleteOldRowHistory(service.app.services, days, signal);

/**
 * Waits until nothing is being indexed: the deletion skips the imports that indexing has locked, as it skips those that are being
 * undone.
 */
const finishIndexing = () => service.app.services.searchIndexer.finishIndexing();

/** Imports an order, then changes it with two imports that each warn about a row. Returns the ids of these two. */
async function changeOrderTwice(): Promise<[string, string]> {
  await importFile([rowOf('a', { name: 'Ann' })]);
  const firstImportId = await importFile([rowOf('a', { name: 'Anne', currency: 'no currency' })]);
  const secondImportId = await importFile([rowOf('a', { name: 'Anna', currency: 'none either' })]);
  await finishIndexing();
  return [firstImportId, secondImportId];
}

describe('the row history of an import', () => {
  it('is deleted after its retention period; the import stays, but cannot be undone', async () => {
    const [oldImportId, recentImportId] = await changeOrderTwice();
    await setAgeInDays(oldImportId, 101);
    await setAgeInDays(recentImportId, 99);
    expect((await readImport(oldImportId, 'changes')).total).toBeGreaterThan(0);
    expect((await readImport(oldImportId, 'issues')).total).toBeGreaterThan(0);

    await deleteHistoryOlderThan(100);

    for (const part of ['changes', 'issues']) {
      expect(await readImport(oldImportId, part)).toMatchObject({
        total: 0,
        entries: [],
        import: { outcome: 'succeeded', warnings: 1, changed_orders: 1, has_row_history: false },
      });
      expect(await readImport(recentImportId, part)).toMatchObject({
        total: 1,
        import: { has_row_history: true },
      });
    }
    for (const [procedure, input] of [
      ['imports.undo', { id: oldImportId }],
      ['imports.undoPreview', { id: oldImportId, list: 'undone' }],
    ] as const) {
      const response = await user.call(procedure, input);
      expect(response.status).toBe(409);
      expect(response.error?.message).toBe(
        'This import is too old to be undone: its row history has been deleted.',
      );
    }
    const { data } = await user.call('imports.undo', { id: recentImportId });
    expect(data.counts).toMatchObject({ restored_records: 1 });
  });

  it('is not deleted while the import is being undone, but by the next run', async () => {
    const [oldImportId] = await changeOrderTwice();
    await setAgeInDays(oldImportId, 101);
    const client = await service.app.services.db.bulkPool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM imports WHERE shop_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        service.shopId,
        oldImportId,
      ]);
      await deleteHistoryOlderThan(100);
      expect((await readImport(oldImportId, 'changes')).total).toBeGreaterThan(0);
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    await deleteHistoryOlderThan(100);
    expect((await readImport(oldImportId, 'changes')).total).toBe(0);
  });

  it('cannot be used for an undo once its deletion has been interrupted, and is deleted by the next run', async () => {
    const [oldImportId] = await changeOrderTwice();
    await setAgeInDays(oldImportId, 101);
    await expect(deleteHistoryOlderThan(100, AbortSignal.abort())).rejects.toThrow();
    expect(await readImport(oldImportId, 'changes')).toMatchObject({
      total: 1,
      import: { has_row_history: false },
    });
    expect((await user.call('imports.undo', { id: oldImportId })).status).toBe(409);
    await deleteHistoryOlderThan(100);
    expect((await readImport(oldImportId, 'changes')).total).toBe(0);
  });

  it('is deleted completely, even if it is larger than a batch', async () => {
    const [oldImportId] = await changeOrderTwice();
    await setAgeInDays(oldImportId, 101);
    await service.database.query(
      `INSERT INTO import_changes (shop_id, import_id, record, record_id, order_id, before, after)
       SELECT shop_id, import_id, record, record_id, order_id, before, after
         FROM import_changes, generate_series(1, 12000) WHERE import_id = $1`,
      [oldImportId],
    );
    await deleteHistoryOlderThan(100);
    expect((await readImport(oldImportId, 'changes')).total).toBe(0);
  });

  it('that cannot be deleted in one shop does not hold up deletions in the next shop', async () => {
    const [oldImportId] = await changeOrderTwice();
    const nextShop = await createShop(service.app.services.db, TEST_ACTOR, { name: 'Next shop' });
    await service.importRows([{ receipt_id: 'b', currency: 'no currency' }], { account_id: nextShop.id });
    await finishIndexing();
    await service.database.query(`UPDATE imports SET created_at = now() - interval '101 days'`);
    const readHistoryStates = () =>
      service.database.query<{ shop_id: number; row_history: string }>(
        `SELECT shop_id, row_history FROM imports WHERE id = $1 OR shop_id = $2 ORDER BY shop_id`,
        [oldImportId, nextShop.id],
      );
    await service.database.query(
      `ALTER TABLE imports ADD CONSTRAINT keeps_history CHECK (id <> ${oldImportId} OR row_history <> 'deleted') NOT VALID`,
    );
    try {
      await expect(deleteHistoryOlderThan(100)).rejects.toThrow(
        `the row history of a shop could not be deleted: ${service.shopId}`,
      );
    } finally {
      await service.database.query('ALTER TABLE imports DROP CONSTRAINT keeps_history');
    }
    expect(await readHistoryStates()).toEqual([
      { shop_id: service.shopId, row_history: 'expiring' },
      { shop_id: nextShop.id, row_history: 'deleted' },
    ]);
    expect(service.readLog()).toContain(
      `"shopId":${service.shopId},"msg":"the row history of a shop could not be deleted"`,
    );
    await deleteHistoryOlderThan(100);
    expect((await readHistoryStates()).map((row) => row.row_history)).toEqual(['deleted', 'deleted']);
  });
});
