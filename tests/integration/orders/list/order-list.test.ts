import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../src/server/core/lists/cursor';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;
let otherShopId: number;

const importedRows = [
  {
    receipt_id: '1001',
    title: 'Fox Sticker',
    sku: 'FOX-007',
    variations: 'Size:Large\nHair colour: red',
    Personalization: 'Ann & Bo',
    gift: 'yes',
    sale_date: '8/22/2026',
    name: 'Ann Lee',
    country_name: 'United States',
    price: 4.49,
    item_total: 4.49,
    quantity: 1,
    currency: 'USD',
  },
  {
    receipt_id: '1001',
    title: 'Second thing',
    sku: 'B_50%',
    transaction_id: '9',
    item_total: 0.51,
    quantity: 2,
  },
  {
    receipt_id: '1002',
    title: 'Owl Magnet',
    sale_date: '8/22/2026 11:30 PM',
    buyer: 'bob',
    country_name: 'Germany',
    tracking_number: 'LX 1234 56789 CN',
  },
  { receipt_id: '1003', title: 'Fox Magnet', sale_date: '8/23/2026', country_name: 'Atlantis' },
  { receipt_id: '1004', title: 'Fox Poster' },
  { receipt_id: '#1005', title: 'Müller Straße 50%', sale_date: '1/2/2026' },
];

/** How many days ago May began, between the sale of #1005 and all others, whenever the tests run. */
const daysSinceMay = Math.floor((Date.now() - Date.parse('2026-05-01')) / 86_400_000);

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  expect((await service.importRows(importedRows)).status).toBe(200);
  const rows = await service.database.query<{ id: number }>(
    `INSERT INTO shops (name) VALUES ('Other') RETURNING id`,
  );
  otherShopId = rows[0]!.id;
  await service.importRows([{ receipt_id: '2001', title: 'Fox', sale_date: '8/21/2026' }], {
    account_id: otherShopId,
  });
  await service.app.services.searchIndexer.finishIndexing();
});
afterAll(() => service.close());

const listReceiptIds = async (filter: object, options: object = {}) => {
  const { data, error } = await viewer.call('orders.list', { filter, ...options });
  expect(error).toBeNull();
  return data.orders.map((order: { receipt_id: string }) => order.receipt_id);
};

