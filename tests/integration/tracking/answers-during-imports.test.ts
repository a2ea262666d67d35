import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { refreshShipments } from '../../../src/server/tracking/shipments/refresh-service';
import { countWaitingStatements } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';

const POOL_SIZE = 4;
const NUMBERS = ['BUSY0', 'BUSY1', 'BUSY2', 'BUSY3', 'BUSY4'];
const BUSY_MESSAGE =
  'Tracking numbers are busy, for example because an import is using them. Try again in a minute.';

let carrier: CarrierStandIn;
let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
  });
  operator = await createSignedInUser(service, 'operator');
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});
beforeEach(async () => {
  await service.database.query('TRUNCATE tracking_numbers CASCADE');
  await service.importRows(
    NUMBERS.map((tracking_number) => ({ receipt_id: tracking_number, title: 'T', tracking_number })),
  );
});

/** Calls `act` while the numbers are locked, as by a running import. */
async function whileLocked<T>(numbers: readonly string[], act: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM tracking_numbers WHERE tracking_number = ANY($1) FOR UPDATE', [numbers]);
    return await act();
  } finally {
    await client.end();
  }
}

const countCarrierRequests = () =>
  carrier.requests.filter(({ operation }) => operation === 'gettrackinfo').length;
const requestNumber = (number: string) => service.send(`/api/logistics?tracking_number=${number}`);

it('answers of the carrier and callbacks that wait for an import together leave half of the connections to other requests', async () => {
  const progress = new EventEmitter();
  for (const number of NUMBERS) carrier.script(number, { kind: 'held', until: once(progress, 'answered') });
  await whileLocked(NUMBERS, async () => {
    const queriesPromise = Promise.all([
      ...NUMBERS.slice(1).map(requestNumber),
      operator.call('shipments.askCarrier', { tracking_numbers: NUMBERS.slice(0, 1) }),
    ]);
    await expect.poll(countCarrierRequests).toBe(NUMBERS.length);
    progress.emit('answered');
    const callbacksPromise = Promise.all(
      NUMBERS.map((tracking_number) =>
        service.send('/api/v1/tracks', {
          body: { event: 'x', data: { tracking_number, status: 'in_transit' } },
        }),
      ),
    );
    const countWaiting = () => countWaitingStatements(service.database);
    await expect.poll(countWaiting).toBeGreaterThanOrEqual(POOL_SIZE / 2);
    const otherResponse = await service.send('/api/shop-statistics', {
      body: { shop_id: 'test-shop', date: '2026-08-22' },
    });
    expect(otherResponse.status).toBe(200);
    expect(await countWaiting()).toBe(POOL_SIZE / 2);
    const responses = [...(await queriesPromise), ...(await callbacksPromise)];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 503));
  });
}, 60_000);

it('GET /api/logistics returns 503 with Retry-After while an import uses the number, and the events once it is done', async () => {
  const { status, headers, json } = await whileLocked(['BUSY0'], () => requestNumber('BUSY0'));
  expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '60']);
  expect(json.message).toBe(BUSY_MESSAGE);
  const repeatedResponse = await requestNumber('BUSY0');
  expect(repeatedResponse.status).toBe(200);
  expect(repeatedResponse.json.data[0].events).not.toEqual([]);
}, 60_000);

it('a refresh goes on with the next shipments if an import locks some while the carrier is queried', async () => {
  // Two batches: the imported numbers are in the first, because they have never been queried.
  await service.database.query(
    `INSERT INTO tracking_numbers (tracking_number, status, status_at, asked_at)
     SELECT 'NEXT' || n, 'in_transit', now(), now() - interval '5 hours' FROM generate_series(1, 40) n`,
  );
  const progress = new EventEmitter();
  carrier.script('BUSY0', { kind: 'held', until: once(progress, 'locked') });
  const requestCount = countCarrierRequests();
  const refreshPromise = refreshShipments(service.app.services.db, service.app.services.carrier, {
    queriedBefore: new Date(),
    days: 60,
    signal: new AbortController().signal,
  });
  await expect.poll(countCarrierRequests).toBe(requestCount + 1);
  const result = await whileLocked(['BUSY0'], () => {
    progress.emit('locked');
    return refreshPromise;
  });
  expect(result).toMatchObject({ queried: NUMBERS.length });
  const queriedRows = await service.database.query(
    'SELECT 1 FROM tracking_numbers WHERE status_at IS NOT NULL AND carrier_code IS NOT NULL',
  );
  expect(queriedRows).toHaveLength(NUMBERS.length);
}, 60_000);
