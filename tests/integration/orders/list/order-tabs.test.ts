import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_TABS, TAB_FILTERS } from '../../../../src/server/orders/filter/order-tabs';
import { createQueueHelpers, timeDaysAgo } from '../../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  queues = createQueueHelpers(service, operator);
  await service.importRows([
    { receipt_id: 'new', title: 'T', sale_date: timeDaysAgo(1) },
    { receipt_id: 'late', title: 'T', sale_date: timeDaysAgo(9) },
    { receipt_id: 'later', title: 'T', sale_date: timeDaysAgo(5) },
    { receipt_id: 'unpaid', title: 'T' },
    { receipt_id: 'moves', title: 'T', sale_date: timeDaysAgo(8), tracking_number: 'MOVES1' },
    { receipt_id: 'label', title: 'T', sale_date: timeDaysAgo(8), tracking_number: 'LABEL1' },
    { receipt_id: 'arrived', title: 'T', sale_date: timeDaysAgo(30), tracking_number: 'ARRIVED1' },
  ]);
  await queues.sendCallback('MOVES1', { status: 'in_transit' });
  await queues.sendCallback('ARRIVED1', { status: 'delivered' });
  await queues.importStuckOrder('stuck');
});
afterAll(() => service.close());

const readCounts = async () => {
  const { data, error } = await operator.call('orders.tabs', undefined);
  expect(error).toBeNull();
  return Object.fromEntries(data.map((row: { tab: string; count: number }) => [row.tab, row.count]));
};
const listReceiptIds = async (filter: object, direction = 'oldest') => {
  const { data } = await operator.call('orders.list', { filter, direction });
  return data.orders.map((order: { receipt_id: string }) => order.receipt_id);
};

describe('the tabs', () => {
  it('show the orders of each step', async () => {
    expect(await readCounts()).toEqual({
      to_ship: 3,
      late: 2,
      in_transit: 1,
      exception: 1,
      delivered: 1,
      unpaid: 1,
      all: 8,
    });
    expect(await listReceiptIds(TAB_FILTERS.to_ship)).toEqual(['late', 'later', 'new']);
    expect(await listReceiptIds(TAB_FILTERS.late)).toEqual(['late', 'later']);
    expect(await listReceiptIds(TAB_FILTERS.in_transit)).toEqual(['moves']);
    expect(await listReceiptIds(TAB_FILTERS.exception)).toEqual(['stuck']);
    expect(await listReceiptIds(TAB_FILTERS.delivered)).toEqual(['arrived']);
    expect(await listReceiptIds(TAB_FILTERS.unpaid)).toEqual(['unpaid']);
  });

  it('have the same counts as their lists and the queues, even after entries have been handled', async () => {
    const expectSameCounts = async () => {
      const tabCounts = await readCounts();
      const queueCounts = (await queues.readCounts()) as Record<string, number>;
      for (const tab of ORDER_TABS) {
        const { data } = await operator.call('orders.count', { filter: TAB_FILTERS[tab] });
        expect(data, tab).toEqual({ count: tabCounts[tab], more: false });
        const { queue } = TAB_FILTERS[tab];
        if (queue) expect(tabCounts[tab], tab).toBe(queueCounts[queue]);
      }
      return tabCounts;
    };
    expect(await expectSameCounts()).toMatchObject({ to_ship: 3, late: 2 });
    expect((await queues.handle('late', 'later')).status).toBe(200);
    // The order was handled in Late only, so it is still in To ship.
    expect(await expectSameCounts()).toMatchObject({ to_ship: 3, late: 1 });
    expect(await listReceiptIds(TAB_FILTERS.late)).toEqual(['late']);
  });

  it('are narrowed by the other filters of the list', async () => {
    expect(await listReceiptIds({ queue: 'to_ship', ids: ['1', '2'] })).toEqual(['late', 'new']);
    expect(await listReceiptIds({ queue: 'to_ship', shops: [9_999] })).toEqual([]);
    expect((await operator.call('orders.list', { filter: { queue: 'nothing' } })).status).toBe(422);
  });
});
