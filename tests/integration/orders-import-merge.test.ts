import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedOrder, storedOrders } from '../support/stored';
import { startTestService, type TestService } from '../support/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

type Row = Record<string, unknown>;
const send = async (...rows: Row[]) => {
  const { status, json } = await service.importRows(rows);
  expect(status, JSON.stringify(json)).toBe(200);
  return [json.data.new_orders, json.data.updated_orders, json.data.order_items_inserted];
};
const order = (receipt: string) => storedOrder(service.database, receipt);
const items = async (receipt: string, field: string) =>
  (await order(receipt)).items.map((item) => item[field]);

describe('who is the same', () => {
  it('drops a leading # of a receipt', async () => {
    expect(await send({ receipt_id: '#3001' })).toEqual([1, 0, 1]);
    expect(await send({ receipt_id: '3001' })).toEqual([0, 1, 0]);
  });

  it('reads an id given as a number like the same digits as text', async () => {
    await send({ receipt_id: 4165098857, transaction_id: 5159655655 });
    expect(await send({ receipt_id: '4165098857', transaction_id: '5159655655' })).toEqual([0, 1, 0]);
  });

  it('makes one order of several rows of a receipt', async () => {
    const rows = [1, 2, 3].map((n) => ({ receipt_id: 'one', transaction_id: `${n}` }));
    expect(await send(...rows)).toEqual([1, 0, 3]);
  });

  it('counts the same transaction twice in one receipt once, and the last row wins', async () => {
    const twice = [
      { receipt_id: 'twice', transaction_id: 't', title: 'first', quantity: 1 },
      { receipt_id: 'twice', transaction_id: 't', title: 'last', quantity: '' },
    ];
    expect(await send(...twice)).toEqual([1, 0, 1]);
    expect((await order('twice')).items[0]).toMatchObject({ title: 'last', quantity: 1 });
  });

  it('keeps the same transaction in two receipts apart', async () => {
    expect(
      await send(
        { receipt_id: 'apart-1', transaction_id: 't' },
        { receipt_id: 'apart-2', transaction_id: 't' },
      ),
    ).toEqual([2, 0, 2]);
  });

  it('never merges rows without a transaction within a request, and finds each again by its place', async () => {
    const row = { receipt_id: 'anonymous', listing_id: '1', title: 'Same' };
    expect(await send(row, row, row)).toEqual([1, 0, 3]);
    expect(await send(row, row, row)).toEqual([0, 1, 0]);
    expect(await send(row, row, row, row)).toEqual([0, 1, 1]);
    expect(await send(row)).toEqual([0, 1, 0]);
    expect((await order('anonymous')).items).toHaveLength(4);
  });

  it('tells items without a transaction apart by listing, SKU, title and variations', async () => {
    const base = { receipt_id: 'kinds', listing_id: '1', sku: 'A', title: 'T', variations: 'V' };
    const others = [{ listing_id: '2' }, { sku: 'B' }, { title: 'U' }, { variations: 'W' }].map((part) => ({
      ...base,
      ...part,
    }));
    expect(await send(base, ...others)).toEqual([1, 0, 5]);
    expect(await send(...others.reverse(), base)).toEqual([0, 1, 0]);
  });

  it('gives an item stored without a transaction the one that an equal row brings later, undoubled', async () => {
    const row = { receipt_id: 'later', listing_id: '1', title: 'Same', quantity: 2 };
    await send(row, row);
    expect(await send({ ...row, transaction_id: 'a' }, { ...row, transaction_id: 'b' })).toEqual([0, 1, 0]);
    expect(await items('later', 'transaction_id')).toEqual(['a', 'b']);
    expect(await send(row, row)).toEqual([0, 1, 0]);
    expect(await send({ ...row, transaction_id: 'c' })).toEqual([0, 1, 1]);
  });

  it('finds the same item for each row again, though the first import added an item beside an older one', async () => {
    await send({ receipt_id: 'beside', transaction_id: 't', title: 'Same' });
    const rows = [1, 2].map((quantity) => ({ receipt_id: 'beside', title: 'Same', quantity }));
    expect(await send(...rows)).toEqual([0, 1, 1]);
    expect(await items('beside', 'quantity')).toEqual([1, 2]);
    expect(await send(...rows)).toEqual([0, 1, 0]);
    expect(await items('beside', 'quantity')).toEqual([1, 2]);
  });

  it('keeps a new transaction apart from a row without one in the same request', async () => {
    const row = { receipt_id: 'both', title: 'Same' };
    await send(row);
    expect(await send({ ...row, transaction_id: 'a' }, row)).toEqual([0, 1, 1]);
    expect(await send({ ...row, transaction_id: 'a' }, row)).toEqual([0, 1, 0]);
  });

  it('keeps the same receipt of two accounts apart', async () => {
    const [other] = await service.database.query<{ id: number }>(
      `INSERT INTO shops (name) VALUES ('Other') RETURNING id`,
    );
    await send({ receipt_id: 'shared' });
    const body = { account_id: other!.id, rows: [{ receipt_id: 'shared' }] };
    expect((await service.send('/api/orders/import', { body })).json.data.new_orders).toBe(1);
  });

  it('counts an order that it names as updated, changed or not', async () => {
    await send({ receipt_id: 'named', note: 'a' });
    expect(await send({ receipt_id: 'named', note: 'a' })).toEqual([0, 1, 0]);
    expect(await send({ receipt_id: 'named', note: 'b' }, { receipt_id: 'named-new' })).toEqual([1, 1, 1]);
  });
});

