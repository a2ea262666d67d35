import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayUnprocessedCallbacks } from '../../../../src/server/tracking/callbacks/unprocessed-service';
import { countWaitingStatements } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService({ DATABASE_POOL_SIZE: '4' });
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

const sendCallback = (tracking_number: string, day: number) =>
  service.send('/api/v1/tracks', {
    body: {
      event: 'x',
      data: { tracking_number, status: 'in_transit', time: `2026-08-${10 + day}T10:00:00Z` },
    },
  });
const replayUnprocessed = () => replayUnprocessedCallbacks(service.app.services);
/** Makes all callbacks look as if they had been received two minutes ago. */
const makeOlder = () =>
  service.database.query(`UPDATE inbound_records SET received_at = now() - interval '2 minutes'`);
const listUnprocessed = () =>
  service.database.query<{ id: string; replays: number }>(
    'SELECT id::text, replays FROM inbound_records WHERE processed_at IS NULL ORDER BY id',
  );
const countEvents = async (number: string) => {
  const rows = await service.database.query('SELECT 1 FROM tracking_events WHERE tracking_number = $1', [
    number,
  ]);
  return rows.length;
};

it('callbacks that wait for an import leave connections to other requests, give up, and are processed later exactly once', async () => {
  await service.importRows([{ receipt_id: 'a', title: 'T', tracking_number: 'BUSY1' }]);
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    // As a running import does.
    await client.query(`BEGIN; SELECT 1 FROM tracking_numbers WHERE tracking_number = 'BUSY1' FOR UPDATE`);
    const callbacksPromise = Promise.all([1, 2, 3, 4].map((day) => sendCallback('BUSY1', day)));
    await expect.poll(async () => (await listUnprocessed()).length).toBe(4);
    await expect.poll(() => countWaitingStatements(service.database)).toBe(2);
    const statisticResponse = await service.send('/api/shop-statistics', {
      body: { shop_id: 'test-shop', date: '2026-08-22' },
    });
    expect(statisticResponse.status).toBe(200);
    for (const { status, headers, json } of await callbacksPromise) {
      expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '60']);
      expect(json.message).toBe(
        'Tracking numbers are busy, for example because an import is using them. Try again in a minute.',
      );
    }
    // They may still be in progress.
    expect(await replayUnprocessed()).toEqual({ replayed: 0, failed: 0 });
    await makeOlder();
    // The number is still locked, which does not count as a failure of the callback.
    expect(await replayUnprocessed()).toEqual({ replayed: 0, failed: 0 });
    expect((await listUnprocessed()).map(({ replays }) => replays)).toEqual(Array(4).fill(0));
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  await Promise.all([replayUnprocessed(), replayUnprocessed()]);
  expect(await listUnprocessed()).toEqual([]);
  expect(await countEvents('BUSY1')).toBe(4);
  const { data } = await operator.call('callbacks.list', { limit: 4 });
  expect(data.records).toMatchObject(Array(4).fill({ outcome: 'understood', new_events: 1 }));
  expect(await replayUnprocessed()).toEqual({ replayed: 0, failed: 0 });
}, 60_000);

it('a callback that cannot be processed is tried three times, holds up no other, and can still be replayed by a user', async () => {
  await service.database.query(
    `ALTER TABLE tracking_events ADD CONSTRAINT fails CHECK (tracking_number <> 'FAILS')`,
  );
  expect((await sendCallback('FAILS', 1)).status).toBe(500);
  const [failedCallback] = await listUnprocessed();
  await sendCallback('WORKS', 1);
  await service.database.query(
    `WITH deleted_events AS (DELETE FROM tracking_events WHERE tracking_number = 'WORKS')
     UPDATE inbound_records SET processed_at = NULL, result = NULL WHERE id = (SELECT max(id) FROM inbound_records)`,
  );
  await makeOlder();
  expect(await replayUnprocessed()).toEqual({ replayed: 1, failed: 1 });
  expect(await countEvents('WORKS')).toBe(1);
  expect(await replayUnprocessed()).toEqual({ replayed: 0, failed: 1 });
  expect(await replayUnprocessed()).toEqual({ replayed: 0, failed: 1 });
  expect(await replayUnprocessed()).toEqual({ replayed: 0, failed: 0 });
  const readFailedCallback = async () =>
    (await operator.call('callbacks.one', { id: failedCallback!.id })).data;
  expect(await readFailedCallback()).toMatchObject({ outcome: 'failed', replays: 3 });
  await service.database.query('ALTER TABLE tracking_events DROP CONSTRAINT fails');
  await operator.call('callbacks.replay', { ids: [failedCallback!.id] });
  expect(await readFailedCallback()).toMatchObject({ outcome: 'understood', new_events: 1 });
});

it('a callback that is processed later names the carrier, unless another one has been reported in the meantime', async () => {
  const sendWebhook = (number: string, carrierName: string) =>
    service.send('/api/v1/tracks', {
      body: {
        event: 'TRACKING_UPDATED',
        data: {
          number,
          track_info: {
            latest_status: { status: 'InTransit', sub_status: null },
            tracking: { providers: [{ provider: { name: carrierName }, events: [] }] },
          },
        },
      },
    });
  await service.importRows([{ receipt_id: 'late', title: 'T', tracking_number: 'LATE1' }]);
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    await client.query(`BEGIN; SELECT 1 FROM tracking_numbers WHERE tracking_number = 'LATE1' FOR UPDATE`);
    expect((await sendWebhook('LATE1', 'China Post')).status).toBe(503);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  const readCarrier = async () =>
    (await service.send('/api/v1/tracking-text?tracking_number=LATE1')).json.data.carrier;
  const [unprocessedCallback] = await listUnprocessed();
  await makeOlder();
  expect([await readCarrier(), await replayUnprocessed()]).toEqual([null, { replayed: 1, failed: 0 }]);
  expect(await readCarrier()).toBe('China Post');
  // As if the callback had not been processed before USPS was reported.
  await sendWebhook('LATE1', 'USPS');
  await service.database.query('UPDATE inbound_records SET processed_at = NULL WHERE id = $1', [
    unprocessedCallback!.id,
  ]);
  expect([await replayUnprocessed(), await readCarrier()]).toEqual([{ replayed: 1, failed: 0 }, 'USPS']);
  // A callback that has been processed is old.
  await service.database.query(
    `UPDATE tracking_numbers SET carrier_code = NULL WHERE tracking_number = 'LATE1'`,
  );
  await operator.call('callbacks.replay', { ids: [unprocessedCallback!.id] });
  expect(await readCarrier()).toBeNull();
}, 60_000);
