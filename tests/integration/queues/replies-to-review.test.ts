import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createQueueHelpers } from '../../support/browser/queue-helpers';
import {
  createTurn,
  type MessageService,
  ORDER,
  startMessageService,
} from '../../support/service/message-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';

let service: MessageService;
let operator: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;
let orderId: string;

beforeAll(async () => {
  service = await startMessageService();
  operator = await createSignedInUser(service, 'operator');
  queues = createQueueHelpers(service, operator);
  const [order] = await service.database.query<{ id: string }>('SELECT id::text FROM orders');
  orderId = order!.id;
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.query('DELETE FROM replies');
  await service.database.query('DELETE FROM reply_token_days');
  await service.database.query('DELETE FROM queue_states');
  service.resetProvider();
});

const writeDraft = async (): Promise<string> =>
  (
    await operator.call('replyDrafts.write', {
      order_id: orderId,
      messages: [createTurn('buyer', 'Where is it?')],
    })
  ).data.id;
const markReplySent = (draft_id: string | null) =>
  operator.call('replyDrafts.markSent', {
    order_id: orderId,
    draft_id,
    key: String(Math.random()),
    text: 'Hello',
  });
const listOpenReceiptIds = () => queues.listNumbers('to_review');
const handleEntry = async () =>
  operator.call('queues.handle', {
    queue: 'to_review',
    entries: await queues.findSeenEntries('to_review', ORDER.receipt_id),
  });
const readOverview = async () =>
  (await operator.call('overview.read', { from: '2026-08-21', to: '2026-08-23' })).data;

it('the queue has the orders with a draft that nobody has sent, with the same count in the navigation and on the overview', async () => {
  expect(await listOpenReceiptIds()).toEqual([]);
  const id = await writeDraft();
  expect(await listOpenReceiptIds()).toEqual([ORDER.receipt_id]);
  expect(await queues.readCounts()).toMatchObject({ to_review: 1 });
  expect((await readOverview()).attention.queues.to_review).toBe(1);
  expect(await queues.findEntry('to_review', ORDER.receipt_id)).toMatchObject({
    id: orderId,
    cause: null,
    reply: { id, warnings: 0 },
  });
});

it('an order leaves the queue when one of its drafts or a handwritten reply is sent', async () => {
  const firstDraftId = await writeDraft();
  const secondDraftId = await writeDraft();
  expect(await queues.findEntry('to_review', ORDER.receipt_id)).toMatchObject({
    reply: { id: secondDraftId },
  });
  await markReplySent(firstDraftId);
  expect(await listOpenReceiptIds()).toEqual([]);
  await writeDraft();
  expect(await listOpenReceiptIds()).toEqual([ORDER.receipt_id]);
  await markReplySent(null);
  expect(await listOpenReceiptIds()).toEqual([]);
});

it('the queue has a reply requested through the API only if it has warnings, and says how many', async () => {
  await service.requestReply({ order_number: ORDER.receipt_id, messages: [createTurn('buyer', 'Hello')] });
  expect(await listOpenReceiptIds()).toEqual([]);
  service.provider.script({ kind: 'reply', text: 'It arrives on March 3.' });
  await service.requestReply({ order_number: ORDER.receipt_id, messages: [createTurn('buyer', 'When?')] });
  expect(await queues.findEntry('to_review', ORDER.receipt_id)).toMatchObject({ reply: { warnings: 1 } });
  expect((await readOverview()).new_entries).toMatchObject({ to_review: 1 });
});

it('a handled entry comes back with the next reply, but not with news about its shipment or order', async () => {
  await writeDraft();
  await handleEntry();
  expect(await listOpenReceiptIds()).toEqual([]);
  await service.send('/api/v1/tracks', {
    body: {
      event: 'x',
      data: { tracking_number: 'LX123456789CN', status: 'exception', description: 'News' },
    },
  });
  await service.importRows([{ receipt_id: ORDER.receipt_id, city: 'Boston' }]);
  expect(await listOpenReceiptIds()).toEqual([]);
  await writeDraft();
  expect(await listOpenReceiptIds()).toEqual([ORDER.receipt_id]);
});

it('the queue keeps an entry if another reply was written before the user handled it', async () => {
  await writeDraft();
  const entries = await queues.findSeenEntries('to_review', ORDER.receipt_id);
  await writeDraft();
  await operator.call('queues.handle', { queue: 'to_review', entries });
  expect(await listOpenReceiptIds()).toEqual([ORDER.receipt_id]);
});

it('an entry can be snoozed, assigned and put back', async () => {
  await writeDraft();
  const entries = await queues.findSeenEntries('to_review', ORDER.receipt_id);
  const reference = await queues.findReference('to_review', ORDER.receipt_id);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const assignment = { queue: 'to_review', entries: [reference], user_id: operator.userId };
  expect((await operator.call('queues.assign', assignment)).data).toEqual({
    changed: [orderId],
    refused: [],
  });
  expect(await queues.listNumbers('to_review', { assigned: 'me' })).toEqual([ORDER.receipt_id]);
  await operator.call('queues.snooze', { queue: 'to_review', entries, until });
  expect(await listOpenReceiptIds()).toEqual([]);
  expect(await queues.listNumbers('to_review', { state: 'snoozed' })).toEqual([ORDER.receipt_id]);
  await operator.call('queues.putBack', { queue: 'to_review', entries: [reference] });
  expect(await listOpenReceiptIds()).toEqual([ORDER.receipt_id]);
});