describe('what replaces what', () => {
  it('never erases a stored value by a blank cell, and replaces it by another', async () => {
    const full = {
      receipt_id: 'blank',
      transaction_id: 't',
      buyer: 'Ann',
      zip: '123',
      quantity: 2,
      price: '4.49',
      title: 'T',
      note: 'N',
    };
    await send(full);
    await send({
      receipt_id: 'blank',
      transaction_id: 't',
      buyer: '',
      zip: null,
      quantity: ' ',
      price: null,
      title: '',
      note: '',
    });
    expect(await order('blank')).toMatchObject({
      buyer: 'Ann',
      zip: '123',
      note: 'N',
      items: [{ quantity: 2, price: 4.49, title: 'T' }],
    });
    await send({ ...full, buyer: 'Bob', quantity: 0, price: 0 });
    expect(await order('blank')).toMatchObject({
      buyer: 'Bob',
      items: [{ quantity: 0, price: 0, title: 'T' }],
    });
  });

  it('takes the first amount of the order that is not zero, and zero never replaces one that is not', async () => {
    const row = (n: number, cells: Row) => ({ receipt_id: 'amounts', transaction_id: `${n}`, ...cells });
    await send(
      row(1, { order_shipping: 0, order_sales_tax: '' }),
      row(2, { order_shipping: '5', order_sales_tax: 0 }),
      row(3, { order_shipping: 7 }),
    );
    expect(await order('amounts')).toMatchObject({ order_shipping: 5, order_sales_tax: 0 });
    await send(row(1, { order_shipping: '0.00', order_sales_tax: '1.25' }));
    expect(await order('amounts')).toMatchObject({ order_shipping: 5, order_sales_tax: 1.25 });
    await send(row(1, { order_shipping: 6 }));
    expect(await order('amounts')).toMatchObject({ order_shipping: 6, order_sales_tax: 1.25 });
  });

  it('gives an order its other fields from its first row that has them', async () => {
    await send(
      { receipt_id: 'first', city: '' },
      { receipt_id: 'first', city: 'Bonn' },
      { receipt_id: 'first', city: 'Köln' },
    );
    expect((await order('first')).city).toBe('Bonn');
  });

  it('never replaces a zip or SKU by itself with its leading zeros gone', async () => {
    await send({ receipt_id: 'zeros', transaction_id: 't', zip: '02134', sku: '00042' });
    await send({ receipt_id: 'zeros', transaction_id: 't', zip: 2134, sku: '42' });
    expect(await order('zeros')).toMatchObject({ zip: '02134', items: [{ sku: '00042' }] });
    await send({ receipt_id: 'zeros', transaction_id: 't', zip: '2135', sku: '43' });
    expect(await order('zeros')).toMatchObject({ zip: '2135', items: [{ sku: '43' }] });
  });

  it('finds an item without a transaction again though a spreadsheet stripped its SKU', async () => {
    await send({ receipt_id: 'stripped', sku: '007', title: 'T' });
    expect(await send({ receipt_id: 'stripped', sku: 7, title: 'T' })).toEqual([0, 1, 0]);
    expect(await items('stripped', 'sku')).toEqual(['007']);
  });

  it('adds to extra and keeps what it held', async () => {
    await send({ receipt_id: 'extra', transaction_id: 't', a: 1, b: 'x' });
    await send({ receipt_id: 'extra', transaction_id: 't', b: 'y', c: true });
    expect(await items('extra', 'extra')).toEqual([{ a: 1, b: 'y', c: true }]);
  });

  it('records what an import replaced, before and after', async () => {
    await send({ receipt_id: 'undo', transaction_id: 't', city: 'Bonn', title: 'Old' });
    await send({ receipt_id: 'undo', transaction_id: 't', city: 'Köln', title: 'New' });
    const changes = await service.database.query(
      `SELECT record, before, after FROM import_changes WHERE import_id = (SELECT max(id) FROM imports) ORDER BY record`,
    );
    expect(changes).toEqual([
      { record: 'order', before: { city: 'Bonn' }, after: { city: 'Köln' } },
      { record: 'item', before: { title: 'Old' }, after: { title: 'New' } },
    ]);
  });

  it('records which import created an order and its items', async () => {
    await send({ receipt_id: 'created' });
    const [last] = await service.database.query<{ id: string }>('SELECT max(id)::int AS id FROM imports');
    expect(await order('created')).toMatchObject({ import_id: last!.id, items: [{ import_id: last!.id }] });
  });
});

