import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_EVENTS } from '../../../../src/server/tracking/observation';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

it('a callback with more events than are read keeps its latest status and its body, and counts the others, also when it is replayed', async () => {
  const body = {
    event: 'TRACKING_UPDATED',
    data: {
      number: 'LONG1',
      track_info: {
        latest_status: { status: 'InTransit', sub_status: 'InTransit_Other' },
        tracking: {
          providers: [
            { events: Array(MAX_EVENTS + 20).fill(0) },
            { events: [{ time_utc: '2026-08-28T10:00:00Z', description: 'Unread', stage: 'Delivered' }] },
          ],
        },
      },
    },
  };
  const { status, json } = await service.send('/api/v1/tracks', { body });
  expect([status, json]).toMatchObject([200, { data: { tracking_numbers: ['LONG1'], new_events: 0 } }]);
  const id = String(json.data.record_id);
  const readCallback = async () => (await operator.call('callbacks.one', { id })).data;
  const callback = await readCallback();
  expect([callback.left_out.length, callback.left_out_count]).toEqual([100, MAX_EVENTS + 21]);
  expect(callback.left_out[0]).toEqual({
    path: `data.track_info.tracking.providers.0.events.${MAX_EVENTS}`,
    tracking_number: 'LONG1',
    reason: { reason: 'callback.tooMany', values: { count: MAX_EVENTS } },
  });
  expect(
    await service.database.query(
      `SELECT status, octet_length(body) AS size FROM tracking_numbers, inbound_records WHERE tracking_number = 'LONG1'`,
    ),
  ).toEqual([{ status: 'in_transit', size: JSON.stringify(body).length }]);
  const { data: replay } = await operator.call('callbacks.replay', { ids: [id] });
  expect(replay.records).toMatchObject([{ new_events: 0, error: callback.error }]);
  expect(await readCallback()).toMatchObject({
    left_out: callback.left_out,
    left_out_count: callback.left_out_count,
  });
});
