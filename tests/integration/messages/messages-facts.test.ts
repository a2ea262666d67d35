import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import { createShop } from '../../../src/server/shops/account-service';
import {
  createTurn,
  type MessageService,
  ORDER,
  startMessageService,
} from '../../support/service/message-service';
import { TEST_ACTOR } from '../../support/service/test-service';

let service: MessageService;

beforeAll(async () => {
  service = await startMessageService();
});
beforeEach(() => service.resetProvider());
afterAll(() => service.close());

describe('POST /api/marketplace/message', () => {
  it.each([
    ["the recipient's name", { buyer_name: ' sable  PROXY ' }],
    ["the buyer's name", { buyer_name: 'Wynn' }],
    ["the buyer's username", { buyer_name: '4y1po5ze' }],
    ['missing', {}],
    ['empty', { buyer_name: '' }],
  ])(
    'sends the provider the facts of the order, with name and address, if buyer_name is %s',
    async (_, members) => {
      const { json } = await service.requestReply({ order_number: '#4165098857', ...members });
      expect(json.data.warnings).toEqual([]);
      const systemMessage = service.lastRequest().body.messages[0]!.content;
      for (const fact of ['Fox Sticker', '"4165098857"', '8.98', 'shipped', 'in_transit', '2026-08-22'])
        expect(systemMessage).toContain(fact);
      for (const fact of ['LX123456789CN', 'Sable Proxy', '8963 Nowhere Blvd', '01401'])
        expect(systemMessage).toContain(fact);
      expect(systemMessage).not.toContain('离开');
    },
  );

  it.each(['4165 098 857', '4165098857.0', ' # 4165098857'])(
    'finds the order by the number %j',
    async (order_number) => {
      expect((await service.requestReply({ order_number })).json.data.warnings).toEqual([]);
      expect(service.lastRequest().body.messages[0]!.content).toContain('Fox Sticker');
    },
  );

  it('withholds name and address if buyer_name is another name, and says so', async () => {
    const { json } = await service.requestReply({ order_number: '4165098857', buyer_name: 'Mallory' });
    expect(json.data.warnings).toEqual([
      { kind: 'buyer_name', value: 'Mallory', message: expect.stringContaining('withheld') },
    ]);
    const systemMessage = service.lastRequest().body.messages[0]!.content;
    expect(systemMessage).toContain('Fox Sticker');
    for (const withheldText of ['Sable Proxy', 'Wynn', '4y1po5ze', '8963', 'Carrollton', '01401'])
      expect(systemMessage).not.toContain(withheldText);
  });

  it('never uses the order of another shop, and warns that the shop has no order with that number', async () => {
    const { db } = service.app.services;
    const otherShop = await createShop(db, TEST_ACTOR, { name: 'Other shop' });
    await service.importRows([{ ...ORDER, receipt_id: '777', title: 'Secret Thing' }], {
      account_id: otherShop.id,
    });
    const { json } = await service.requestReply({ order_number: '777' });
    expect(json.data.warnings).toEqual([
      { kind: 'order_number', value: '777', message: expect.stringContaining('no order') },
    ]);
    expect(JSON.stringify(service.lastRequest().body)).not.toMatch(/Secret Thing|Nowhere/);
  });

  it('uses the order of the right shop if two shops have an order with the same number', async () => {
    const { db } = service.app.services;
    const otherShop = await createShop(db, TEST_ACTOR, { name: 'Twin shop' });
    await setPrompt(db, TEST_ACTOR, { shopName: 'Twin shop', text: 'Twin prompt' });
    await service.importRows([{ ...ORDER, title: 'Twin Thing' }], { account_id: otherShop.id });
    await service.requestReply({ shop_name: 'Twin shop', order_number: '4165098857' });
    const systemMessage = service.lastRequest().body.messages[0]!.content;
    expect(systemMessage).toContain('Twin Thing');
    expect(systemMessage).not.toContain('Fox Sticker');
  });

  it('writes a reply without an order for a shop that is known only from a prompt', async () => {
    await setPrompt(service.app.services.db, TEST_ACTOR, { shopName: 'Unstored shop', text: 'P' });
    expect(
      (await service.requestReply({ shop_name: 'Unstored shop', order_number: '4165098857' })).status,
    ).toBe(200);
    expect(service.lastRequest().body.messages[0]!.content).not.toContain('Fox Sticker');
  });

  it('warns of what neither the database nor the prompt confirms, even if the conversation mentions it', async () => {
    const text = [
      'Order 4165098857 of August 22, 2026 ($8.98) travels as LX 123 456 789 CN.',
      'It left on August 25; you wrote of 08/30/2026. Returns: https://shop.example/returns.',
      'Order 9999999999 comes on August 31 with UX999999999US; see https://evil.example/pay or pay $7.',
    ].join('\n');
    service.provider.script({ kind: 'reply', text });
    const { json } = await service.requestReply({
      order_number: '4165098857',
      messages: [createTurn('buyer', 'It should be here on 30.08.2026!'), createTurn('shop', 'Indeed')],
    });
    expect(json.data.warnings.map(({ kind, value }: Record<string, string>) => [kind, value])).toEqual([
      ['link', 'https://evil.example/pay'],
      ['date', '08/30/2026'],
      ['date', 'August 31'],
      ['amount', '$7'],
      ['tracking_number', 'UX999999999US'],
      ['order_number', '9999999999'],
    ]);
    expect((await service.readLastReply()).warnings).toEqual(
      json.data.warnings.map(({ kind, value }: Record<string, string>) => ({
        kind,
        value,
        reason: 'unconfirmed',
      })),
    );
    expect(json.data.warnings[0]).toEqual({
      kind: 'link',
      value: 'https://evil.example/pay',
      message: 'Neither the database nor the prompt confirms this link. Check it before you send the reply.',
    });
  });

  it('warns of a link, phone number, amount or date from the conversation, but not of an order number', async () => {
    const text = 'Order 777123: pay $20 at evil[.]example by next Friday or call 212-555-0199.';
    service.provider.script({ kind: 'reply', text });
    const { json } = await service.requestReply({
      messages: [createTurn(' Buyer ', text), createTurn('shop', text)],
    });
    expect(json.data.warnings.map(({ kind }: Record<string, string>) => kind)).toEqual([
      'link',
      'phone_number',
      'amount',
      'date',
    ]);
    const roles = service.lastRequest().body.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant']);
  });
});
