// In whatever order imports are undone, what the other imports wrote remains (docs/orders.md, "History and undo").
import { afterAll, beforeEach, expect, it } from 'vitest';
import { deleteOldRowHistory } from '../../../../src/server/orders/undo/retention-service';
import { readStoredOrders } from '../../../support/service/stored-orders';
import { type Cells, startUndoService } from './undo-service';

const { service, user, importRows, undoImport, readOrder } = await startUndoService();
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

/** Returns the content of the order without the times of its last change; null if it does not exist. */
const readContent = async () => {
  const [order = null] = await readStoredOrders(service.database);
  return JSON.parse(JSON.stringify(order, (name, value) => (name === 'updated_at' ? undefined : value)));
};

/** The cells of three imports. Each import changes fields of the order, its item and its shipment. */
const CHANGES: Cells[] = [
  {
    name: 'Bob',
    country_name: 'France',
    sale_date: '8/1/2026',
    order_shipping: '2',
    price: '2.00',
    phone: '2',
  },
  {
    name: 'Cid',
    country_name: 'Italy',
    sale_date: '8/2/2026',
    order_shipping: '3',
    price: '3.00',
    color: '3',
  },
  {
    name: 'Dan',
    country_name: 'Spain',
    sale_date: '8/3/2026',
    order_shipping: '4',
    price: '4.00',
    phone: '4',
  },
];
const TRACKING_NUMBER = 'UNDOORDER2';
const importChange = (cells: Cells, index: number) =>
  importRows({
    transaction_id: '1',
    tracking_number: TRACKING_NUMBER,
    carrier_code: `carrier${index}`,
    ...cells,
  });

it.each([
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
])(
  'imports that are undone in the order %i, %i, %i leave what was there before them',
  async (...undoOrder) => {
    await importRows({
      transaction_id: '1',
      tracking_number: TRACKING_NUMBER,
      ...{ name: 'Ann', country_name: 'Germany', sale_date: '7/31/2026', order_shipping: '1', price: '1.00' },
    });
    const contentBefore = await readContent();
    const ids: string[] = [];
    for (const [index, cells] of CHANGES.entries()) ids.push(await importChange(cells, index));
    for (const index of undoOrder) await undoImport(ids[index]!);
    expect(await readContent()).toEqual(contentBefore);
  },
);

it.each([
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
])(
  'an order is removed once the imports that created and changed it are undone, in the order %i, %i, %i',
  async (...undoOrder) => {
    const ids: string[] = [];
    for (const [index, cells] of CHANGES.entries()) ids.push(await importChange(cells, index));
    const counts = [];
    for (const index of undoOrder) counts.push((await undoImport(ids[index]!)).counts);
    expect(await readContent()).toBeNull();
    expect(counts.map(({ removed_orders }) => removed_orders)).toEqual([0, 0, 1]);
    // The order's fields, items and shipments are not counted separately.
    expect(counts[2]).toMatchObject({ removed_items: 0, removed_shipments: 0, restored_records: 0 });
  },
);

it.each([
  [0, 1, 2],
  [1, 0, 2],
  [0, 2, 1],
])(
  'items and shipments are removed once the imports that added and changed them are undone, in the order %i, %i, %i',
  async (...undoOrder) => {
    await importRows({ transaction_id: '0', name: 'Ann', sale_date: '7/31/2026' });
    const contentBefore = await readContent();
    const ids: string[] = [];
    for (const [index, cells] of CHANGES.entries()) ids.push(await importChange(cells, index));
    const counts = [];
    for (const index of undoOrder) counts.push((await undoImport(ids[index]!)).counts);
    expect(await readContent()).toEqual(contentBefore);
    // The order is restored. The item and the shipment are removed, and do not count as restored.
    expect(counts[2]).toMatchObject({ removed_items: 1, removed_shipments: 1, restored_records: 1 });
  },
);

it('an order to which a later import added a tracking number without events is removed once both imports are undone', async () => {
  const firstImportId = await importRows({ transaction_id: '1' });
  const secondImportId = await importRows({ transaction_id: '1', tracking_number: 'UNDOORDER4' });
  await undoImport(firstImportId);
  expect((await undoImport(secondImportId)).counts).toMatchObject({ removed_orders: 1, kept: 0 });
});

