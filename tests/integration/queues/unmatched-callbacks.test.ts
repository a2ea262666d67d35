import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;
let trackingNumber: string;
let serial = 100;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
  queues = createQueueHelpers(service, operator);
});
afterAll(() => service.close());
beforeEach(async () => {
  trackingNumber = `LX000000${++serial}CN`;
  await queues.sendCallback(trackingNumber, { status: 'in_transit', description: 'Left Shenzhen' });
});

const listOpenNumbers = () => queues.listNumbers('unmatched', { limit: 200 });
const countUnmatchedNumbers = async () => ((await queues.readCounts()) as Record<string, number>).unmatched!;
const handleNumber = () => queues.handle('unmatched', trackingNumber);
const importOrder = (receipt_id: string, cells: object = {}) =>
  service.importRows([{ receipt_id, title: 'Owl', sale_date: timeDaysAgo(2), ...cells }]);
const readEntry = async () =>
  (await viewer.call('queues.unmatched', { tracking_number: trackingNumber })).data;

describe('the queue', () => {
  it('has the numbers that callbacks report and no order has, the latest first', async () => {
    expect((await listOpenNumbers())[0]).toBe(trackingNumber);
    expect(await queues.findEntry('unmatched', trackingNumber)).toMatchObject({
      id: trackingNumber,
      shop_id: null,
      shop: null,
      title: 'Left Shenzhen',
      tracking_numbers: [trackingNumber],
    });
    expect(await countUnmatchedNumbers()).toBe((await listOpenNumbers()).length);
    const { data } = await viewer.call('overview.read', { from: '2026-08-21', to: '2026-08-23' });
    expect(data.attention.queues.unmatched).toBe(await countUnmatchedNumbers());
  });

  it.each([
    ['an order is imported with it', () => importOrder(`i${serial}`, { tracking_number: trackingNumber })],
    [
      'a user sets it',
      async () => {
        await importOrder(`i${serial}`);
        const rows = [{ receipt_id: `i${serial}`, tracking_number: trackingNumber.toLowerCase() }];
        return operator.call('trackingPaste.submit', { rows });
      },
    ],
  ])('loses a number when %s, and the order gets its tracking status', async (_, addNumber) => {
    const countBefore = await countUnmatchedNumbers();
    expect((await addNumber()).status).toBe(200);
    expect(await listOpenNumbers()).not.toContain(trackingNumber);
    expect(await countUnmatchedNumbers()).toBe(countBefore - 1);
    const [order] = await service.database.query(
      `SELECT status, tracking_status FROM orders WHERE receipt_id = 'i${serial}'`,
    );
    expect(order).toEqual({ status: 'shipped', tracking_status: 'in_transit' });
    // From now on, reports about the number belong to the order.
    await queues.sendCallback(trackingNumber, { status: 'in_transit', description: 'Arrived' });
    expect(await listOpenNumbers()).not.toContain(trackingNumber);
  });

  it('gets back a number that a user removes from its last order', async () => {
    await importOrder(`i${serial}`, { tracking_number: trackingNumber });
    await importOrder(`j${serial}`, { tracking_number: trackingNumber });
    const orderRows = await service.database.query<{ id: string }>(
      `SELECT id::text FROM orders WHERE receipt_id IN ('i${serial}', 'j${serial}') ORDER BY id`,
    );
    const removeNumber = (id: string) =>
      operator.call('orders.removeTracking', { id, tracking_number: trackingNumber });
    await removeNumber(orderRows[0]!.id);
    expect(await listOpenNumbers()).not.toContain(trackingNumber);
    await removeNumber(orderRows[1]!.id);
    expect(await listOpenNumbers()).toContain(trackingNumber);
  });

  it('never has a number that no callback has reported', async () => {
    await importOrder(`i${serial}`, { tracking_number: `QUIET${serial}` });
    const [order] = await service.database.query<{ id: string }>(
      `SELECT id::text FROM orders WHERE receipt_id = 'i${serial}'`,
    );
    await operator.call('orders.removeTracking', { id: order!.id, tracking_number: `QUIET${serial}` });
    expect(await listOpenNumbers()).not.toContain(`QUIET${serial}`);
  });

  it('shows every number once, page by page', async () => {
    const openNumbers: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await queues.list('unmatched', { limit: 2, ...(cursor ? { cursor } : {}) });
      openNumbers.push(...page.entries.map((entry: { number: string }) => entry.number));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(openNumbers).toEqual(await listOpenNumbers());
    expect(new Set(openNumbers).size).toBe(openNumbers.length);
  });
});

