import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normaliseOrderNumber } from '../../../../src/server/core/text/order-number';
import { setPrompt } from '../../../../src/server/messages/prompts/service';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../../support/stand-ins/text-provider-stand-in';

let provider: TextProviderStandIn;
let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  service = await startTestService({ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: provider.url });
  viewer = await createSignedInUser(service, 'viewer');
  for (const shopName of ['Test shop', 'Second'])
    await setPrompt(service.app.services.db, TEST_ACTOR, { shopName, text: `You answer for ${shopName}.` });
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const requestReply = (shop_name: string, members = {}) =>
  service.send('/api/marketplace/message', { body: { shop_name, messages: [], ...members } });
const listReplies = async (input: unknown) => (await viewer.call('replies.list', input)).data;

describe('the log of replies', () => {
  it('is empty at first, and an unknown reply results in 404', async () => {
    expect(await listReplies({})).toEqual({ replies: [], next: null });
    expect((await viewer.call('replies.one', { id: '1' })).status).toBe(404);
  });

  it('shows the prompt version, the key and the warnings of each reply', async () => {
    provider.script({ kind: 'reply', text: 'It costs $99.50.' });
    await requestReply('Test shop', { order_number: '#77', channel: 'mail' });
    provider.script({ kind: 'refusal' });
    await requestReply('Second');
    const { replies } = await listReplies({});
    expect(replies).toEqual([
      expect.objectContaining({ shop_name: 'Second', outcome: 'refused', error: 'declined', excerpt: null }),
      expect.objectContaining({
        shop_name: 'Test shop',
        outcome: 'answered',
        excerpt: 'It costs $99.50.',
        prompt_version: 1,
        input_tokens: 321,
        output_tokens: 45,
        api_key: 'test key',
        requested_by: null,
      }),
    ]);
    const reply = (await viewer.call('replies.one', { id: replies[1].id })).data;
    expect(reply).toMatchObject({
      reply: 'It costs $99.50.',
      prompt_text: 'You answer for Test shop.',
      extra: { channel: 'mail' },
      messages: [],
    });
    expect(reply.warnings.map((warning: { kind: string }) => warning.kind)).toContain('amount');
    expect(reply.warnings).toHaveLength(reply.warning_count);
  });

  it('is filtered by shop, outcome, order, warnings, and day in the user’s time zone', async () => {
    const listShopNames = async (input: unknown) =>
      (await listReplies(input)).replies.map((reply: { shop_name: string }) => reply.shop_name);
    expect(await listShopNames({ shop_name: 'Second' })).toEqual(['Second']);
    expect(await listShopNames({ outcome: 'answered' })).toEqual(['Test shop']);
    expect(await listShopNames({ order_number: '77' })).toEqual(['Test shop']);
    expect(await listShopNames({ warned: false })).toEqual(['Second']);
    await service.database.query(
      `UPDATE replies SET created_at = '2026-03-02T03:30:00Z' WHERE shop_name = 'Second'`,
    );
    expect(await listShopNames({ from: '2026-03-01', to: '2026-03-01' })).toEqual(['Second']);
    expect(await listShopNames({ from: '2026-03-02', to: '2026-03-02' })).toEqual([]);
  });

  it.each([
    '4165098857',
    '#4165098857',
    '# 4165 098 857',
    '4165098857.0',
    'AB 12',
    'A　B12',
    'AB12.0',
    '7.50',
  ])(
    'finds a reply about %j by each spelling of the order number, but not by another number',
    async (order_number) => {
      await requestReply('Second', { order_number });
      const normalisedNumber = normaliseOrderNumber(order_number);
      for (const spelling of [
        order_number,
        normalisedNumber,
        `#${normalisedNumber}`,
        [...normalisedNumber].join(' '),
      ])
        expect((await listReplies({ order_number: spelling, limit: 1 })).replies).toMatchObject([
          { order_number },
        ]);
      expect((await listReplies({ order_number: `${normalisedNumber}1` })).replies).toEqual([]);
      await service.database.query('DELETE FROM replies WHERE order_number = $1', [order_number]);
    },
  );

  it('shows every reply once, page by page, even if all have the same time', async () => {
    await service.database.query(
      `INSERT INTO replies (shop_name, messages, model, outcome, error, duration_ms, created_at)
       SELECT 'Many', '[]', 'm', 'failed', 'cut off', 1, '2026-01-01T00:00:00.123456Z' FROM generate_series(1, 7)`,
    );
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listReplies({ shop_name: 'Many', limit: 3, cursor });
      ids.push(...page.replies.map((reply: { id: string }) => reply.id));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
    expect((await viewer.call('replies.list', { cursor: 'x' })).status).toBe(422);
  });
});
