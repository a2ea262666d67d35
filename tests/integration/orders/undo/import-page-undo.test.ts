import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Cells, rowOf, uploadAndImport } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder, readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());
beforeEach(() => service.database.query('DELETE FROM orders'));

const importFile = (rows: readonly Cells[]) => uploadAndImport(service, user, rows);
const undoImport = (id: string) => user.call('imports.undo', { id });
const readPreview = async (id: string, list: string) =>
  (await user.call('imports.undoPreview', { id, list })).data;
const findOrderId = async (receiptId: string) =>
  String((await readStoredOrder(service.database, receiptId)).id);

/** Returns the orders without the times at which they and their items were last changed. */
const readContent = async () =>
  (await readStoredOrders(service.database)).map(({ updated_at: _, items, ...order }) => ({
    ...order,
    items: items.map(({ updated_at: __, ...item }) => item),
  }));

it('an undo removes the orders that the import created, and restores every field that it changed', async () => {
  await importFile([
    rowOf('a', { name: 'Ann', country: 'Germany', quantity: 1, sale_date: '8/22/2026' }),
    rowOf('b'),
  ]);
  const contentBeforeImport = await readContent();
  const id = await importFile([
    rowOf('a', {
      name: 'Anne',
      country: 'France',
      quantity: 7,
      price: '4.49',
      order_shipping: '5',
      shipped: '8/23/2026',
    }),
    rowOf('a', { transaction_id: '2', title: 'Owl' }),
    rowOf('b'),
    rowOf('c', { name: 'New' }),
  ]);
  expect(await readContent()).not.toEqual(contentBeforeImport);
  const preview = await readPreview(id, 'undone');
  const contentBeforeUndo = await readContent();
  expect(preview.counts).toEqual({
    removed_orders: 1,
    removed_items: 1,
    removed_shipments: 0,
    restored_records: 2,
    kept: 0,
    missing: 0,
  });
  expect(await readContent()).toEqual(contentBeforeUndo);
  const { data } = await undoImport(id);
  expect(data.counts).toEqual(preview.counts);
  expect(data.undone).toEqual(preview.entries);
  expect(await readContent()).toEqual(contentBeforeImport);
  const { data: details } = await user.call('imports.one', { id });
  expect(details.import).toMatchObject({ outcome: 'undone', undone_by: user.email });
  const auditEntries = await service.database.query(
    `SELECT actor, after -> 'removed_orders' AS removed FROM audit_log WHERE action = 'import.undo' AND record_id = $1`,
    [id],
  );
  expect(auditEntries).toEqual([{ actor: user.email, removed: 1 }]);
});

it('orders that an undo deletes are also removed from the search', async () => {
  const id = await importFile([rowOf('gone', { name: 'Gwendolyn' })]);
  await service.app.services.searchIndexer.finishIndexing();
  const findDocuments = () =>
    service.database.query("SELECT 1 FROM order_search WHERE document LIKE '%gwendolyn%'");
  expect(await findDocuments()).toHaveLength(1);
  await undoImport(id);
  expect(await findDocuments()).toEqual([]);
});

it('an undo keeps created orders that a later import or a user has changed, and says which', async () => {
  const id = await importFile(
    ['free', 'import', 'item', 'note', 'status', 'carrier'].map((receiptId) => rowOf(receiptId)),
  );
  const { json } = await service.importRows([{ receipt_id: 'import', name: 'Ann' }]);
  expect(json.success).toBe(true);
  await service.importRows([{ receipt_id: 'item', transaction_id: '9' }]);
  await user.call('orders.addNote', { id: await findOrderId('note'), text: 'Call back' });
  await user.call('orders.setStatus', {
    filter: { ids: [await findOrderId('status')] },
    count: 1,
    status: 'cancelled',
  });
  const { data, error } = await undoImport(id);
  expect(error).toBeNull();
  const keptOrders = data.kept.map(({ receipt_id, reason, by_import }: Record<string, string>) => [
    receipt_id,
    reason,
    by_import !== null,
  ]);
  expect(keptOrders).toEqual([
    ['import', 'import', true],
    ['item', 'import', true],
    ['note', 'user', false],
    ['status', 'user', false],
  ]);
  expect((await readContent()).map((order) => order.receipt_id)).toEqual([
    'import',
    'item',
    'note',
    'status',
  ]);
});

