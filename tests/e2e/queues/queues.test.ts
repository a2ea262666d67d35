import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { dateDaysAgo } from '../../support/browser/back-office-days';
import {
  measureHorizontalOverflow,
  waitForAnimations,
  waitUntilSettled,
} from '../../support/browser/browser';
import {
  entryLinksOf,
  headingOf,
  makeStuckOrders,
  pressKeys,
  readChosenNumber,
  readNumbers,
  rowOf,
  STUCK_ORDERS,
  trackingNumberOf,
} from '../../support/browser/queue-page';
import { screenshot } from '../../support/browser/screenshot';
import { findSmallTapAreas } from '../../support/browser/tap-areas';
import { itRendersInEveryView } from '../../support/browser/views';

const VIEWER_EMAIL = 'viewer@example.com';
const [FIRST_RECEIPT_ID, SECOND_RECEIPT_ID, THIRD_RECEIPT_ID] = STUCK_ORDERS.map(
  ({ receiptId }) => receiptId,
) as [string, string, string];

/** When the orders were sold. A day of another year is shown with its year. */
const SALE_DAY = dateDaysAgo(0).startsWith('2026') ? 'Aug 22' : 'Aug 22, 2026';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-queues');
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  const shopId = await makeStuckOrders(backOffice);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await backOffice.send('/api/orders/import', {
    account_id: shopId,
    rows: [rowOf('4166000011', { sale_date: '8/1/2026' }), rowOf('4166000012', { sale_date: hourAgo })],
  });
});
afterAll(() => backOffice?.close());
/** Opens every entry again, so that tests do not depend on each other. */
beforeEach(async () => {
  await backOffice.queryDatabase('DELETE FROM queue_states');
});

const workLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Work/ });

