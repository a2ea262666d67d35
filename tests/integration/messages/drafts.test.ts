import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeDraft } from '../../../src/server/messages/drafts/service';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import {
  from,
  type MessageService,
  ORDER,
  PROMPT,
  SHOP,
  startMessageService,
} from '../../support/service/message-service';
import { type SignedIn, signedInAs } from '../../support/service/person';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: MessageService;
let operator: SignedIn;
let viewer: SignedIn;
let orderId: string;

beforeAll(async () => {
  service = await startMessageService();
  operator = await signedInAs(service, 'operator');
  viewer = await signedInAs(service, 'viewer');
  const [order] = await service.database.query<{ id: string }>('SELECT id::text FROM orders');
  orderId = order!.id;
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.query('DELETE FROM replies');
  await service.database.query('DELETE FROM reply_token_days');
  service.resetProvider();
});

const write = (messages: object[] = [from('buyer', 'Where is it?')], person = operator) =>
  person.call('drafts.write', { order_id: orderId, messages });
const drafts = async () => (await viewer.call('drafts.ofOrder', { order_id: orderId })).data.drafts;
const markSent = (draft_id: string | null, text: string, person = operator, key: string = randomUUID()) =>
  person.call('drafts.markSent', { order_id: orderId, draft_id, key, text });

describe('a draft', () => {
  it('is written with the order’s facts and the shop’s prompt, and says what to check', async () => {
    service.provider.play({ kind: 'reply', text: 'Your $8.98 order LX123456789CN arrives on March 3.' });
    const { id } = (await write()).data;
    const [system, turn] = service.lastRequest().body.messages;
    expect(system!.content).toContain(PROMPT);
    expect(system!.content).toContain('LX123456789CN');
    expect(system!.content).toContain(ORDER.first_line);
    expect(turn).toEqual({ role: 'user', content: 'Where is it?' });
    expect(await drafts()).toEqual([
      expect.objectContaining({
        id,
        kind: 'draft',
        requested_by: operator.email,
        reply: 'Your $8.98 order LX123456789CN arrives on March 3.',
        warnings: [expect.objectContaining({ kind: 'date', value: 'March 3' })],
        usage: { input_tokens: 321, output_tokens: 45 },
        sent: null,
      }),
    ]);
  });

  it('stays when another is written', async () => {
    const first = (await write()).data.id;
    const second = (await write()).data.id;
    expect((await drafts()).map((draft: { id: string }) => draft.id)).toEqual([second, first]);
  });

  it('is in the log of replies, with its order and who asked for it, and no failed attempt is among the drafts', async () => {
    service.provider.play({ kind: 'empty' });
    expect((await write()).status).toBe(502);
    const { replies } = (await viewer.call('replies.list', { kind: 'draft' })).data;
    expect(replies).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        order_id: orderId,
        requested_by: operator.email,
        api_key: null,
      }),
    ]);
    expect(await drafts()).toEqual([]);
  });

  it.each([
    [{ kind: 'status', status: 401 }, 502, /check OPENAI_API_KEY/],
    [{ kind: 'slow', ms: 3_000 }, 504, /too slow\. Try again/],
    [{ kind: 'refusal' }, 502, /Write one by hand/],
  ] as const)('that fails by %j says what to do', async (script, status, words) => {
    service.provider.play(script);
    const failed = await write();
    expect(failed.status).toBe(status);
    expect(failed.error!.message).toMatch(words);
  });

  it('uses tokens of its own, apart from the playground and from keys, and is refused once they are used up', async () => {
    const { services } = service.app;
    await writeDraft(services, TEST_ACTOR, { order_id: orderId, messages: [] });
    const rows = await service.database.query('SELECT spender FROM reply_token_days');
    expect(rows).toEqual([{ spender: 'drafts' }]);
    await expect(
      writeDraft({ ...services, replyTokensPerDay: 1 }, TEST_ACTOR, { order_id: orderId, messages: [] }),
    ).rejects.toThrow(/^Everyone's drafts together may use 1 tokens a day.*Write this reply by hand/);
  });

  it('is refused without a provider and without a published prompt', async () => {
    const { services } = service.app;
    const input = { order_id: orderId, messages: [] };
    await expect(writeDraft({ ...services, textProvider: null }, TEST_ACTOR, input)).rejects.toMatchObject({
      code: 'upstream_not_configured',
    });
    await service.database.query(`UPDATE prompt_versions SET state = 'retired'`);
    const refused = await write();
    expect(refused.error!.problems).toEqual([expect.objectContaining({ path: 'shop_name' })]);
    await setPrompt(services.db, TEST_ACTOR, { shopName: SHOP, text: PROMPT });
  });

  it('is only for who may write to buyers, and for an order that exists', async () => {
    expect((await write([], viewer)).status).toBe(403);
    expect((await markSent(null, 'Hello', viewer)).status).toBe(403);
    for (const call of ['drafts.write', 'drafts.markSent'])
      expect(
        (
          await operator.call(call, {
            order_id: '999',
            ...(call === 'drafts.write' ? { messages: [] } : { draft_id: null, key: 'k', text: 'x' }),
          })
        ).status,
      ).toBe(404);
    expect((await viewer.call('drafts.ofOrder', { order_id: '999' })).status).toBe(404);
  });
});

