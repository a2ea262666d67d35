import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { dateDaysAgo, makeDailyData } from '../support/browser/back-office-days';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('statistics-chart');
  await makeDailyData(backOffice);
});
afterAll(() => backOffice?.close());

it('the chart of one shop names it, and marks the bar of today, which is not over yet, and no other', async () => {
  await backOffice.send('/api/shop-statistics', { shop_id: 'fox', date: dateDaysAgo(0), total_orders: 1 });
  await backOffice.withPage(
    `/statistics?from=${dateDaysAgo(3)}&to=${dateDaysAgo(0)}&shop=fox&chart=total_orders`,
    async (page) => {
      const chart = page.getByRole('region', { name: 'Orders', exact: true });
      await expect
        .poll(() => chart.getByRole('listitem').allInnerTexts())
        .toEqual(['Fox and Bricks', 'Today, so far']);
      const areMarked = await chart
        .locator('span[class*=bar]')
        .evaluateAll((bars) => bars.map((bar) => bar.hasAttribute('data-today')));
      expect(areMarked).toEqual([false, false, false, true]);
      await page.goto(page.url().replace(/&to=[^&]+/, `&to=${dateDaysAgo(1)}`));
      await expect.poll(() => chart.locator('span[class*=bar]').count()).toBe(3);
      expect(await chart.getByText('Today, so far').count()).toBe(0);
    },
  );
});