describe('the queue of exceptions', () => {
  it('shows its entries, how many there are of each cause and in each queue, and the first order beside the list', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await expect.poll(() => headingOf(page).innerText()).toBe('Exceptions 5');
      await page
        .getByText('Orders with a shipment exception, in all shops and from any date. The newest come first.')
        .waitFor();
      await expect.poll(() => readNumbers(page)).toEqual(STUCK_ORDERS.map(({ receiptId }) => receiptId));
      expect(await entryLinksOf(page).first().innerText()).toMatch(
        /^4166000005\s+Lost\s+2h\s+Buyer 5 · Owl Magnet$/,
      );
      const chips = page.getByRole('group', { name: 'Filter by cause' }).getByRole('button');
      await expect
        .poll(() => chips.allInnerTexts())
        .toEqual(['All 5', 'Returned 2', 'Customs 1', 'Damaged 1', 'Lost 1']);
      const gapAbove = await page
        .getByRole('group', { name: 'Filter by cause' })
        .evaluate(
          (group) =>
            group.getBoundingClientRect().top - group.previousElementSibling!.getBoundingClientRect().bottom,
        );
      expect(gapAbove).toBeGreaterThanOrEqual(8);
      const tabs = page.getByRole('navigation', { name: 'Work' }).getByRole('link');
      await expect
        .poll(() => tabs.allInnerTexts())
        .toEqual([
          'To ship 2',
          'Late 1',
          'Exceptions 5',
          'Delivery failed 0',
          'Not scanned 0',
          'Replies to review 0',
          'Unmatched callbacks 0',
        ]);
      await expect.poll(() => workLink(page).innerText()).toMatch(/^Work\s+5\s+exceptions\s+7\s+open$/);
      // The order is open beside the list.
      const order = page.getByRole('article');
      await order.getByText(trackingNumberOf(FIRST_RECEIPT_ID)).first().waitFor();
      await order.getByText('Owl Magnet').waitFor();
      await order.getByText(new RegExp(`^sold ${SALE_DAY}`)).waitFor();
      await order.getByText('1 Example Street').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('shows the time of a sale in New York time, even to a user in another time zone', async () => {
    await backOffice.queryDatabase(
      `UPDATE users SET time_zone = 'Asia/Shanghai' WHERE email = '${VIEWER_EMAIL}'`,
    );
    await backOffice.withPage(
      '/queues/exception',
      (page) => page.getByRole('article').getByText(`sold ${SALE_DAY}, 12:00 AM EDT`).waitFor(),
      { userEmail: VIEWER_EMAIL },
    );
  });

  it('has a cause filter, which is kept in the URL', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await page.getByRole('button', { name: 'Returned 2' }).click();
      await expect.poll(() => readNumbers(page)).toEqual([SECOND_RECEIPT_ID, THIRD_RECEIPT_ID]);
      await page.reload();
      await waitUntilSettled(page);
      expect(await readNumbers(page)).toEqual([SECOND_RECEIPT_ID, THIRD_RECEIPT_ID]);
      await page.getByRole('button', { name: 'All 5' }).click();
      await expect.poll(() => readNumbers(page)).toHaveLength(5);
    });
  });

  it('is navigated with J and K, and opens the order with Enter', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'j', 'j');
      await expect.poll(() => readChosenNumber(page)).toBe(THIRD_RECEIPT_ID);
      await pressKeys(page, 'k');
      await expect.poll(() => readChosenNumber(page)).toBe(SECOND_RECEIPT_ID);
      await page.getByRole('article').getByText(trackingNumberOf(SECOND_RECEIPT_ID)).first().waitFor();
      await pressKeys(page, 'Enter');
      await page.waitForURL(/\/admin\/orders\/\d+$/);
      await page.goBack();
      await expect.poll(() => readChosenNumber(page)).toBe(SECOND_RECEIPT_ID);
    });
  });

  it('brings a handled entry back when a callback reports something new', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      // The page shows the change before it is saved.
      const saveResponsePromise = page.waitForResponse(/queues\.handle/);
      await pressKeys(page, 'h');
      await expect.poll(() => readNumbers(page)).not.toContain(FIRST_RECEIPT_ID);
      await saveResponsePromise;
      await backOffice.send('/api/v1/tracks', {
        event: 'tracking',
        data: {
          tracking_number: trackingNumberOf(FIRST_RECEIPT_ID),
          status: 'exception',
          description: 'Search has begun',
        },
      });
      await backOffice.visit(page, '/queues/exception');
      expect(await readNumbers(page)).toContain(FIRST_RECEIPT_ID);
      await page.getByText('Search has begun').first().waitFor();
    });
  });

  it('cannot be changed by a viewer', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        expect(await page.getByRole('button', { name: 'Mark as handled' }).count()).toBe(0);
        expect(await page.getByRole('checkbox').count()).toBe(0);
        await pressKeys(page, 'h', 'j');
        await expect.poll(() => readChosenNumber(page)).toBe(SECOND_RECEIPT_ID);
        expect(await readNumbers(page)).toHaveLength(5);
      },
      { userEmail: VIEWER_EMAIL },
    );
  });
});

