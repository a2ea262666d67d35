import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
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

  it('counts how late a change was in the time zone that the shop had then, or has now if 0.28.0 recorded the change', async () => {
    // The midnight before a day is always over on Kiritimati (UTC+14) when it is over on Niue (UTC-11), 25 hours later.
    const [dayOnNiue] = await service.database.query<{ day: string; days_later: number }>(
      `SELECT (now() AT TIME ZONE 'Pacific/Niue')::date::text AS day,
              (now() AT TIME ZONE 'Pacific/Kiritimati')::date - (now() AT TIME ZONE 'Pacific/Niue')::date AS days_later`,
    );
    const { day, days_later } = dayOnNiue!;
    await service.database.query(
      `INSERT INTO shops (name, shop_id, time_zone) VALUES ('Moving', 'moving', 'Pacific/Kiritimati')`,
    );
    for (const total_orders of [1, 2]) await sendShopDay('moving', day, { total_orders });
    await operator.call('statistics.importDays', {
      kind: 'shop',
      csv: `shop_id,date,total_orders\nmoving,${day},3\n`,
    });
    for (const visits of [1, 2]) await sendListingDay(702, 'moving', day, { visits });
    await operator.call('statistics.importDays', {
      kind: 'listing',
      csv: `listing_id,shop_id,date,visits\n702,moving,${day},3\n`,
    });
    await service.database.query(`UPDATE shops SET time_zone = 'Pacific/Niue' WHERE shop_id = 'moving'`);
    const listDaysLate = async (past_only?: boolean) =>
      (
        await viewer.call('statistics.restatements', { shop_ids: ['moving'], past_only })
      ).data.restatements.map((restatement: { days_late: number }) => restatement.days_late);
    expect(days_later).toBeGreaterThan(0);
    expect(await listDaysLate()).toEqual(Array(4).fill(days_later));
    await service.database.query(
      `UPDATE statistic_restatements SET days_late = NULL WHERE shop_id = 'moving'`,
    );
    expect(await listDaysLate()).toEqual([]);
    expect(await listDaysLate(false)).toEqual(Array(4).fill(0));
    await service.database.query(
      `UPDATE shops SET time_zone = 'Pacific/Kiritimati' WHERE shop_id = 'moving'`,
    );
    expect(await listDaysLate()).toEqual(Array(4).fill(days_later));
    // As the migration does.
    const migrationText = await readFile(
      'prisma/migrations/20261128034223_days_late_of_restatements/migration.sql',
      'utf8',
    );
    await service.database.query(migrationText.match(/^UPDATE[^;]*;/m)![0]);
    await service.database.query(`UPDATE shops SET time_zone = 'Pacific/Niue' WHERE shop_id = 'moving'`);
    expect(await listDaysLate()).toEqual(Array(4).fill(days_later));
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
