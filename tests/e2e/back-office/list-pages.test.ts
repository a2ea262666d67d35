import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT, readReceiptIds } from '../../support/browser/back-office-orders';
import { waitForFocus } from '../../support/browser/browser';
import { headingOf, readNumbers } from '../../support/browser/queue-page';

/** All orders but the one that is shipped; they are in the queue To ship. */
const TO_SHIP_COUNT = ORDER_COUNT - 1;
const PAGE_SIZE = 25;

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('list-pages');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());
/** Reopens every entry, so that tests do not depend on each other. */
beforeEach(async () => {
  await backOffice.queryDatabase('DELETE FROM queue_states');
});

/** Opens a page with 25 rows per page. */
const withSmallPages = (path: string, work: (page: Page) => Promise<void>) =>
  backOffice.withPage(null, async (page) => {
    await page
      .context()
      .addCookies([{ name: 'brickdesk.rows', value: String(PAGE_SIZE), url: backOffice.service.url }]);
    await backOffice.visit(page, path);
    await work(page);
  });

/** A list of orders and a queue, and how to read their rows. */
const LISTS = [
  ['a list', '/orders', readReceiptIds],
  ['a queue', '/queues', readNumbers],
] as const;

const nextOf = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
const previousOf = (page: Page) => page.getByRole('button', { name: 'Previous', exact: true });

/** Opens the next page, and waits for its rows. */
async function openNextPage(page: Page, readRows: (page: Page) => Promise<string[]>): Promise<void> {
  const rows = await readRows(page);
  await nextOf(page).click();
  await expect.poll(() => readRows(page)).not.toEqual(rows);
}

describe.each(LISTS)('the pages of %s', (_kind, path, readRows) => {
  it('are turned with the same key again and again, and announced', async () => {
    await withSmallPages(path, async (page) => {
      const announcement = (count: number) =>
        page
          .getByRole('status')
          .getByText(`${count} rows shown`, { exact: true })
          .waitFor({ state: 'attached' });
      const firstRows = await readRows(page);
      expect(firstRows).toHaveLength(PAGE_SIZE);
      await nextOf(page).press('Enter');
      await announcement(PAGE_SIZE);
      const secondRows = await readRows(page);
      expect(secondRows).not.toEqual(firstRows);
      await waitForFocus(nextOf(page));
      await page.keyboard.press('Enter');
      await announcement(TO_SHIP_COUNT - 2 * PAGE_SIZE);
      // There is no further page: the focus moves to the other button.
      await waitForFocus(previousOf(page));
      expect(await nextOf(page).isDisabled()).toBe(true);
      await page.keyboard.press('Enter');
      await expect.poll(() => readRows(page)).toEqual(secondRows);
      await waitForFocus(previousOf(page));
      await page.keyboard.press('Enter');
      await expect.poll(() => readRows(page)).toEqual(firstRows);
      await waitForFocus(nextOf(page));
    });
  });

  it('keep the focus on the number of rows when it is changed on the last page', async () => {
    await withSmallPages(path, async (page) => {
      await openNextPage(page, readRows);
      await openNextPage(page, readRows);
      await expect.poll(() => readRows(page)).toHaveLength(TO_SHIP_COUNT - 2 * PAGE_SIZE);
      const choice = page.getByLabel('Rows per page');
      await choice.focus();
      await choice.selectOption('100');
      await expect.poll(() => readRows(page)).toHaveLength(TO_SHIP_COUNT);
      await waitForFocus(choice);
    });
  });
});

it('a further page is shown from its top, in a list by Previous too, and in the pane of a queue', async () => {
  await withSmallPages('/orders', async (page) => {
    await openNextPage(page, readReceiptIds);
    await previousOf(page).scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    await previousOf(page).click();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  });
  await withSmallPages('/queues', async (page) => {
    const readScrollTop = () =>
      page.getByRole('list', { name: 'Work' }).evaluate((list) => list.parentElement!.scrollTop);
    await nextOf(page).scrollIntoViewIfNeeded();
    await expect.poll(readScrollTop).toBeGreaterThan(0);
    await nextOf(page).click();
    await expect.poll(readScrollTop).toBe(0);
  });
});

describe('when the last page has no rows left', () => {
  it('a queue goes to its first page, and says that nothing is left only when that is true', async () => {
    await withSmallPages('/queues', async (page) => {
      const handleAll = async () => {
        await page.getByRole('checkbox', { name: 'Select all shown' }).check();
        await page.getByRole('button', { name: 'Mark as handled', exact: true }).click();
      };
      const emptyTitle = page.getByRole('heading', { name: 'Nothing left to do here' });
      const firstNumbers = await readNumbers(page);
      await openNextPage(page, readNumbers);
      await openNextPage(page, readNumbers);
      await expect.poll(() => readNumbers(page)).toHaveLength(TO_SHIP_COUNT - 2 * PAGE_SIZE);
      await handleAll();
      await expect.poll(() => readNumbers(page)).toEqual(firstNumbers);
      await waitForFocus(headingOf(page));
      expect(new URL(page.url()).searchParams.has('cursor')).toBe(false);
      await expect.poll(() => headingOf(page).innerText()).toBe(`To ship ${2 * PAGE_SIZE}`);
      // While the rest is loading after the first page has been handled, nothing claims that there is none.
      let releaseRequests = () => {};
      const releasePromise = new Promise<void>((resolve) => {
        releaseRequests = resolve;
      });
      await page.route('**/api/trpc/**', async (route) => {
        await releasePromise;
        await route.continue();
      });
      await handleAll();
      await expect.poll(() => readNumbers(page)).toHaveLength(0);
      expect(await emptyTitle.count()).toBe(0);
      releaseRequests();
      await expect.poll(() => readNumbers(page)).toHaveLength(PAGE_SIZE);
      await page.unrouteAll();
      await handleAll();
      await emptyTitle.waitFor();
    });
  });

  it('a list goes to its first page', async () => {
    await withSmallPages('/orders', async (page) => {
      const firstIds = await readReceiptIds(page);
      await openNextPage(page, readReceiptIds);
      await openNextPage(page, readReceiptIds);
      await expect.poll(() => readReceiptIds(page)).toHaveLength(TO_SHIP_COUNT - 2 * PAGE_SIZE);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Shipped', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Set to “Shipped”' }).click();
      await expect.poll(() => readReceiptIds(page)).toEqual(firstIds);
      expect(new URL(page.url()).searchParams.has('cursor')).toBe(false);
    });
  });
});
