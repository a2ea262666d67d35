import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uploadAndImport, uploadDraft } from '../../support/service/import-drafts';
import {
  MESSAGE_PATH,
  type MessageService,
  SHOP_NAME,
  startMessageService,
} from '../../support/service/message-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';

let service: MessageService;
let user: SignedInUser;

/**
 * The items that have a price come to 36.25: 20, then three at 5 without an item total, then one at 1.25 that has no quantity
 * either. Their discounts of 2.50 and 1 and the in-person discount of 4 leave 28.75. The item without a price does not count, nor
 * does its discount.
 */
const ROWS = [
  {
    receipt_id: 'v1',
    transaction_id: '1',
    title: 'Fox',
    quantity: 2,
    price: '9.99',
    item_total: '20',
    discount_amount: '2.50',
    inperson_discount: '4',
    order_shipping: '6',
    shipping_discount: '1.5',
    order_sales_tax: '2.10',
    vat_paid_by_buyer: '3',
    currency: 'USD',
    sale_date: '8/22/2026',
  },
  { receipt_id: 'v1', transaction_id: '2', title: 'Owl', quantity: 3, price: '5', discount_amount: '1' },
  { receipt_id: 'v1', transaction_id: '3', title: 'A gift without a price', discount_amount: '9' },
  { receipt_id: 'v1', transaction_id: '4', title: 'Pin', price: '1.25' },
];
const VALUE = '28.75';
const AMOUNT_PAID = '38.35';

beforeAll(async () => {
  service = await startMessageService();
  user = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  service.resetProvider();
  await service.database.query('DELETE FROM orders');
  await service.database.query('DELETE FROM order_days');
  await service.database.query('UPDATE shops SET currency = NULL');
});

const readOverview = async () => {
  await service.app.services.searchIndexer.finishIndexing();
  return (await user.call('overview.read', { from: '2026-08-21', to: '2026-08-23' })).data;
};
/** Returns the revenue of each currency that the overview shows. */
const revenuesOf = (data: { currencies: { currency: string; revenue: { value: string } }[] }) =>
  data.currencies.map(({ currency, revenue }) => ({ currency, amount: revenue.value }));
const listOrders = async () => (await user.call('orders.list', {})).data.orders;

describe('the value of an order', () => {
  it('is the total of its items less their discounts and the in-person discount, in the list, on its page, in the overview, in the export and in the facts for a reply', async () => {
    await service.importRows(ROWS);
    const [order] = await listOrders();
    expect(order.value).toBe(VALUE);
    const { data } = await user.call('orders.one', { id: order.id });
    expect(data.items.map((item: { item_total: string | null }) => item.item_total)).toEqual([
      '20',
      '15',
      null,
      '1.25',
    ]);
    expect(data).toMatchObject({ items_total: '36.25', discounts: '3.5', value: VALUE, paid: AMOUNT_PAID });
    expect(revenuesOf(await readOverview())).toEqual([{ currency: 'USD', amount: VALUE }]);
    const response = await fetch(`${service.url}/api/downloads/orders?format=csv`, {
      headers: { Cookie: user.cookie },
    });
    const [exportedRow] = parse(await response.text(), { columns: true, bom: true });
    expect(exportedRow).toMatchObject({ receipt_id: 'v1', value: VALUE });
    await service.requestReply({ order_number: 'v1' });
    const facts = service.lastRequest().body.messages[0]!.content;
    for (const fact of [
      '"items_total": "36.25"',
      '"item_discounts": "3.50"',
      '"in_person_discount": "4.00"',
      '"order_value": "28.75"',
      '"total_paid": "38.35"',
    ])
      expect(facts).toContain(fact);
  });

  it('causes no warning when a reply to the buyer states it, and neither does the amount paid', async () => {
    await service.importRows(ROWS);
    service.provider.script({ kind: 'reply', text: 'The items came to $28.75, and you paid $38.35 in all.' });
    const response = await service.send(MESSAGE_PATH, { body: { shop_name: SHOP_NAME, order_number: 'v1' } });
    expect(response.json.data.warnings).toEqual([]);
  });

  it('comes with a number of units in which an item without a quantity counts as one, even for days stored by 0.15.0', async () => {
    await service.importRows([
      ...ROWS,
      { receipt_id: 'v2', title: 'Pen', sale_date: '8/22/2026', currency: 'NONE' },
    ]);
    const readUnits = async () => ({
      list: (await listOrders()).map(({ quantity }: { quantity: number }) => quantity).sort(),
      overview: (await readOverview()).quantity,
    });
    expect(await readUnits()).toEqual({ list: [1, 7], overview: 8 });
    await service.database.query(
      `UPDATE order_days SET quantity = CASE currency WHEN 'USD' THEN 5 ELSE 0 END`,
    );
    await service.database.query(
      await readFile('prisma/migrations/20261126054800_units_of_days/migration.sql', 'utf8'),
    );
    expect(await readUnits()).toEqual({ list: [1, 7], overview: 8 });
  });

  it('is the same in the preview of an import as after the import', async () => {
    const row = {
      receipt: 'p1',
      transaction_id: '1',
      title: 'Fox',
      price: '10',
      quantity: 2,
      discount_amount: '3',
      inperson_discount: '1',
      currency: 'USD',
      sale_date: '8/22/2026',
    };
    const rowWithoutQuantity = {
      receipt: 'p1',
      transaction_id: '2',
      title: 'Pin',
      price: '1.25',
      sale_date: '8/22/2026',
    };
    const id = await uploadDraft(service, user, [row, rowWithoutQuantity]);
    const preview = (await user.call('imports.preview', { id, part: 'new' })).data;
    expect(preview.entries[0].value).toBe('17.25');
    await uploadAndImport(service, user, [row, rowWithoutQuantity]);
    expect((await listOrders())[0].value).toBe('17.25');
  });

  it('changes in the daily sums when a later import changes a discount, and changes back when that import is undone', async () => {
    await service.importRows(ROWS);
    expect(revenuesOf(await readOverview())).toEqual([{ currency: 'USD', amount: VALUE }]);
    const id = await uploadAndImport(service, user, [
      { receipt: 'v1', transaction_id: '1', title: 'Fox', discount_amount: '5', sale_date: '8/23/2026' },
      {
        receipt: 'v2',
        transaction_id: '1',
        title: 'New',
        price: '7',
        currency: 'USD',
        sale_date: '8/21/2026',
      },
    ]);
    const dailyRevenuesOf = ({ days }: { days: { currencies: { revenue: string }[] }[] }) =>
      days.map(({ currencies }) => currencies[0]?.revenue ?? null);
    expect(dailyRevenuesOf(await readOverview())).toEqual(['7', null, '26.25']);
    expect((await user.call('imports.undo', { id })).status).toBe(200);
    expect(dailyRevenuesOf(await readOverview())).toEqual([null, VALUE, null]);
  });
});

