import { get } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageReads } from '../../../src/server/db/page-reads';
import { countWaitingStatements } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

const POOL_SIZE = 4;
const RANGE = { from: '2026-08-01', to: '2026-08-07' };

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService({ DATABASE_POOL_SIZE: String(POOL_SIZE) });
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

/** Runs `work` while the overview's first statements wait for a lock. */
async function withLockedOrderDays<Result>(
  work: (lockingClient: pg.Client) => Promise<Result>,
): Promise<Result> {
  const lockingClient = new pg.Client({ connectionString: service.database.url });
  await lockingClient.connect();
  try {
    await lockingClient.query('BEGIN; LOCK TABLE order_days IN ACCESS EXCLUSIVE MODE');
    return await work(lockingClient);
  } finally {
    await lockingClient.end();
  }
}

const waitForStatements = (count: number) =>
  expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(count);

it("many slow overviews of one user leave half of the connections to everybody else's requests", async () => {
  const colleague = await createSignedInUser(service, 'operator');
  const responses = await withLockedOrderDays(async (lockingClient) => {
    const overviews = Array.from({ length: 5 }, () => viewer.call('overview.read', RANGE));
    await waitForStatements(POOL_SIZE / 2);
    const readiness = await service.send('/readyz');
    const callback = await service.send('/api/v1/tracks', {
      body: { event: 'update', data: { tracking_number: 'LM1', status: 'in_transit' } },
    });
    const otherPage = await colleague.call('orders.tabs');
    expect([readiness.status, callback.status, otherPage.status]).toEqual([200, 200, 200]);
    await waitForStatements(POOL_SIZE / 2);
    await lockingClient.query('COMMIT');
    return Promise.all(overviews);
  });
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

it('/readyz responds while slow pages of several users have taken all connections for requests', async () => {
  const users = [viewer, await createSignedInUser(service, 'operator')];
  await withLockedOrderDays(async (lockingClient) => {
    const overviews = users.map((user) => user.call('overview.read', RANGE));
    await waitForStatements(POOL_SIZE);
    const { status, json } = await service.send('/readyz');
    expect([status, json]).toEqual([200, { status: 'ready', database: 'reachable', migrations: 'applied' }]);
    await lockingClient.query('COMMIT');
    for (const overview of overviews) expect((await overview).status).toBe(200);
  });
});

it('a read runs three statements at a time', async () => {
  const { db } = service.app.services;
  const lockingClient = new pg.Client({ connectionString: service.database.url });
  await lockingClient.connect();
  try {
    await lockingClient.query('SELECT pg_advisory_lock(1)');
    const signal = new AbortController().signal;
    const read = new PageReads(100).run({ userId: 1, db, signal }, ({ pool }) =>
      Promise.all(Array.from({ length: 4 }, () => pool.query('SELECT pg_advisory_xact_lock_shared(1)'))),
    );
    await waitForStatements(3);
    const { statements } = await readLastStatements();
    expect(statements.filter((text) => text.includes('pg_advisory'))).toHaveLength(3);
    await lockingClient.query('SELECT pg_advisory_unlock(1)');
    expect(await read).toHaveLength(4);
  } finally {
    await lockingClient.end();
  }
});

/** Returns the running or last statement of each connection for requests, and whether none is running. */
async function readLastStatements(): Promise<{ statements: string[]; isIdle: boolean }> {
  const rows = await service.database.query<{ query: string; state: string }>(
    `SELECT query, state FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'brickdesk-work' ORDER BY pid`,
  );
  return {
    statements: rows.map(({ query }) => query),
    isIdle: rows.every(({ state }) => state === 'idle'),
  };
}

it('once the client of an overview is gone, no further statement of it begins', async () => {
  const reader = await createSignedInUser(service, 'viewer');
  // The request log writes the calls of the tests above by a timer, through the same connections.
  await service.app.services.keyCalls.flush();
  const waitingStatements = await withLockedOrderDays(async (lockingClient) => {
    const input = encodeURIComponent(JSON.stringify(RANGE));
    const request = get(`${service.url}/api/trpc/overview.read?input=${input}`, {
      headers: { Cookie: reader.cookie },
      agent: false,
    });
    request.on('error', () => undefined);
    await waitForStatements(POOL_SIZE / 2);
    request.destroy();
    await expect.poll(() => service.readLog()).toMatch(/"route":"\/api\/trpc\/overview.read","status":499/);
    const { statements } = await readLastStatements();
    await lockingClient.query('COMMIT');
    return statements;
  });
  await expect.poll(async () => (await readLastStatements()).isIdle, { timeout: 20_000 }).toBe(true);
  expect((await readLastStatements()).statements).toEqual(waitingStatements);
});