describe('the list', () => {
  it('is sorted newest first, with undated orders before all others, or in exactly the reverse order', async () => {
    const receiptIdsNewestFirst = ['1004', '1003', '1002', '1001', '2001', '1005'];
    expect(await listReceiptIds({})).toEqual(receiptIdsNewestFirst);
    expect(await listReceiptIds({}, { direction: 'oldest' })).toEqual(receiptIdsNewestFirst.toReversed());
  });

  it('leaves out the blank items of rows that only have a tracking number; the order itself shows them, marked as blank', async () => {
    await service.importRows(
      [
        { receipt_id: '3001', tracking_number: 'LX000003001CN' },
        { receipt_id: '3001', title: 'Bear Pin', variations: 'Size:S', Personalization: 'Mia' },
      ],
      { account_id: otherShopId },
    );
    const { data } = await viewer.call('orders.list', { filter: { shops: [otherShopId] } });
    const listedOrder = data.orders.find(
      ({ receipt_id: receiptId }: { receipt_id: string }) => receiptId === '3001',
    );
    expect(listedOrder).toMatchObject({ items: 1, title: 'Bear Pin', variations: 'Size:S\nMia' });
    const { data: order } = await viewer.call('orders.one', { id: listedOrder.id });
    expect(order.items.map(({ is_blank, choices }: Record<string, unknown>) => [is_blank, choices])).toEqual([
      [true, null],
      [false, 'Size:S\nMia'],
    ]);
    await service.database.query(`DELETE FROM orders WHERE receipt_id = '3001'`);
  });

  it('has the main fields of each order', async () => {
    const { data } = await viewer.call('orders.list', { filter: { text: '1001' } });
    expect(data.orders).toEqual([
      {
        id: expect.any(String),
        receipt_id: '1001',
        shop_id: service.shopId,
        shop: 'Test shop',
        status: 'paid',
        tracking_status: null,
        sale_date: '2026-08-22T04:00:00.000000Z',
        buyer: null,
        name: 'Ann Lee',
        country_code: 'US',
        country_name: 'United States',
        currency: 'USD',
        value: '5',
        items: 2,
        quantity: 3,
        title: 'Fox Sticker',
        variations: 'Size:Large\nHair colour: red\nAnn & Bo',
        tracking_numbers: [],
        carrier_code: null,
      },
    ]);
  });

  it('shows each order once, page by page, in both directions', async () => {
    for (const direction of ['newest', 'oldest']) {
      const receiptIds: string[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await viewer.call('orders.list', { direction, limit: 2, cursor });
        receiptIds.push(...data.orders.map((order: { receipt_id: string }) => order.receipt_id));
        cursor = data.next ?? undefined;
      } while (cursor);
      expect(receiptIds).toEqual(await listReceiptIds({}, { direction }));
    }
  });

  it.each([
    [{ statuses: ['shipped'] }, ['1002']],
    [{ statuses: ['pending', 'shipped'] }, ['1004', '1002']],
    [{ tracking: ['not_found'] }, ['1002']],
    [{ tracking: ['none'], statuses: ['pending'] }, ['1004']],
    [{ tracking: ['none', 'not_found'], sold_from: '2026-08-23' }, ['1003']],
    [{ sold_from: '2026-08-22', sold_to: '2026-08-22' }, ['1002', '1001']],
    [{ sold_to: '2026-01-02' }, ['1005']],
    [{ countries: ['DE'] }, ['1002']],
    [{ countries: ['--'] }, ['1003']],
    [{ countries: ['--', 'US'] }, ['1003', '1001']],
    [{ text: 'fox' }, ['1004', '1003', '1001', '2001']],
    [{ text: 'FOX magnet' }, ['1003']],
    [{ text: 'ann LEE' }, ['1001']],
    [{ text: 'ox-00' }, ['1001']],
    [{ text: 'lx123456789cn' }, ['1002']],
    [{ text: '50%' }, ['1001', '1005']],
    [{ text: 'b_50' }, ['1001']],
    [{ text: 'b-50' }, []],
    [{ text: 'STRASSE müller' }, []],
    [{ text: 'straße MÜLLER' }, ['1005']],
    [{ text: '#1005' }, ['1005']],
    [{ text: '10' }, ['1004', '1003', '1002', '1001', '1005']],
    [{ text: ' ' }, ['1004', '1003', '1002', '1001', '2001', '1005']],
    [{ text: "o'; DROP TABLE orders --" }, []],
    [{ unshipped_days: daysSinceMay }, ['1005']],
  ])('can be filtered by %j', async (filter, expectedReceiptIds) => {
    expect(await listReceiptIds(filter)).toEqual(expectedReceiptIds);
    const { data } = await viewer.call('orders.count', { filter });
    expect(data).toEqual({ count: expectedReceiptIds.length, more: false });
  });

  it('can be limited to the orders of one shop, or to those that an import changed', async () => {
    expect(await listReceiptIds({ shops: [otherShopId] })).toEqual(['2001']);
    await service.importRows([{ receipt_id: '1003', name: 'Later' }]);
    const findLastImportId = async () =>
      (await service.database.query<{ id: string }>('SELECT max(id)::text AS id FROM imports'))[0]!.id;
    expect(await listReceiptIds({ import_id: await findLastImportId() })).toEqual(['1003']);
    const countImportedOrders = async () =>
      (await viewer.call('orders.count', { filter: { import_id: await findLastImportId() } })).data;
    expect(await countImportedOrders()).toEqual({ count: 1, more: false });
    // Neither row has a cell for its order itself: one adds an item, the other a shipment and a blank item.
    await service.importRows([
      { receipt_id: '1001', transaction_id: 'another', title: 'One more' },
      { receipt_id: '1003', tracking_number: 'ONEMORE1' },
    ]);
    expect(await listReceiptIds({ import_id: await findLastImportId() })).toEqual(['1003', '1001']);
  });

  it('can be limited to selected orders from any shop, and narrowed by other filters', async () => {
    const ids = (
      await service.database.query<{ id: string }>(
        `SELECT id::text FROM orders WHERE receipt_id IN ('1001', '1003', '2001')`,
      )
    ).map(({ id }) => id);
    expect(await listReceiptIds({ ids })).toEqual(['1003', '1001', '2001']);
    expect(await listReceiptIds({ ids, shops: [otherShopId] })).toEqual(['2001']);
    const { error } = await viewer.call('orders.list', { filter: { ids: ['x'] } });
    expect(error).not.toBeNull();
  });

  it('shows the value of an order as the sum of its item totals: those of the export, otherwise price times quantity', async () => {
    const item = { receipt_id: '3001', currency: 'USD', price: 4.49 };
    await service.importRows([
      { ...item, transaction_id: '31', title: 'A', quantity: 2 },
      { ...item, transaction_id: '32', title: 'B' },
      { ...item, transaction_id: '33', title: 'C', quantity: 2, item_total: 5 },
    ]);
    await service.app.services.searchIndexer.finishIndexing();
    const { data: list } = await viewer.call('orders.list', { filter: { text: '3001' } });
    expect(list.orders).toMatchObject([{ receipt_id: '3001', value: '18.47' }]);
    const { data: order } = await viewer.call('orders.one', { id: list.orders[0].id });
    expect([order.value, order.items.map(({ item_total }: { item_total: string }) => item_total)]).toEqual([
      '18.47',
      ['8.98', '4.49', '5'],
    ]);
  });

  it('finds an order by text that an import has just added', async () => {
    await service.importRows([{ receipt_id: '1004', buyer: 'Zebulon' }]);
    await expect.poll(() => listReceiptIds({ text: 'zebulon' }), { timeout: 10_000 }).toEqual(['1004']);
  });

  it.each([
    [{ filter: { statuses: ['lost'] } }, 'filter.statuses.0'],
    [{ filter: { sold_from: '2026-02-30' } }, 'filter.sold_from'],
    [{ filter: { more: 1 } }, 'filter.more'],
    [{ filter: { text: 'x'.repeat(2_001) } }, 'filter.text'],
    [{ limit: 201 }, 'limit'],
  ])('refuses %j, naming the field', async (input, path) => {
    const { status, error } = await viewer.call('orders.list', input);
    expect([status, error?.problems[0]?.path]).toEqual([422, path]);
  });

  it.each([
    ['text that is not JSON', 'x'],
    ['the cursor of another list', encodeCursor('newest', ['', '1'])],
    ['one value too few', encodeCursor('orders', ['1'])],
    ['a date that does not exist', encodeCursor('orders', ['2026-02-30T00:00:00.000000Z', '1'])],
    ['an id that is too large', encodeCursor('orders', ['', '9'.repeat(20)])],
    ['an id that is not a number', encodeCursor('orders', ['', "1'"])],
  ])('refuses a cursor that it never issued: %s', async (_, cursor) => {
    const { status, error } = await viewer.call('orders.list', { cursor });
    expect([status, error?.problems.map(({ path }) => path)]).toEqual([422, ['cursor']]);
  });
});