describe('on a phone', () => {
  const phoneOptions = { viewport: { width: 360, height: 800 }, hasTouch: true };

  it('the list comes first, then the entry, and then the list again', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        expect(await page.getByRole('article').isVisible()).toBe(false);
        await entryLinksOf(page).nth(1).click();
        await page.getByRole('heading', { level: 2, name: SECOND_RECEIPT_ID }).waitFor();
        expect(await entryLinksOf(page).first().isVisible()).toBe(false);
        expect(await measureHorizontalOverflow(page)).toBe(0);
        await page.getByRole('button', { name: 'Mark as handled', exact: true }).click();
        await page.getByRole('heading', { level: 2, name: THIRD_RECEIPT_ID }).waitFor();
        await page.getByRole('button', { name: 'Back to the list' }).click();
        await expect.poll(() => readNumbers(page)).toHaveLength(4);
        await page.getByRole('article').waitFor({ state: 'hidden' });
      },
      phoneOptions,
    );
  });

  it('every button, field, link and checkbox has a tap area of at least 44 × 44 px', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        expect(await findSmallTapAreas(page)).toEqual([]);
        await entryLinksOf(page).first().click();
        await page.getByRole('button', { name: 'Ask the carrier' }).waitFor();
        expect(await findSmallTapAreas(page)).toEqual([]);
        await page.getByRole('button', { name: 'Snooze' }).click();
        await page.getByRole('menuitem', { name: '1 day' }).waitFor();
        expect(await findSmallTapAreas(page, '[role=menu]')).toEqual([]);
      },
      phoneOptions,
    );
  });

  it('selecting an entry does not move the list, and the last of the actions is within reach', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        const entry = entryLinksOf(page).nth(1);
        const { y } = (await entry.boundingBox())!;
        await page.getByRole('list', { name: 'Work' }).getByRole('checkbox').nth(1).tap();
        const actions = page.getByRole('group', { name: 'Selected entries' });
        await actions.getByText('1 selected').waitFor();
        expect((await entry.boundingBox())!.y).toBe(y);
        // Its code is loaded with the first selection.
        const lastAction = actions.getByRole('button', { name: 'Ask the carrier' });
        await lastAction.waitFor();
        expect((await entry.boundingBox())!.y).toBe(y);
        expect(await measureHorizontalOverflow(page)).toBe(0);
        await screenshot(page, 'admin-queue-selection-phone');
        await lastAction.tap();
        await page.getByRole('dialog').waitFor();
      },
      phoneOptions,
    );
  });

  it('a checkbox accepts taps 20 px off its centre', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        const entryCheckbox = page.getByRole('list', { name: 'Work' }).getByRole('checkbox').nth(1);
        const tapBeside = async (checkbox: Locator, offset: number) => {
          await waitForAnimations(page);
          const { x, y, width, height } = (await checkbox.boundingBox())!;
          await page.touchscreen.tap(x + width / 2 + offset, y + height / 2 + offset);
        };
        await tapBeside(entryCheckbox, 20);
        await expect.poll(() => entryCheckbox.isChecked()).toBe(true);
        await page.getByText('1 selected').waitFor();
        await page
          .getByRole('group', { name: 'Selected entries' })
          .getByRole('button', { name: 'Ask the carrier' })
          .waitFor();
        await tapBeside(entryCheckbox, -20);
        await expect.poll(() => entryCheckbox.isChecked()).toBe(false);
        const selectAllCheckbox = page.getByRole('checkbox', { name: 'Select all shown' });
        for (const offset of [20, -20]) {
          await tapBeside(selectAllCheckbox, offset);
          await expect.poll(() => selectAllCheckbox.isChecked()).toBe(offset > 0);
        }
        expect(await measureHorizontalOverflow(page)).toBe(0);
      },
      phoneOptions,
    );
  });
});

it('the Work page opens on the orders to ship; the late ones are also in a queue of their own', async () => {
  await backOffice.withPage('/queues', async (page) => {
    await expect.poll(() => headingOf(page).innerText()).toBe('To ship 2');
    await expect.poll(() => readNumbers(page)).toEqual(['4166000011', '4166000012']);
    await page.getByRole('navigation', { name: 'Work' }).getByRole('link', { name: /^Late/ }).click();
    await expect.poll(() => headingOf(page).innerText()).toBe('Late 1');
    await page.getByText('Orders paid at least 3 days ago that have not shipped, in all shops.').waitFor();
    await expect.poll(() => readNumbers(page)).toEqual(['4166000011']);
  });
});

it('a queue filtered by shop says so, and does not show the number of entries in all shops', async () => {
  await backOffice.withPage('/queues/late?shop=1', async (page) => {
    await page
      .getByText('Orders paid at least 3 days ago that have not shipped, in the selected shops.')
      .waitFor();
    await expect.poll(() => readNumbers(page)).toEqual(['4166000011']);
    expect(await headingOf(page).innerText()).toBe('Late');
  });
});

it('an unknown queue is reported as a page that does not exist', async () => {
  await backOffice.withPage(
    '/account',
    async (page) => {
      await page.goto(`${backOffice.service.url}/admin/queues/unknown`);
      await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    },
    { allowedErrors: /404/ },
  );
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/queues/exception', 'queue-exception'],
    ['/queues/to_ship', 'queue-to-ship'],
    ['/queues/not_scanned', 'queue-empty'],
  ],
);