it('an undo keeps a created order whose shipment has moved since', async () => {
  const { json } = await service.importRows([
    { receipt_id: 'moved', tracking_number: 'UNDO1' },
    { receipt_id: 'still' },
  ]);
  expect(json.data.new_orders).toBe(2);
  const [{ id } = { id: '' }] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  const callback = {
    event: 'x',
    data: { tracking_number: 'UNDO1', status: 'delivered', time: '2026-08-22T10:00:00Z' },
  };
  expect((await service.send('/api/v1/tracks', { body: callback })).status).toBe(200);
  const { data } = await undoImport(id);
  expect(data.kept).toMatchObject([{ receipt_id: 'moved', reason: 'tracking' }]);
  expect((await readContent()).map((order) => order.receipt_id)).toEqual(['moved']);
});

it('an undo restores only fields that still have the value that the import wrote', async () => {
  await importFile([rowOf('f', { name: 'Ann', zip: '01001', quantity: 1, country: 'Germany' })]);
  const id = await importFile([rowOf('f', { name: 'Bob', zip: '02002', quantity: 2, country: 'France' })]);
  // The same country in another spelling: the code stays, because it follows from the name.
  const laterImportId = await importFile([rowOf('f', { name: 'Cid', quantity: 3, country: 'FR' })]);
  const { data } = await undoImport(id);
  const fieldNamesOf = (entries: { record: string; fields: { name: string }[] }[]) =>
    entries.map(({ record, fields }) => [record, fields.map(({ name }) => name)]);
  expect(fieldNamesOf(data.undone)).toEqual([['order', ['zip']]]);
  expect(fieldNamesOf(data.kept)).toEqual([
    ['item', ['quantity']],
    ['order', ['country_name', 'name']],
  ]);
  expect(data.kept).toMatchObject([
    { reason: 'import', by_import: laterImportId },
    { reason: 'import', by_import: laterImportId },
  ]);
  expect(data.kept[1].fields.at(-1)).toEqual({ name: 'name', before: 'Ann', after: 'Bob', present: 'Cid' });
  const order = await readStoredOrder(service.database, 'f');
  expect(order).toMatchObject({
    name: 'Cid',
    zip: '01001',
    country_name: 'FR',
    country_code: 'FR',
    items: [{ quantity: 3 }],
  });
});

it('imports that are undone in reverse order leave nothing behind', async () => {
  const firstImportId = await importFile([rowOf('r', { name: 'Ann' })]);
  const secondImportId = await importFile([rowOf('r', { name: 'Bob' }), rowOf('r', { transaction_id: '2' })]);
  expect((await undoImport(secondImportId)).data.counts.kept).toBe(0);
  expect((await undoImport(firstImportId)).data.counts).toMatchObject({ removed_orders: 1, kept: 0 });
  expect(await readContent()).toEqual([]);
});

it('an undo removes a shipment together with the order status that followed from it', async () => {
  const callback = {
    event: 'x',
    data: { tracking_number: 'UNDO2', status: 'delivered', time: '2026-08-22T10:00:00Z' },
  };
  await service.send('/api/v1/tracks', { body: callback });
  await service.importRows([{ receipt_id: 'p', sale_date: '8/22/2026' }]);
  const contentBeforeImport = await readContent();
  await service.importRows([{ receipt_id: 'p', tracking_number: 'UNDO2' }]);
  expect(await readStoredOrder(service.database, 'p')).toMatchObject({
    status: 'delivered',
    tracking_status: 'delivered',
  });
  const [{ id } = { id: '' }] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  const { data } = await undoImport(id);
  expect(data.counts).toMatchObject({ removed_shipments: 1, restored_records: 1, kept: 0 });
  expect(await readContent()).toEqual(contentBeforeImport);
});

