import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { countDeadlocks } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

const importCsv = (csv: string, kind: string) => operator.call('statistics.importDays', { kind, csv });

/** Returns the result of an import, and how many statements its transaction ran. */
async function countStatements<T>(work: () => Promise<T>): Promise<{ result: T; statementCount: number }> {
  const { bulkPool } = service.app.services.db;
  const client = await bulkPool.connect();
  const querySpy = vi.spyOn(client, 'query');
  client.release();
  try {
    const result = await work();
    return { result, statementCount: querySpy.mock.calls.length };
  } finally {
    querySpy.mockRestore();
  }
}

it.each(['shop', 'listing'])(
  'a file of days of a %s is stored with few statements, however many shops it has, by the rules of the API',
  async (kind) => {
    const shopCount = 2_000;
    const [field, table] =
      kind === 'shop' ? ['total_orders', 'shop_daily_statistics'] : ['visits', 'product_daily_statistics'];
    const makeCsv = (value: (n: number) => number) =>
      `shop_id,date,${kind === 'listing' ? 'listing_id,' : ''}${field},extra\n${Array.from(
        { length: shopCount },
        (_, n) =>
          `many-${n},2026-03-01,${kind === 'listing' ? '7,' : ''}${value(n)},"{""kept${value(n)}"": 1}"\n`,
      ).join('')}`;
    const first = await countStatements(() =>
      importCsv(
        makeCsv((n) => n),
        kind,
      ),
    );
    expect(first.result.data).toEqual({ inserted: shopCount, updated: 0, unchanged: 0 });
    expect(first.statementCount).toBeGreaterThan(0);
    expect(first.statementCount).toBeLessThan(20);
    // Every second shop has a new value.
    const second = await countStatements(() =>
      importCsv(
        makeCsv((n) => n + (n % 2)),
        kind,
      ),
    );
    expect(second.result.data).toEqual({ inserted: 0, updated: shopCount / 2, unchanged: shopCount / 2 });
    expect(second.statementCount).toBeLessThan(20);
    const storedDays = await service.database.query(
      `SELECT d.shop_id, d.${field}::int AS value, d.extra, r.before -> '${field}' AS before, r.after -> '${field}' AS after
         FROM ${table} d LEFT JOIN statistic_restatements r ON r.shop_id = d.shop_id AND r.kind = $1
        WHERE d.shop_id IN ('many-8', 'many-9') ORDER BY d.shop_id`,
      [kind === 'shop' ? 'shop' : 'product'],
    );
    expect(storedDays).toEqual([
      { shop_id: 'many-8', value: 8, extra: { kept8: 1 }, before: null, after: null },
      { shop_id: 'many-9', value: 10, extra: { kept9: 1, kept10: 1 }, before: 9, after: 10 },
    ]);
  },
);

it('files with the same shops in different orders are imported at the same time without a deadlock', async () => {
  // More than one statement for each file, which begin with different rows because one file has more shops.
  const shopIds = Array.from({ length: 1_500 }, (_, n) => `${['Ä', 'a-', 'a_', 'B', '😀', '店'][n % 6]}${n}`);
  const makeCsv = (ids: readonly string[], value: number) =>
    `shop_id,date,total_orders\n${ids.map((id) => `${id},2026-03-02,${value}\n`).join('')}`;
  expect((await importCsv(makeCsv(shopIds, 0), 'shop')).status).toBe(200);
  for (let round = 1; round <= 3; round++) {
    const responses = await Promise.all([
      importCsv(makeCsv(shopIds, round), 'shop'),
      importCsv(makeCsv(shopIds.slice(200).reverse(), round + 10), 'shop'),
      importCsv(makeCsv([...shopIds.slice(900), ...shopIds.slice(100, 900)], round + 20), 'shop'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  expect(await countDeadlocks(service.database)).toBe(0);
});
