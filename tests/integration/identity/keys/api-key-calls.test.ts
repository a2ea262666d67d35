import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/server/core/log';
import { openDatabase } from '../../../../src/server/db/client';
import { deleteOldCalls, type KeyCall, KeyCallLog } from '../../../../src/server/identity/keys/call-service';
import { listKeyCalls } from '../../../../src/server/identity/keys/call-view-service';
import { createApiKey } from '../../../../src/server/identity/keys/service';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let apiKey: { id: number; key: string };

beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: '3' });
});
afterAll(() => service?.close());
beforeEach(async () => {
  apiKey = await createApiKey(service.app.services.db, TEST_ACTOR, { name: 'made', expiresAt: null });
});

const send = (path: string, requestId: string, options: { body?: unknown; method?: string } = {}) =>
  service.send(path, { ...options, headers: { 'X-Api-Key': apiKey.key, 'X-Request-Id': requestId } });

/** Returns the log of this test's key, oldest first. */
async function readLog() {
  await service.app.services.keyCalls.flush();
  const query = { limit: 5_000, errorsOnly: false, days: 7 };
  return (await listKeyCalls(service.app.services.db, apiKey.id, query)).calls.toReversed();
}

const makeCall = (n: number, fields: Partial<KeyCall> = {}): KeyCall => ({
  apiKeyId: apiKey.id,
  at: Date.now(),
  requestId: `r${n}`,
  method: 'GET',
  route: '/api/legos-cate',
  status: 200,
  durationMs: 1.4,
  error: null,
  address: '127.0.0.1',
  ...fields,
});

const countStoredCalls = async (keyId = apiKey.id) =>
  (
    await service.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM api_key_calls WHERE api_key_id = $1',
      [keyId],
    )
  )[0]!.n;

describe('the request log of a key', () => {
  it('contains each call with time, request id, route, status, duration and address', async () => {
    const startedAt = Date.now();
    await send('/api/legos-cate', 'one');
    const [call] = await readLog();
    expect(call).toMatchObject({
      request_id: 'one',
      method: 'GET',
      route: '/api/legos-cate',
      status: 200,
      error: null,
      address: '127.0.0.1',
    });
    expect(Date.parse(call!.created_at)).toBeGreaterThanOrEqual(startedAt - 5);
    expect(Date.parse(call!.created_at)).toBeLessThanOrEqual(Date.now());
    expect(call!.duration_ms).toBeLessThan(5_000);
  });

  it('contains calls beyond the rate limit, tRPC calls, and calls of MCP tools, which have the paths of their operations', async () => {
    await send('/api/trpc/catalog.list', 'native', { method: 'GET' });
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_api_v1_tracking_text', arguments: {} },
    };
    await service.send('/mcp', {
      body,
      headers: {
        'X-Api-Key': apiKey.key,
        'X-Request-Id': 'tool',
        Accept: 'application/json, text/event-stream',
      },
    });
    await send('/api/legos-cate', 'third');
    expect((await send('/api/legos-cate', 'fourth')).status).toBe(429);
    expect(
      (await readLog()).map(({ request_id, route, status, error }) => [
        request_id,
        route,
        status,
        error?.code,
      ]),
    ).toEqual([
      ['native', expect.stringMatching(/^\/api\/trpc/), expect.any(Number), 'not_found'],
      ['tool', '/api/v1/tracking-text', 422, 'validation_failed'],
      ['third', '/api/legos-cate', 200, undefined],
      ['fourth', '/api/legos-cate', 429, 'rate_limited'],
    ]);
  });

  it('contains no calls without a valid key', async () => {
    await service.send('/api/legos-cate', { headers: { 'X-Api-Key': 'nobody', 'X-Request-Id': 'nobody' } });
    await service.app.services.keyCalls.flush();
    expect(await service.database.query(`SELECT 1 FROM api_key_calls WHERE request_id = 'nobody'`)).toEqual(
      [],
    );
  });

  it('is written within five seconds', async () => {
    await send('/api/legos-cate', 'by-itself');
    await expect.poll(() => countStoredCalls(), { timeout: 5_000 }).toBe(1);
  });
});

