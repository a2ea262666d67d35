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

/** Returns the result of `work`, and how many statements it ran. */
async function countStatements<T>(work: () => Promise<T>): Promise<{ result: T; statementCount: number }> {
  const { pool } = service.app.services.db;
  let statementCount = 0;
  const count = () => statementCount++;
  pool.on('acquire', count);
  try {
    return { result: await work(), statementCount };
  } finally {
    pool.off('acquire', count);
  }
}

it('the shops with days of listings are found with few statements, however many shops and days there are', async () => {
  const shopCount = 2_000;
  await service.database.query(
    `INSERT INTO product_daily_statistics (shop_id, date, listing_id)
     SELECT 'shop-' || n, date '2026-03-01', 1 FROM generate_series(1, $1::int) n
      UNION ALL SELECT 'large', '2026-03-01', n FROM generate_series(1, 6000) n
      UNION ALL SELECT 'last', '2026-03-01', 1`,
    [shopCount],
  );
  const { result, statementCount } = await countStatements(() => operator.call('statistics.knownShops'));
  const shopIds = result.data.map((shop: { shop_id: string }) => shop.shop_id);
  expect(shopIds).toEqual(
    expect.arrayContaining(['large', 'last', 'shop-1', `shop-${shopCount}`, 'test-shop']),
  );
  expect(shopIds).toHaveLength(shopCount + 3);
  expect(statementCount).toBeLessThan(20);

  const preview = await countStatements(() =>
    operator.call('statistics.previewDays', {
      kind: 'listing',
      csv: 'listing_id,shop_id,date\n1,shop-1,2026-03-01\n1,new,2026-03-01',
    }),
  );
  expect(preview.result.data).toMatchObject({ unknown_shop_ids: ['new'], unknown_shop_count: 1 });
  expect(preview.statementCount).toBeLessThan(20);
});
