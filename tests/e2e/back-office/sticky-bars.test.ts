import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeLostOrders } from '../../support/browser/queue-page';
import { screenshot } from '../../support/browser/screenshot';

const RECEIPT_IDS = Array.from({ length: 20 }, (_, index) => String(4_167_000_000 + index));

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('sticky-bars');
  await makeLostOrders(backOffice, RECEIPT_IDS);
});
afterAll(() => backOffice?.close());

/** Describes the focused element if its centre is covered by another one. Returns null if nothing has the focus. */
const readFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    // The first box: a link may be broken over several lines.
    const { left, top, width, height } = element.getClientRects()[0]!;
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const isVisible = element.contains(hit) || hit?.closest('label')?.control === element;
    const name = element.getAttribute('aria-label') ?? element.textContent;
    return { coveredName: isVisible ? null : `${name} at ${Math.round(top)}` };
  });

/** Moves the focus through the whole page. Returns the number of elements that had it, and those that were covered meanwhile. */
async function pressUntilPageEnds(page: Page, key: 'Tab' | 'Shift+Tab') {
  const coveredNames: string[] = [];
  for (let count = 0; count < 200; count++) {
    await page.keyboard.press(key);
    const focus = await readFocus(page);
    if (focus === null) return { count, coveredNames };
    if (focus.coveredName !== null) coveredNames.push(focus.coveredName);
  }
  throw new Error(`${key} does not reach the end of the page`);
}

const SCREENS = [
  ['a phone', { width: 360, height: 640 }],
  ['a laptop at a zoom of 200 %', { width: 640, height: 400 }],
  ['a wide screen at a zoom of 200 %', { width: 960, height: 540 }],
] as const;
const PAGES = ['/orders/1', '/queues/exception', '/queues/exception?entry=1'];

describe.each(SCREENS)('on %s, the bars at the edges of the screen', (screen, viewport) => {
  it.each(PAGES)('never cover the element of %s that has the focus', async (path) => {
    await backOffice.withPage(
      path,
      async (page) => {
        for (const key of ['Tab', 'Shift+Tab'] as const) {
          const { count, coveredNames } = await pressUntilPageEnds(page, key);
          expect(count).toBeGreaterThan(10);
          expect(coveredNames).toEqual([]);
        }
        await screenshot(page, `admin-sticky-bars-${screen}-${path.replaceAll(/\W/g, '-')}`);
      },
      { viewport },
    );
  });
});

describe('the actions of an order on a phone', () => {
  it.each([
    ['en-US', 360],
    ['en-US', 375],
    ['zh-CN', 360],
    ['zh-CN', 375],
  ] as const)('all fit in their bar, in %s on %i pixels', async (locale, width) => {
    await backOffice.withPage(
      '/orders/1',
      async (page) => {
        const bar = page.getByRole('button', { name: /^(Set status|设置状态)$/ }).locator('xpath=..');
        const buttons = bar.getByRole('button');
        expect(await buttons.count()).toBe(3);
        const overflows = await bar.evaluate((element) =>
          [element, ...element.querySelectorAll('*')].map((part) => part.scrollWidth - part.clientWidth),
        );
        expect(Math.max(...overflows)).toBe(0);
        await screenshot(page, `admin-order-actions-${locale}-${width}`);
      },
      { viewport: { width, height: 640 }, locale, hasTouch: true },
    );
  });
});
