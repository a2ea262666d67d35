import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

/** One day as it is sent, again and again: new, changed, with other members, unchanged, and cleared members that stay. */
const VERSIONS: Record<string, Record<string, unknown>[]> = {
  shop: [
    { total_orders: 3, ad_spend: 1.5, conversion_rate: 2.34567, note: 'a', nested: { deep: [1, 2] } },
    { total_orders: 4, total_revenue: 10.25 },
    { note: 'b', other: null },
    { total_orders: 4, note: 'b' },
    { ad_click_rate: 0.5, ad_orders: 0, nested: { deep: [1, 2] }, 'quote "x"': '\\' },
  ],
  listing: [
    { visits: 3, revenue: 1.5, roas: 2.34567, note: 'a', nested: { deep: [1, 2] } },
    { visits: 4, spent_total: 10.25 },
    { note: 'b', other: null },
    { visits: 4, note: 'b' },
    { click_rate: 0.5, conversions: 0, nested: { deep: [1, 2] }, 'quote "x"': '\\' },
  ],
};

const COLUMNS: Record<string, string[]> = {
  shop: ['total_orders', 'total_revenue', 'ad_spend', 'conversion_rate', 'ad_click_rate', 'ad_orders'],
  listing: ['visits', 'revenue', 'roas', 'spent_total', 'click_rate', 'conversions'],
};

it.each([
  ['shop', '/api/shop-statistics', 'shop_daily_statistics'],
  ['listing', '/api/product-statistics', 'product_daily_statistics'],
])(
  'a day of a %s that is imported from files is stored, with its history, as one that is sent to the API',
  async (kind, path, table) => {
    const listing = kind === 'listing' ? { listing_id: 7 } : {};
    for (const version of VERSIONS[kind]!) {
      const key = { date: '2026-03-01', ...listing };
      const response = await service.send(path, { body: { shop_id: 'sent', ...key, ...version } });
      expect(response.status).toBe(200);
      const columns = COLUMNS[kind]!;
      const extra = Object.fromEntries(Object.entries(version).filter(([name]) => !columns.includes(name)));
      const csv = stringify([
        ['shop_id', ...Object.keys(key), ...columns, 'extra'],
        ['imported', ...Object.values(key), ...columns.map((name) => version[name]), JSON.stringify(extra)],
      ]);
      const { error } = await operator.call('statistics.importDays', { kind, csv });
      expect(error).toBeNull();
    }
    const readRow = async (shopId: string) =>
      (
        await service.database.query(
          `SELECT to_jsonb(s) - '{shop_id,created_at,updated_at,revision}'::text[] AS row FROM ${table} s WHERE shop_id = $1`,
          [shopId],
        )
      )[0];
    const readHistory = (shopId: string) =>
      service.database.query(
        `SELECT before - 'shop_id' AS before, after - 'shop_id' AS after, days_late > 0 AS is_late
         FROM statistic_restatements WHERE shop_id = $1 AND (listing_id IS NULL) = $2 ORDER BY id`,
        [shopId, kind === 'shop'],
      );
    expect(await readRow('imported')).toEqual(await readRow('sent'));
    const history = await readHistory('sent');
    expect(history).toHaveLength(3);
    expect(await readHistory('imported')).toEqual(history);
  },
);

it('members of a CSV file that are nested thousands of levels deep are refused, naming the cell', async () => {
  const depth = 20_000;
  const extra = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const csv = stringify([
    ['shop_id', 'date', 'extra'],
    ['deep', '2026-03-01', extra],
  ]);
  const { status, error } = await operator.call('statistics.importDays', { kind: 'shop', csv });
  expect(status).toBe(422);
  expect(error?.problems[0]?.message).toMatch(/nested|levels/);
  expect(await service.database.query(`SELECT FROM shop_daily_statistics WHERE shop_id = 'deep'`)).toEqual(
    [],
  );
});
