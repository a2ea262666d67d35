import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { makeDailyData } from '../support/browser/back-office-days';
import { holdRequests } from '../support/browser/page-actions';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('stale-figures');
  await makeDailyData(backOffice);
});
afterAll(() => backOffice?.close());

/** Returns whether the figures with this label are dimmed and cannot be used. */
const areFiguresStale = (page: Page, label: string) =>
  page.locator(`dl[aria-label="${label}"]`).evaluate((figures) => {
    const content = figures.closest<HTMLElement>('[inert]');
    return content !== null && Number(getComputedStyle(content).opacity) < 1;
  });

describe('while those of newly chosen days are loading', () => {
  it('the figures of the overview are dimmed and cannot be used', async () => {
    await backOffice.withPage('?range=7d', async (page) => {
      const label = 'Figures for these days';
      await page.locator(`dl[aria-label="${label}"]`).waitFor();
      expect(await areFiguresStale(page, label)).toBe(false);
      const release = await holdRequests(page, /\/api\/trpc\/overview\./);
      await page.getByLabel('Days', { exact: true }).selectOption('30d');
      await expect.poll(() => areFiguresStale(page, label)).toBe(true);
      release();
      await expect.poll(() => areFiguresStale(page, label)).toBe(false);
      await page.getByText('Compared with the previous 30 days.').waitFor();
    });
  });

  it('the sums of the statistics are dimmed, and their chart draws nothing', async () => {
    await backOffice.withPage('/statistics?range=7d', async (page) => {
      const label = 'Totals for these days';
      const drawing = page.locator('section[aria-label="Revenue"] div[aria-hidden]');
      await drawing.waitFor({ state: 'attached' });
      expect(await areFiguresStale(page, label)).toBe(false);
      const release = await holdRequests(page, /\/api\/trpc\/statistics\./);
      await page.getByLabel('Days', { exact: true }).selectOption('30d');
      await expect.poll(() => areFiguresStale(page, label)).toBe(true);
      expect(await drawing.count()).toBe(0);
      release();
      await expect.poll(() => areFiguresStale(page, label)).toBe(false);
      await drawing.waitFor({ state: 'attached' });
    });
  });

  it('the calendars of missing days mark no day as missing or as stored', async () => {
    // Not only the current month: on its first day, none of its days is over yet, so none is marked.
    await backOffice.withPage('/statistics/missing?months=3', async (page) => {
      const markedDays = page.locator('td:is([data-state=missing], [data-state=stored])');
      await expect.poll(() => markedDays.count()).toBeGreaterThan(0);
      const release = await holdRequests(page, /\/api\/trpc\/statistics\./);
      await page.getByLabel('How far back').selectOption('6');
      await expect.poll(() => page.locator('table caption').count()).toBe(2 * 6);
      expect(await markedDays.count()).toBe(0);
      release();
      await expect.poll(() => markedDays.count()).toBeGreaterThan(0);
    });
  });
});
