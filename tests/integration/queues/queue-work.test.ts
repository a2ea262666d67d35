import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/server/core/errors/reason';
import { sentenceOf } from '../../../src/server/core/errors/sentence';
import { createShop } from '../../../src/server/shops/account-service';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let colleague: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;
let receiptId: string;
let trackingNumber: string;
let serial = 0;

const TOMORROW = timeDaysAgo(-1);

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  colleague = await createSignedInUser(service, 'admin');
  queues = createQueueHelpers(service, operator);
});
afterAll(() => service.close());
beforeEach(async () => {
  receiptId = `w${++serial}`;
  trackingNumber = await queues.importStuckOrder(receiptId);
});

const listOpenReceiptIds = () => queues.listNumbers('exception', { limit: 200 });
const readCounts = async () =>
  (await queues.readCounts()) as unknown as { exception: number; handled_today: number };

describe('an entry that is handled', () => {
  it('leaves the queue and its count, and counts towards what the user has handled today', async () => {
    const countsBefore = await readCounts();
    const { data } = await queues.handle('exception', receiptId);
    expect(data.changed).toHaveLength(1);
    expect(await listOpenReceiptIds()).not.toContain(receiptId);
    expect(await readCounts()).toMatchObject({
      exception: countsBefore.exception - 1,
      handled_today: countsBefore.handled_today + 1,
    });
    expect(await queues.findEntry('exception', receiptId, { state: 'handled', limit: 200 })).toMatchObject({
      handled_at: expect.any(String),
    });
    expect(await createQueueHelpers(service, colleague).readCounts()).toMatchObject({ handled_today: 0 });
  });

  it.each([
    [
      'a callback reports a new event',
      () => queues.sendCallback(trackingNumber, { description: 'Still held' }),
    ],
    ['an import changes the order', () => service.importRows([{ receipt_id: receiptId, city: 'Boston' }])],
    [
      'an import changes an item',
      () => service.importRows([{ receipt_id: receiptId, title: `Gift ${receiptId}`, quantity: 7 }]),
    ],
    [
      'it gets another tracking number',
      () => service.importRows([{ receipt_id: receiptId, tracking_number: `SECOND${serial}` }]),
    ],
  ])('comes back when %s', async (_, makeChange) => {
    await queues.handle('exception', receiptId);
    expect(await listOpenReceiptIds()).not.toContain(receiptId);
    expect(await makeChange()).toMatchObject({ status: 200 });
    expect(await listOpenReceiptIds()).toContain(receiptId);
    await queues.handle('exception', receiptId);
    expect(await listOpenReceiptIds()).not.toContain(receiptId);
  });

  it('stays away when nothing new happens: the same callback again, a note, the same import again', async () => {
    const time = timeDaysAgo(1);
    const sendSameCallback = () =>
      service.send('/api/v1/tracks', {
        body: { event: 'x', data: { tracking_number: trackingNumber, status: 'exception', time } },
      });
    await sendSameCallback();
    const { id } = await queues.findEntry('exception', receiptId);
    await queues.handle('exception', receiptId);
    await sendSameCallback();
    await operator.call('orders.addNote', { id, text: 'Wrote to the carrier' });
    await service.importRows([
      { receipt_id: receiptId, title: `Gift ${receiptId}`, tracking_number: trackingNumber },
    ]);
    expect(await listOpenReceiptIds()).not.toContain(receiptId);
  });

  it('comes back if something happened that the user had not seen', async () => {
    const seenEntries = await queues.findSeenEntries('exception', receiptId);
    await queues.sendCallback(trackingNumber, { description: 'Found again' });
    await operator.call('queues.handle', { queue: 'exception', entries: seenEntries });
    expect(await listOpenReceiptIds()).toContain(receiptId);
  });

  it('leaves only this queue', async () => {
    await service.importRows([{ receipt_id: `late${serial}`, title: 'T', sale_date: timeDaysAgo(9) }]);
    await queues.handle('late', `late${serial}`);
    expect(await queues.listNumbers('late')).not.toContain(`late${serial}`);
    expect(await queues.listNumbers('to_ship')).toContain(`late${serial}`);
  });

  it('can be put back', async () => {
    const entries = await queues.findSeenEntries('exception', receiptId);
    const reference = await queues.findReference('exception', receiptId);
    await operator.call('queues.handle', { queue: 'exception', entries });
    const { id } = entries[0]!;
    const putBackInput = { queue: 'exception', entries: [reference] };
    expect((await operator.call('queues.putBack', putBackInput)).data).toEqual({
      changed: [id],
      refused: [],
    });
    expect(await listOpenReceiptIds()).toContain(receiptId);
    expect((await operator.call('queues.putBack', putBackInput)).data).toEqual({ changed: [], refused: [] });
  });

  it('is counted once when two users handle it at the same time', async () => {
    const input = { queue: 'exception', entries: await queues.findSeenEntries('exception', receiptId) };
    const callPromises = [operator, colleague, operator, colleague].map((user) =>
      user.call('queues.handle', input),
    );
    const changedCounts = (await Promise.all(callPromises)).map(({ data }) => data.changed.length);
    expect(changedCounts.sort()).toEqual([0, 0, 0, 1]);
  });
});

