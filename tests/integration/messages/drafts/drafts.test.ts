import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeDraft } from '../../../../src/server/messages/drafts/service';
import { setPrompt } from '../../../../src/server/messages/prompts/service';
import {
  createTurn,
  type MessageService,
  ORDER,
  PROMPT,
  SHOP_NAME,
} from '../../../support/service/message-service';
import { clearReplies, openReplySetup } from '../../../support/service/reply-setup';
import type { SignedInUser } from '../../../support/service/signed-in';
import { TEST_ACTOR } from '../../../support/service/test-service';

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
const readDrafts = async () => (await viewer.call('replyDrafts.ofOrder', { order_id: orderId })).data.drafts;
const markSent = (draft_id: string | null, text: string, user = operator, key: string = randomUUID()) =>
  user.call('replyDrafts.markSent', { order_id: orderId, draft_id, key, text });

describe('a draft', () => {
  it('is written with the facts of the order and the prompt of the shop, and lists what to check', async () => {
    service.provider.script({ kind: 'reply', text: 'Your $8.98 order LX123456789CN arrives on March 3.' });
    const { id } = (await requestDraft()).data;
    const [systemMessage, turn] = service.lastRequest().body.messages;
    expect(systemMessage!.content).toContain(PROMPT);
    expect(systemMessage!.content).toContain('LX123456789CN');
    expect(systemMessage!.content).toContain(ORDER.first_line);
    expect(turn).toEqual({ role: 'user', content: 'Where is it?' });
    expect(await readDrafts()).toEqual([
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
    const firstId = (await requestDraft()).data.id;
    const secondId = (await requestDraft()).data.id;
    expect((await readDrafts()).map((draft: { id: string }) => draft.id)).toEqual([secondId, firstId]);
  });

  it('that failed is in the log of replies with its order and who requested it, but not among the drafts', async () => {
    service.provider.script({ kind: 'empty' });
    expect((await requestDraft()).status).toBe(502);
    const { replies } = (await viewer.call('replies.list', { kind: 'draft' })).data;
    expect(replies).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        order_id: orderId,
        requested_by: operator.email,
        api_key: null,
      }),
    ]);
    expect(await readDrafts()).toEqual([]);
  });

  it.each([
    [{ kind: 'status', status: 401 }, 502, /check OPENAI_API_KEY/],
    [{ kind: 'refusal' }, 502, /Write one by hand/],
  ] as const)('that fails with %j gets an error that says what to do', async (behaviour, status, message) => {
    service.provider.script(behaviour);
    const response = await requestDraft();
    expect(response.status).toBe(status);
    expect(response.error!.message).toMatch(message);
  });

  it('for which the provider is too slow gets an error that says to try again', async () => {
    const impatient = await openReplySetup({ OPENAI_TIMEOUT_MS: '300' });
    try {
      impatient.service.provider.script({ kind: 'slow', ms: 60_000 });
      const input = { order_id: impatient.orderId, messages: [] };
      const { status, error } = await impatient.operator.call('replyDrafts.write', input);
      expect(status).toBe(504);
      expect(error!.message).toMatch(/too slow\. Try again/);
    } finally {
      await impatient.service.close();
    }
  });

  it('counts against one token budget for all drafts, and is refused once that budget is used up', async () => {
    const { services } = service.app;
    await writeDraft(services, TEST_ACTOR, { order_id: orderId, messages: [] });
    const rows = await service.database.query('SELECT spender FROM reply_token_days');
    expect(rows).toEqual([{ spender: 'drafts' }]);
    await expect(
      writeDraft({ ...services, replyTokensPerDay: 1 }, TEST_ACTOR, { order_id: orderId, messages: [] }),
    ).rejects.toThrow(
      /^Everyone's drafts together have used up their token budget, 1 a day\. Write this reply by hand/,
    );
  });

  it('is refused without a provider or without a published prompt', async () => {
    const { services } = service.app;
    const input = { order_id: orderId, messages: [] };
    await expect(writeDraft({ ...services, textProvider: null }, TEST_ACTOR, input)).rejects.toMatchObject({
      code: 'upstream_not_configured',
    });
    await service.database.query(`UPDATE prompt_versions SET state = 'retired'`);
    const response = await requestDraft();
    expect(response.error!.problems).toEqual([expect.objectContaining({ path: 'shop_name' })]);
    await setPrompt(services.db, TEST_ACTOR, { shopName: SHOP_NAME, text: PROMPT });
  });

  it('requires an existing order and permission to write to buyers', async () => {
    expect((await requestDraft([], viewer)).status).toBe(403);
    expect((await markSent(null, 'Hello', viewer)).status).toBe(403);
    for (const procedure of ['replyDrafts.write', 'replyDrafts.markSent'])
      expect(
        (
          await operator.call(procedure, {
            order_id: '999',
            ...(procedure === 'replyDrafts.write'
              ? { messages: [] }
              : { draft_id: null, key: 'k', text: 'x' }),
          })
        ).status,
      ).toBe(404);
    expect((await viewer.call('replyDrafts.ofOrder', { order_id: '999' })).status).toBe(404);
  });
});

