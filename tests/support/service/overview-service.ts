import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { readOverview } from '../../../src/server/overview/service';
import { createShop } from '../../../src/server/shops/account-service';
import { startTestService, TEST_ACTOR, type TestService } from './test-service';

/** The range that the overview tests read, and an instant after its end. */
export const WEEK = { from: '2026-08-08', to: '2026-08-14' };
export const AFTER_WEEK = '2026-09-15T16:00:00Z';

export interface OverviewService {
  service: TestService;
  /** The id of a shop in USD, whose marketplace shop ID is `test-shop`. */
  dollarShopId: number;
  /** The id of the shop Owl in GBP, whose marketplace shop ID is `owl`. */
  poundShopId: number;
  read(range?: { from: string; to: string; shops?: number[] }, now?: string): ReturnType<typeof readOverview>;
  /** Returns the row of a new order in USD. */
  createOrderRow(day: string, amount: string, members?: object): object;
  /** Imports orders, by default into the shop in USD. */
  importOrders(rows: object[], shopId?: number): Promise<void>;
  /** Stores a shop's statistics for one day. */
  sendStatistics(date: string, figures: object, marketplaceShopId?: string): Promise<void>;
}

/** Sets up a service with two shops, and deletes orders and statistics before each test. Use the result only inside tests. */
export function startOverviewService(): OverviewService {
  const overview = {} as OverviewService;
  let receiptCount = 0;

  beforeAll(async () => {
    const service = await startTestService();
    const dollarShopId = service.shopId;
    const { db } = service.app.services;
    const owl = await createShop(db, TEST_ACTOR, { name: 'Owl', shopId: 'owl', currency: 'GBP' });
    await service.database.query(`UPDATE shops SET currency = 'USD' WHERE id = $1`, [dollarShopId]);
    Object.assign(overview, {
      service,
      dollarShopId,
      poundShopId: owl.id,
      async read(range = WEEK, now = AFTER_WEEK) {
        await service.app.services.searchIndexer.finishIndexing();
        return readOverview(db, range, {
          userId: 1,
          timeZone: 'America/New_York',
          hasCarrier: false,
          now: Date.parse(now),
        });
      },
      createOrderRow: (day, amount, members = {}) => ({
        receipt_id: `r${++receiptCount}`,
        title: 'Fox',
        item_total: amount,
        currency: 'USD',
        sale_date: day,
        ...members,
      }),
      async importOrders(rows, shopId = dollarShopId) {
        const { status, text } = await service.importRows(rows, { account_id: shopId });
        expect(status, text).toBe(200);
      },
      async sendStatistics(date, figures, marketplaceShopId = 'test-shop') {
        const { status, text } = await service.send('/api/shop-statistics', {
          body: { shop_id: marketplaceShopId, date, ...figures },
        });
        expect(status, text).toBe(200);
      },
    } satisfies OverviewService);
  });
  afterAll(() => overview.service.close());
  beforeEach(async () => {
    for (const table of ['orders', 'order_days', 'shop_daily_statistics', 'product_daily_statistics'])
      await overview.service.database.query(`DELETE FROM ${table}`);
  });
  return overview;
}
