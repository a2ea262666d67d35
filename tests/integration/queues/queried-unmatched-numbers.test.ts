import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueueHelpers } from '../../support/browser/queue-helpers';
import { createSignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';
import { DELIVERED, IN_TRANSIT } from '../../support/stand-ins/carrier-reports';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({ TRACK17_KEY: KEY_17TRACK, TRACK17_BASE_URL: carrier.track17Url });
  queues = createQueueHelpers(service, await createSignedInUser(service, 'operator'));
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

const query = async (number: string) => {
  expect((await service.send(`/api/logistics?tracking_number=${number}`)).status).toBe(200);
};
const sendCallback = async (number: string, track_info: unknown) => {
  const data = { number, carrier: 21051, tag: '', track_info };
  const { status, json } = await service.send('/api/v1/tracks', {
    body: { event: 'TRACKING_UPDATED', data },
  });
  expect(status).toBe(200);
  return json.data.new_events as number;
};
const listOpenNumbers = () => queues.listNumbers('unmatched');

describe('a number that no order has', () => {
  it('is not in the queue while only queries have reported it, and is once a callback reports what a query has stored', async () => {
    await query('QUERIED1');
    expect(await listOpenNumbers()).not.toContain('QUERIED1');
    expect(await sendCallback('QUERIED1', IN_TRANSIT)).toBe(0);
    expect(await listOpenNumbers()).toContain('QUERIED1');
  });

  it('that is handled comes back with news, even if a query stores the news before the callback arrives', async () => {
    expect(await sendCallback('HANDLED1', IN_TRANSIT)).toBe(1);
    await queues.handle('unmatched', 'HANDLED1');
    carrier.script('HANDLED1', { kind: 'known', report: IN_TRANSIT }, { kind: 'known', report: DELIVERED });
    await query('HANDLED1');
    expect(await listOpenNumbers()).not.toContain('HANDLED1');
    await query('HANDLED1');
    expect(await listOpenNumbers()).toContain('HANDLED1');
    await queues.handle('unmatched', 'HANDLED1');
    expect(await sendCallback('HANDLED1', DELIVERED)).toBe(0);
    expect(await listOpenNumbers()).not.toContain('HANDLED1');
  });
});
