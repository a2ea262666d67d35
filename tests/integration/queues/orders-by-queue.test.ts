import { afterAll, beforeAll, expect, it } from 'vitest';
import { ORDER_QUEUES } from '../../../src/server/queues/queue';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

/** Imports an order with a label that no carrier has scanned, and sets it back to paid as a user. */
async function importLabelledOrder(receiptId: string, number: string): Promise<void> {
  await service.importRows([
    { receipt_id: receiptId, title: 'T', sale_date: timeDaysAgo(1), tracking_number: number },
  ]);
  await queues.sendCallback(number, { status: 'info_received', description: 'Label made' });
  const [order] = await service.database.query<{ id: string }>(
    `SELECT id::text FROM orders WHERE receipt_id = '${receiptId}'`,
  );
  await operator.call('orders.setStatus', { filter: { ids: [order!.id] }, count: 1, status: 'paid' });
}

/** In "exception" and "to ship", some open entries were never handled, and others were handled before the latest report came. */
beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  queues = createQueueHelpers(service, operator);
  for (const receiptId of ['open', 'handled', 'again']) await queues.importStuckOrder(receiptId);
  await queues.handle('exception', 'handled', 'again');
  await queues.sendCallback('NAGAIN0', { description: 'Still held' });
  for (const receiptId of ['new', 'done', 'moved', 'waiting'])
    await importLabelledOrder(receiptId, `L${receiptId.toUpperCase()}0`);
  await queues.handle('to_ship', 'done', 'moved');
  await queues.sendCallback('LMOVED0', { status: 'info_received', description: 'Label changed' });
  await service.database.query(
    `UPDATE tracking_numbers SET status_at = now() - interval '6 days' WHERE tracking_number = 'LWAITING0'`,
  );
});
afterAll(() => service.close());

const listReceiptIds = async (queue: string): Promise<string[]> =>
  (await operator.call('orders.list', { filter: { queue }, limit: 50 })).data.orders.map(
    (order: { receipt_id: string }) => order.receipt_id,
  );

it('the orders filtered by a queue are its open entries, in the list and in the count', async () => {
  expect((await queues.listNumbers('exception')).sort()).toEqual(['again', 'open']);
  expect((await queues.listNumbers('to_ship')).sort()).toEqual(['moved', 'new', 'waiting']);
  expect(await queues.listNumbers('not_scanned')).toEqual(['waiting']);
  for (const queue of ORDER_QUEUES) {
    const openReceiptIds = await queues.listNumbers(queue);
    expect((await listReceiptIds(queue)).sort(), queue).toEqual(openReceiptIds.sort());
    for (const filter of [{ queue }, { queue, statuses: ['paid', 'shipped'] }]) {
      const { data } = await operator.call('orders.count', { filter });
      expect(data.count, JSON.stringify(filter)).toBe(openReceiptIds.length);
    }
    const { data: cancelledResult } = await operator.call('orders.count', {
      filter: { queue, statuses: ['cancelled'] },
    });
    expect(cancelledResult.count, queue).toBe(0);
  }
});

it('the tabs, the navigation and the overview have the same counts', async () => {
  const { data: tabs } = await operator.call('orders.tabs', undefined);
  const countOf = (name: string) => tabs.find(({ tab }: { tab: string }) => tab === name).count;
  expect([countOf('to_ship'), countOf('exception')]).toEqual([3, 2]);
  // One order is open in two queues, but counts once in the total.
  expect(await queues.readCounts()).toMatchObject({ to_ship: 3, exception: 2, not_scanned: 1, total: 5 });
  const range = { from: timeDaysAgo(7).slice(0, 10), to: timeDaysAgo(0).slice(0, 10), shops: [] };
  const { data: overview } = await operator.call('overview.read', range);
  expect(overview.shops).toMatchObject([{ to_ship: 3 }]);
});
