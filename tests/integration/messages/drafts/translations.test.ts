import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTurn, type MessageService } from '../../../support/service/message-service';
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

const readDrafts = async () => (await viewer.call('replyDrafts.ofOrder', { order_id: orderId })).data.drafts;

describe('a translation', () => {
  const readTranslations = async () =>
    (await viewer.call('replies.list', { kind: 'translation' })).data.replies;

  it('of the buyer’s message is in the reader’s language, and recorded with its tokens', async () => {
    service.provider.script({ kind: 'reply', text: '我的包裹在哪里？' });
    const { data } = await operator.call('replyDrafts.translateMessage', {
      order_id: orderId,
      text: 'Ou est mon colis ?',
      language: 'zh',
    });
    expect(data).toEqual({ text: '我的包裹在哪里？', warnings: [] });
    const [systemMessage, turn] = service.lastRequest().body.messages;
    expect(systemMessage!.content).toContain('into Simplified Chinese');
    expect(turn).toEqual({ role: 'user', content: 'Ou est mon colis ?' });
    expect(await readTranslations()).toEqual([
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
    expect(await readDrafts()).toEqual([]);
  });

  const translateReply = (text: string) =>
    operator.call('replyDrafts.translateReply', {
      order_id: orderId,
      text,
      messages: [createTurn('buyer', 'Où est mon colis ?')],
    });

  it('of a reply is written with the buyer’s messages as context, and checked like a draft', async () => {
    service.provider.script({ kind: 'reply', text: 'Elle coûte 99,50 $. Numéro : LX123456789CN.' });
    const { data } = await translateReply('It costs $99.50. Number: LX123456789CN.');
    expect(data.warnings).toEqual([expect.objectContaining({ kind: 'amount', value: '99,50 $' })]);
    expect(service.lastRequest().body.messages[0]!.content).toContain('Où est mon colis ?');
  });

  it('causes a warning if it loses an amount, a date, a tracking number or a link, but not if it only formats one differently', async () => {
    const text = 'LX123456789CN left on August 25, 2026. You paid $8.98, see https://shop.example/returns.';
    service.provider.script({
      kind: 'reply',
      text: 'LX123456789CN est parti le 25 août 2026. Vous avez payé 8,98 $ : https://shop.example/returns.',
    });
    const findLostValues = async () =>
      (await translateReply(text)).data.warnings.flatMap(
        ({ reason, value }: { reason: string; value: string }) => (reason === 'lost' ? [value] : []),
      );
    expect(await findLostValues()).toEqual([]);
    service.provider.script({ kind: 'reply', text: 'Votre colis est parti.' });
    expect((await findLostValues()).toSorted()).toEqual(
      ['$8.98', 'August 25, 2026', 'LX123456789CN', 'https://shop.example/returns'].toSorted(),
    );
  });

  it('requires permission to write to buyers, and returns an error that says what to do if the provider fails', async () => {
    const input = { order_id: orderId, text: 'Bonjour', language: 'en' };
    expect((await viewer.call('replyDrafts.translateMessage', input)).status).toBe(403);
    service.provider.script({ kind: 'status', status: 401 });
    const failedResponse = await operator.call('replyDrafts.translateMessage', input);
    expect([failedResponse.status, failedResponse.error!.message]).toEqual([
      502,
      expect.stringMatching(/check OPENAI_API_KEY/),
    ]);
    expect(await readTranslations()).toEqual([
      expect.objectContaining({ outcome: 'failed', error: 'refused' }),
    ]);
  });
});
