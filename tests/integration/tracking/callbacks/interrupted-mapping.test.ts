import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../src/server/core/log';
import type { TrackingStatus } from '../../../../src/server/core/statuses';
import { type Database, openDatabase } from '../../../../src/server/db/client';
import { mapStatus, unmapStatus } from '../../../../src/server/tracking/callbacks/mapping-service';
import { storedOrder } from '../../../support/service/stored';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

// A mapping is applied in batches of 500 shipments, each in a transaction of its own.
const FIRST_BATCH = 500;
const SECOND_BATCH = 100;
const ALL = FIRST_BATCH + SECOND_BATCH;

let service: TestService;
let db: Database;
/** Gives up a statement that waits for a lock for more than 300 ms. */
let impatientDatabase: Database;
let round = 0;
let prefix: string;
let key: { source: string; providerStatus: string };
/** A number of the second batch. */
let lastNumber: string;

beforeAll(async () => {
  service = await startTestService();
  db = service.app.services.db;
  const url = new URL(service.database.url);
  url.searchParams.set('options', '-c lock_timeout=300');
  impatientDatabase = openDatabase({ url: url.href, poolSize: 2, bulkPoolSize: 1, log: createLog('silent') });
});
afterAll(async () => {
  await impatientDatabase.close();
  await service.close();
});

beforeEach(async () => {
  prefix = `CUT${++round}N`;
  lastNumber = `${prefix}${1000 + ALL}`;
  key = { source: 'plain', providerStatus: `cut ${round}` };
  await service.importRows([{ receipt_id: lastNumber, tracking_number: lastNumber }]);
  await service.database.query(
    `INSERT INTO tracking_numbers (tracking_number) SELECT $1 || 1000 + n FROM generate_series(1, $2::int) n
         ON CONFLICT DO NOTHING`,
    [prefix, ALL],
  );
  await service.database.query(
    `INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, provider_status, source)
     SELECT $1 || 1000 + n, 'event', sha256(n::text::bytea), now(), $3, 'callback' FROM generate_series(1, $2::int) n`,
    [prefix, ALL, key.providerStatus],
  );
});

/** Returns how many of the numbers have each status. */
async function countStatuses(): Promise<Record<string, number>> {
  const rows = await service.database.query<{ status: string; numbers: number }>(
    `SELECT status, count(*)::int AS numbers FROM tracking_numbers WHERE tracking_number LIKE $1 GROUP BY 1`,
    [`${prefix}%`],
  );
  return Object.fromEntries(rows.map(({ status, numbers }) => [status, numbers]));
}

const set = (status: TrackingStatus, database = db) => mapStatus(database, TEST_ACTOR, key, status);
const remove = (database = db) => unmapStatus(database, TEST_ACTOR, key);

/** Runs a change that fails after its first batch. */
async function interrupt(change: (database: Database) => Promise<unknown>): Promise<void> {
  const client = await db.bulkPool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM tracking_numbers WHERE tracking_number = $1 FOR UPDATE', [lastNumber]);
    // On a cluster, lock_timeout does not reach the workers, so the client's own limit ends the query.
    await expect(change(impatientDatabase)).rejects.toThrow(/lock timeout|Query read timeout/);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
}

it('an interrupted change of a meaning is finished by setting the new one again', async () => {
  await set('delivered');
  expect(await storedOrder(service.database, lastNumber)).toMatchObject({ status: 'delivered' });
  await interrupt((database) => set('exception', database));
  expect(await countStatuses()).toEqual({ exception: FIRST_BATCH, delivered: SECOND_BATCH });
  expect(await set('exception')).toMatchObject({ changed_events: SECOND_BATCH, updated_orders: 1 });
  expect(await countStatuses()).toEqual({ exception: ALL });
  expect(await storedOrder(service.database, lastNumber)).toMatchObject({ status: 'shipped' });
  expect(await set('exception')).toMatchObject({ changed_events: 0 });
});

it('an interrupted change of a meaning is finished by setting yet another one', async () => {
  await set('delivered');
  await interrupt((database) => set('exception', database));
  expect(await set('in_transit')).toMatchObject({ changed_events: ALL });
  expect(await countStatuses()).toEqual({ in_transit: ALL });
});

it('an interrupted removal of a meaning is finished by removing it again', async () => {
  await set('delivered');
  await interrupt(remove);
  expect(await countStatuses()).toEqual({ not_found: FIRST_BATCH, delivered: SECOND_BATCH });
  expect(await remove()).toMatchObject({ changed_events: SECOND_BATCH, updated_orders: 1 });
  expect(await countStatuses()).toEqual({ not_found: ALL });
  await expect(remove()).rejects.toMatchObject({ code: 'not_found' });
});

it('an interrupted removal of a meaning is finished by setting another one', async () => {
  await set('delivered');
  await interrupt(remove);
  expect(await set('exception')).toMatchObject({ changed_events: ALL });
  expect(await countStatuses()).toEqual({ exception: ALL });
  expect(await storedOrder(service.database, lastNumber)).toMatchObject({ status: 'shipped' });
});

it('an interrupted setting of a first meaning is finished by setting it again, and moves no order back', async () => {
  const data = { tracking_number: lastNumber, status: 'delivered', time: '2026-08-26T10:00:00Z' };
  await service.send('/api/v1/tracks', { body: { event: 'tracking', data } });
  // An order stays delivered when it gets a second shipment.
  await service.importRows([{ receipt_id: lastNumber, tracking_number: `${lastNumber} B` }]);
  await interrupt((database) => set('in_transit', database));
  expect(await set('in_transit')).toMatchObject({ changed_events: SECOND_BATCH });
  expect(await storedOrder(service.database, lastNumber)).toMatchObject({ status: 'delivered' });
});