it('an undo lists the records that no longer exist', async () => {
  await importFile([rowOf('x'), rowOf('y')]);
  const id = await importFile([
    rowOf('x', { name: 'Ann' }),
    rowOf('y', { name: 'Bob', quantity: 2 }),
    rowOf('z'),
  ]);
  await service.database.query(`DELETE FROM orders WHERE receipt_id IN ('x', 'z')`);
  await service.database.query('DELETE FROM order_items');
  const { data } = await undoImport(id);
  expect(data.counts).toMatchObject({ restored_records: 1, missing: 3 });
  expect(
    data.missing.map(({ record, missing }: Record<string, unknown>) => [record, missing]).sort(),
  ).toEqual([
    ['item', 1],
    ['order', 1],
    ['order', 1],
  ]);
  expect(await readStoredOrder(service.database, 'y')).toMatchObject({ name: null });
});

it('an undo lists shipments that the import added and a user has removed, unless the order has the number again', async () => {
  await service.importRows([{ receipt_id: 'v', tracking_number: 'EARLIER1' }, { receipt_id: 'w' }]);
  const rows = ['REMOVED1', 'REMOVED2', 'KEPT1'].map((tracking_number) => ({
    receipt_id: 'v',
    tracking_number,
  }));
  await service.importRows([...rows, { receipt_id: 'w', tracking_number: 'REMOVED1' }]);
  const [{ id } = { id: '' }] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  const orderId = await findOrderId('v');
  for (const tracking_number of ['EARLIER1', 'REMOVED1', 'REMOVED2'])
    expect((await user.call('orders.removeTracking', { id: orderId, tracking_number })).status).toBe(200);
  await user.call('orders.restoreTracking', { id: orderId, tracking_number: 'REMOVED2' });
  const preview = await readPreview(id, 'missing');
  const { data } = await undoImport(id);
  expect(data.counts).toMatchObject({ removed_shipments: 3, missing: 1 });
  expect(data.missing).toMatchObject([
    { record: 'shipment', receipt_id: 'v', order_id: orderId, missing: 1 },
  ]);
  expect(preview.entries).toEqual(data.missing);
});

it('an import can be undone only once, even if two requests arrive at the same time, and not at all if it stored nothing', async () => {
  const id = await importFile([rowOf('once')]);
  const responses = await Promise.all([undoImport(id), undoImport(id)]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await undoImport(id)).error?.code).toBe('conflict');
  expect((await user.call('imports.undoPreview', { id, list: 'kept' })).status).toBe(409);
  await service.importRows([{ receipt_id: 'bad', quantity: 'x' }]);
  const [{ id: refusedImportId } = { id: '' }] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  expect((await undoImport(refusedImportId)).error?.code).toBe('validation_failed');
  expect((await undoImport('999999')).status).toBe(404);
  const viewer = await createSignedInUser(service, 'viewer');
  expect((await viewer.call('imports.undo', { id })).status).toBe(403);
});

it('an undo changes nothing if it fails halfway', async () => {
  await importFile([rowOf('k', { name: 'Ann' })]);
  const id = await importFile([rowOf('k', { name: 'Bob' }), rowOf('l')]);
  const ordersBefore = await readStoredOrders(service.database);
  await service.database.query(
    `ALTER TABLE imports ADD CONSTRAINT no_undo CHECK (outcome <> 'undone') NOT VALID`,
  );
  expect((await undoImport(id)).status).toBe(500);
  await service.database.query('ALTER TABLE imports DROP CONSTRAINT no_undo');
  expect(await readStoredOrders(service.database)).toEqual(ordersBefore);
  expect((await undoImport(id)).status).toBe(200);
});

it('a file can be imported again once its import has been undone', async () => {
  const rows = [rowOf('again', { name: 'Ann' }), rowOf('again', { transaction_id: '2' })];
  const readSummary = async () =>
    (await readStoredOrders(service.database)).map(({ receipt_id, name, items }) => [
      receipt_id,
      name,
      items.length,
    ]);
  await undoImport(await importFile(rows));
  await importFile(rows);
  expect(await readSummary()).toEqual([['again', 'Ann', 2]]);
});