describe('an entry that is snoozed', () => {
  const snoozeEntry = async (until: string) =>
    operator.call('queues.snooze', {
      queue: 'exception',
      entries: await queues.findSeenEntries('exception', receiptId),
      until,
    });

  it('leaves the queue until the chosen time', async () => {
    const countsBefore = await readCounts();
    await snoozeEntry(TOMORROW);
    expect(await listOpenReceiptIds()).not.toContain(receiptId);
    expect(await readCounts()).toMatchObject({
      exception: countsBefore.exception - 1,
      handled_today: countsBefore.handled_today,
    });
    const snoozedEntry = await queues.findEntry('exception', receiptId, { state: 'snoozed', limit: 200 });
    expect(new Date(snoozedEntry.snoozed_until).toISOString()).toBe(TOMORROW);
    await service.database.query(
      `UPDATE queue_states SET snoozed_until = now() - interval '1 second' WHERE order_id = ${snoozedEntry.id}`,
    );
    expect(await listOpenReceiptIds()).toContain(receiptId);
    await queues.handle('exception', receiptId);
    expect(await listOpenReceiptIds()).not.toContain(receiptId);
  });

  it('comes back earlier when something new happens', async () => {
    await snoozeEntry(TOMORROW);
    await queues.sendCallback(trackingNumber, { description: 'On its way again' });
    expect(await listOpenReceiptIds()).toContain(receiptId);
  });

  it('is refused for a time that has passed', async () => {
    const { status, error } = await snoozeEntry(timeDaysAgo(0.001));
    expect([status, error?.problems[0]?.path]).toEqual([422, 'until']);
    expect(await listOpenReceiptIds()).toContain(receiptId);
  });
});

describe('an entry that is assigned', () => {
  const assignEntry = async (user_id: number | null) => {
    const { shop_id, id } = await queues.findEntry('exception', receiptId);
    return operator.call('queues.assign', { queue: 'exception', entries: [{ shop_id, id }], user_id });
  };

  it('is listed for its assignee and nobody else, until it is unassigned', async () => {
    expect(await queues.listNumbers('exception', { assigned: 'nobody', limit: 200 })).toContain(receiptId);
    expect((await assignEntry(operator.userId)).data.changed).toHaveLength(1);
    expect((await assignEntry(operator.userId)).data.changed).toHaveLength(0);
    expect(await queues.findEntry('exception', receiptId)).toMatchObject({
      assigned_to: { id: operator.userId },
    });
    expect(await queues.listNumbers('exception', { assigned: 'me' })).toContain(receiptId);
    expect(await queues.listNumbers('exception', { assigned: 'nobody', limit: 200 })).not.toContain(
      receiptId,
    );
    expect(await createQueueHelpers(service, colleague).listNumbers('exception', { assigned: 'me' })).toEqual(
      [],
    );
    await assignEntry(null);
    expect(await queues.findEntry('exception', receiptId)).toMatchObject({ assigned_to: null });
  });

  it('stays assigned when it is handled and comes back', async () => {
    await assignEntry(colleague.userId);
    await queues.handle('exception', receiptId);
    await queues.sendCallback(trackingNumber, { description: 'Again' });
    expect(await queues.findEntry('exception', receiptId)).toMatchObject({
      assigned_to: { id: colleague.userId },
    });
  });

  it('cannot be assigned to a user who does not work on orders, or who does not exist', async () => {
    const viewer = await createSignedInUser(service, 'viewer');
    expect((await assignEntry(viewer.userId)).status).toBe(404);
    expect((await assignEntry(999_999)).status).toBe(404);
    const { data } = await operator.call('queues.people');
    const ids = data.map((user: { id: number }) => user.id);
    expect(ids).toContain(colleague.userId);
    expect(ids).not.toContain(viewer.userId);
    expect(data.find((user: { me: boolean }) => user.me).id).toBe(operator.userId);
  });
});

