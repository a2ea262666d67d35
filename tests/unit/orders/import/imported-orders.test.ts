import { describe, expect, it } from 'vitest';
import {
  ITEM_FIELDS,
  ORDER_AMOUNT_FIELDS,
  ORDER_DETAIL_FIELDS,
} from '../../../../src/server/orders/import/order-fields';
import { prepareImport } from '../../../../src/server/orders/import/prepare';
import { importedContents, prepareText, refusedPaths } from '../../../support/prepared-imports';

const withReceiptId = (row: Record<string, unknown>) => ({ receipt_id: '1', ...row });

/** Returns the single order that results from rows with the same order number. */
const orderOf = (...rows: Record<string, unknown>[]) => importedContents(rows.map(withReceiptId)).orders[0]!;
const itemsOf = (...rows: Record<string, unknown>[]) => importedContents(rows.map(withReceiptId)).items;

describe('an order', () => {
  it('has all rows with its order number, wherever they are', () => {
    const rows = ['1', '2', '#1', 1, ' 1 ', '&#35;1'].map((receipt_id) => ({ receipt_id }));
    const { orders, items } = importedContents(rows);
    expect(orders.map(({ receipt_id, row }) => [receipt_id, row])).toEqual([
      ['1', 0],
      ['2', 1],
      ['&#35;1', 5],
    ]);
    expect(items).toHaveLength(6);
  });

  it('is separate from one whose number differs in a leading zero, and may have a number with a special meaning in JavaScript', () => {
    const ids = ['1', '01', '__proto__', 'constructor', 'toString'];
    expect(
      importedContents(ids.map((receipt_id) => ({ receipt_id }))).orders.map((order) => order.receipt_id),
    ).toEqual(ids);
  });

  it.each(ORDER_AMOUNT_FIELDS)('has the first %s that is not zero', (name) => {
    expect(orderOf({ [name]: '5.00' }, { [name]: '0' }, { [name]: '7' })[name]).toBe('5');
    expect(
      orderOf({ [name]: 0 }, { [name]: '' }, { [name]: '0.00' }, { [name]: '7' }, { [name]: '9' })[name],
    ).toBe('7');
    expect(orderOf({ [name]: 0 }, { [name]: -3 }, { [name]: 2 })[name]).toBe('-3');
    expect(orderOf({}, { [name]: 0 })[name]).toBe('0');
    expect(orderOf({}, { [name]: null })).not.toHaveProperty(name);
  });

  it('has five amounts: shipping, two discounts and two taxes', () => {
    expect([...ORDER_AMOUNT_FIELDS].sort()).toEqual([
      'inperson_discount',
      'order_sales_tax',
      'order_shipping',
      'shipping_discount',
      'vat_paid_by_buyer',
    ]);
  });

  it.each(ORDER_DETAIL_FIELDS.filter((name) => name !== 'currency'))(
    'has its %s from the first row that has it',
    (name) => {
      const [firstCell, secondCell] =
        name === 'sale_date' ? ['08/22/2026', '08/23/2026'] : ['First', 'Second'];
      const rows = [{ [name]: ' ' }, { [name]: firstCell }, { [name]: secondCell }, { [name]: null }];
      expect(orderOf(...rows)[name]).toBe(name === 'sale_date' ? '2026-08-22T04:00:00.000Z' : 'First');
    },
  );

  it('never uses its sale date as its payment date, or vice versa', () => {
    expect(orderOf({ sold_on: '08/22/26' })).not.toHaveProperty('sale_date');
    expect(orderOf({ sale_date: '08/23/2026' })).not.toHaveProperty('sold_on');
  });

  it('has its country as it was written, the key by which countries are compared, and the row that it comes from', () => {
    expect(orderOf({}, { country_name: 'TÜRKİYE' }, { country_name: 'Spain' })).toMatchObject({
      country_name: 'TÜRKİYE',
      country_key: 'turkiye',
      country_row: 1,
    });
    expect(orderOf({})).not.toHaveProperty('country_key');
  });
});

