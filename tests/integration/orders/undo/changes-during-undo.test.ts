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