describe('states', () => {
  it.each([
    ['pending without a sale date', {}, 'pending'],
    ['paid with one', { sale_date: '1/2/2026' }, 'paid'],
    ['shipped with a day of shipping', { sale_date: '1/2/2026', shipped_indicator: '1/5/2026' }, 'shipped'],
    ['shipped with a tracking number', { tracking_number: 'LX1' }, 'shipped'],
    ['shipped with any sign of it', { shipped_indicator: 'yes' }, 'shipped'],
    ['paid where the sign is 0', { sale_date: '1/2/2026', shipped_indicator: '0' }, 'paid'],
    ['paid where the sign is false', { sale_date: '1/2/2026', shipped_indicator: false }, 'paid'],
    ['paid where the sign is No', { sale_date: '1/2/2026', shipped_indicator: 'No' }, 'paid'],
  ])('makes an order %s', async (name, cells, status) => {
    await send({ receipt_id: `status ${name}`, ...cells });
    expect((await order(`status ${name}`)).status).toBe(status);
  });

  it('only moves forward', async () => {
    await send({ receipt_id: 'forward', sale_date: '1/2/2026', shipped_indicator: '1/5/2026' });
    await send({ receipt_id: 'forward', sale_date: '1/3/2026' });
    expect(await order('forward')).toMatchObject({ status: 'shipped', sale_date: '2026-01-03T05:00:00Z' });
    for (const status of ['delivered', 'cancelled']) {
      await service.database.query('UPDATE orders SET status = $1::order_status WHERE receipt_id = $2', [
        status,
        'forward',
      ]);
      await send({ receipt_id: 'forward', shipped_indicator: '1/6/2026' });
      expect((await order('forward')).status).toBe(status);
    }
  });

  it('compares waybill numbers without spaces and in capitals, and adds a shipment for each', async () => {
    await send({ receipt_id: 'parcels', tracking_number: 'lx 123 cn', carrier_code: 'yanwen' });
    await send({ receipt_id: 'parcels', tracking_number: 'LX123CN' });
    await send({ receipt_id: 'parcels', tracking_number: 'LX456CN' });
    const { shipments, tracking_status } = await order('parcels');
    expect(shipments.map((shipment) => [shipment.tracking_number, shipment.carrier_code])).toEqual([
      ['LX123CN', 'yanwen'],
      ['LX456CN', null],
    ]);
    expect(tracking_status).toBe('not_found');
  });

  it('applies what was known of a waybill before the order had it', async () => {
    await service.database.query(
      `INSERT INTO waybills (tracking_number, status) VALUES ('EARLY1', 'delivered')`,
    );
    await send({ receipt_id: 'early', sale_date: '1/2/2026', tracking_number: 'early1' });
    expect(await order('early')).toMatchObject({ status: 'delivered', tracking_status: 'delivered' });
  });

  it.each([
    [['delivered', 'in_transit'], 'in_transit', 'shipped'],
    [['delivered', 'exception'], 'exception', 'shipped'],
    [['delivered', 'delivery_failure'], 'delivery_failure', 'shipped'],
    [['delivered', 'delivered'], 'delivered', 'delivered'],
    [['info_received', 'out_for_delivery'], 'info_received', 'shipped'],
  ])('sums shipments that are %s up as %s', async (statuses, tracking, status) => {
    const receipt = `sum ${statuses.join()}`;
    const rows = statuses.map((state, n) => ({
      receipt_id: receipt,
      transaction_id: `${n}`,
      tracking_number: `${state}${n}${receipt}`,
    }));
    for (const [n, state] of statuses.entries()) {
      const number = rows[n]!.tracking_number.replace(/\s+/g, '').toUpperCase();
      await service.database.query(
        'INSERT INTO waybills (tracking_number, status) VALUES ($1, $2::tracking_status)',
        [number, state],
      );
    }
    await send(...rows);
    expect(await order(receipt)).toMatchObject({ tracking_status: tracking, status });
  });

  it('stores dates on the days the clocks change in UTC', async () => {
    await send(
      { receipt_id: 'spring', sale_date: '03/08/2026' },
      { receipt_id: 'spring-after', sale_date: '3/8/2026 2:30 AM' },
    );
    await send(
      { receipt_id: 'autumn', sale_date: '11/01/2026' },
      { receipt_id: 'autumn-twice', sale_date: '11/1/2026 1:30 AM' },
    );
    const dates = Object.fromEntries(
      (await storedOrders(service.database)).map((o) => [o.receipt_id, o.sale_date]),
    );
    expect(dates).toMatchObject({
      spring: '2026-03-08T05:00:00Z',
      'spring-after': '2026-03-08T07:30:00Z',
      autumn: '2026-11-01T04:00:00Z',
      'autumn-twice': '2026-11-01T05:30:00Z',
    });
  });
});
