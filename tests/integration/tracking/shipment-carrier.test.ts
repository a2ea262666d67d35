import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function sendWebhook(number: string, carrierName: string, status = 'InTransit'): Promise<void> {
  const providers = [{ provider: { key: 3011, name: carrierName }, events: [] }];
  const latest_status = status === '' ? null : { status, sub_status: null };
  const { json } = await service.send('/api/v1/tracks', {
    body: {
      event: 'TRACKING_UPDATED',
      data: { number, track_info: { latest_status, tracking: { providers } } },
    },
  });
  expect(json.data.tracking_numbers).toEqual([number]);
}

async function readText(number: string): Promise<{ carrier: string | null; text: string }> {
  return (await service.send(`/api/v1/tracking-text?tracking_number=${number}`)).json.data;
}

describe("the carrier that 17TRACK's webhook names", () => {
  it('is stored as a query stores it, and named in the text for the buyer', async () => {
    await service.importRows([{ receipt_id: 'named', tracking_number: 'NAMED1' }]);
    await sendWebhook('NAMED1', 'China Post');
    expect(await readText('NAMED1')).toMatchObject({
      carrier: 'China Post',
      text: expect.stringContaining('with China Post'),
    });
    await sendWebhook('NAMED1', 'USPS', 'Delivered');
    expect((await readText('NAMED1')).carrier).toBe('USPS');
  });

  it('does not replace the carrier that an import set', async () => {
    await service.importRows([{ receipt_id: 'set', tracking_number: 'SET1', carrier_code: 'yanwen' }]);
    await sendWebhook('SET1', 'China Post');
    expect((await readText('SET1')).carrier).toBe('Yanwen');
  });

  it('is not stored if the webhook says nothing about the shipment', async () => {
    await service.importRows([{ receipt_id: 'silent', tracking_number: 'SILENT1' }]);
    await sendWebhook('SILENT1', 'China Post', '');
    expect((await readText('SILENT1')).carrier).toBeNull();
  });
});
