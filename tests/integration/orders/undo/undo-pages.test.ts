import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { encodeCursor } from '../../../../src/server/core/lists/cursor';
import { readPages, rowOf, uploadAndImport } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

/** Returns the pages of a list of an undo's preview, after a check that they have the entries of the whole list. */
async function readUndoPages(id: string, list: string, limit: number) {
  const { data } = await user.call('imports.undoPreview', { id, list, limit: 200 });
  const pages = await readPages(user, 'imports.undoPreview', { id, list, limit });
  expect(pages.flatMap(({ entries }) => entries)).toEqual(data.entries);
  return pages;
}

it('each list of a preview of an undo has each entry on one page, sorted by order', async () => {
  const importOrders = (name: string, extraReceiptIds: readonly string[] = []) =>
    uploadAndImport(service, user, [
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((receiptId) => rowOf(receiptId, { name, quantity: name.length })),
      ...extraReceiptIds.map((receiptId) => rowOf(receiptId)),
    ]);
  await importOrders('Ann');
  const id = await importOrders('Anne', ['g', 'h']);
  await uploadAndImport(service, user, [
    rowOf('a', { name: 'Annette', quantity: 4 }),
    rowOf('b', { name: 'Anna', quantity: 4 }),
    rowOf('c', { name: 'Annika', quantity: 4 }),
  ]);
  await service.database.query(`DELETE FROM orders WHERE receipt_id IN ('d', 'h')`);
  for (const limit of [1, 2, 200]) {
    const undone = (await readUndoPages(id, 'undone', limit)).flatMap(({ entries }) => entries);
    // The items of a, b and c; e and f with their items; g is removed.
    expect(undone.map(({ receipt_id, record }) => [receipt_id, record])).toEqual([
      ['a', 'item'],
      ['b', 'item'],
      ['c', 'item'],
      ['e', 'item'],
      ['e', 'order'],
      ['f', 'item'],
      ['f', 'order'],
      ['g', 'order'],
    ]);
    const kept = (await readUndoPages(id, 'kept', limit)).flatMap(({ entries }) => entries);
    expect(kept.map(({ receipt_id, record }) => [receipt_id, record])).toEqual([
      ['a', 'order'],
      ['b', 'order'],
      ['c', 'order'],
    ]);
    const missing = (await readUndoPages(id, 'missing', limit)).flatMap(({ entries }) => entries);
    expect(missing.map(({ record, missing: count }) => [record, count])).toEqual([
      ['item', 1],
      ['order', 1],
      ['order', 1],
    ]);
  }
});

it('the shipments of an order that a user has removed are one entry, with their count', async () => {
  await service.importRows([{ receipt_id: 'v' }]);
  const trackingNumbers = ['REMOVED1', 'REMOVED2', 'REMOVED3'];
  await service.importRows(trackingNumbers.map((tracking_number) => ({ receipt_id: 'v', tracking_number })));
  const [{ id } = { id: '' }] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  const orderId = String((await readStoredOrder(service.database, 'v')).id);
  for (const tracking_number of trackingNumbers)
    await user.call('orders.removeTracking', { id: orderId, tracking_number });
  const [page] = await readUndoPages(id, 'missing', 1);
  expect([page.counts.missing, page.entries]).toMatchObject([
    3,
    [{ record: 'shipment', receipt_id: 'v', order_id: orderId, missing: 3 }],
  ]);
});

it.each([
  ['a number', '2'],
  ['the cursor of another list', encodeCursor('undo.kept', ['1'])],
  ['a text with other characters', encodeCursor('undo.undone', ["'"])],
])('the preview of an undo refuses a cursor that it never issued: %s', async (_, cursor) => {
  const id = await uploadAndImport(service, user, [rowOf('q')]);
  const { status, error } = await user.call('imports.undoPreview', { id, list: 'undone', cursor });
  expect([status, error?.problems.map(({ path }) => path)]).toEqual([422, ['cursor']]);
});
