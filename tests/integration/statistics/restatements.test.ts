import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const sendShopDay = (shopId: string, date: string, members: Record<string, unknown> = {}) =>
  service.send('/api/shop-statistics', { body: { shop_id: shopId, date, ...members } });
const sendListingDay = (
  listingId: number,
  shopId: string,
  date: string,
  members: Record<string, unknown> = {},
) =>
  service.send('/api/product-statistics', {
    body: { listing_id: listingId, shop_id: shopId, date, ...members },
  });

describe('the list of restatements', () => {
  it('shows the API key and the values before and after, newest first, page by page', async () => {
    await sendShopDay('restated', '2026-01-01', { total_orders: 1, ad_spend: 2, mood: 'good' });
    await sendShopDay('restated', '2026-01-01', { total_orders: 1 });
    await sendShopDay('restated', '2026-01-01', { total_orders: 3, mood: 'bad' });
    await sendShopDay('restated', '2026-01-01', { ad_spend: 2.5 });
    const input = { shop_ids: ['restated'], limit: 1 };
    const firstResponse = await viewer.call('statistics.restatements', input);
    expect(firstResponse.data.restatements).toMatchObject([
      {
        kind: 'shop',
        date: '2026-01-01',
        changes: [{ field: 'ad_spend', before: 2, after: 2.5 }],
        user: null,
      },
    ]);
    expect(firstResponse.data.restatements[0].key).toMatchObject({ name: 'test key' });
    expect(JSON.stringify(firstResponse.data)).not.toContain(service.key);
    const secondResponse = await viewer.call('statistics.restatements', {
      ...input,
      cursor: firstResponse.data.next,
    });
    expect(secondResponse.data.restatements[0].changes).toEqual([
      { field: 'total_orders', before: 1, after: 3 },
      { field: 'extra.mood', before: 'good', after: 'bad' },
    ]);
    expect(secondResponse.data.next).toBeNull();
  });

  it('leaves out days that were not over yet, unless they are requested', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(Date.now());
    await sendShopDay('running', today, { total_orders: 1 });
    await sendShopDay('running', today, { total_orders: 2 });
    const listRestatements = (past_only?: boolean) =>
      viewer.call('statistics.restatements', { shop_ids: ['running'], past_only });
    expect((await listRestatements()).data.restatements).toEqual([]);
    expect((await listRestatements(false)).data.restatements).toMatchObject([{ days_late: 0 }]);
  });

  it('can be filtered by kind, listing, day and key', async () => {
    await sendListingDay(700, 'restated', '2026-01-02', { visits: 1 });
    await sendListingDay(700, 'restated', '2026-01-02', { visits: 2 });
    const countRestatements = async (filter: object) =>
      (await viewer.call('statistics.restatements', { shop_ids: ['restated'], ...filter })).data.restatements
        .length;
    expect(await countRestatements({ kind: 'listing' })).toBe(1);
    expect(await countRestatements({ kind: 'shop' })).toBe(2);
    expect(await countRestatements({ listing_id: 700 })).toBe(1);
    expect(await countRestatements({ from: '2026-01-02' })).toBe(1);
    expect(await countRestatements({ to: '2026-01-01' })).toBe(2);
    expect(await countRestatements({ api_key_id: 1 })).toBe(3);
    expect(await countRestatements({ api_key_id: 999 })).toBe(0);
  });
});