describe('the stored log', () => {
  it('contains the last thousand calls', async () => {
    const keyCalls = new KeyCallLog(service.app.services.db, service.app.services.log, 7);
    for (let n = 0; n < 1_500; n++) keyCalls.add(makeCall(n));
    await keyCalls.flush();
    for (let n = 1_500; n < 2_600; n++) {
      keyCalls.add(makeCall(n));
      if (n % 100 === 0) await keyCalls.flush();
    }
    await keyCalls.close();
    expect(await countStoredCalls()).toBeLessThan(2_100);
    expect((await readLog()).map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => `r${n + 1_600}`),
    );
    await deleteOldCalls(service.app.services.db, 7);
    expect(await countStoredCalls()).toBe(1_000);
  });

  it('is separate for each key: a busy key does not displace the calls of other keys', async () => {
    const otherKey = await createApiKey(service.app.services.db, TEST_ACTOR, {
      name: 'other',
      expiresAt: null,
    });
    const keyCalls = new KeyCallLog(service.app.services.db, service.app.services.log, 7);
    keyCalls.add(makeCall(0, { apiKeyId: otherKey.id }));
    for (let n = 0; n < 4_000; n++) keyCalls.add(makeCall(n));
    await keyCalls.close();
    await deleteOldCalls(service.app.services.db, 7);
    expect([await countStoredCalls(otherKey.id), await countStoredCalls()]).toEqual([1, 1_000]);
  });

  it.each([7, 2])(
    'hides calls older than the configured %i days until the upkeep deletes them',
    async (days) => {
      const { db, log } = service.app.services;
      const maxAgeMs = days * 86_400_000;
      const keyCalls = new KeyCallLog(db, log, days);
      keyCalls.add(makeCall(1, { at: Date.now() - maxAgeMs - 60_000 }));
      keyCalls.add(makeCall(2, { at: Date.now() - maxAgeMs + 60_000 }));
      await keyCalls.close();
      const page = await listKeyCalls(db, apiKey.id, { limit: 5, errorsOnly: false, days: keyCalls.days });
      expect(page.calls.map(({ request_id }) => request_id)).toEqual(['r2']);
      expect(page.days).toBe(days);
      await deleteOldCalls(db, days);
      expect(await countStoredCalls()).toBe(1);
    },
  );

  it('is cleared of old calls, however many there are, unless the service is stopping', async () => {
    const { db } = service.app.services;
    await db.pool.query(
      `INSERT INTO api_key_calls (api_key_id, created_at, request_id, method, route, status, duration_ms)
       SELECT $1, now() - interval '8 days', 'r', 'GET', '/api/', 200, 1 FROM generate_series(1, 12001)`,
      [apiKey.id],
    );
    await expect(deleteOldCalls(db, 7, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(await countStoredCalls()).toBe(12_001);
    await deleteOldCalls(db, 7);
    expect(await countStoredCalls()).toBe(0);
  });
});

describe('the pages of a request log', () => {
  it('show every call once, or only the calls with errors', async () => {
    const { db, log } = service.app.services;
    // The ids will have two and three digits. Sorted as text, they would be in the wrong order.
    await service.database.query('TRUNCATE api_key_calls');
    await service.database.query('ALTER SEQUENCE api_key_calls_id_seq RESTART WITH 90');
    const keyCalls = new KeyCallLog(db, log, 7);
    for (let n = 0; n < 25; n++) keyCalls.add(makeCall(n, { status: n % 5 === 0 ? 500 : 200 }));
    await keyCalls.close();
    const readAllIds = async (errorsOnly: boolean) => {
      const requestIds: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listKeyCalls(db, apiKey.id, { cursor, limit: 4, errorsOnly, days: 7 });
        expect(page.calls.length).toBeLessThanOrEqual(4);
        requestIds.push(...page.calls.map(({ request_id }) => request_id));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      return requestIds;
    };
    expect(await readAllIds(false)).toEqual(Array.from({ length: 25 }, (_, n) => `r${24 - n}`));
    expect(await readAllIds(true)).toEqual(['r20', 'r15', 'r10', 'r5', 'r0']);
  });
});

describe('while the database is unreachable', () => {
  const openUnreachableDatabase = () => {
    let logText = '';
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logText += chunk;
        done();
      },
    });
    const log = createLog('info', sink);
    const url = 'postgresql://nobody@127.0.0.1:1/none';
    return { db: openDatabase({ url, poolSize: 1, bulkPoolSize: 1, log }), log, readLogText: () => logText };
  };

  it('the request log bounds its memory: it drops the oldest calls, logs this, and writes the rest later', async () => {
    const { db, log, readLogText } = openUnreachableDatabase();
    const logDatabase = { pool: db.pool };
    const keyCalls = new KeyCallLog(logDatabase, log, 7);
    for (let n = 0; n < 30_000; n++) {
      keyCalls.add(makeCall(n, { apiKeyId: apiKey.id + (n % 20) }));
      expect(keyCalls.waitingCount).toBeLessThanOrEqual(10_000);
    }
    await keyCalls.flush();
    expect(readLogText()).toMatch(/"dropped":\d+.*calls are missing from the request log/);
    logDatabase.pool = service.app.services.db.pool;
    await keyCalls.close();
    const savedCalls = await readLog();
    expect(savedCalls.length).toBeGreaterThan(300);
    expect(savedCalls.at(-1)!.request_id).toBe('r29980');
    await db.close();
  });
});

it('the service writes pending calls to the request log before it stops', async () => {
  const stoppedService = await startTestService();
  await stoppedService.send('/api/legos-cate', { headers: { 'X-Request-Id': 'last' } });
  await stoppedService.app.stop();
  const rows = await stoppedService.database.query(
    `SELECT status FROM api_key_calls WHERE request_id = 'last'`,
  );
  expect(rows).toEqual([{ status: 200 }]);
  await stoppedService.database.drop();
});
