import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { appRouter } from '../../../src/server/api/router';
import { openDatabase } from '../../../src/server/db/client';
import { failedOnReplica, openReplica } from '../../../src/server/db/replica';
import { urlOfDatabase } from '../../support/database/cluster-database';
import {
  createReplicatedDatabase,
  type ReplicatedDatabase,
} from '../../support/database/replicated-database';
import { findFreePort } from '../../support/service/free-port';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const RANGE = { from: '2026-08-01', to: '2026-08-31' };
/** Every procedure that may read from the replica, with an input. */
const READS: Record<string, unknown> = {
  'audit.list': {},
  'callbacks.list': {},
  'callbacks.unmapped': undefined,
  'catalog.products': {},
  'countries.list': undefined,
  'imports.history': {},
  'orders.list': {},
  'orders.count': { filter: {} },
  'orders.tabs': undefined,
  'orders.suggest': { text: 'Wynn' },
  'overview.read': { ...RANGE, shops: [] },
  'overview.deliveries': { ...RANGE, shops: [] },
  'queues.counts': {},
  'queues.list': { queue: 'to_ship' },
  'records.list': {},
  'replies.list': {},
  'shipments.carriers': undefined,
  'shipments.counts': {},
  'shipments.list': {},
  'statistics.shopDays': {},
  'statistics.listingDays': {},
  'statistics.shopSeries': { ...RANGE, shop_ids: ['test-shop'] },
  'statistics.listingSeries': { ...RANGE, shop_ids: ['test-shop'], listing_ids: [1] },
  'statistics.topListings': { ...RANGE, shop_ids: ['test-shop'] },
  'statistics.missingDays': { kind: 'shop', shop_ids: ['test-shop'], from: '2026-08', to: '2026-08' },
  'statistics.restatements': {},
};
/** Downloads that may read from the replica. */
const DOWNLOADS = [
  'orders?format=csv',
  'orders?format=xlsx&template=forwarder&language=en',
  'statistics?kind=shop',
  'products',
  `shop-days?format=csv&input=${encodeURIComponent('{}')}`,
  `countries?format=xlsx&input=${encodeURIComponent(JSON.stringify({ ...RANGE, shops: [] }))}`,
];

let replicatedDatabase: ReplicatedDatabase;
let service: TestService;
let owner: SignedInUser;
let importCount = 0;

const importOrder = async () => {
  importCount += 1;
  const row = { receipt_id: `9${importCount}`, transaction_id: '1', title: 'Fox', sale_date: '08/01/2026' };
  expect((await service.importRows([row])).status).toBe(200);
};
const countListedOrders = async () => (await owner.call('orders.list', { limit: 200 })).data.orders.length;
const readCounts = async (): Promise<{ replica: number; primary: number }> => {
  const text = await (await fetch(`http://127.0.0.1:${service.app.metricsPort}/metrics`)).text();
  const countOf = (database: string) =>
    Number(new RegExp(`brickdesk_replica_reads_total{database="${database}"} (\\d+)`).exec(text)?.[1] ?? 0);
  return { replica: countOf('replica'), primary: countOf('primary') };
};
/** Repeats a read until the replica serves it; while the replica lags, the primary does. */
async function readOnReplica<Result>(read: () => Promise<Result>): Promise<Result> {
  let result: Result | undefined;
  await vi.waitUntil(
    async () => {
      const countsBefore = await readCounts();
      result = await read();
      const countsAfter = await readCounts();
      expect(countsAfter.replica + countsAfter.primary).toBe(countsBefore.replica + countsBefore.primary + 1);
      return countsAfter.replica > countsBefore.replica;
    },
    { timeout: 30_000, interval: 100 },
  );
  return result!;
}

beforeAll(async () => {
  replicatedDatabase = await createReplicatedDatabase();
  service = await startTestService(
    {
      DATABASE_URL: replicatedDatabase.primary.url,
      DATABASE_REPLICA_URL: replicatedDatabase.replicaUrl,
      NEXTAUTH_SECRET: 'x'.repeat(48),
      METRICS_PORT: '0',
    },
    replicatedDatabase.primary,
  );
  owner = await createSignedInUser(service, 'owner');
  await importOrder();
});
afterAll(() => service?.close());