describe('the status of an order', () => {
  it.each([
    ['pending', {}],
    ['paid', { sale_date: '08/22/2026' }],
    ['shipped', { shipped_indicator: '08/25/2026' }],
    ['shipped', { shipped_indicator: 'yes' }],
    ['shipped', { tracking_number: 'LX1' }],
    ['shipped', { sale_date: '08/22/2026', tracking_number: 'LX1' }],
    ['paid', { sale_date: '08/22/2026', shipped_indicator: 'no' }],
    ['pending', { shipped_indicator: '0', sold_on: '08/22/26' }],
  ])('is %s with %j', (status, cells) => {
    expect(orderOf(cells).status).toBe(status);
  });

  it('is the most advanced of its rows, whatever their order', () => {
    for (const shippedCells of [{ shipped_indicator: '08/25/2026' }, { tracking_number: 'LX1' }]) {
      const rows = [{}, { sale_date: '08/22/2026' }, shippedCells];
      expect(orderOf(...rows).status).toBe('shipped');
      expect(orderOf(...rows.toReversed()).status).toBe('shipped');
    }
  });
});

describe('an item', () => {
  it('exists for each row without a transaction id: such rows are never merged, even if identical', () => {
    expect(itemsOf({ title: 'Fox' }, { title: 'Fox' }, { title: 'Fox', transaction_id: '#' })).toHaveLength(
      3,
    );
  });

  it('with a transaction id that appears twice in one order is stored once, and the last row wins', () => {
    const items = itemsOf(
      { transaction_id: '9', title: 'Fox', quantity: 1 },
      { transaction_id: '8', title: 'Whale' },
      { transaction_id: 9, title: 'Bear', quantity: 2 },
    );
    expect(items.map(({ transaction_id, title, quantity }) => [transaction_id, title, quantity])).toEqual([
      ['9', 'Bear', 2],
      ['8', 'Whale', undefined],
    ]);
  });

  it('keeps the value of an earlier row if that of the last row is blank', () => {
    expect(
      itemsOf({ transaction_id: '9', title: 'Fox', price: '4' }, { transaction_id: '9', title: ' ' }),
    ).toEqual([{ ord: 0, receipt_id: '1', transaction_id: '9', title: 'Fox', price: '4' }]);
  });

  it('keeps its SKU if the last row has it without any of its leading zeros', () => {
    const skuOf = (...skus: unknown[]) =>
      itemsOf(...skus.map((cell) => ({ transaction_id: '9', sku: cell })))[0]!.sku;
    expect(skuOf('00123', 123)).toBe('00123');
    expect(skuOf('000', '0')).toBe('000');
    expect(skuOf('00123', '0123')).toBe('0123');
    expect(skuOf('123', '00123')).toBe('00123');
    expect(skuOf('00123', '124')).toBe('124');
  });

  it('with the same transaction id in another order is another item', () => {
    const rows = ['1', '2'].map((receipt_id) => ({ receipt_id, transaction_id: '9' }));
    expect(importedContents(rows).items.map((item) => item.receipt_id)).toEqual(['1', '2']);
  });

  it('has the fields of items only, and its position in the request', () => {
    const [, secondItem] = itemsOf(
      {},
      { title: 'Fox', buyer: 'Wynn', order_shipping: 5, note: 'x', tracking_number: 'LX1' },
    );
    expect(secondItem).toEqual({ ord: 1, receipt_id: '1', title: 'Fox' });
    expect(ITEM_FIELDS).toHaveLength(12);
  });

  it('has unknown columns as extra; for the same name, the later row wins', () => {
    const [firstItem] = itemsOf({ transaction_id: '9', a: 1, b: 1 }, { transaction_id: '9', b: 2, c: ' ' });
    expect(firstItem!.extra).toEqual({ a: 1, b: 2 });
    expect(itemsOf({})[0]).not.toHaveProperty('extra');
  });
});

