import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../src/server/core/log';
import type { TrackingStatus } from '../../../../src/server/core/statuses';
import { type Database, openDatabase } from '../../../../src/server/db/client';
import { mapStatus, unmapStatus } from '../../../../src/server/tracking/callbacks/mapping-service';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

// A mapping is applied in batches of 500 shipments, each in a transaction of its own.
const FIRST_BATCH_SIZE = 500;
const SECOND_BATCH_SIZE = 100;
const SHIPMENT_COUNT = FIRST_BATCH_SIZE + SECOND_BATCH_SIZE;

let service: TestService;
let db: Database;
/** Gives up on statements that wait for a lock for more than 300 ms. */
let shortTimeoutDatabase: Database;
let round = 0;
let numberPrefix: string;
let statusKey: { source: string; providerStatus: string };
/** A tracking number of the second batch. */
let lastNumber: string;

beforeAll(async () => {
  service = await startTestService();
  db = service.app.services.db;
  const url = new URL(service.database.url);
  url.searchParams.set('options', '-c lock_timeout=300');
  shortTimeoutDatabase = openDatabase({
    url: url.href,
    poolSize: 2,
    bulkPoolSize: 1,
    log: createLog('silent'),
  });
});
afterAll(async () => {
  await shortTimeoutDatabase.close();
  await service.close();
});

beforeEach(async () => {
  numberPrefix = `CUT${++round}N`;
  lastNumber = `${numberPrefix}${1000 + SHIPMENT_COUNT}`;
  statusKey = { source: 'plain', providerStatus: `cut ${round}` };
  await service.importRows([{ receipt_id: lastNumber, tracking_number: lastNumber }]);
  await service.database.query(
    `INSERT INTO tracking_numbers (tracking_number) SELECT $1 || 1000 + n FROM generate_series(1, $2::int) n
         ON CONFLICT DO NOTHING`,
    [numberPrefix, SHIPMENT_COUNT],
  );
  await service.database.query(
    `INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, provider_status, source)
     SELECT $1 || 1000 + n, 'event', sha256(n::text::bytea), now(), $3, 'callback' FROM generate_series(1, $2::int) n`,
    [numberPrefix, SHIPMENT_COUNT, statusKey.providerStatus],
  );
});

/** Returns how many of the test's tracking numbers have each status. */
async function countStatuses(): Promise<Record<string, number>> {
  const rows = await service.database.query<{ status: string; number_count: number }>(
    `SELECT status, count(*)::int AS number_count FROM tracking_numbers WHERE tracking_number LIKE $1 GROUP BY 1`,
    [`${numberPrefix}%`],
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.number_count]));
}

const setMapping = (status: TrackingStatus, database = db) =>
  mapStatus(database, TEST_ACTOR, statusKey, status);
const removeMapping = (database = db) => unmapStatus(database, TEST_ACTOR, statusKey);

/** Makes `change` fail after its first batch. */
async function interruptChange(change: (database: Database) => Promise<unknown>): Promise<void> {
  const client = await db.bulkPool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM tracking_numbers WHERE tracking_number = $1 FOR UPDATE', [lastNumber]);
    // On a cluster, lock_timeout does not reach the workers, so the client's own limit ends the query.
    await expect(change(shortTimeoutDatabase)).rejects.toThrow(/lock timeout|Query read timeout/);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
}

it('an interrupted change of a meaning is finished by setting the new meaning again', async () => {
  await setMapping('delivered');
  expect(await readStoredOrder(service.database, lastNumber)).toMatchObject({ status: 'delivered' });
  await interruptChange((database) => setMapping('exception', database));
  expect(await countStatuses()).toEqual({ exception: FIRST_BATCH_SIZE, delivered: SECOND_BATCH_SIZE });
  expect(await setMapping('exception')).toMatchObject({
    changed_events: SECOND_BATCH_SIZE,
    updated_orders: 1,
  });
  expect(await countStatuses()).toEqual({ exception: SHIPMENT_COUNT });
  expect(await readStoredOrder(service.database, lastNumber)).toMatchObject({ status: 'shipped' });
  expect(await setMapping('exception')).toMatchObject({ changed_events: 0 });
});

it('an interrupted change of a meaning is finished by setting a third meaning', async () => {
  await setMapping('delivered');
  await interruptChange((database) => setMapping('exception', database));
  expect(await setMapping('in_transit')).toMatchObject({ changed_events: SHIPMENT_COUNT });
  expect(await countStatuses()).toEqual({ in_transit: SHIPMENT_COUNT });
});

it('an interrupted removal of a meaning is finished by removing it again', async () => {
  await setMapping('delivered');
  await interruptChange(removeMapping);
  expect(await countStatuses()).toEqual({ not_found: FIRST_BATCH_SIZE, delivered: SECOND_BATCH_SIZE });
  expect(await removeMapping()).toMatchObject({ changed_events: SECOND_BATCH_SIZE, updated_orders: 1 });
  expect(await countStatuses()).toEqual({ not_found: SHIPMENT_COUNT });
  await expect(removeMapping()).rejects.toMatchObject({ code: 'not_found' });
});

it('an interrupted removal of a meaning is finished by setting another meaning', async () => {
  await setMapping('delivered');
  await interruptChange(removeMapping);
  expect(await setMapping('exception')).toMatchObject({ changed_events: SHIPMENT_COUNT });
  expect(await countStatuses()).toEqual({ exception: SHIPMENT_COUNT });
  expect(await readStoredOrder(service.database, lastNumber)).toMatchObject({ status: 'shipped' });
});

it('an interrupted setting of a first meaning is finished by setting it again, and moves no order back', async () => {
  const data = { tracking_number: lastNumber, status: 'delivered', time: '2026-08-26T10:00:00Z' };
  await service.send('/api/v1/tracks', { body: { event: 'tracking', data } });
  // An order stays delivered when it gets a second shipment.
  await service.importRows([{ receipt_id: lastNumber, tracking_number: `${lastNumber} B` }]);
  await interruptChange((database) => setMapping('in_transit', database));
  expect(await setMapping('in_transit')).toMatchObject({ changed_events: SECOND_BATCH_SIZE });
  expect(await readStoredOrder(service.database, lastNumber)).toMatchObject({ status: 'delivered' });
});
