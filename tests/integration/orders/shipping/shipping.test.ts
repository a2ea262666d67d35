import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_PRINTED_ORDERS } from '../../../../src/server/orders/shipping/bounds';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  await service.importRows([
    {
      receipt_id: '1',
      transaction_id: '11',
      title: 'Fox Sticker',
      sku: 'FX',
      variations: 'Size:A3',
      quantity: 2,
      price: '4.5',
      sale_date: '8/21/2026',
      name: 'Sable Proxy',
      zip: '02134',
      note: 'Gift wrap',
    },
    { receipt_id: '1', transaction_id: '12', title: 'Owl Magnet', quantity: 1 },
    { receipt_id: '1', tracking_number: 'LX1CN' },
    {
      receipt_id: '2',
      title: 'Fox Sticker',
      sku: 'FX',
      variations: 'Size:A3',
      quantity: 3,
      sale_date: '8/22/2026',
    },
    {
      receipt_id: '3',
      title: 'Fox Sticker',
      sku: 'FX',
      variations: 'Size:A4',
      Personalization: 'Ann & Bo',
      sale_date: '8/23/2026',
    },
  ]);
});
afterAll(() => service.close());

const findOrderId = async (receiptId: string) => {
  const [order] = await service.database.query<{ id: string }>(
    'SELECT id::text FROM orders WHERE receipt_id = $1',
    [receiptId],
  );
  return order!.id;
};

describe('a pick list', () => {
  it('combines identical items of all orders, with their total and the orders that need them', async () => {
    const { data } = await viewer.call('shipping.pickList', { filter: {} });
    expect(data).toEqual({
      orders: 3,
      units: 7,
      items: [
        {
          sku: 'FX',
          title: 'Fox Sticker',
          variations: 'Size:A3',
          quantity: 5,
          orders: [
            { receipt_id: '1', quantity: 2 },
            { receipt_id: '2', quantity: 3 },
          ],
        },
        {
          sku: 'FX',
          title: 'Fox Sticker',
          variations: 'Size:A4\nAnn & Bo',
          quantity: 1,
          orders: [{ receipt_id: '3', quantity: 1 }],
        },
        {
          sku: null,
          title: 'Owl Magnet',
          variations: null,
          quantity: 1,
          orders: [{ receipt_id: '1', quantity: 1 }],
        },
      ],
    });
  });

  it('adds up the largest quantities that an import accepts', async () => {
    const item = { title: 'Bead', quantity: 2_147_483_647, sale_date: '8/24/2026' };
    await service.importRows([
      { ...item, receipt_id: '4', transaction_id: '41' },
      { ...item, receipt_id: '4', transaction_id: '42' },
      { ...item, receipt_id: '5', transaction_id: '51' },
    ]);
    const { data } = await viewer.call('shipping.pickList', { filter: { sold_from: '2026-08-24' } });
    expect(data.units).toBe(6_442_450_941);
    expect(data.items).toMatchObject([
      {
        quantity: 6_442_450_941,
        orders: [
          { receipt_id: '4', quantity: 4_294_967_294 },
          { receipt_id: '5', quantity: 2_147_483_647 },
        ],
      },
    ]);
    await service.database.query(`DELETE FROM orders WHERE receipt_id IN ('4', '5')`);
  });

  it('covers only the selected orders', async () => {
    const { data } = await viewer.call('shipping.pickList', { filter: { ids: [await findOrderId('2')] } });
    expect(data).toMatchObject({ orders: 1, units: 3 });
  });
});

describe('packing slips', () => {
  it('list everything needed to pack and send each order, oldest order first, and no prices', async () => {
    const { data } = await viewer.call('shipping.packingSlips', { filter: {} });
    expect(data.map((slip: { receipt_id: string }) => slip.receipt_id)).toEqual(['1', '2', '3']);
    expect(data[0]).toMatchObject({
      shop: 'Test shop',
      name: 'Sable Proxy',
      zip: '02134',
      note: 'Gift wrap',
      items: [
        { title: 'Fox Sticker', variations: 'Size:A3', sku: 'FX', quantity: 2 },
        { title: 'Owl Magnet', quantity: 1 },
      ],
    });
    expect(JSON.stringify(data)).not.toContain('4.5');
  });
});

it('more orders than can be printed are refused with a message', async () => {
  await service.importRows(
    Array.from({ length: MAX_PRINTED_ORDERS - 3 }, (_, index) => ({
      receipt_id: `many-${index}`,
      title: 'T',
    })),
  );
  for (const procedure of ['shipping.pickList', 'shipping.packingSlips'])
    expect((await viewer.call(procedure, { filter: {} })).status).toBe(200);
  await service.importRows([{ receipt_id: 'one-more', title: 'T' }]);
  for (const procedure of ['shipping.pickList', 'shipping.packingSlips']) {
    const { status, error } = await viewer.call(procedure, { filter: {} });
    expect([status, error?.message]).toEqual([
      422,
      'More than 200 orders are selected. Choose fewer, and print the rest afterwards.',
    ]);
  }
});
