import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_REPLAYED_CALLBACKS } from '../../../../src/server/tracking/callbacks/bounds';
import { type SignedIn, signedInAs } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

const MORE = 3;

let service: TestService;
let operator: SignedIn;

beforeAll(async () => {
  service = await startTestService();
  operator = await signedInAs(service, 'operator');
  const numbers = Array.from({ length: MAX_REPLAYED_CALLBACKS + MORE }, (_, index) => `PUZZLE${index}`);
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

const replay = async (members: object = {}) =>
  (
    await operator.call('callbacks.replayUnmapped', {
      source: 'plain',
      provider_status: 'puzzling',
      ...members,
    })
  ).data;

it('replays 500 callbacks of an unknown status at a time, and each of them once', async () => {
  const first = await replay();
  expect([first.records.length, first.left]).toEqual([MAX_REPLAYED_CALLBACKS, MORE]);
  const rest = await replay({ started_at: first.started_at });
  expect([rest.records.length, rest.left, rest.started_at]).toEqual([MORE, 0, first.started_at]);
  const ids = [...first.records, ...rest.records].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(MAX_REPLAYED_CALLBACKS + MORE);
  expect(await replay({ started_at: first.started_at })).toEqual({ records: [], left: 0, started_at: null });
});

it('replays all of them again when it is started again', async () => {
  const again = await replay();
  expect([again.records.length, again.left]).toEqual([MAX_REPLAYED_CALLBACKS, MORE]);
});
