import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { readOverview } from '../../../src/server/overview/service';
import { createShop } from '../../../src/server/shops/account-service';
import { startTestService, TEST_ACTOR, type TestService } from './test-service';

/** The range that the overview tests read, and an instant after its end. */
export const WEEK = { from: '2026-08-08', to: '2026-08-14' };
export const LATER = '2026-09-15T16:00:00Z';

export interface OverviewService {
  service: TestService;
  /** A shop in USD, whose marketplace shop id is `test-shop`. */
  dollars: number;
  /** The shop Owl in GBP, whose marketplace shop id is `owl`. */
  pounds: number;
  read(range?: { from: string; to: string; shops?: number[] }, now?: string): ReturnType<typeof readOverview>;
  /** Returns the row of a new order in USD. */
  order(day: string, amount: string, more?: object): object;
  sell(rows: object[], shop?: number): Promise<void>;
  /** Stores a shop's statistics for one day. */
  report(date: string, more: object, shopId?: string): Promise<void>;
}

/** Sets up a service with two shops, and deletes orders and statistics before each test. Use the result only inside tests. */
export function startOverviewService(): OverviewService {
  const overview = {} as OverviewService;
  let receipts = 0;

  beforeAll(async () => {
    const service = await startTestService();
    const dollars = service.accountId;
    const { db } = service.app.services;
    const owl = await createShop(db, TEST_ACTOR, { name: 'Owl', shopId: 'owl', currency: 'GBP' });
    await service.database.query(`UPDATE shops SET currency = 'USD' WHERE id = $1`, [dollars]);
    Object.assign(overview, {
      service,
      dollars,
      pounds: owl.id,
      async read(range = WEEK, now = LATER) {
        await service.app.services.search.settled();
        return readOverview(db, range, { userId: 1, hasCarrier: false, now: Date.parse(now) });
      },
      order: (day, amount, more = {}) => ({
        receipt_id: `r${++receipts}`,
        title: 'Fox',
        item_total: amount,
        currency: 'USD',
        sale_date: day,
        ...more,
      }),
      async sell(rows, shop = dollars) {
        const { status, text } = await service.importRows(rows, { account_id: shop });
        expect(status, text).toBe(200);
      },
      async report(date, more, shop_id = 'test-shop') {
        const { status, text } = await service.send('/api/shop-statistics', {
          body: { shop_id, date, ...more },
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