describe('many entries', () => {
  it('of several shops are handled in one call', async () => {
    const { id } = await createShop(service.app.services.db, TEST_ACTOR, { name: `Shop ${serial}` });
    await service.importRows([{ receipt_id: `b${serial}`, title: 'T', tracking_number: `B${serial}` }], {
      account_id: id,
    });
    await queues.sendCallback(`B${serial}`);
    const { data } = await queues.handle('exception', receiptId, `b${serial}`);
    expect(data.changed).toHaveLength(2);
    expect(await listOpenReceiptIds()).not.toEqual(expect.arrayContaining([receiptId]));
  });

  it('are changed even if others are refused, because their order is in another shop or does not exist', async () => {
    const { id: otherShopId } = await createShop(service.app.services.db, TEST_ACTOR, {
      name: `Not ${serial}`,
    });
    const [missingOrder] = await service.database.query<{ id: string }>(
      'SELECT (max(id) + 1000)::text AS id FROM orders',
    );
    const [seenEntry] = await queues.findSeenEntries('exception', receiptId);
    const { latest_at: _, ...reference } = seenEntry!;
    const references = [
      { ...reference, shop_id: otherShopId },
      reference,
      { ...reference, id: missingOrder!.id },
    ];
    const entries = references.map((entry) => ({ ...entry, latest_at: seenEntry!.latest_at }));
    for (const [procedure, input] of [
      ['handle', { entries }],
      ['putBack', { entries: references }],
      ['snooze', { entries, until: TOMORROW }],
      ['assign', { entries: references, user_id: operator.userId }],
    ] as const) {
      const { data } = await operator.call(`queues.${procedure}`, { queue: 'exception', ...input });
      expect(data.changed, procedure).toEqual([seenEntry!.id]);
      const refusedEntries = data.refused as { id: string; reason: Reason }[];
      expect(new Map(refusedEntries.map(({ id, reason }) => [id, sentenceOf(reason)])), procedure).toEqual(
        new Map([seenEntry!.id, missingOrder!.id].map((id) => [id, `No order has the id ${id}.`])),
      );
    }
    const states = await service.database.query(
      'SELECT shop_id::int FROM queue_states WHERE order_id = ANY($1::bigint[])',
      [[seenEntry!.id, missingOrder!.id]],
    );
    expect(states).toEqual([{ shop_id: seenEntry!.shop_id }]);
  });

  it('may include the same entry twice', async () => {
    const [seenEntry] = await queues.findSeenEntries('exception', receiptId);
    const { data } = await operator.call('queues.handle', {
      queue: 'exception',
      entries: [seenEntry, seenEntry],
    });
    expect(data.changed).toEqual([seenEntry!.id]);
  });

  it('are limited to two hundred per call', async () => {
    const [seenEntry] = await queues.findSeenEntries('exception', receiptId);
    const { status } = await operator.call('queues.handle', {
      queue: 'exception',
      entries: Array.from({ length: 201 }, () => seenEntry),
    });
    expect(status).toBe(422);
  });
});

it('assigning, handling and putting back an entry appear in the order’s history, with the user', async () => {
  const reference = await queues.findReference('exception', receiptId);
  const { id } = reference;
  const entries = [reference];
  await operator.call('queues.assign', { queue: 'exception', entries, user_id: operator.userId });
  await queues.handle('exception', receiptId);
  await operator.call('queues.putBack', { queue: 'exception', entries });
  const { data } = await operator.call('orders.one', { id });
  const [putBackChange, handlingChange, assignmentChange] = data.history.filter(
    ({ kind }: { kind: string }) => kind === 'user',
  );
  expect(putBackChange).toMatchObject({
    action: 'order.put_back',
    actor: operator.email,
    after: { queue: 'exception' },
  });
  expect(handlingChange).toMatchObject({ action: 'order.handle', after: { queue: 'exception' } });
  expect(assignmentChange).toMatchObject({
    action: 'order.assign',
    after: { queue: 'exception', assigned_to: expect.any(String) },
  });
});

it('viewers cannot handle an entry', async () => {
  const viewer = await createSignedInUser(service, 'viewer');
  const entries = await queues.findSeenEntries('exception', receiptId);
  const { status } = await viewer.call('queues.handle', { queue: 'exception', entries });
  expect(status).toBe(403);
});
