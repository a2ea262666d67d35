import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_REPLAYED_CALLBACKS } from '../../../../src/server/tracking/callbacks/bounds';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

const EXCESS_COUNT = 3;

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  const numbers = Array.from(
    { length: MAX_REPLAYED_CALLBACKS + EXCESS_COUNT },
    (_, index) => `PUZZLE${index}`,
  );
  await Promise.all(
    numbers.map((tracking_number) =>
      service.send('/api/v1/tracks', {
        body: {
          event: 'tracking',
          data: { tracking_number, status: 'Puzzling', time: '2026-08-26T10:00:00Z' },
        },
      }),
    ),
  );
});
afterAll(() => service.close());

const replayCallbacks = async (members: object = {}) =>
  (
    await operator.call('callbacks.replayUnmapped', {
      source: 'plain',
      provider_status: 'puzzling',
      ...members,
    })
  ).data;

it('a replay processes up to 500 callbacks with an unknown status at a time, and each of them once', async () => {
  const firstBatch = await replayCallbacks();
  expect([firstBatch.records.length, firstBatch.left]).toEqual([MAX_REPLAYED_CALLBACKS, EXCESS_COUNT]);
  const secondBatch = await replayCallbacks({ started_at: firstBatch.started_at });
  expect([secondBatch.records.length, secondBatch.left, secondBatch.started_at]).toEqual([
    EXCESS_COUNT,
    0,
    firstBatch.started_at,
  ]);
  const ids = [...firstBatch.records, ...secondBatch.records].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(MAX_REPLAYED_CALLBACKS + EXCESS_COUNT);
  expect(await replayCallbacks({ started_at: firstBatch.started_at })).toEqual({
    records: [],
    left: 0,
    started_at: null,
  });
});

it('a new replay of an unknown status starts again with all its callbacks', async () => {
  const batch = await replayCallbacks();
  expect([batch.records.length, batch.left]).toEqual([MAX_REPLAYED_CALLBACKS, EXCESS_COUNT]);
});