describe('marking a reply as sent', () => {
  it('records the sent text and its sender with the draft, in the order’s history and in the log of replies', async () => {
    const { id } = (await requestDraft()).data;
    expect((await markSent(id, '  Hello Sable!  ')).status).toBe(200);
    const [draft] = await readDrafts();
    expect(draft.sent).toEqual({ text: 'Hello Sable!', by: operator.email, at: expect.stringMatching(/Z$/) });
    const { history } = (await viewer.call('orders.one', { id: orderId })).data;
    expect(history[0]).toMatchObject({
      action: 'order.send_reply',
      actor: operator.email,
      after: { reply_id: id, sent_text: 'Hello Sable!' },
    });
    const reply = (await viewer.call('replies.one', { id })).data;
    expect(reply).toMatchObject({ sent_text: 'Hello Sable!', sent_by: operator.email, reply: draft.reply });
    expect((await viewer.call('replies.list', { sent: true })).data.replies).toHaveLength(1);
    expect((await viewer.call('replies.list', { sent: false })).data.replies).toEqual([]);
  });

  it('succeeds for one of two simultaneous requests for the same draft, and tells the other who has marked the draft', async () => {
    const { id } = (await requestDraft()).data;
    const responses = await Promise.all([markSent(id, 'One'), markSent(id, 'Two')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refusal = responses.find(({ status }) => status === 409)!;
    expect(refusal.error!.message).toContain(`${operator.email} has already marked this draft as sent`);
    const [{ sent }] = await readDrafts();
    expect(sent.text).toBe(responses[0]!.status === 200 ? 'One' : 'Two');
  });

  it('works for a reply that was written by hand', async () => {
    expect((await markSent(null, 'By hand')).status).toBe(200);
    expect(await readDrafts()).toEqual([
      expect.objectContaining({ kind: 'handwritten', reply: 'By hand', model: '', usage: null }),
    ]);
    const [reply] = (await viewer.call('replies.list', {})).data.replies;
    expect(reply).toMatchObject({
      kind: 'handwritten',
      order_number: ORDER.receipt_id,
      shop_name: SHOP_NAME,
    });
  });

  it('records a handwritten reply only once, however often the request is repeated', async () => {
    const key = randomUUID();
    const text = `By hand ${key}`;
    const markWithSameKey = () => markSent(null, text, operator, key);
    const responses = await Promise.all([markWithSameKey(), markWithSameKey(), markWithSameKey()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readDrafts()).toHaveLength(1);
    const { history } = (await viewer.call('orders.one', { id: orderId })).data;
    const entries = history.filter(
      ({ after }: { after?: { sent_text?: string } }) => after?.sent_text === text,
    );
    expect(entries).toHaveLength(1);
    await markSent(null, text);
    expect(await readDrafts()).toHaveLength(2);
  });

  it('works for a reply that was requested through the API', async () => {
    await service.requestReply({ order_number: ORDER.receipt_id, messages: [] });
    const { id: replyId, kind, order_id } = (await viewer.call('replies.list', {})).data.replies[0];
    expect({ kind, order_id }).toEqual({ kind: 'request', order_id: orderId });
    expect((await markSent(replyId, 'Hello')).status).toBe(200);
    expect(await readDrafts()).toEqual([
      expect.objectContaining({ id: replyId, kind: 'request', requested_by: null, sent: expect.anything() }),
    ]);
  });

  it('in bulk records the texts of the drafts unchanged, and skips drafts that are already marked or listed under another shop', async () => {
    const { id } = (await requestDraft()).data;
    const [{ reply }] = await readDrafts();
    const [{ shop_id }] = (await service.database.query<{ shop_id: number }>(
      `SELECT shop_id FROM orders WHERE id = ${orderId}`,
    )) as [{ shop_id: number }];
    const entry = { shop_id, order_id: orderId, id };
    const markReplies = async (...replies: object[]) =>
      (await operator.call('replyDrafts.markManySent', { replies })).data;
    expect(await markReplies({ ...entry, shop_id: shop_id + 1 })).toEqual({ changed: [] });
    expect(await markReplies(entry, entry)).toEqual({ changed: [orderId] });
    expect(await markReplies(entry)).toEqual({ changed: [] });
    expect((await readDrafts())[0].sent).toMatchObject({ text: reply, by: operator.email });
    const { history } = (await viewer.call('orders.one', { id: orderId })).data;
    expect(history[0]).toMatchObject({
      action: 'order.send_reply',
      after: { reply_id: id, sent_text: reply },
    });
    expect((await viewer.call('replyDrafts.markManySent', { replies: [entry] })).status).toBe(403);
  });

  it('is refused if the text is blank or the draft belongs to another order', async () => {
    expect((await markSent(null, '   ')).status).toBe(422);
    await service.importRows([{ receipt_id: '77', title: 'Owl' }]);
    const [otherOrder] = await service.database.query<{ id: string }>(
      `SELECT id::text FROM orders WHERE receipt_id = '77'`,
    );
    const { id } = (await requestDraft()).data;
    const input = { order_id: otherOrder!.id, draft_id: id, key: 'k', text: 'Hello' };
    expect((await operator.call('replyDrafts.markSent', input)).status).toBe(404);
  });
});