describe('an entry', () => {
  it('that is handled leaves the queue, counts towards what the user has handled today, and comes back only with a new event', async () => {
    const time = timeDaysAgo(1);
    const sendSameCallback = () =>
      service.send('/api/v1/tracks', {
        body: { event: 'x', data: { tracking_number: trackingNumber, status: 'in_transit', time } },
      });
    await sendSameCallback();
    const countsBefore = await queues.readCounts();
    expect((await handleNumber()).data).toEqual({ changed: [trackingNumber], refused: [] });
    expect(await queues.readCounts()).toMatchObject({
      unmatched: (countsBefore as Record<string, number>).unmatched! - 1,
      handled_today: countsBefore.handled_today + 1,
    });
    await sendSameCallback();
    expect(await listOpenNumbers()).not.toContain(trackingNumber);
    await queues.sendCallback(trackingNumber, { status: 'in_transit', description: 'Arrived' });
    expect(await listOpenNumbers()).toContain(trackingNumber);
  });

  it('can be snoozed, assigned, put back and given a note, as the audit log shows', async () => {
    const seenEntries = await queues.findSeenEntries('unmatched', trackingNumber);
    const entries = [await queues.findReference('unmatched', trackingNumber)];
    await operator.call('queues.assign', { queue: 'unmatched', entries, user_id: operator.userId });
    expect(await queues.listNumbers('unmatched', { assigned: 'me' })).toContain(trackingNumber);
    expect(await queues.listNumbers('unmatched', { assigned: 'nobody', limit: 200 })).not.toContain(
      trackingNumber,
    );
    const until = timeDaysAgo(-1);
    await operator.call('queues.snooze', { queue: 'unmatched', entries: seenEntries, until });
    expect(await queues.listNumbers('unmatched', { state: 'snoozed' })).toContain(trackingNumber);
    await operator.call('queues.putBack', { queue: 'unmatched', entries });
    expect(await listOpenNumbers()).toContain(trackingNumber);
    const noteInput = { tracking_number: trackingNumber, text: 'Not ours' };
    expect((await operator.call('queues.noteUnmatched', noteInput)).status).toBe(200);
    expect((await viewer.call('queues.noteUnmatched', noteInput)).status).toBe(403);
    expect((await readEntry()).note).toBe('Not ours');
    const auditEntries = await service.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE record_type = 'shipment' AND record_id = '${trackingNumber}' ORDER BY id`,
    );
    expect(auditEntries.map(({ action }) => action)).toEqual([
      'shipment.assign',
      'shipment.snooze',
      'shipment.put_back',
      'shipment.note',
    ]);
  });

  it('is handled once, even if several calls handle it at the same time', async () => {
    const input = { queue: 'unmatched', entries: await queues.findSeenEntries('unmatched', trackingNumber) };
    const callPromises = [1, 2, 3, 4].map(() => operator.call('queues.handle', input));
    expect((await Promise.all(callPromises)).map(({ data }) => data.changed.length).sort()).toEqual([
      0, 0, 0, 1,
    ]);
  });

  it('that has left the queue does not change; one that was never in it is refused', async () => {
    const seenEntries = await queues.findSeenEntries('unmatched', trackingNumber);
    await importOrder(`i${serial}`, { tracking_number: trackingNumber });
    const response = await operator.call('queues.handle', { queue: 'unmatched', entries: seenEntries });
    expect(response.data).toEqual({ changed: [], refused: [] });
    expect((await viewer.call('queues.unmatched', { tracking_number: trackingNumber })).status).toBe(404);
    const openNumber = `OPEN${serial}`;
    await queues.sendCallback(openNumber);
    const entries = [
      { ...seenEntries[0], id: 'NEVER1' },
      ...(await queues.findSeenEntries('unmatched', openNumber)),
    ];
    const { data } = await operator.call('queues.handle', { queue: 'unmatched', entries });
    expect(data.changed).toEqual([openNumber]);
    expect(data.refused).toEqual([
      { id: 'NEVER1', reason: { reason: 'answer.notUnmatched', values: { number: 'NEVER1' } } },
    ]);
    const orderQueueInput = { queue: 'exception', entries: seenEntries };
    const { data: orderQueueData } = await operator.call('queues.handle', orderQueueInput);
    expect([orderQueueData.changed, orderQueueData.refused.length]).toEqual([[], 1]);
  });
});

describe('the orders that a number may belong to', () => {
  const listCandidates = async () =>
    (await readEntry()).candidates.map((order: { receipt_id: string; tracking_number: string | null }) => [
      order.receipt_id,
      order.tracking_number,
    ]);

  it.each([
    ['a wrong character', () => trackingNumber.replace('L', 'R')],
    ['a missing character', () => trackingNumber.replace('LX', 'L')],
    ['an extra character', () => trackingNumber.replace('CN', '5CN')],
    ['two characters swapped', () => trackingNumber.replace('LX', 'XL')],
  ])('include those whose number has %s', async (_, makeSimilarNumber) => {
    const similarNumber = makeSimilarNumber();
    await importOrder(`near${serial}`, { tracking_number: similarNumber });
    expect(await listCandidates()).toContainEqual([`near${serial}`, similarNumber]);
  });

  it('can have a mistyped number corrected: the order gets the right one, and its history shows both changes', async () => {
    const similarNumber = trackingNumber.replace('L', 'R');
    await importOrder(`slip${serial}`, { tracking_number: similarNumber });
    const [{ order_id: id, shop_id: shopId, mistyped }] = (await readEntry()).candidates;
    expect(mistyped).toBe(true);
    const readNumbers = async () => {
      const rows = await service.database.query<{ tracking_number: string; tracking_status: string }>(
        `SELECT s.tracking_number, o.tracking_status FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
          WHERE s.shop_id = $1 AND s.order_id = $2 ORDER BY 1`,
        [shopId, id],
      );
      return rows.map((row) => [row.tracking_number, row.tracking_status]);
    };
    const correction = { id, mistyped: similarNumber, tracking_number: trackingNumber };
    expect((await viewer.call('orders.correctTracking', correction)).status).toBe(403);
    const refusal = await operator.call('orders.correctTracking', {
      ...correction,
      tracking_number: ` ${similarNumber.toLowerCase()}`,
    });
    expect([refusal.status, refusal.error?.problems?.[0]?.path]).toEqual([422, 'mistyped']);
    expect((await readNumbers()).map(([trackingNumber]) => trackingNumber)).toEqual([similarNumber]);
    const { data } = await operator.call('orders.correctTracking', correction);
    expect(data).toMatchObject({ status: 'shipped', tracking_status: 'in_transit' });
    expect(await readNumbers()).toEqual([[trackingNumber, 'in_transit']]);
    expect(await listOpenNumbers()).not.toContain(trackingNumber);
    const { data: order } = await viewer.call('orders.one', { id });
    expect(
      order.history
        .slice(0, 2)
        .map(({ action }: { action: string }) => action)
        .sort(),
    ).toEqual(['order.add_tracking_number', 'order.remove_tracking_number']);
    // The second time there is nothing left to correct, and the removal can be undone.
    expect((await operator.call('orders.correctTracking', correction)).status).toBe(404);
    await operator.call('orders.restoreTracking', { id, tracking_number: similarNumber });
    await operator.call('orders.removeTracking', { id, tracking_number: trackingNumber });
    expect((await readNumbers()).map(([trackingNumber]) => trackingNumber)).toEqual([similarNumber]);
    expect(await listOpenNumbers()).toContain(trackingNumber);
  });

  it('are not considered to have a mistyped number if a carrier has reported it', async () => {
    const similarNumber = trackingNumber.replace('L', 'R');
    await importOrder(`real${serial}`, { tracking_number: similarNumber });
    await queues.sendCallback(similarNumber, { status: 'in_transit', description: 'Left Shenzhen' });
    expect((await readEntry()).candidates[0]).toMatchObject({
      tracking_number: similarNumber,
      mistyped: false,
    });
  });

  it.each([
    [
      'a user has set its status',
      (similarNumber: string) =>
        operator.call('shipments.setStatus', { tracking_number: similarNumber, status: 'in_transit' }),
    ],
    [
      'the carrier could not find it',
      (similarNumber: string) => queues.sendCallback(similarNumber, { status: 'not_found' }),
    ],
  ])('are considered to have a mistyped number if no carrier knows it, even if %s', async (_, makeChange) => {
    const similarNumber = trackingNumber.replace('L', 'R');
    await importOrder(`unknown${serial}`, { tracking_number: similarNumber });
    expect((await makeChange(similarNumber)).status).toBe(200);
    expect((await readEntry()).candidates[0]).toMatchObject({
      tracking_number: similarNumber,
      mistyped: true,
    });
  });

  it('are never those whose number has two wrong characters', async () => {
    await importOrder(`far${serial}`, { tracking_number: trackingNumber.replace('LX', 'RY') });
    expect((await listCandidates()).map(([receiptId]: [string]) => receiptId)).not.toContain(`far${serial}`);
  });

  it('include paid orders without a number that were sold shortly before the first event', async () => {
    await service.importRows([
      { receipt_id: `paid${serial}`, title: 'Owl', sale_date: timeDaysAgo(1) },
      { receipt_id: `old${serial}`, title: 'Owl', sale_date: timeDaysAgo(60) },
    ]);
    const candidates = await listCandidates();
    expect(candidates).toContainEqual([`paid${serial}`, null]);
    expect(candidates).not.toContainEqual([`old${serial}`, null]);
  });
});