describe('marking as sent', () => {
  it('keeps the text as sent, who sent it and when, in the log, the order’s history and the audit log', async () => {
    const { id } = (await write()).data;
    expect((await markSent(id, '  Hello Sable!  ')).status).toBe(200);
    const [draft] = await drafts();
    expect(draft.sent).toEqual({ text: 'Hello Sable!', by: operator.email, at: expect.stringMatching(/Z$/) });
    const { history } = (await viewer.call('orders.one', { id: orderId })).data;
    expect(history[0]).toMatchObject({
      action: 'order.send_reply',
      actor: operator.email,
      after: { reply_id: id, sent_text: 'Hello Sable!' },
    });
    const one = (await viewer.call('replies.one', { id })).data;
    expect(one).toMatchObject({ sent_text: 'Hello Sable!', sent_by: operator.email, reply: draft.reply });
    expect((await viewer.call('replies.list', { sent: true })).data.replies).toHaveLength(1);
    expect((await viewer.call('replies.list', { sent: false })).data.replies).toEqual([]);
  });

  it('of two people who mark the same draft counts the first, and tells the second', async () => {
    const { id } = (await write()).data;
    const both = await Promise.all([markSent(id, 'One'), markSent(id, 'Two')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409)!;
    expect(refused.error!.message).toContain(`${operator.email} has already marked this draft as sent`);
    const [{ sent }] = await drafts();
    expect(sent.text).toBe(both[0]!.status === 200 ? 'One' : 'Two');
  });

  it('takes a reply that was written by hand', async () => {
    expect((await markSent(null, 'By hand')).status).toBe(200);
    expect(await drafts()).toEqual([
      expect.objectContaining({ kind: 'handwritten', reply: 'By hand', model: '', usage: null }),
    ]);
    const [reply] = (await viewer.call('replies.list', {})).data.replies;
    expect(reply).toMatchObject({ kind: 'handwritten', order_number: ORDER.receipt_id, shop_name: SHOP });
  });

  it('records a reply that was written by hand once, however often it is sent', async () => {
    const key = randomUUID();
    const text = `By hand ${key}`;
    const sent = () => markSent(null, text, operator, key);
    const all = await Promise.all([sent(), sent(), sent()]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await drafts()).toHaveLength(1);
    const { history } = (await viewer.call('orders.one', { id: orderId })).data;
    const audited = history.filter(
      (each: { after?: { sent_text?: string } }) => each.after?.sent_text === text,
    );
    expect(audited).toHaveLength(1);
    await markSent(null, text);
    expect(await drafts()).toHaveLength(2);
  });

  it('takes a reply that the API wrote', async () => {
    await service.ask({ order_number: ORDER.receipt_id, messages: [] });
    const { id: asked, kind, order_id } = (await viewer.call('replies.list', {})).data.replies[0];
    expect({ kind, order_id }).toEqual({ kind: 'request', order_id: orderId });
    expect((await markSent(asked, 'Hello')).status).toBe(200);
    expect(await drafts()).toEqual([
      expect.objectContaining({ id: asked, kind: 'request', requested_by: null, sent: expect.anything() }),
    ]);
  });

  it('of several drafts at once takes their texts as they were written, and leaves out those that were sent', async () => {
    const { id } = (await write()).data;
    const [{ reply }] = await drafts();
    const [{ shop_id }] = (await service.database.query<{ shop_id: number }>(
      `SELECT shop_id FROM orders WHERE id = ${orderId}`,
    )) as [{ shop_id: number }];
    const entry = { shop_id, order_id: orderId, id };
    const mark = async (...replies: object[]) =>
      (await operator.call('drafts.markManySent', { replies })).data;
    expect(await mark({ ...entry, shop_id: shop_id + 1 })).toEqual({ changed: [] });
    expect(await mark(entry, entry)).toEqual({ changed: [orderId] });
    expect(await mark(entry)).toEqual({ changed: [] });
    expect((await drafts())[0].sent).toMatchObject({ text: reply, by: operator.email });
    const { history } = (await viewer.call('orders.one', { id: orderId })).data;
    expect(history[0]).toMatchObject({
      action: 'order.send_reply',
      after: { reply_id: id, sent_text: reply },
    });
    expect((await viewer.call('drafts.markManySent', { replies: [entry] })).status).toBe(403);
  });

  it('refuses a blank text and a draft of another order', async () => {
    expect((await markSent(null, '   ')).status).toBe(422);
    await service.importRows([{ receipt_id: '77', title: 'Owl' }]);
    const [other] = await service.database.query<{ id: string }>(
      `SELECT id::text FROM orders WHERE receipt_id = '77'`,
    );
    const { id } = (await write()).data;
    const elsewhere = { order_id: other!.id, draft_id: id, key: 'k', text: 'Hello' };
    expect((await operator.call('drafts.markSent', elsewhere)).status).toBe(404);
  });
});

describe('a translation', () => {
  const translations = async () => (await viewer.call('replies.list', { kind: 'translation' })).data.replies;

  it('of the buyer’s message is in the reader’s language, and recorded with its tokens', async () => {
    service.provider.play({ kind: 'reply', text: '我的包裹在哪里？' });
    const { data } = await operator.call('drafts.translateMessage', {
      order_id: orderId,
      text: 'Ou est mon colis ?',
      language: 'zh',
    });
    expect(data).toEqual({ text: '我的包裹在哪里？', warnings: [] });
    const [system, turn] = service.lastRequest().body.messages;
    expect(system!.content).toContain('into Simplified Chinese');
    expect(turn).toEqual({ role: 'user', content: 'Ou est mon colis ?' });
    expect(await translations()).toEqual([
      expect.objectContaining({
        requested_by: operator.email,
        order_id: orderId,
        input_tokens: 321,
        output_tokens: 45,
      }),
    ]);
    expect(await service.database.query('SELECT spender FROM reply_token_days')).toEqual([
      { spender: 'drafts' },
    ]);
    expect(await drafts()).toEqual([]);
  });

  const translateReply = (text: string) =>
    operator.call('drafts.translateReply', {
      order_id: orderId,
      text,
      messages: [from('buyer', 'Où est mon colis ?')],
    });

  it('of a reply is in the buyer’s language, and what it states is checked like a draft', async () => {
    service.provider.play({ kind: 'reply', text: 'Elle coûte 99,50 $. Numéro : LX123456789CN.' });
    const { data } = await translateReply('It costs $99.50. Number: LX123456789CN.');
    expect(data.warnings).toEqual([expect.objectContaining({ kind: 'amount', value: '99,50 $' })]);
    expect(service.lastRequest().body.messages[0]!.content).toContain('Où est mon colis ?');
  });

  it('that loses an amount, a date or a number says so, and none that only writes it otherwise', async () => {
    const text = 'LX123456789CN left on August 25, 2026. You paid $8.98, see https://shop.example/returns.';
    service.provider.play({
      kind: 'reply',
      text: 'LX123456789CN est parti le 25 août 2026. Vous avez payé 8,98 $ : https://shop.example/returns.',
    });
    const lost = async () =>
      (await translateReply(text)).data.warnings.flatMap(
        ({ reason, value }: { reason: string; value: string }) => (reason === 'lost' ? [value] : []),
      );
    expect(await lost()).toEqual([]);
    service.provider.play({ kind: 'reply', text: 'Votre colis est parti.' });
    expect((await lost()).toSorted()).toEqual(
      ['$8.98', 'August 25, 2026', 'LX123456789CN', 'https://shop.example/returns'].toSorted(),
    );
  });

  it('is only for who may write to buyers, and says what to do where the provider fails', async () => {
    const input = { order_id: orderId, text: 'Bonjour', language: 'en' };
    expect((await viewer.call('drafts.translateMessage', input)).status).toBe(403);
    service.provider.play({ kind: 'status', status: 401 });
    const failed = await operator.call('drafts.translateMessage', input);
    expect([failed.status, failed.error!.message]).toEqual([
      502,
      expect.stringMatching(/check OPENAI_API_KEY/),
    ]);
    expect(await translations()).toEqual([expect.objectContaining({ outcome: 'failed', error: 'refused' })]);
  });
});

describe('the buyer of an order', () => {
  const rowOf = (receipt_id: string, buyer: string) => ({
    receipt_id,
    buyer,
    title: 'Owl',
    sale_date: '08/20/2026',
  });
  const buyer = async (id = orderId) => (await viewer.call('drafts.buyer', { order_id: id })).data;
  const idOf = async (receipt: string) =>
    (
      await service.database.query<{ id: string }>(
        `SELECT id::text FROM orders WHERE receipt_id = '${receipt}'`,
      )
    )[0]!.id;

  it('has the orders of the same shop with the same text, and the replies sent about them', async () => {
    await service.importRows([rowOf('5001', ORDER.buyer), rowOf('5002', 'Wynn'), rowOf('5003', ORDER.buyer)]);
    await service.database.query(`INSERT INTO shops (name) VALUES ('Elsewhere')`);
    await service.database.query(
      `INSERT INTO orders (shop_id, receipt_id, buyer) SELECT id, '5004', '${ORDER.buyer}' FROM shops WHERE name = 'Elsewhere'`,
    );
    await operator.call('drafts.markSent', {
      order_id: await idOf('5001'),
      draft_id: null,
      key: '1',
      text: 'First',
    });
    await operator.call('drafts.markSent', {
      order_id: await idOf('5002'),
      draft_id: null,
      key: '2',
      text: 'To another',
    });
    await markSent(null, 'Second');
    await write();
    const { orders, more, replies } = await buyer();
    expect(orders.map((order: { receipt_id: string }) => order.receipt_id)).toEqual(['5003', '5001']);
    expect(more).toBe(false);
    expect(
      replies.map((reply: { text: string; receipt_id: string }) => [reply.receipt_id, reply.text]),
    ).toEqual([
      [ORDER.receipt_id, 'Second'],
      ['5001', 'First'],
    ]);
    expect((await buyer(await idOf('5004'))).orders).toEqual([]);
  });

  it('has no other orders where the order names no buyer', async () => {
    await service.importRows([
      { receipt_id: '5005', title: 'Owl' },
      { receipt_id: '5006', title: 'Owl' },
    ]);
    expect(await buyer(await idOf('5005'))).toEqual({ orders: [], more: false, replies: [] });
  });

  it('lists twenty orders, and says that there are more', async () => {
    await service.importRows(Array.from({ length: 21 }, (_, n) => rowOf(`6${100 + n}`, 'Many')));
    const { orders, more } = await buyer(await idOf('6100'));
    expect([orders.length, more]).toEqual([20, false]);
    await service.importRows([rowOf('6200', 'Many')]);
    expect((await buyer(await idOf('6100'))).more).toBe(true);
  });
});