it('an order to which a later import added an item is removed once both imports are undone', async () => {
  const firstImportId = await importRows({ transaction_id: '1' });
  const secondImportId = await importRows({ transaction_id: '2' });
  await undoImport(firstImportId);
  const { counts } = await undoImport(secondImportId);
  expect(counts).toMatchObject({ removed_orders: 1, removed_items: 0, kept: 0 });
  expect(await readContent()).toBeNull();
});

it('a transaction id that stayed because later imports may have used it is removed once all of them are undone', async () => {
  await importRows({ price: '1.00' });
  const identifyingImportId = await importRows({ price: '1.00', transaction_id: 't1' });
  const secondImportId = await importRows({ title: 'Red fox', transaction_id: 't1' });
  const thirdImportId = await importRows({ city: 'Paris', transaction_id: 't1' });
  await undoImport(identifyingImportId);
  await undoImport(thirdImportId);
  expect((await readOrder()).items).toMatchObject([{ transaction_id: 't1', title: 'Red fox' }]);
  await undoImport(secondImportId);
  expect((await readOrder()).items).toMatchObject([{ transaction_id: null, title: 'Fox' }]);
});

it('an undo goes back to the last import that has not been undone, and no further', async () => {
  const ids: string[] = [];
  for (const name of ['Ann', 'Bob', 'Cid', 'Dan', 'Eve'])
    ids.push(await importRows({ transaction_id: '1', name }));
  await undoImport(ids[1]!);
  await undoImport(ids[3]!);
  await undoImport(ids[4]!);
  expect(await readOrder()).toMatchObject({ name: 'Cid' });
  await undoImport(ids[2]!);
  expect(await readOrder()).toMatchObject({ name: 'Ann' });
});

it('an order that an undone import created stays if a user has added a note', async () => {
  const firstImportId = await importRows({ transaction_id: '1', name: 'Ann' });
  const secondImportId = await importRows({ transaction_id: '1', name: 'Bob' });
  await undoImport(firstImportId);
  await user.call('orders.addNote', { id: String((await readOrder()).id), text: 'Call back' });
  const { counts } = await undoImport(secondImportId);
  expect(counts).toMatchObject({ removed_orders: 0, restored_records: 1, kept: 0 });
  expect(await readOrder()).toMatchObject({ name: 'Ann' });
});

it('an order that an undone import created stays if its shipment has moved', async () => {
  const firstImportId = await importRows({ transaction_id: '1', tracking_number: 'UNDOORDER3' });
  const data = { tracking_number: 'UNDOORDER3', status: 'in_transit', time: '2026-08-25T10:00:00Z' };
  await service.send('/api/v1/tracks', { body: { event: 'x', data } });
  const secondImportId = await importRows({ transaction_id: '1', name: 'Bob' });
  await undoImport(firstImportId);
  await undoImport(secondImportId);
  expect(await readOrder()).toMatchObject({ name: null, tracking_status: 'in_transit' });
});

it('a carrier that a user has set stays when the imports before and after it are undone', async () => {
  await importRows({ transaction_id: '1', tracking_number: TRACKING_NUMBER });
  const importIdBefore = await importRows({
    transaction_id: '1',
    tracking_number: TRACKING_NUMBER,
    carrier_code: 'ups',
  });
  const rows = [{ receipt_id: 'a', tracking_number: TRACKING_NUMBER, carrier_code: 'usps' }];
  await user.call('orders.setTracking', { shop_id: service.shopId, rows });
  const importIdAfter = await importRows({
    transaction_id: '1',
    tracking_number: TRACKING_NUMBER,
    carrier_code: 'dhl',
  });
  await undoImport(importIdBefore);
  await undoImport(importIdAfter);
  expect((await readOrder()).shipments).toMatchObject([{ carrier_code: 'usps' }]);
});

it('once the row history of undone imports has been deleted, a later undo restores the last value that they wrote, and the order that they created stays', async () => {
  const firstImportId = await importRows({ transaction_id: '1', name: 'Ann' });
  const secondImportId = await importRows({ transaction_id: '1', name: 'Bob' });
  const thirdImportId = await importRows({ transaction_id: '1', name: 'Cid' });
  await undoImport(firstImportId);
  await undoImport(secondImportId);
  // The deletion skips imports that are being indexed.
  await service.app.services.searchIndexer.finishIndexing();
  await service.database.query(
    `UPDATE imports SET created_at = now() - interval '9 days' WHERE id IN ('${firstImportId}', '${secondImportId}')`,
  );
  await deleteOldRowHistory(service.app.services, 8);
  await undoImport(thirdImportId);
  expect(await readOrder()).toMatchObject({ name: 'Bob' });
});
