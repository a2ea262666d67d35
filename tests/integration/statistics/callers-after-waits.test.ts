import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey, updateApiKey } from '../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { countWaitingStatements } from '../../support/database/test-database';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
/** A long timeout, for a busy machine. */
const WAIT_OPTIONS = { timeout: 20_000, interval: 20 };
/** Longer than a lookup of the caller counts as recent. */
const WAIT_MS = 1_100;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const createKey = () => createApiKey(service.app.services.db, TEST_ACTOR, { name: 'waits', expiresAt: null });
type CreatedKey = Awaited<ReturnType<typeof createKey>>;

const LOSSES = [
  ['revoked', 401, ({ id }: CreatedKey) => revokeApiKey(service.app.services.db, TEST_ACTOR, id)],
  [
    'limited to other operations',
    403,
    ({ id }: CreatedKey) =>
      updateApiKey(service.app.services.db, TEST_ACTOR, id, { scopes: ['get_api_legos_sku'] }),
  ],
] as const;

describe.each([
  ['shop', '/api/shop-statistics', 'shop_daily_statistics', { total_orders: 1 }, { total_visits: 2 }],
  [
    'listing',
    '/api/product-statistics',
    'product_daily_statistics',
    { listing_id: 7, orders: 1 },
    { listing_id: 7, visits: 2 },
  ],
] as const)(
  'a day of a %s whose key loses access while it waits',
  (_, path, table, storedFields, sentFields) => {
    const query = (sql: string, values?: unknown[]) => service.database.query(sql, values);
    const readDay = (shopId: string) =>
      query(
        `SELECT to_jsonb(s) - '{updated_at,revision}'::text[] AS day FROM ${table} s WHERE shop_id = $1`,
        [shopId],
      );

    async function sendDay({ key }: CreatedKey, shopId: string, fields: object): Promise<number> {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ shop_id: shopId, date: '2026-08-22', ...fields }),
      });
      await response.arrayBuffer();
      return response.status;
    }

    /** Stores a day and locks it, as another process or an import does that writes it. */
    async function lockStoredDay(shopId: string) {
      expect(await sendDay(await createKey(), shopId, storedFields)).toBe(200);
      const client = new pg.Client({ connectionString: service.database.url });
      await client.connect();
      await client.query('BEGIN');
      await client.query(`UPDATE ${table} SET revision = revision + 1 WHERE shop_id = $1`, [shopId]);
      const commit = async () => {
        await client.query('COMMIT');
        await client.end();
      };
      return { commit };
    }

    it.each(LOSSES)(
      'for another call about the same day, and is %s, gets %d and is not stored',
      async (...loss) => {
        const [, status, loseAccess] = loss;
        const shopId = `turn-${status}`;
        const { commit } = await lockStoredDay(shopId);
        const storedDay = await readDay(shopId);
        const firstPromise = sendDay(await createKey(), shopId, storedFields);
        await expect.poll(() => countWaitingStatements(service.database), WAIT_OPTIONS).toBe(1);
        const key = await createKey();
        const secondPromise = sendDay(key, shopId, sentFields);
        await sleep(WAIT_MS);
        await loseAccess(key);
        await commit();
        expect([await firstPromise, await secondPromise]).toEqual([200, status]);
        expect(await readDay(shopId)).toEqual(storedDay);
      },
    );

    it.each(LOSSES)('in the database, and is %s, gets %d and is not stored', async (...loss) => {
      const [, status, loseAccess] = loss;
      const shopId = `lock-${status}`;
      const { commit } = await lockStoredDay(shopId);
      const storedDay = await readDay(shopId);
      const key = await createKey();
      const statusPromise = sendDay(key, shopId, sentFields);
      await expect.poll(() => countWaitingStatements(service.database), WAIT_OPTIONS).toBe(1);
      await sleep(WAIT_MS);
      await loseAccess(key);
      await commit();
      expect(await statusPromise).toBe(status);
      expect(await readDay(shopId)).toEqual(storedDay);
    });
  },
);
