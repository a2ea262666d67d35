import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LATE_DAYS, NOT_SCANNED_DAYS, QUEUES } from '../../../src/server/queues/queue';
import { createShop } from '../../../src/server/shops/account-service';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  queues = createQueueHelpers(service, viewer);
});
afterAll(() => service.close());

const HOUR_IN_DAYS = 1 / 24;

it('there are no entries in a new shop', async () => {
  expect(await queues.readCounts()).toEqual({
    ...Object.fromEntries(QUEUES.map((queue) => [queue, 0])),
    total: 0,
    handled_today: 0,
  });
  for (const queue of QUEUES)
    expect(await queues.list(queue)).toEqual({ entries: [], causes: [], next: null });
});

describe('the queues', () => {
  it('To ship has the paid orders, the longest-waiting first, and Late those paid more than LATE_DAYS ago', async () => {
    await service.importRows([
      { receipt_id: 'new', title: 'T', sale_date: timeDaysAgo(0.5) },
      { receipt_id: 'almost', title: 'T', sale_date: timeDaysAgo(LATE_DAYS - HOUR_IN_DAYS) },
      { receipt_id: 'late', title: 'T', sale_date: timeDaysAgo(LATE_DAYS + HOUR_IN_DAYS) },
      { receipt_id: 'unpaid', title: 'T' },
      { receipt_id: 'gone', title: 'T', sale_date: timeDaysAgo(9), tracking_number: 'GONE1' },
    ]);
    expect(await queues.listNumbers('to_ship')).toEqual(['late', 'almost', 'new']);
    expect(await queues.listNumbers('late')).toEqual(['late']);
    expect(await queues.readCounts()).toMatchObject({ to_ship: 3, late: 1, total: 3 });
  });

  it('Exceptions and Delivery failed have the orders with a shipment in that status, the latest first, without cancelled orders', async () => {
    await queues.importStuckOrder('ex1');
    await queues.importStuckOrder('ex2');
    await queues.importStuckOrder('ex3');
    await queues.importStuckOrder('df1', { status: 'delivery_failure' });
    expect(await queues.listNumbers('exception')).toEqual(['ex3', 'ex2', 'ex1']);
    expect(await queues.listNumbers('delivery_failed')).toEqual(['df1']);
    const operator = await createSignedInUser(service, 'operator');
    const { id } = await queues.findEntry('exception', 'ex2');
    await operator.call('orders.setStatus', { filter: { ids: [id] }, count: 1, status: 'cancelled' });
    expect(await queues.listNumbers('exception')).toEqual(['ex3', 'ex1']);
  });

  it('Not scanned has shipments without a scan for more than NOT_SCANNED_DAYS, even if the carrier does not know them', async () => {
    const makeLabelledRow = (receipt_id: string, tracking_number: string) => ({
      receipt_id,
      title: 'T',
      sale_date: timeDaysAgo(20),
      tracking_number,
    });
    await service.importRows([
      makeLabelledRow('waits', 'WAITS1'),
      makeLabelledRow('fresh', 'FRESH1'),
      makeLabelledRow('moves', 'MOVES1'),
      makeLabelledRow('known', 'KNOWN1'),
    ]);
    // KNOWN1's label has been unscanned for just over the limit and FRESH1's for just under it; MOVES1 is in transit.
    const sendCallback = (tracking_number: string, status: string, days: number) =>
      service.send('/api/v1/tracks', {
        body: { event: 'x', data: { tracking_number, status, time: timeDaysAgo(days) } },
      });
    await sendCallback('KNOWN1', 'InfoReceived', NOT_SCANNED_DAYS + HOUR_IN_DAYS);
    await sendCallback('FRESH1', 'InfoReceived', NOT_SCANNED_DAYS - HOUR_IN_DAYS);
    await sendCallback('MOVES1', 'InTransit', 9);
    await service.database.query(
      `UPDATE shipments SET created_at = now() - interval '${NOT_SCANNED_DAYS} days 1 hour'
        WHERE tracking_number = 'WAITS1'`,
    );
    expect((await queues.listNumbers('not_scanned')).sort()).toEqual(['known', 'waits']);
  });

  it('Not scanned keeps an order whose old label the carrier reports on again without a scan, or that gets a second shipment', async () => {
    const readSince = async (number: string) => (await queues.findEntry('not_scanned', number)).since;
    const [waitsSince, knownSince] = [await readSince('waits'), await readSince('known')];
    for (const [tracking_number, status] of [
      ['WAITS1', 'NotFound'],
      ['WAITS1', 'Expired'],
    ])
      await service.send('/api/v1/tracks', { body: { event: 'x', data: { tracking_number, status } } });
    await service.importRows([{ receipt_id: 'known', title: 'T', tracking_number: 'KNOWN2' }]);
    const orders = await service.database.query(
      `SELECT receipt_id, tracking_status FROM orders WHERE receipt_id IN ('waits', 'known') ORDER BY receipt_id`,
    );
    expect(orders).toEqual([
      { receipt_id: 'known', tracking_status: 'not_found' },
      { receipt_id: 'waits', tracking_status: 'expired' },
    ]);
    expect(await queues.listNumbers('not_scanned')).toEqual(['known', 'waits']);
    expect([await readSince('waits'), await readSince('known')]).toEqual([waitsSince, knownSince]);
  });
});

