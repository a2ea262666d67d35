import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTurn, type MessageService, ORDER } from '../../../support/service/message-service';
import { clearReplies, openReplySetup } from '../../../support/service/reply-setup';
import type { SignedInUser } from '../../../support/service/signed-in';

let service: MessageService;
let operator: SignedInUser;
let viewer: SignedInUser;
let orderId: string;

beforeAll(async () => {
  ({ service, operator, viewer, orderId } = await openReplySetup());
});
afterAll(() => service.close());
beforeEach(() => clearReplies(service));

const requestDraft = (messages: object[] = [createTurn('buyer', 'Where is it?')], user = operator) =>
  user.call('replyDrafts.write', { order_id: orderId, messages });
const markSent = (draft_id: string | null, text: string, user = operator, key: string = randomUUID()) =>
  user.call('replyDrafts.markSent', { order_id: orderId, draft_id, key, text });

describe('the buyer of an order', () => {
  const makeRow = (receipt_id: string, buyer: string) => ({
    receipt_id,
    buyer,
    title: 'Owl',
    sale_date: '08/20/2026',
  });
  const readBuyer = async (id = orderId) => (await viewer.call('replyDrafts.buyer', { order_id: id })).data;
  const findOrderId = async (receiptId: string) =>
    (
      await service.database.query<{ id: string }>(
        `SELECT id::text FROM orders WHERE receipt_id = '${receiptId}'`,
      )
    )[0]!.id;

  it('is shown with their other orders in the same shop, and with the replies sent about all of these orders', async () => {
    await service.importRows([
      makeRow('5001', ORDER.buyer),
      makeRow('5002', 'Wynn'),
      makeRow('5003', ORDER.buyer),
    ]);
    await service.database.query(`INSERT INTO shops (name) VALUES ('Elsewhere')`);
    await service.database.query(
      `INSERT INTO orders (shop_id, receipt_id, buyer) SELECT id, '5004', '${ORDER.buyer}' FROM shops WHERE name = 'Elsewhere'`,
    );
    await operator.call('replyDrafts.markSent', {
      order_id: await findOrderId('5001'),
      draft_id: null,
      key: '1',
      text: 'First',
    });
    await operator.call('replyDrafts.markSent', {
      order_id: await findOrderId('5002'),
      draft_id: null,
      key: '2',
      text: 'To another',
    });
    await markSent(null, 'Second');
    await requestDraft();
    const { orders, more, replies } = await readBuyer();
    expect(orders.map((order: { receipt_id: string }) => order.receipt_id)).toEqual(['5003', '5001']);
    expect(more).toBe(false);
    expect(
      replies.map((reply: { text: string; receipt_id: string }) => [reply.receipt_id, reply.text]),
    ).toEqual([
      [ORDER.receipt_id, 'Second'],
      ['5001', 'First'],
    ]);
    expect((await readBuyer(await findOrderId('5004'))).orders).toEqual([]);
  });

  it('has no other orders if the order names no buyer', async () => {
    await service.importRows([
      { receipt_id: '5005', title: 'Owl' },
      { receipt_id: '5006', title: 'Owl' },
    ]);
    expect(await readBuyer(await findOrderId('5005'))).toEqual({ orders: [], more: false, replies: [] });
  });

  it('is shown with at most twenty other orders, and the response says whether there are more', async () => {
    await service.importRows(Array.from({ length: 21 }, (_, n) => makeRow(`6${100 + n}`, 'Many')));
    const { orders, more } = await readBuyer(await findOrderId('6100'));
    expect([orders.length, more]).toEqual([20, false]);
    await service.importRows([makeRow('6200', 'Many')]);
    expect((await readBuyer(await findOrderId('6100'))).more).toBe(true);
  });
});
