import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countWaitingStatements } from '../../../support/database/test-database';
import { startUndoService } from './undo-service';

let undo: Awaited<ReturnType<typeof startUndoService>>;

beforeAll(async () => {
  undo = await startUndoService();
});
afterAll(() => undo.service.close());

/**
 * Imports the order, then makes a change while the import is being undone: the change waits for the order's lock, and the order is
 * gone when it gets it.
 */
async function changeDuringUndo<T>(makeChange: (orderId: string) => Promise<T>): Promise<T> {
  const { service, user } = undo;
  const importId = await undo.importRows({ sale_date: '8/22/2026' });
  const { id } = await undo.readOrder();
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    // The undo writes to the audit log last: until then it has removed the order without having committed that.
    await client.query('BEGIN; LOCK TABLE audit_log IN SHARE MODE');
    const undoPromise = user.call('imports.undo', { id: importId });
    await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(1);
    const changePromise = makeChange(String(id));
    await expect.poll(() => countWaitingStatements(service.database), { timeout: 20_000 }).toBe(2);
    await client.query('COMMIT');
    const [undone, result] = await Promise.all([undoPromise, changePromise]);
    expect(undone.error).toBeNull();
    return result;
  } finally {
    await client.end();
  }
}

it('a tracking number for an order whose import is being undone is refused like one for an order that never existed', async () => {
  const addNumber = (receipt_id: string) =>
    undo.user.call('orders.setTracking', {
      shop_id: undo.service.shopId,
      rows: [{ receipt_id, tracking_number: 'LX1CN' }],
    });
  const refusal = await changeDuringUndo(() => addNumber('a'));
  const neverStored = await addNumber('a');
  expect([refusal.status, refusal.error?.problems]).toEqual([422, neverStored.error?.problems]);
  expect(refusal.error?.problems).toMatchObject([{ path: 'rows.0.receipt_id' }]);
});

it('a note for an order whose import is being undone is refused like one for an order that never existed', async () => {
  const { status, error } = await changeDuringUndo((id) =>
    undo.user.call('orders.addNote', { id, text: 'Call the buyer.' }),
  );
  expect([status, error?.code]).toEqual([404, 'not_found']);
});

it("an entry of a queue whose order's import is being undone is refused like one of an order that never existed", async () => {
  const { service, user } = undo;
  const entryOf = (id: string) => ({ shop_id: service.shopId, id, latest_at: '2026-08-22T12:00:00Z' });
  const { status, data } = await changeDuringUndo((id) =>
    user.call('queues.handle', { queue: 'to_ship', entries: [entryOf(id)] }),
  );
  expect([status, data]).toMatchObject([
    200,
    { changed: [], refused: [{ reason: { reason: 'answer.noOrder' } }] },
  ]);
});

it('an undo that would no longer do what its preview showed does nothing, until the new preview is confirmed', async () => {
  const { user } = undo;
  const importId = await undo.importRows({ receipt_id: 'shown' });
  const laterImportId = await undo.importRows({ receipt_id: 'shown', name: 'Ann' });
  const preview = async () => (await user.call('imports.undoPreview', { id: importId, list: 'undone' })).data;
  const shownPreview = await preview();
  expect(shownPreview.counts).toMatchObject({ removed_orders: 0, kept: 1 });
  expect((await user.call('imports.undo', { id: laterImportId })).error).toBeNull();

  const undoAsShown = ({ fingerprint }: { fingerprint: string }) =>
    user.call('imports.undo', { id: importId, fingerprint });
  const { status, error } = await undoAsShown(shownPreview);
  expect([status, error]).toMatchObject([
    409,
    {
      code: 'conflict',
      message:
        'What the undo would do has changed since it was shown, so nothing was undone. Look at what it would do now, then undo the import.',
    },
  ]);
  const newPreview = await preview();
  expect(newPreview.counts).toMatchObject({ removed_orders: 1, kept: 0 });
  expect((await undoAsShown(newPreview)).data.counts).toEqual(newPreview.counts);
});

it('an undo is refused if a value in its preview has changed, although it would undo as many records', async () => {
  const { user } = undo;
  await undo.importRows({ receipt_id: 'value', name: 'Ann' });
  const importId = await undo.importRows({ receipt_id: 'value', name: 'Bob' });
  await undo.importRows({ receipt_id: 'value', name: 'Cid' });
  const preview = async () => (await user.call('imports.undoPreview', { id: importId, list: 'kept' })).data;
  const { counts, fingerprint } = await preview();
  await undo.importRows({ receipt_id: 'value', name: 'Dan' });
  expect((await preview()).counts).toEqual(counts);
  expect((await user.call('imports.undo', { id: importId, fingerprint })).status).toBe(409);
});