describe('the count', () => {
  it('is the same in the navigation, in the list and on the overview', async () => {
    const counts = await queues.readCounts();
    const { data } = await viewer.call('overview.read', { from: '2026-08-21', to: '2026-08-23' });
    for (const queue of QUEUES) {
      expect(data.attention.queues[queue], queue).toBe(counts[queue as keyof typeof counts]);
      expect(await queues.listNumbers(queue), queue).toHaveLength(data.attention.queues[queue]);
    }
  });

  it('says how many of the exceptions and failed deliveries began in the last 24 hours', async () => {
    const readNewEntryCounts = async () =>
      (await viewer.call('overview.read', { from: '2026-08-21', to: '2026-08-23' })).data.new_entries;
    expect(await readNewEntryCounts()).toEqual({ exception: 2, delivery_failed: 1, to_review: 0 });
    await service.database.query(
      `UPDATE tracking_numbers SET status_at = now() - interval '25 hours' WHERE tracking_number = 'NEX10'`,
    );
    expect(await readNewEntryCounts()).toEqual({ exception: 1, delivery_failed: 1, to_review: 0 });
  });

  it('includes an order in the total only once, even if it is in two queues', async () => {
    const { to_ship, exception, delivery_failed, not_scanned, total } = (await queues.readCounts()) as Record<
      string,
      number
    >;
    expect(total).toBe(to_ship! + exception! + delivery_failed! + not_scanned!);
  });

  it('covers only the chosen shops, and so does the list', async () => {
    const { id } = await createShop(service.app.services.db, TEST_ACTOR, { name: 'Other' });
    await service.importRows([{ receipt_id: 'other', title: 'T', sale_date: timeDaysAgo(1) }], {
      account_id: id,
    });
    expect(await queues.listNumbers('to_ship', { shops: [id] })).toEqual(['other']);
    expect(await queues.readCounts({ shops: [id] })).toMatchObject({
      to_ship: 1,
      late: 0,
      exception: 0,
      total: 1,
    });
    const input = { from: '2026-08-21', to: '2026-08-23', shops: [id] };
    const { data } = await viewer.call('overview.read', input);
    expect(data.attention.queues).toMatchObject({ to_ship: 1, exception: 0 });
  });
});

describe('a list', () => {
  it.each(['to_ship', 'exception'])(
    'of %s shows every entry once, page by page, even while entries leave the queue',
    async (queue) => {
      const shop = await createShop(service.app.services.db, TEST_ACTOR, { name: `Huge ${queue}` });
      const rows = Array.from({ length: 450 }, (_, n) => ({
        receipt_id: `${queue}-${n}`,
        title: 'T',
        sale_date: timeDaysAgo(2 - n / 1000),
        ...(queue === 'exception' ? { tracking_number: `HUGE${n}` } : {}),
      }));
      await service.importRows(rows, { account_id: shop.id });
      if (queue === 'exception')
        await service.send('/api/v1/tracks', {
          body: {
            event: 'x',
            data: rows.map((_, n) => ({ tracking_number: `HUGE${n}`, status: 'exception' })),
          },
        });
      const filter = { shops: [shop.id], limit: 200 };
      const receiptIds: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await queues.list(queue, { ...filter, ...(cursor ? { cursor } : {}) });
        receiptIds.push(...page.entries.map((entry: { number: string }) => entry.number));
        cursor = page.next ?? undefined;
        // The last entry of the page leaves the queue; the next page starts after it anyway.
        await service.database.query(
          `UPDATE orders SET status = 'cancelled' WHERE shop_id = ${shop.id} AND receipt_id = '${receiptIds.at(-1)}'`,
        );
      } while (cursor);
      expect(receiptIds.length).toBe(450);
      expect(new Set(receiptIds).size).toBe(450);
    },
  );

  it('refuses the cursor of another queue', async () => {
    const { next } = await queues.list('to_ship', { limit: 1 });
    const { status, error } = await viewer.call('queues.list', { queue: 'late', cursor: next });
    expect([status, error?.problems[0]?.path]).toEqual([422, 'cursor']);
  });
});

