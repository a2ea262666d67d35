import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser } from '../../support/service/signed-in';
import { readStoredOrder } from '../../support/service/stored-orders';
import { startTestService, type TestService } from '../../support/service/test-service';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({ TRACK17_KEY: KEY_17TRACK, TRACK17_BASE_URL: carrier.track17Url });
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

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

describe('every operation and page names the same carrier of a shipment', () => {
  it.each([
    ['the one of the import, even if the carrier reports another', { carrier_code: 'yanwen' }, 'Yanwen'],
    ['the reported one if the import named none', {}, 'USPS'],
  ])('%s', async (_, fields, name) => {
    const number = `SAME${name.toUpperCase()}1`;
    await service.importRows([{ receipt_id: number, tracking_number: number, ...fields }]);
    for (const query of [`tracking_number=${number}`, `order_number=${number}`]) {
      const { json } = await service.send(`/api/logistics?${query}`);
      expect(json.data).toMatchObject([{ tracking_number: number, order_number: number, carrier: name }]);
    }
    expect((await readText(number)).carrier).toBe(name);
    const viewer = await createSignedInUser(service, 'viewer');
    const { id } = await readStoredOrder(service.database, number);
    const code = name === 'Yanwen' ? 'yanwen' : name;
    const [shipment] = (await viewer.call('orders.one', { id: String(id) })).data.shipments;
    expect(shipment.carrier_code).toBe(code);
    expect((await viewer.call('shipments.one', { tracking_number: number })).data.carrier).toBe(name);
    for (const filter of ['Yanwen', 'USPS']) {
      const { shipments } = (await viewer.call('shipments.list', { carrier: filter })).data;
      const found = shipments.filter((row: { tracking_number: string }) => row.tracking_number === number);
      expect(found, filter).toMatchObject(filter === name ? [{ carrier: name, carrier_code: code }] : []);
    }
  });
});
