import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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

const TRACKING_NUMBER = 'LX900000001CN';
/** A tracking number that a carrier reports on. Only one test uses it, because its events stay when the order is deleted. */
const REPORTED_NUMBER = 'LX900000009CN';
const SOLD_CELLS = { sale_date: '8/22/2026' };
const SHIPPED_CELLS = { shipped_indicator: '8/23/2026' };

/** Imports a row of the order, and returns the id of the import. */
async function importRow(cells: Record<string, string>): Promise<string> {
  const { json } = await service.importRows([{ receipt_id: 'a', transaction_id: '1', ...cells }]);
  expect(json).toMatchObject({ success: true });
  const [lastImport] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  return lastImport!.id;
}

const readOrder = () => readStoredOrder(service.database, 'a');
const readStatusesAndNumbers = async () => {
  const { status, tracking_status, shipments } = await readOrder();
  return [status, tracking_status, shipments.map((shipment) => shipment.tracking_number)];
};

async function setStatus(status: string): Promise<void> {
  const filter = { ids: [String((await readOrder()).id)] };
  const { error } = await user.call('orders.setStatus', { filter, count: 1, status });
  expect(error).toBeNull();
}

async function addNumber(trackingNumber: string): Promise<void> {
  const rows = [{ receipt_id: 'a', tracking_number: trackingNumber }];
  const { error } = await user.call('orders.setTracking', { shop_id: service.shopId, rows });
  expect(error).toBeNull();
}

type UndoEntry = { fields: { name: string; before: unknown; present: unknown }[] | null };

/**
 * Undoes the import and checks that the preview said exactly what was done. Returns the statuses before and after the undo if they
 * differ, and the names of the kept fields.
 */
async function undoImport(id: string): Promise<{ statuses: unknown[]; keptFieldNames: string[] }> {
  const previews = await Promise.all(
    ['undone', 'kept', 'missing'].map((list) => user.call('imports.undoPreview', { id, list })),
  );
  const { data, error } = await user.call('imports.undo', { id });
  expect(error).toBeNull();
  expect(previews.map((preview) => preview.data.entries)).toEqual([data.undone, data.kept, data.missing]);
  for (const preview of previews) expect(preview.data.counts).toEqual(data.counts);
  const fieldsOf = (entries: UndoEntry[]) => entries.flatMap(({ fields }) => fields ?? []);
  return {
    statuses: fieldsOf(data.undone).flatMap(({ name, present, before }) =>
      name === 'status' ? [present, before] : [],
    ),
    keptFieldNames: fieldsOf(data.kept).map(({ name }) => name),
  };
}

it('an order is no longer delivered once the import of its delivered shipment is undone', async () => {
  await importRow(SOLD_CELLS);
  const id = await importRow({ tracking_number: REPORTED_NUMBER });
  const data = { tracking_number: REPORTED_NUMBER, status: 'delivered', time: '2026-08-25T10:00:00Z' };
  expect((await service.send('/api/v1/tracks', { body: { event: 'x', data } })).status).toBe(200);
  expect(await readStatusesAndNumbers()).toEqual(['delivered', 'delivered', [REPORTED_NUMBER]]);
  expect(await undoImport(id)).toEqual({ statuses: ['delivered', 'paid'], keptFieldNames: [] });
  expect(await readStatusesAndNumbers()).toEqual(['paid', null, []]);
});

it('an order stays shipped when an import is undone if a user has since added a tracking number', async () => {
  await importRow(SOLD_CELLS);
  const id = await importRow(SHIPPED_CELLS);
  await addNumber(TRACKING_NUMBER);
  expect(await undoImport(id)).toEqual({ statuses: [], keptFieldNames: [] });
  expect(await readStatusesAndNumbers()).toEqual(['shipped', 'not_found', [TRACKING_NUMBER]]);
  expect(await readOrder()).toMatchObject({ shipped_indicator: null });
});

it('an order stays shipped when imports are undone if a later import has added a tracking number', async () => {
  await importRow(SOLD_CELLS);
  const shippedImportId = await importRow(SHIPPED_CELLS);
  const firstNumberImportId = await importRow({ tracking_number: TRACKING_NUMBER });
  await importRow({ tracking_number: 'LX900000002CN' });
  expect(await undoImport(shippedImportId)).toEqual({ statuses: [], keptFieldNames: [] });
  expect(await undoImport(firstNumberImportId)).toEqual({ statuses: [], keptFieldNames: [] });
  expect(await readStatusesAndNumbers()).toEqual(['shipped', 'not_found', ['LX900000002CN']]);
});

it('a shipped order becomes paid when the import that shipped it is undone if a later import has added a sale date', async () => {
  await importRow({});
  const id = await importRow(SHIPPED_CELLS);
  const laterImportId = await importRow(SOLD_CELLS);
  expect(await undoImport(id)).toEqual({ statuses: ['shipped', 'paid'], keptFieldNames: [] });
  expect(await undoImport(laterImportId)).toEqual({ statuses: ['paid', 'pending'], keptFieldNames: [] });
});

it('an undo keeps a status that a user has set, even if it is the one that the import wrote', async () => {
  await importRow(SOLD_CELLS);
  const id = await importRow(SHIPPED_CELLS);
  await setStatus('paid');
  await setStatus('shipped');
  expect(await undoImport(id)).toEqual({ statuses: [], keptFieldNames: [] });
  expect(await readStatusesAndNumbers()).toEqual(['shipped', null, []]);
});

it('an undo restores a status that a user had set, although the order has a shipped indicator', async () => {
  await importRow({ ...SOLD_CELLS, ...SHIPPED_CELLS });
  await setStatus('paid');
  const id = await importRow({ ...SHIPPED_CELLS, name: 'Ann' });
  expect(await readStatusesAndNumbers()).toEqual(['shipped', null, []]);
  expect(await undoImport(id)).toEqual({ statuses: ['shipped', 'paid'], keptFieldNames: [] });
  expect(await readStatusesAndNumbers()).toEqual(['paid', null, []]);
});

it('an undo leaves a cancelled order cancelled', async () => {
  await importRow(SOLD_CELLS);
  const id = await importRow({ tracking_number: TRACKING_NUMBER });
  await setStatus('cancelled');
  expect(await undoImport(id)).toEqual({ statuses: [], keptFieldNames: [] });
  expect(await readStatusesAndNumbers()).toEqual(['cancelled', null, []]);
});