describe('the cause', () => {
  let serial = 0;

  it.each([
    ['lost', { sub_status: 'Exception_Lost' }],
    ['damaged', { sub_status: 'Exception_Damage' }],
    ['damaged', { sub_status: 'Exception_Destroyed' }],
    ['returned', { sub_status: 'Exception_Returning' }],
    // The carrier's sub-status takes precedence over its text.
    ['returned', { sub_status: 'Exception_Returned', description: '快件丢失' }],
    ['refused', { sub_status: 'Exception_Rejected' }],
    ['customs', { sub_status: 'Exception_Security' }],
    ['delayed', { sub_status: 'Exception_Delayed' }],
    ['nobody', { sub_status: 'Exception_NoBody' }],
    ['nobody', { status: 'delivery_failure', sub_status: 'DeliveryFailure_NoBody' }],
    ['refused', { status: 'delivery_failure', sub_status: 'DeliveryFailure_Rejected' }],
    ['address', { status: 'delivery_failure', sub_status: 'DeliveryFailure_InvalidAddress' }],
    ['lost', { description: 'The parcel is lost in transit' }],
    ['lost', { description: '快件丢失' }],
    ['damaged', { description: 'Item damaged, contact the sender' }],
    ['damaged', { description: '外包装破损' }],
    ['refused', { description: 'Refused by the recipient, returning' }],
    ['refused', { description: '收件人拒收' }],
    ['customs', { description: 'Held by customs' }],
    ['customs', { description: '海关查验' }],
    ['returned', { description: 'Return to sender: address incomplete' }],
    ['returned', { description: '退回发件人' }],
    ['address', { status: 'delivery_failure', description: 'Incorrect address' }],
    ['nobody', { status: 'delivery_failure', description: 'Recipient not at home' }],
    ['delayed', { description: 'Delayed by weather' }],
    ['delayed', { description: '航班延误' }],
    ['other', { sub_status: 'Exception_Cancel' }],
    ['other', { description: 'Customer was informed' }],
    ['other', {}],
  ])('is %s after %j', async (cause, problem) => {
    const receiptId = `cause${++serial}`;
    await queues.importStuckOrder(receiptId, problem);
    const queue = 'status' in problem ? 'delivery_failed' : 'exception';
    expect(await queues.findEntry(queue, receiptId, { limit: 200 })).toMatchObject({ cause });
    expect(await queues.listNumbers(queue, { cause, limit: 200 })).toContain(receiptId);
  });

  it.each([
    ['delayed', { description: 'Delayed by weather' }],
    ['other', {}],
  ])("is %s, whatever the note of a user's correction says, after %j", async (cause, problem) => {
    const receiptId = `cause${++serial}`;
    const tracking_number = await queues.importStuckOrder(receiptId, problem);
    const operator = await createSignedInUser(service, 'operator');
    const correction = { tracking_number, status: 'exception', note: 'Ask for a new address' };
    expect((await operator.call('shipments.setStatus', correction)).status).toBe(200);
    expect(await queues.findEntry('exception', receiptId, { limit: 200 })).toMatchObject({ cause });
  });

  it('comes with a count, and orders to ship have no causes', async () => {
    const { causes, entries } = await queues.list('delivery_failed', { cause: 'refused' });
    expect(entries).toHaveLength(1);
    expect(causes).toEqual([
      { cause: 'address', count: 2 },
      { cause: 'nobody', count: 2 },
      { cause: 'other', count: 1 },
      { cause: 'refused', count: 1 },
    ]);
    expect((await queues.list('to_ship')).causes).toEqual([]);
  });
});
