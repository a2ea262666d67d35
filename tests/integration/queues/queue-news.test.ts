// What counts as news, which brings a handled entry back (docs/queues.md, "When an entry comes back"). The common cases are in
// queue-work.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';
import { trackInfoOf } from '../../support/stand-ins/carrier-reports';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
let operator: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({ TRACK17_KEY: KEY_17TRACK, TRACK17_BASE_URL: carrier.track17Url });
  operator = await createSignedInUser(service, 'operator');
  queues = createQueueHelpers(service, operator);
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

/** Returns a report without events. Only the days in transit and the times of 17TRACK's own queries differ from day to day. */
function makeReportWithoutEvents(status: string, sub_status: string, day: number) {
  const trackInfo = trackInfoOf({ status, sub_status }, []);
  const { providers } = trackInfo.tracking as { providers: object[] };
  const latest_sync_time = `2026-11-${day}T08:00:00Z`;
  return {
    ...trackInfo,
    time_metrics: { days_of_transit: day - 20 },
    tracking: { providers: providers.map((provider) => ({ ...provider, latest_sync_time })) },
  };
}

it.each([
  ['InfoReceived', 'InfoReceived'],
  ['NotFound', 'NotFound_Other'],
])('an unchanged status of %s is not news, in a query or a callback', async (status, subStatus) => {
  const receiptId = `label-${status}`;
  const number = `LABEL${status.toUpperCase()}1`;
  await service.importRows([
    { receipt_id: receiptId, title: 'T', sale_date: timeDaysAgo(20), tracking_number: number },
  ]);
  carrier.script(
    number,
    ...[20, 21, 22].map((day) => ({
      kind: 'known' as const,
      report: makeReportWithoutEvents(status, subStatus, day),
    })),
  );
  const queryCarrier = async () => {
    const { data } = await operator.call('shipments.askCarrier', { tracking_numbers: [number] });
    expect(data.results).toMatchObject([{ outcome: 'answered' }]);
  };
  await queryCarrier();
  await service.database.query(
    `UPDATE tracking_events SET occurred_at = now() - interval '6 days', received_at = now() - interval '6 days'
      WHERE tracking_number = '${number}'`,
  );
  await queryCarrier();
  expect(await queues.listNumbers('not_scanned')).toContain(receiptId);
  await queues.handle('not_scanned', receiptId);
  await queryCarrier();
  const { status: callbackStatus } = await service.send('/api/v1/tracks', {
    body: {
      event: 'TRACKING_UPDATED',
      data: { number, track_info: makeReportWithoutEvents(status, subStatus, 23) },
    },
  });
  expect(callbackStatus).toBe(200);
  expect(await queues.listNumbers('not_scanned')).not.toContain(receiptId);
  const { data: shipment } = await operator.call('shipments.one', { tracking_number: number });
  expect(shipment.events).toHaveLength(1);
});
