import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '../../../src/server/core/days';
import { newYorkDay } from '../../../src/server/core/time';
import { createSignedInUser, problemPathsOf, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';
import { sendListingDay, sendShopDay } from '../../support/statistic-days';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const datesInMarch = (firstDay: number, dayCount: number) =>
  Array.from({ length: dayCount }, (_, n) => `2026-03-${String(firstDay + n).padStart(2, '0')}`);

describe('the list of days', () => {
  it('shows every row exactly once, page by page, in any order, even with missing and equal values', async () => {
    for (const [index, date] of datesInMarch(1, 9).entries()) {
      const figures = index % 3 === 0 ? {} : { total_revenue: (index % 2) * 10.5 };
      await sendShopDay(service, 'list-a', date, figures);
      await sendShopDay(service, 'list-b', date, figures);
    }
    for (const sort of ['date', 'shop_id', 'total_revenue'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const pagedDays: Record<string, unknown>[] = [];
        let cursor: string | undefined;
        do {
          const input = { shop_ids: ['list-a', 'list-b'], sort, direction, limit: 5, cursor };
          const { status, data, error } = await viewer.call('statistics.shopDays', input);
          expect(status, error?.message).toBe(200);
          pagedDays.push(...data.days);
          cursor = data.next ?? undefined;
        } while (cursor);
        expect(pagedDays).toHaveLength(18);
        expect(new Set(pagedDays.map((day) => `${day.shop_id} ${day.date}`)).size).toBe(18);
        const values = pagedDays.map((day) => day[sort]);
        const presentValues = values.filter((value) => value !== null) as (string | number)[];
        const sortedValues = presentValues.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(presentValues).toEqual(direction === 'asc' ? sortedValues : sortedValues.reverse());
        // Missing values come last in either direction.
        expect(values.slice(presentValues.length).every((value) => value === null)).toBe(true);
      }
    }
  });

  it('immediately shows what the API stores', async () => {
    await sendListingDay(service, 501, 'list-c', '2026-03-01', { visits: 4, roas: 1.25, mood: 'good' });
    const { data } = await viewer.call('statistics.listingDays', { listing_ids: [501] });
    expect(data.next).toBeNull();
    expect(data.days).toMatchObject([
      { listing_id: 501, shop_id: 'list-c', date: '2026-03-01', visits: 4, roas: 1.25, orders: null },
    ]);
    expect(data.days[0].extra).toEqual({ mood: 'good' });
    await sendListingDay(service, 501, 'list-c', '2026-03-01', { visits: 5 });
    expect((await viewer.call('statistics.listingDays', { listing_ids: [501] })).data.days[0].visits).toBe(5);
  });

  it.each([
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ sort: 'mood' }, 'sort'],
    [{ sort: 'updated_at; DROP TABLE users' }, 'sort'],
    [{ shop_ids: [] }, 'shop_ids'],
    [{ shop_ids: ['x'.repeat(51)] }, 'shop_ids.0'],
    [{ shop_ids: ['\u0000'] }, 'shop_ids.0'],
    [{ limit: 201 }, 'limit'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [
      { cursor: Buffer.from('["shop-statistics date desc","2026-02-31","x"]').toString('base64url') },
      'cursor',
    ],
    [{ cursor: Buffer.from('["shop-statistics date desc","2026-02-01"]').toString('base64url') }, 'cursor'],
    [
      { cursor: Buffer.from('["shop-statistics date asc","2026-02-01","x"]').toString('base64url') },
      'cursor',
    ],
    [{ more: 1 }, 'more'],
  ])('refuses %j, naming %s', async (input, path) => {
    const response = await viewer.call('statistics.shopDays', input);
    expect([response.status, problemPathsOf(response)]).toEqual([422, [path]]);
  });
});

describe('the calendar', () => {
  it('lists the days without figures after the first day with figures', async () => {
    for (const date of ['2026-01-30', '2026-02-01', '2026-02-28']) await sendShopDay(service, 'gaps', date);
    const input = { shop_ids: ['gaps', 'never'], from: '2026-01', to: '2026-02' };
    const { data } = await viewer.call('statistics.missingDays', input);
    expect(data[0]).toMatchObject({ shop_id: 'gaps', first_day: '2026-01-30', last_day: '2026-02-28' });
    expect(data[0].missing).toHaveLength(27);
    expect(data[0].missing.slice(0, 2)).toEqual(['2026-01-31', '2026-02-02']);
    const newYorkToday = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(
      Date.now(),
    );
    expect(data[1]).toEqual({
      shop_id: 'never',
      first_day: null,
      last_day: null,
      today: newYorkToday,
      missing: [],
    });
    const listingResponse = await viewer.call('statistics.missingDays', { kind: 'listing', ...input });
    expect(listingResponse.data[0].missing).toEqual([]);
  });

  it('counts neither the current day nor later ones as missing', async () => {
    const today = newYorkDay(Date.now());
    const dateAtOffset = (dayOffset: number) => plusDays(today, dayOffset);
    await sendShopDay(service, 'now', dateAtOffset(-2));
    const input = { shop_ids: ['now'], from: dateAtOffset(-2).slice(0, 7), to: dateAtOffset(40).slice(0, 7) };
    const { data } = await viewer.call('statistics.missingDays', input);
    expect(data[0].missing).toEqual([dateAtOffset(-1)]);
  });

  it('says which day is today in each shop’s time zone, so that a day that is not over there does not look stored', async () => {
    const timeZones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    for (const timeZone of timeZones)
      await service.database.query(`INSERT INTO shops (name, shop_id, time_zone) VALUES ($1, $1, $1)`, [
        timeZone,
      ]);
    const input = { shop_ids: timeZones, from: '2026-01', to: '2026-02' };
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now());
    for (const kind of ['shop', 'listing']) {
      const { data } = await viewer.call('statistics.missingDays', { kind, ...input });
      expect(data.map((shop: { today: string }) => shop.today)).toEqual(timeZones.map(dayIn));
    }
  });

  it('offers the shops with statistics of either kind, and the stored shops', async () => {
    await sendListingDay(service, 7, 'only-listings', '2026-01-01');
    const { data } = await viewer.call('statistics.knownShops');
    const shopById = new Map(data.map((shop: { shop_id: string }) => [shop.shop_id, shop]));
    expect(shopById.get('only-listings')).toMatchObject({ name: null, days: 0 });
    expect(shopById.get('test-shop')).toMatchObject({ name: 'Test shop', account_id: service.shopId });
    expect(shopById.get('gaps')).toMatchObject({ days: 3, first_day: '2026-01-30' });
  });

  it.each([
    [{ from: '2025-13' }, 'from'],
    [{ to: '2025-12' }, 'to'],
    [{ to: '2028-01' }, 'to'],
    [{ shop_ids: undefined }, 'shop_ids'],
  ])('refuses %j, naming %s', async (change, path) => {
    const response = await viewer.call('statistics.missingDays', {
      shop_ids: ['x'],
      from: '2026-01',
      to: '2026-02',
      ...change,
    });
    expect([response.status, problemPathsOf(response)]).toEqual([422, [path]]);
  });
});

it('an operator can import statistics, but a viewer cannot', async () => {
  const csv = 'shop_id,date\nx,2026-01-01\n';
  expect((await viewer.call('statistics.importDays', { kind: 'shop', csv })).status).toBe(403);
  expect((await operator.call('statistics.importDays', { kind: 'shop', csv })).status).toBe(200);
});