describe('an order', () => {
  it('is shown with its items, its shipments and their events, and its history', async () => {
    await service.send('/api/v1/tracks', {
      body: {
        event: 'x',
        data: {
          tracking_number: 'LX123456789CN',
          status: 'in_transit',
          location: 'Leipzig',
          time: '2026-08-25T10:00:00Z',
        },
      },
    });
    await service.importRows([{ receipt_id: '1002', title: 'Owl Magnet', buyer: 'robert' }]);
    const [listedOrder] = (await viewer.call('orders.list', { filter: { text: '1002' } })).data.orders;
    const { data } = await viewer.call('orders.one', { id: listedOrder.id });
    expect(data).toMatchObject({
      receipt_id: '1002',
      status: 'shipped',
      tracking_status: 'in_transit',
      buyer: 'robert',
      value: null,
    });
    expect(data.items).toHaveLength(1);
    expect(data.shipments[0]).toMatchObject({
      tracking_number: 'LX123456789CN',
      status: 'in_transit',
      events: [{ location: 'Leipzig', status: 'in_transit' }],
    });
    const changes = data.history.filter((change: { kind: string }) => change.kind === 'import');
    expect(changes).toContainEqual(
      expect.objectContaining({
        record: 'order',
        before: { buyer: 'bob' },
        after: { buyer: 'robert' },
        actor: 'test key',
      }),
    );
    expect(data.history.at(-1)).toMatchObject({ kind: 'created', actor: 'test key' });
  });

  it('that does not exist results in 404', async () => {
    expect((await viewer.call('orders.one', { id: '999999' })).status).toBe(404);
  });
});
