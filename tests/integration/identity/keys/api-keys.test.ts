import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApiKeyUseRecorder } from '../../../../src/server/gateway/last-use-service';
import { revokeApiKey } from '../../../../src/server/identity/keys/change-service';
import { authenticateKey, createApiKey } from '../../../../src/server/identity/keys/service';
import { listApiKeys } from '../../../../src/server/identity/keys/view-service';
import { apiKeys } from '../../../../src/server/identity/secret-token';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let apiKey: { id: number; key: string };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  apiKey = await createApiKey(service.app.services.db, TEST_ACTOR, { name: 'made', expiresAt: null });
});

const tryKey = (key: string | undefined) =>
  service.send('/api/orders/import', {
    body: { account_id: service.shopId, rows: [{ receipt_id: 'key' }] },
    headers: { 'X-Api-Key': key },
  });

describe('the service returns 401', () => {
  it.each<[string, () => string | undefined]>([
    ['no key', () => undefined],
    ['an empty key', () => ''],
    ['a text that is not a key', () => 'secret'],
    [
      'a key with a wrong checksum',
      () => `${apiKey.key.slice(0, -1)}${apiKey.key.endsWith('0') ? '1' : '0'}`,
    ],
    ['a well-formed key that nobody created', () => apiKeys.generate().secret],
    ['a key followed by a space and more', () => `${apiKey.key} x`],
    ['two keys', () => `${apiKey.key}, ${apiKey.key}`],
    ['a text that looks like the hash of a key', () => 'a'.repeat(64)],
    ['a very long key', () => 'x'.repeat(8000)],
  ])('for %s, saying how to authenticate', async (_, makeKey) => {
    const response = await tryKey(makeKey());
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('X-Api-Key');
    expect(response.json).toMatchObject({
      success: false,
      code: 'unauthorized',
      request_id: expect.any(String),
    });
  });

  it('for a revoked key, from the next request on', async () => {
    expect((await tryKey(apiKey.key)).status).toBe(200);
    await revokeApiKey(service.app.services.db, TEST_ACTOR, apiKey.id);
    expect((await tryKey(apiKey.key)).status).toBe(401);
  });

  it('for a key revoked by another process, from the next request on', async () => {
    expect((await tryKey(apiKey.key)).status).toBe(200);
    await service.database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [apiKey.id]);
    expect((await tryKey(apiKey.key)).status).toBe(401);
  });

  it('for an expired key, from the moment it expires', async () => {
    const expiresAt = new Date('2030-01-01T00:00:00Z');
    const { key, id } = await createApiKey(service.app.services.db, TEST_ACTOR, { name: 'short', expiresAt });
    const authenticateAt = (time: string) =>
      authenticateKey(service.app.services.db, key, () => Date.parse(time));
    expect(await authenticateAt('2029-12-31T23:59:59.999Z')).toEqual({
      id,
      name: 'short',
      scopes: [],
      addressRanges: [],
    });
    expect(await authenticateAt('2030-01-01T00:00:00Z')).toBeNull();
    await service.database.query(
      `UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect((await tryKey(key)).status).toBe(401);
  });

  it('for a missing key, before the type, size or content of the body is checked', async () => {
    const response = await service.send('/api/orders/import', {
      method: 'POST',
      body: 'x'.repeat(2_000_000),
      headers: { 'X-Api-Key': undefined, 'Content-Type': 'text/plain' },
    });
    expect(response.status).toBe(401);
  });
});

describe('a stored key', () => {
  it('is a hash, a prefix and the last four characters, never the key itself', async () => {
    const dump = JSON.stringify(await service.database.query('SELECT k::text FROM api_keys k'));
    expect(dump).not.toContain(apiKey.key);
    expect(dump).not.toContain(apiKey.key.slice(8, -4));
    const [listedKey] = await listApiKeys(service.app.services);
    expect(listedKey).toMatchObject({
      id: apiKey.id,
      prefix: apiKey.key.slice(0, 8),
      last_four: apiKey.key.slice(-4),
      created_by: 'test',
    });
    expect(listedKey).not.toHaveProperty('hash');
  });

  it('is audited without its secret', async () => {
    await revokeApiKey(service.app.services.db, TEST_ACTOR, apiKey.id);
    const entries = await service.database.query(
      `SELECT action, before, after FROM audit_log WHERE record_type = 'api_key' AND record_id = $1 ORDER BY id`,
      [String(apiKey.id)],
    );
    expect(entries.map((entry) => entry.action)).toEqual(['api_key.create', 'api_key.revoke']);
    expect(JSON.stringify(entries)).not.toContain(apiKey.key.slice(8));
  });
});

describe('the last use of a key', () => {
  const readLastUse = async () => {
    const [row] = await service.database.query<{ last_used_at: Date | null }>(
      'SELECT last_used_at FROM api_keys WHERE id = $1',
      [apiKey.id],
    );
    return row!.last_used_at;
  };

  it('is saved after a request, at most once a minute', async () => {
    expect(await readLastUse()).toBeNull();
    await tryKey(apiKey.key);
    await service.app.services.keyUse.waitForWrites();
    const firstUse = await readLastUse();
    expect(firstUse).not.toBeNull();
    await tryKey(apiKey.key);
    await service.app.services.keyUse.waitForWrites();
    expect(await readLastUse()).toEqual(firstUse);
  });

  it('is saved again after a minute', async () => {
    let now = 1_000_000;
    const keyUse = createApiKeyUseRecorder(service.app.services.db, service.app.services.log, () => now);
    keyUse.touch(apiKey.id);
    await keyUse.waitForWrites();
    const backdateSql = `UPDATE api_keys SET last_used_at = now() - interval '5 minutes' WHERE id = $1`;
    await service.database.query(backdateSql, [apiKey.id]);
    now += 59_000;
    keyUse.touch(apiKey.id);
    await keyUse.waitForWrites();
    expect(Date.now() - (await readLastUse())!.getTime()).toBeGreaterThan(200_000);
    now += 1_000;
    keyUse.touch(apiKey.id);
    await keyUse.waitForWrites();
    expect(Date.now() - (await readLastUse())!.getTime()).toBeLessThan(60_000);
  });

  it('is saved again after a minute even if the clock has been set back by a day', async () => {
    const { keyUse } = service.app.services;
    const actualTime = Date.now();
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: actualTime + 24 * 3_600_000 });
    try {
      keyUse.touch(apiKey.id);
      await keyUse.waitForWrites();
      const backdateSql = `UPDATE api_keys SET last_used_at = now() - interval '5 minutes' WHERE id = $1`;
      await service.database.query(backdateSql, [apiKey.id]);
      vi.setSystemTime(actualTime);
      vi.advanceTimersByTime(60_000);
      keyUse.touch(apiKey.id);
      await keyUse.waitForWrites();
    } finally {
      vi.useRealTimers();
    }
    expect(Date.now() - (await readLastUse())!.getTime()).toBeLessThan(60_000);
  });

  it('never delays a request, even if writing it has to wait for a lock', async () => {
    const { default: pg } = await import('pg');
    const lockingClient = new pg.Client({ connectionString: service.database.url });
    await lockingClient.connect();
    await lockingClient.query('BEGIN');
    await lockingClient.query('SELECT 1 FROM api_keys WHERE id = $1 FOR UPDATE', [apiKey.id]);
    // This import is refused. An accepted one would also wait for the lock, because its history has a foreign key to the API key.
    const response = await Promise.race([
      service.send('/api/orders/import', {
        body: 'x',
        headers: { 'X-Api-Key': apiKey.key, 'Content-Type': 'text/plain' },
      }),
      sleep(30_000).then(() => null),
    ]);
    expect(response?.status).toBe(415);
    await lockingClient.query('ROLLBACK');
    await lockingClient.end();
    await service.app.services.keyUse.waitForWrites();
    expect(await readLastUse()).not.toBeNull();
  });
});

it('the service logs neither keys nor bodies', async () => {
  await tryKey(apiKey.key);
  await tryKey(apiKeys.generate().secret);
  await service.importRows([{ receipt_id: 'logged-not', note: 'private note of a buyer' }]);
  expect(service.readLog()).toContain('/api/orders/import');
  expect(service.readLog()).not.toMatch(/bdk_/);
  expect(service.readLog()).not.toContain('private note');
});