describe('a currency that is not in ISO 4217', () => {
  it('stays with its order, which counts in no sum; the overview shows the number of such orders', async () => {
    await service.importRows([
      ...ROWS,
      { receipt_id: 'n1', title: 'No currency', price: '1', sale_date: '8/22/2026' },
    ]);
    await service.importRows([{ receipt_id: 'n2', title: 'Old', price: '1', sale_date: '8/22/2026' }]);
    await service.database.query(`UPDATE orders SET currency = 'Taler' WHERE receipt_id = 'n2'`);
    await service.importRows([{ receipt_id: 'n2', title: 'Old', price: '2', sale_date: '8/22/2026' }]);
    const data = await readOverview();
    expect(data).toMatchObject({ orders: { value: 3 }, orders_without_currency: 2 });
    expect(revenuesOf(data)).toEqual([{ currency: 'USD', amount: VALUE }]);
    const order = (await listOrders()).find(({ receipt_id }: { receipt_id: string }) => receipt_id === 'n2');
    expect(order).toMatchObject({ currency: 'Taler' });
    expect((await user.call('orders.one', { id: order.id })).data.currency_known).toBe(false);
  });
});

describe('a shop without a currency', () => {
  const readCurrency = async () => (await user.call('shops.list')).data[0].currency;
  const makeRow = (receipt_id: string, currency: string) => ({
    receipt_id,
    title: 'Fox',
    price: '1',
    currency,
    sale_date: '8/22/2026',
  });

  it('gets the currency that all its orders have, as the audit log shows', async () => {
    await service.importRows([makeRow('a', 'GBP'), makeRow('b', 'GBP')]);
    await readOverview();
    expect(await readCurrency()).toBe('GBP');
    const [entry] = (await user.call('audit.list', { action: 'account.update', limit: 1 })).data.entries;
    expect(entry).toMatchObject({ before: { currency: null }, after: { currency: 'GBP' } });
  });

  it('gets none if its orders have several currencies, and keeps the currency that a user sets', async () => {
    await service.importRows([makeRow('a', 'GBP'), makeRow('b', 'USD')]);
    await readOverview();
    expect(await readCurrency()).toBeNull();
    await user.call('shops.update', { id: service.shopId, currency: ' eur ' });
    await service.importRows([makeRow('c', 'GBP')]);
    await readOverview();
    expect(await readCurrency()).toBe('EUR');
  });
});

it('very large prices and quantities are summed exactly', async () => {
  await service.importRows([
    {
      receipt_id: 'big',
      transaction_id: '1',
      price: '999999999999',
      quantity: 2_147_483_647,
      currency: 'USD',
    },
    { receipt_id: 'big', transaction_id: '2', quantity: 2_147_483_647, sale_date: '8/22/2026' },
  ]);
  expect(await listOrders()).toMatchObject([{ quantity: 4_294_967_294, value: '2147483646997852516353' }]);
  expect(revenuesOf(await readOverview())).toEqual([{ currency: 'USD', amount: '2147483646997852516353' }]);
});
