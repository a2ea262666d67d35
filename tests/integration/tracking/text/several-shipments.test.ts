import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const makeEntry = (tracking_number: string, status: string, time: string, members = {}) => ({
  tracking_number,
  status,
  time,
  ...members,
});
const sendCallback = (data: unknown) => service.send('/api/v1/tracks', { body: { event: 'x', data } });
const findOrderId = async (receiptId: string) =>
  String((await readStoredOrder(service.database, receiptId)).id);
const readText = async (receiptId: string) =>
  (await service.send(`/api/v1/tracking-text?order_id=${await findOrderId(receiptId)}`)).json.data;

describe('an order with several shipments', () => {
  it.each([
    ['the least advanced decides', ['delivered', 'in_transit', 'out_for_delivery'], 1],
    [
      'an exception takes precedence over a failed delivery',
      ['delivery_failure', 'exception', 'in_transit'],
      1,
    ],
    ['a failed delivery decides', ['delivered', 'in_transit', 'delivery_failure'], 2],
    ['a shipment that the carrier does not know yet decides', ['delivered', null, 'in_transit'], 1],
  ])(
    'is described with the number, carrier, status and events of one shipment: %s',
    async (rule, statuses, index) => {
      const receiptId = `M${rule.length}`;
      const numbers = statuses.map((_, n) => `${receiptId}N${n}`);
      await service.importRows(
        numbers.map((tracking_number, n) => ({
          receipt_id: receiptId,
          transaction_id: `${n}`,
          tracking_number,
          carrier_code: ['ups', 'yanwen', 'usps'][n],
        })),
      );
      await sendCallback(
        statuses.flatMap((status, n) =>
          status === null
            ? []
            : [
                makeEntry(numbers[n]!, status, `2026-08-2${n}T10:00:00Z`, {
                  description: `of ${numbers[n]}`,
                }),
              ],
        ),
      );
      const data = await readText(receiptId);
      const order = await readStoredOrder(service.database, receiptId);
      expect(data.tracking_number).toBe(numbers[index]);
      expect(data.carrier).toBe(['UPS', 'Yanwen', 'USPS'][index]);
      expect([data.status, order.tracking_status]).toEqual(Array(2).fill(statuses[index] ?? 'not_found'));
      expect(data.events.map(({ description }: { description: string }) => description)).toEqual(
        statuses[index] === null ? [] : [`of ${numbers[index]}`],
      );
      for (const number of numbers) expect(data.text).toContain(number);
    },
  );

  it('is described by the shipment with an exception, and with the number of its parcels, however many there are', async () => {
    const numbers = Array.from({ length: 45 }, (_, n) => `MANY${n}`);
    await service.importRows(
      numbers.map((tracking_number, n) => ({ receipt_id: 'many', transaction_id: `${n}`, tracking_number })),
    );
    await sendCallback(
      numbers.map((number, n) =>
        makeEntry(number, n === 44 ? 'exception' : 'delivered', '2026-08-25T10:00:00Z'),
      ),
    );
    const { text, ...facts } = await readText('many');
    expect(facts).toMatchObject({ tracking_number: 'MANY44', status: 'exception' });
    expect(text).toMatch(/^Your order many is made up of 45 parcels\.\n/);
    const listedCount = text.match(/^Parcel \d+ /gm).length;
    expect(text).toContain(`We will gladly tell you about the other ${45 - listedCount} parcels as well.`);
    expect(text).toContain('If a parcel has run into difficulties');
  });
});

describe('events at the same instant', () => {
  it('are listed with the most advanced first by the API and the back office, although they came in another order', async () => {
    const time = '2026-08-25T10:00:00Z';
    const steps = [
      ['info_received', null],
      ['in_transit', 'InTransit_PickedUp'],
      ['in_transit', 'InTransit_Departure'],
      ['in_transit', 'InTransit_Arrival'],
      ['in_transit', 'InTransit_CustomsReleased'],
      ['out_for_delivery', null],
      ['delivered', null],
    ] as const;
    const descriptions = steps.map((_, n) => `step ${n}`);
    await service.importRows([{ receipt_id: 'instant', tracking_number: 'INSTANT1' }]);
    const entries = steps.map(([status, sub_status], n) =>
      makeEntry('INSTANT1', status, time, {
        description: descriptions[n],
        ...(sub_status ? { sub_status } : {}),
      }),
    );
    for (const entry of [3, 0, 6, 2, 5, 1, 4].map((n) => entries[n])) await sendCallback(entry);
    const descriptionsOf = (events: { description: string }[]) =>
      events.map(({ description }) => description);
    const expectedDescriptions = descriptions.toReversed();
    expect(descriptionsOf((await readText('instant')).events)).toEqual(expectedDescriptions);
    const { data: order } = await viewer.call('orders.one', { id: await findOrderId('instant') });
    expect(descriptionsOf(order.shipments[0].events)).toEqual(expectedDescriptions);
    const { data: shipment } = await viewer.call('shipments.one', { tracking_number: 'INSTANT1' });
    expect(descriptionsOf(shipment.events)).toEqual(expectedDescriptions);
  });
});
