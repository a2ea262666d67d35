import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import {
  createTurn,
  MESSAGE_PATH,
  type MessageService,
  SHOP_NAME,
  startMessageService,
} from '../../support/service/message-service';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: MessageService;

beforeAll(async () => {
  service = await startMessageService();
});
beforeEach(() => service.resetProvider());
afterAll(() => service.close());

async function countReplies(): Promise<number> {
  const [row] = await service.database.query<{ count: number }>('SELECT count(*)::int AS count FROM replies');
  return row!.count;
}

describe('POST /api/marketplace/message', () => {
  it('returns the reply, the input it was written for, and its usage', async () => {
    const { status, json } = await service.requestReply({
      order_number: '4165098857',
      buyer_name: 'Sable Proxy',
      messages: [createTurn('buyer', 'Hi, has it been sent?')],
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      data: {
        reply: 'Hello, and thank you for your message!',
        shop_name: SHOP_NAME,
        order_number: '4165098857',
        buyer_name: 'Sable Proxy',
        model: 'test-model',
        usage: { input_tokens: 321, output_tokens: 45 },
        warnings: [],
      },
    });
  });

  it('returns usage null if the provider sends no usage or invalid counts', async () => {
    service.provider.script({ kind: 'reply-without-usage', text: 'Hello' });
    expect((await service.requestReply()).json.data.usage).toBeNull();
    for (const usage of [{}, { prompt_tokens: -1, completion_tokens: 2 }, { prompt_tokens: '1' }, 5, 'x']) {
      service.provider.script({ kind: 'reply', text: 'Hello', usage });
      expect((await service.requestReply()).json.data.usage).toBeNull();
    }
  });

  it('names the model that the provider reports, otherwise the requested one', async () => {
    service.provider.script({ kind: 'reply', text: 'Hello', model: 'test-model-2026' });
    expect((await service.requestReply()).json.data.model).toBe('test-model-2026');
    service.provider.script({ kind: 'reply', text: 'Hello', model: 7 });
    expect((await service.requestReply()).json.data.model).toBe('test-model');
  });

  it('trims the reply, removes U+0000 and replaces half a surrogate pair', async () => {
    service.provider.script({ kind: 'reply', text: ' a\u0000b\ud800 ' });
    expect((await service.requestReply()).json.data.reply).toBe('ab\ufffd');
    expect((await service.readLastReply()).reply).toBe('ab\ufffd');
  });

  it.each([
    ['with their tags', '<think>\nA <b>refund</b>?\n</think>\n\nHello <think> Wynn'],
    ['without the opening tag', 'A refund?</think>Hello <think> Wynn'],
  ])("leaves out the model's thoughts before the reply, %s", async (_, text) => {
    service.provider.script({ kind: 'reply', text });
    expect((await service.requestReply()).json.data.reply).toBe('Hello <think> Wynn');
  });

  it('records the reply with its prompt version, tokens, duration, conversation and additional members', async () => {
    const messages = [{ ...createTurn('buyer', 'Hi'), sent_at: '2026-08-22' }];
    const { headers } = await service.requestReply({
      order_number: '4165098857',
      messages,
      mood: { deep: [1, null] },
    });
    expect(await service.readLastReply()).toMatchObject({
      shop_name: SHOP_NAME,
      prompt_version_id: service.promptVersionId,
      order_number: '4165098857',
      buyer_name: null,
      messages,
      extra: { mood: { deep: [1, null] } },
      reply: 'Hello, and thank you for your message!',
      model: 'test-model',
      outcome: 'answered',
      error: null,
      input_tokens: 321,
      output_tokens: 45,
      duration_ms: expect.any(Number),
      api_key_id: expect.any(Number),
      request_id: headers.get('x-request-id'),
    });
  });

  it('writes one reply per Idempotency-Key', async () => {
    const sendWithSameKey = () =>
      service.send(MESSAGE_PATH, {
        body: { shop_name: SHOP_NAME },
        headers: { 'Idempotency-Key': 'message-1' },
      });
    const firstResponse = await sendWithSameKey();
    const secondResponse = await sendWithSameKey();
    expect([secondResponse.status, secondResponse.text]).toEqual([200, firstResponse.text]);
    expect(secondResponse.headers.get('idempotent-replayed')).toBe('true');
    expect(service.provider.requests).toHaveLength(1);
  });
});

describe('the service returns 401', () => {
  it.each([undefined, 'bdk_nonsense'])('if the key is %s', async (key) => {
    const { status } = await service.send(MESSAGE_PATH, {
      body: { shop_name: SHOP_NAME },
      headers: { 'X-Api-Key': key },
    });
    expect(status).toBe(401);
    expect(service.provider.requests).toEqual([]);
  });
});

describe('the service returns 422', () => {
  it.each([
    ['shop_name', undefined],
    ['shop_name', ''],
    ['shop_name', 5],
    ['shop_name', null],
    ['shop_name', 'Nobody’s shop'],
    ['shop_name', 'test shop'],
    ['shop_name', 'x'.repeat(201)],
    ['order_number', 4165098857],
    ['order_number', null],
    ['order_number', 'x'.repeat(101)],
    ['order_number', 'a\u0000'],
    ['buyer_name', true],
    ['buyer_name', null],
    ['messages', null],
    ['messages', {}],
    ['messages', 'Hi'],
    ['messages', Array.from({ length: 501 }, () => createTurn('buyer', 'x'))],
    ['messages.0', ['Hi']],
    ['messages.0', [null]],
    ['messages.0.sender', [{ content: 'Hi' }]],
    ['messages.0.sender', [{ sender: '', content: 'Hi' }]],
    ['messages.0.sender', [{ sender: 1, content: 'Hi' }]],
    ['messages.0.content', [{ sender: 'buyer' }]],
    ['messages.0.content', [{ sender: 'buyer', content: '' }]],
    ['messages.0.content', [{ sender: 'buyer', content: null }]],
    ['messages.0.content', [{ sender: 'buyer', content: ['Hi'] }]],
    ['messages.0.content', [createTurn('buyer', 'x'.repeat(10_001))]],
    ['messages.0.content', [createTurn('buyer', 'a\u0000')]],
    ['messages.0.content', [createTurn('buyer', 'half a \ud800 pair')]],
    ['mood', 'a\u0000'],
    ['messages.0.mood', [{ ...createTurn('buyer', 'Hi'), mood: '\ud800' }]],
  ])('with an error at %s for the value %j', async (path, value) => {
    const { status, json } = await service.requestReply({ [path.split('.')[0]!]: value });
    expect(status).toBe(422);
    expect(json.errors[0].path).toBe(path);
    expect(service.provider.requests).toEqual([]);
  });

  it('for a shop whose prompt is only a draft, and no reply is recorded', async () => {
    const replyCountBefore = await countReplies();
    await setPrompt(service.app.services.db, TEST_ACTOR, { shopName: 'Draft shop', text: 'D', draft: true });
    const { status, json } = await service.requestReply({ shop_name: 'Draft shop' });
    expect([status, json.errors[0].path]).toEqual([422, 'shop_name']);
    expect(await countReplies()).toBe(replyCountBefore);
  });
});
