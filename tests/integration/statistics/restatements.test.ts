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

  it.each([
    ['a shop', sendShopDay],
    ['a listing', (...args: Parameters<typeof sendShopDay>) => sendListingDay(701, ...args)],
  ])(
    'has only the additional members that an update of %s changed, however many others the day has',
    async (name, sendDay) => {
      const shopId = `additional ${name}`;
      const others = Object.fromEntries(
        Array.from({ length: 500 }, (_, n) => [`other${n}`, 'x'.repeat(100)]),
      );
      await sendDay(shopId, '2026-01-01', { ...others, mood: 'good', tags: [1] });
      await sendDay(shopId, '2026-01-01', { ...others, mood: 'bad', note: null, tags: [1] });
      await sendDay(shopId, '2026-01-01', { mood: null });
      const { data } = await viewer.call('statistics.restatements', { shop_ids: [shopId] });
      expect(data.restatements.map((restatement: { changes: unknown }) => restatement.changes)).toEqual([
        [{ field: 'extra.mood', before: 'bad', after: null }],
        [
          { field: 'extra.mood', before: 'good', after: 'bad' },
          { field: 'extra.note', before: null, after: null },
        ],
      ]);
      const [storedRestatement] = await service.database.query(
        `SELECT before -> 'extra' AS before, after -> 'extra' AS after FROM statistic_restatements WHERE shop_id = $1 ORDER BY id`,
        [shopId],
      );
      expect(storedRestatement).toEqual({ before: { mood: 'good' }, after: { mood: 'bad', note: null } });
    },
  );

  it('shows what changed in a day that an earlier release recorded with all additional members', async () => {
    const day = { shop_id: 'earlier', date: '2026-01-01', total_orders: 1 };
    await service.database.query(
      `INSERT INTO statistic_restatements (kind, shop_id, date, before, after) VALUES ('shop', 'earlier', '2026-01-01', $1, $2)`,
      [
        { ...day, extra: { same: 'x', mood: 'good' } },
        { ...day, extra: { same: 'x', mood: 'bad' } },
      ],
    );
    const { data } = await viewer.call('statistics.restatements', { shop_ids: ['earlier'] });
    expect(data.restatements[0].changes).toEqual([{ field: 'extra.mood', before: 'good', after: 'bad' }]);
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
