import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { revokeApiKey, updateApiKey } from '../../../../src/server/identity/keys/change-service';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { setUserActive } from '../../../../src/server/identity/users/service';
import { csvOf } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { sendSlowly } from '../../../support/service/slow-request';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
/** A long timeout, for a busy machine. */
const WAIT_OPTIONS = { timeout: 20_000, interval: 20 };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const query = (sql: string, values?: unknown[]) => service.database.query(sql, values);
const countRows = async (table: string) => (await query(`SELECT count(*)::int AS n FROM ${table}`))[0]!.n;

async function createKey() {
  const apiKey = await createApiKey(service.app.services.db, TEST_ACTOR, { name: 'slow', expiresAt: null });
  /** Waits until the key has been looked up: its use is recorded after that. */
  const waitUntilBegun = () =>
    vi.waitFor(async () => {
      const [row] = await query('SELECT last_used_at FROM api_keys WHERE id = $1', [apiKey.id]);
      expect(row!.last_used_at).not.toBeNull();
    }, WAIT_OPTIONS);
  const headers = { 'X-Api-Key': apiKey.key, 'Content-Type': 'application/json' };
  return { ...apiKey, waitUntilBegun, headers };
}

/** Creates a user whose session was last used an hour ago, so that `waitUntilBegun` notices when it has been looked up again. */
async function createIdleUser(role: 'admin' | 'operator') {
  const user = await createSignedInUser(service, role);
  await query(`UPDATE user_sessions SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [
    user.sessionId,
  ]);
  const waitUntilBegun = () =>
    vi.waitFor(async () => {
      const [row] = await query(
        `SELECT last_seen_at > now() - interval '5 minutes' AS was_seen FROM user_sessions WHERE id = $1`,
        [user.sessionId],
      );
      expect(row!.was_seen).toBe(true);
    }, WAIT_OPTIONS);
  const headers = { Cookie: user.cookie, Origin: service.url, 'Content-Type': 'application/json' };
  return { user, waitUntilBegun, headers };
}

const deactivateUser = ({ userId }: SignedInUser) =>
  setUserActive(service.app.services.db, TEST_ACTOR, { id: userId }, false);

const makeImportBody = (receiptId: string) =>
  JSON.stringify({
    account_id: service.shopId,
    rows: [{ receipt_id: receiptId, title: 'Fox', quantity: 1, price: 1 }],
  });

describe('a key that is revoked while the end of the body is held back', () => {
  it('imports nothing', async () => {
    const key = await createKey();
    const orderCount = await countRows('orders');
    const slowRequest = await sendSlowly(`${service.url}/api/orders/import`, {
      ...key,
      body: makeImportBody('901'),
    });
    await revokeApiKey(service.app.services.db, TEST_ACTOR, key.id);
    expect((await slowRequest.finish()).status).toBe(401);
    expect(await countRows('orders')).toBe(orderCount);
  });

  it('with an Idempotency-Key neither imports nor gets the stored response', async () => {
    const body = makeImportBody('902');
    const otherKey = await createKey();
    const url = `${service.url}/api/orders/import`;
    const firstResponse = await fetch(url, {
      method: 'POST',
      headers: { ...otherKey.headers, 'Idempotency-Key': 'stored' },
      body,
    });
    expect(firstResponse.status).toBe(200);
    const readResponses = (apiKeyId: number) =>
      query('SELECT key, status, body FROM idempotent_requests WHERE api_key_id = $1', [apiKeyId]);
    const importCount = await countRows('imports');
    for (const idempotencyKey of ['stored', 'new']) {
      const key = await createKey();
      // Gives this unused key the stored response to another key's import.
      if (idempotencyKey === 'stored')
        await query('UPDATE idempotent_requests SET api_key_id = $1 WHERE api_key_id = $2', [
          key.id,
          otherKey.id,
        ]);
      const responsesBefore = await readResponses(key.id);
      const headers = { ...key.headers, 'Idempotency-Key': idempotencyKey };
      const slowRequest = await sendSlowly(url, { ...key, headers, body });
      await revokeApiKey(service.app.services.db, TEST_ACTOR, key.id);
      const { status, text } = await slowRequest.finish();
      expect([status, JSON.parse(text).code]).toEqual([401, 'unauthorized']);
      expect(await countRows('imports')).toBe(importCount);
      expect(await readResponses(key.id)).toEqual(responsesBefore);
    }
  });

  it.each([
    ['GET', '/api/v1/marketplace', '{"a":1}'],
    ['POST', '/api/v1/marketplace', '{"a":1}'],
    ['POST', '/api/v1/tracks', '{"event":"tracking","data":{"tracking_number":"LX1","status":"delivered"}}'],
  ])('stores nothing with %s %s', async (method, path, body) => {
    const key = await createKey();
    const recordCount = await countRows('inbound_records');
    const slowRequest = await sendSlowly(service.url + path, { ...key, method, body });
    await revokeApiKey(service.app.services.db, TEST_ACTOR, key.id);
    expect((await slowRequest.finish()).status).toBe(401);
    expect(await countRows('inbound_records')).toBe(recordCount);
  });

  it('changes nothing over native tRPC', async () => {
    const key = await createKey();
    const body = JSON.stringify({ shop_id: 'slow-shop', date: '2026-01-02', ad_clicks: 1 });
    const slowRequest = await sendSlowly(`${service.url}/api/trpc/statistics.upsertShop`, { ...key, body });
    await revokeApiKey(service.app.services.db, TEST_ACTOR, key.id);
    expect((await slowRequest.finish()).status).toBe(401);
    expect(await query(`SELECT 1 FROM shop_daily_statistics WHERE shop_id = 'slow-shop'`)).toEqual([]);
  });

  it('runs no MCP tool', async () => {
    const key = await createKey();
    const toolCall = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'post_api_orders_import', arguments: JSON.parse(makeImportBody('903')) },
    };
    const headers = { ...key.headers, Accept: 'application/json, text/event-stream' };
    const slowRequest = await sendSlowly(`${service.url}/mcp`, {
      headers,
      body: JSON.stringify(toolCall),
      waitUntilBegun: async () => undefined,
    });
    await revokeApiKey(service.app.services.db, TEST_ACTOR, key.id);
    const { result } = JSON.parse((await slowRequest.finish()).text);
    expect([result.isError, JSON.parse(result.content[0].text).code]).toEqual([true, 'unauthorized']);
    expect(await query(`SELECT 1 FROM orders WHERE receipt_id = '903'`)).toEqual([]);
  });
});

it('a key that loses the required scope while the end of the body is held back imports nothing', async () => {
  const key = await createKey();
  const slowRequest = await sendSlowly(`${service.url}/api/orders/import`, {
    ...key,
    body: makeImportBody('904'),
  });
  await updateApiKey(service.app.services.db, TEST_ACTOR, key.id, { scopes: ['get_api_legos_sku'] });
  expect((await slowRequest.finish()).status).toBe(403);
  expect(await query(`SELECT 1 FROM orders WHERE receipt_id = '904'`)).toEqual([]);
});

describe('a user who is deactivated after a request has begun', () => {
  it('creates no key', async () => {
    const { user, ...slowOptions } = await createIdleUser('admin');
    const slowRequest = await sendSlowly(`${service.url}/api/trpc/keys.create`, {
      ...slowOptions,
      body: JSON.stringify({ name: 'made too late', scopes: [], expires_at: null, address_ranges: [] }),
    });
    await deactivateUser(user);
    expect((await slowRequest.finish()).status).toBe(401);
    expect(await query(`SELECT 1 FROM api_keys WHERE name = 'made too late'`)).toEqual([]);
  });

  it('runs no call of a batch', async () => {
    const { user, ...slowOptions } = await createIdleUser('admin');
    const makeKeyInput = (name: string) => ({ name, scopes: [], expires_at: null, address_ranges: [] });
    const slowRequest = await sendSlowly(`${service.url}/api/trpc/keys.create,keys.create?batch=1`, {
      ...slowOptions,
      body: JSON.stringify({ 0: makeKeyInput('batch too late'), 1: makeKeyInput('batch too late') }),
    });
    await deactivateUser(user);
    const { text } = await slowRequest.finish();
    expect(
      JSON.parse(text).map(
        (result: { error?: { data: { httpStatus: number } } }) => result.error?.data.httpStatus,
      ),
    ).toEqual([401, 401]);
    expect(await query(`SELECT 1 FROM api_keys WHERE name = 'batch too late'`)).toEqual([]);
  });

  it('uploads nothing', async () => {
    const { user, ...slowOptions } = await createIdleUser('operator');
    const search = new URLSearchParams({ account_id: `${service.shopId}`, file_name: 'late.csv' });
    const slowRequest = await sendSlowly(`${service.url}/api/uploads/orders?${search}`, {
      ...slowOptions,
      headers: { ...slowOptions.headers, 'Content-Type': 'application/octet-stream' },
      body: csvOf([{ receipt: 905, transaction_id: 905, title: 'Fox', quantity: 1, price: 1 }]),
    });
    await deactivateUser(user);
    expect((await slowRequest.finish()).status).toBe(401);
    expect(await query('SELECT 1 FROM import_drafts WHERE user_id = $1', [user.userId])).toEqual([]);
  });

  it('downloads nothing if the download had to wait for a connection', async () => {
    const { user, headers, waitUntilBegun } = await createIdleUser('operator');
    const { bulkPool } = service.app.services.db;
    const heldClients = await Promise.all(
      Array.from({ length: bulkPool.options.max }, () => bulkPool.connect()),
    );
    const responsePromise = fetch(`${service.url}/api/downloads/products`, {
      headers: { Cookie: headers.Cookie },
    });
    await waitUntilBegun();
    await deactivateUser(user);
    for (const client of heldClients) client.release();
    expect((await responsePromise).status).toBe(401);
  });
});

it('a user who is demoted while the end of the body is held back creates no key', async () => {
  const { user, ...slowOptions } = await createIdleUser('admin');
  const slowRequest = await sendSlowly(`${service.url}/api/trpc/keys.create`, {
    ...slowOptions,
    body: JSON.stringify({ name: 'demoted', scopes: [], expires_at: null, address_ranges: [] }),
  });
  await query(`UPDATE users SET role = 'viewer' WHERE id = $1`, [user.userId]);
  expect((await slowRequest.finish()).status).toBe(403);
  expect(await query(`SELECT 1 FROM api_keys WHERE name = 'demoted'`)).toEqual([]);
});

it.each(['without', 'with'])(
  'the key is read from the database only once if the body arrives together with the headers (%s Idempotency-Key)',
  async (withOrWithout) => {
    // On a busy machine, the request may wait, after which the key is read again.
    vi.useFakeTimers({ toFake: ['performance'] });
    const lookupSpy = vi.spyOn(service.app.services.db.lookups, 'query');
    try {
      const { status } = await service.send('/api/orders/import', {
        body: makeImportBody('906'),
        headers: withOrWithout === 'with' ? { 'Idempotency-Key': randomUUID() } : {},
      });
      expect(status).toBe(200);
      const statementNames = lookupSpy.mock.calls.map(([statement]) => (statement as { name?: string }).name);
      expect(statementNames.filter((name) => name === 'keys.findKey')).toHaveLength(1);
    } finally {
      lookupSpy.mockRestore();
      vi.useRealTimers();
    }
  },
);
