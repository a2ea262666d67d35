import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUserActive, updateUser } from '../../../../src/server/identity/users/service';
import { endAccessBehindLock } from '../../../support/database/run-behind-lock';
import { insertShop } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  // Without another owner, none could be deactivated or demoted.
  await createSignedInUser(service, 'owner');
});
afterAll(() => service.close());

const query = (sql: string, values?: unknown[]) => service.database.query(sql, values);

const LOSSES = [
  [
    'deactivated',
    ({ userId: id }: SignedInUser) => setUserActive(service.app.services.db, TEST_ACTOR, { id }, false),
  ],
  [
    'demoted',
    ({ userId }: SignedInUser) => updateUser(service.app.services.db, TEST_ACTOR, userId, { role: 'viewer' }),
  ],
] as const;

describe.each(LOSSES)(
  'an owner who is %s during a long wait gets 401, and nothing changes',
  (loss, endAccess) => {
    /** Calls a procedure, and ends its caller's access while it waits for the lock. */
    async function callBehindLock(lockStatement: string, path: string, input: unknown): Promise<number> {
      const caller = await createSignedInUser(service, 'owner');
      const { status } = await endAccessBehindLock(
        service.database,
        lockStatement,
        () => caller.call(path, input),
        () => endAccess(caller),
      );
      const entries = await query(
        `SELECT action FROM audit_log WHERE actor = $1 AND action <> 'user.sign_in'`,
        [caller.email],
      );
      expect(entries).toEqual([]);
      return status;
    }

    it.each([
      ['an import of the shop', () => `SELECT pg_advisory_xact_lock(20261, ${service.shopId})`],
      ['a change of an order', () => `SELECT FROM orders WHERE shop_id = ${service.shopId} FOR UPDATE`],
    ])('who undoes an import and waits for %s', async (cause, makeLockStatement) => {
      const receiptId = `${loss} ${cause}`.replaceAll(' ', '');
      expect((await service.importRows([{ receipt_id: receiptId }])).status).toBe(200);
      // Indexing the order would wait for the lock too.
      await service.app.services.searchIndexer.finishIndexing();
      const [lastImport] = await query('SELECT max(id)::text AS id FROM imports');
      const { id } = lastImport!;
      expect(await callBehindLock(makeLockStatement(), 'imports.undo', { id })).toBe(401);
      expect(await query('SELECT undone_at FROM imports WHERE id = $1', [id])).toEqual([{ undone_at: null }]);
      expect(await query('SELECT FROM orders WHERE receipt_id = $1', [receiptId])).toHaveLength(1);
    });

    it.each([
      ['an import of it', (id: number) => `SELECT pg_advisory_xact_lock(20261, ${id})`],
      ['a change of it', (id: number) => `SELECT FROM shops WHERE id = ${id} FOR UPDATE`],
    ])('who deletes a shop and waits for %s', async (cause, makeLockStatement) => {
      const name = `Shop ${loss} ${cause}`;
      const id = await insertShop(service.database.url, name);
      expect(await callBehindLock(makeLockStatement(id), 'shopData.delete', { id, name })).toBe(401);
      expect(await query('SELECT deleting_at FROM shops WHERE id = $1', [id])).toEqual([
        { deleting_at: null },
      ]);
    });

    it('who imports a file of statistics and waits for a change of a day', async () => {
      await service.send('/api/shop-statistics', {
        body: { shop_id: 'waits', date: '2026-08-22', total_orders: 1 },
      });
      const input = {
        kind: 'shop',
        csv: 'shop_id,date,total_orders\nwaits,2026-08-22,2\nwaits,2026-08-23,2\n',
      };
      const lockStatement = `SELECT FROM shop_daily_statistics WHERE shop_id = 'waits' FOR UPDATE`;
      expect(await callBehindLock(lockStatement, 'statistics.importDays', input)).toBe(401);
      expect(
        await query(`SELECT total_orders::int FROM shop_daily_statistics WHERE shop_id = 'waits'`),
      ).toEqual([{ total_orders: 1 }]);
    });
  },
);