describe('a replica', () => {
  it('serves every procedure that declares fromReplica, all of which are queries', async () => {
    const procedures = appRouter._def.procedures as unknown as Record<
      string,
      { _def: { type: string; meta?: { fromReplica?: boolean } } }
    >;
    const declaredNames = Object.keys(procedures).filter((name) => procedures[name]!._def.meta?.fromReplica);
    expect(Object.keys(READS).toSorted()).toEqual(declaredNames.toSorted());
    expect(declaredNames.filter((name) => procedures[name]!._def.type !== 'query')).toEqual([]);
    for (const [name, input] of Object.entries(READS)) {
      const { error } = await readOnReplica(() => owner.call(name, input));
      expect(error, name).toBeNull();
    }
  });

  it.each(DOWNLOADS)('serves the download %s', async (name) => {
    const { status, text } = await readOnReplica(async () => {
      const response = await fetch(`${service.url}/api/downloads/${name}`, {
        headers: { cookie: owner.cookie },
      });
      return { status: response.status, text: await response.text() };
    });
    expect(status, text).toBe(200);
  });

  it('itself runs the statement of the order list', async () => {
    await replicatedDatabase.readReplicaLog();
    expect(await readOnReplica(countListedOrders)).toBe(importCount);
    expect(await replicatedDatabase.readReplicaLog()).toMatch(/FROM orders\b/);
  });

  it('never hides a change that was made before a read', async () => {
    for (let round = 0; round < 30; round += 1) {
      await importOrder();
      expect(await countListedOrders()).toBe(importCount);
    }
  });

  it('is not read while it lags behind, and is read again when it has caught up', async () => {
    await readOnReplica(countListedOrders);
    await replicatedDatabase.runOnReplica('SELECT pg_wal_replay_pause()');
    const countsBefore = await readCounts();
    await importOrder();
    expect(await countListedOrders()).toBe(importCount);
    expect(await countListedOrders()).toBe(importCount);
    expect(await readCounts()).toEqual({ ...countsBefore, primary: countsBefore.primary + 2 });
    await replicatedDatabase.runOnReplica('SELECT pg_wal_replay_resume()');
    expect(await readOnReplica(countListedOrders)).toBe(importCount);
  });

  it('that goes away makes no read fail: the primary takes over, and the log says so once', async () => {
    await readOnReplica(countListedOrders);
    const logStart = service.readLog().length;
    await replicatedDatabase.stopReplica();
    for (let round = 0; round < 5; round += 1) expect(await countListedOrders()).toBe(importCount);
    const readNewLines = () => service.readLog().slice(logStart).split('\n');
    expect(readNewLines().filter((line) => line.includes('the replica cannot be read'))).toHaveLength(1);
    await replicatedDatabase.startReplica();
    await readOnReplica(countListedOrders);
    expect(readNewLines().filter((line) => line.includes('the replica is in use again'))).toHaveLength(1);
  });
});

describe('a replica that goes away after it was found up to date', () => {
  it('makes no read fail: the read runs again on the primary', async () => {
    const { services } = service.app;
    const { replica, log } = services;
    const unreachableUrl = `postgresql://nobody@127.0.0.1:${await findFreePort()}/brickdesk`;
    const unreachableDatabase = openDatabase({
      url: unreachableUrl,
      poolSize: 1,
      bulkPoolSize: 1,
      log,
      isReplica: true,
    });
    services.replica = {
      findUpToDateDatabase: async () => unreachableDatabase,
      close: unreachableDatabase.close,
    };
    try {
      expect(await countListedOrders()).toBe(importCount);
      for (const name of DOWNLOADS) {
        const response = await fetch(`${service.url}/api/downloads/${name}`, {
          headers: { cookie: owner.cookie },
        });
        expect(response.status, name).toBe(200);
        expect((await response.arrayBuffer()).byteLength, name).toBeGreaterThan(0);
      }
      const ordersResponse = await fetch(`${service.url}/api/downloads/orders?format=csv`, {
        headers: { cookie: owner.cookie },
      });
      const [header, ...rows] = (await ordersResponse.text()).trim().split('\n');
      expect(header).toContain('receipt_id');
      expect(rows).toHaveLength(importCount);
    } finally {
      services.replica = replica;
      await unreachableDatabase.close();
    }
  });
});

describe('a database that is not a replica of the primary', () => {
  it('does not affect reads', async () => {
    const otherService = await startTestService({
      DATABASE_URL: replicatedDatabase.primary.url,
      DATABASE_REPLICA_URL: replicatedDatabase.primary.url,
      NEXTAUTH_SECRET: 'x'.repeat(48),
    });
    const user = await createSignedInUser(otherService, 'owner');
    await otherService.importRows([{ receipt_id: '1', transaction_id: '1', title: 'Owl' }]);
    expect((await user.call('orders.list', {})).data.orders).toHaveLength(1);
    await otherService.close();
  });

  it.each<[string, () => { url: string; primaryUrl: string }]>([
    [
      'the primary itself',
      () => ({ url: replicatedDatabase.primary.url, primaryUrl: replicatedDatabase.primary.url }),
    ],
    [
      'a replica of another server',
      () => ({ url: replicatedDatabase.replicaUrl, primaryUrl: inject('serverUrl') }),
    ],
    [
      'another database on the replica of the primary',
      () => ({
        url: urlOfDatabase(replicatedDatabase.replicaUrl, 'postgres'),
        primaryUrl: replicatedDatabase.primary.url,
      }),
    ],
  ])('is never read, and the log says so: %s', async (_, getUrls) => {
    const { url, primaryUrl } = getUrls();
    const primary = new pg.Pool({ connectionString: primaryUrl, max: 1 });
    const { log } = service.app.services;
    const replica = openReplica({ url, primary, poolSize: 1, bulkPoolSize: 1, log });
    const logStart = service.readLog().length;
    try {
      // On a busy machine, the first check may find it unavailable. It is checked again after a pause.
      const readLogOfUnusedReplica = async () => {
        expect(await replica.findUpToDateDatabase()).toBeNull();
        return service.readLog().slice(logStart);
      };
      await expect
        .poll(readLogOfUnusedReplica)
        .toContain('is not a replica of this database and is not used');
    } finally {
      await replica.close();
      await primary.end();
    }
  });
});

describe('failedOnReplica', () => {
  const makeErrorWithCode = (code: string) => Object.assign(new Error('failed'), { code });

  it.each(['40001', '40P01', 'P2034', '57P01', 'ECONNREFUSED'])(
    'is true for %s, also as the cause of another error',
    (code) => {
      expect(failedOnReplica(makeErrorWithCode(code))).toBe(true);
      expect(failedOnReplica(new Error('outer', { cause: makeErrorWithCode(code) }))).toBe(true);
    },
  );

  it.each(['25006', '42P01', '22P02'])(
    'is false for %s, which would fail on the primary too or must not be hidden',
    (code) => {
      expect(failedOnReplica(new Error('outer', { cause: makeErrorWithCode(code) }))).toBe(false);
    },
  );
});