describe('a shipment', () => {
  it('exists for each tracking number of an order, compared without spaces and in upper case', () => {
    const rows = ['lx 1', 'LX1', 'LX2', null].map((tracking_number) => withReceiptId({ tracking_number }));
    const { shipments } = importedContents([...rows, { receipt_id: '2', tracking_number: 'LX1' }]);
    expect(
      shipments.map(({ ord, receipt_id, tracking_number }) => [ord, receipt_id, tracking_number]),
    ).toEqual([
      [0, '1', 'LX1'],
      [1, '1', 'LX2'],
      [2, '2', 'LX1'],
    ]);
  });

  it('has the carrier of the first of its rows that names one', () => {
    const { shipments } = importedContents(
      [
        { tracking_number: 'LX1' },
        { tracking_number: 'LX1', carrier_code: 'yanwen' },
        { tracking_number: 'LX1', carrier_code: 'usps' },
        { tracking_number: 'LX2', carrier_code: 3011 },
        { tracking_number: 'LX3' },
      ].map(withReceiptId),
    );
    expect(shipments.map((shipment) => shipment.carrier_code)).toEqual(['yanwen', '3011', undefined]);
  });
});

describe('orders whose rows are scattered over the request', () => {
  const createRow = (receipt_id: string, n: number) => ({
    receipt_id,
    transaction_id: `${receipt_id}-${n}`,
    title: `Fox ${n}`,
    tracking_number: `LX${n}`,
    sku: '7',
    currency: 'gold',
    ...(n === 2 ? { buyer: 'Wynn' } : {}),
  });
  const adjacentRows = [
    createRow('1', 1),
    createRow('1', 2),
    createRow('2', 1),
    createRow('2', 2),
    createRow('3', 1),
  ];
  const scatteredRows = [
    adjacentRows[0]!,
    adjacentRows[2]!,
    adjacentRows[4]!,
    adjacentRows[1]!,
    adjacentRows[3]!,
  ];
  const withoutPositions = (records: readonly object[]) =>
    records.map((record) => JSON.stringify({ ...record, ord: 0, row: 0 })).sort((a, b) => (a < b ? -1 : 1));

  it('are the same as if their rows were adjacent', () => {
    const [adjacentImport, scatteredImport] = [
      importedContents(adjacentRows),
      importedContents(scatteredRows),
    ];
    for (const listName of ['orders', 'items', 'shipments'] as const)
      expect(withoutPositions(scatteredImport[listName])).toEqual(withoutPositions(adjacentImport[listName]));
    expect(scatteredImport.orders.map((order) => [order.receipt_id, order.row])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 2],
    ]);
    expect(scatteredImport.items.map((item) => item.ord).sort()).toEqual([0, 1, 2, 3, 4]);
  });

  it('cause each warning, and each check of a SKU, only once', () => {
    const { warnings, warningCount, suspectSkus } = prepareText(
      JSON.stringify({ account_id: 1, rows: scatteredRows }),
    );
    expect(warnings.map(({ path }) => path)).toEqual([0, 1, 2, 3, 4].map((n) => `rows.${n}.currency`));
    expect(warningCount).toBe(5);
    expect(suspectSkus.map((suspect) => suspect.row)).toEqual([0, 1, 2, 3, 4]);
  });

  it('report each problem only once when they are refused', () => {
    const badRows = [
      scatteredRows[0],
      { ...scatteredRows[1], price: 'free' },
      ...scatteredRows.slice(2),
      { price: 'free' },
    ];
    expect(refusedPaths(badRows)).toEqual(['rows.1.price', 'rows.5.receipt_id', 'rows.5.price']);
  });

  it('are read from parsed members too', () => {
    const members = { account_id: 1, rows: scatteredRows };
    expect(prepareImport({ members }, 10).receiptIds).toEqual(['1', '2', '3']);
  });
});
