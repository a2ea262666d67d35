import { DateTime } from 'luxon';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { LISTING_ID, makeDailyData } from '../../support/browser/back-office-days';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('current-date');
  await makeDailyData(backOffice);
});
afterAll(() => backOffice?.close());

describe('pages whose days depend on the current date', () => {
  // Not one of the pages that other tests use again: a page keeps its changed clock.
  const OWN_PAGE = { locale: 'en-US', userAgent: 'A browser with another clock' };
  /** Not 24 hours later: that is two days later, or still today, around the change to or from daylight saving time. */
  const ONE_DAY = { days: 1 };
  const newYorkNow = () => DateTime.now().setZone('America/New_York');
  const readLastDay = (page: Page) => page.getByLabel('Last day', { exact: true }).inputValue();

  it('hydrate without an error if the browser’s date differs from the server’s, and then show the browser’s', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        const tomorrow = newYorkNow().plus(ONE_DAY);
        await page.clock.setFixedTime(tomorrow.toMillis());
        for (const path of [
          '',
          '/statistics',
          '/statistics/listings',
          `/statistics/listings/${LISTING_ID}`,
        ]) {
          await backOffice.visit(page, path);
          await expect.poll(() => readLastDay(page), { message: path }).toBe(tomorrow.toISODate());
        }
        for (const path of ['/statistics/missing', '/statistics/import', '/tracking?idle=3'])
          await backOffice.visit(page, path);
      },
      OWN_PAGE,
    );
  });

  it('show the new day when the reader returns to them after midnight', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        const today = newYorkNow();
        const tomorrow = today.plus(ONE_DAY);
        await page.clock.setFixedTime(today.toMillis());
        await backOffice.visit(page, '');
        expect(await readLastDay(page)).toBe(today.toISODate());
        await page.clock.setFixedTime(tomorrow.toMillis());
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await expect.poll(() => readLastDay(page)).toBe(tomorrow.toISODate());
      },
      OWN_PAGE,
    );
  });
});
