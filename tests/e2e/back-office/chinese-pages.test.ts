import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBackOfficePages } from '../../support/back-office-pages';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitUntilSettled } from '../../support/browser/browser';
import { findSmallTapAreas } from '../../support/browser/tap-areas';
import { findUntranslatedTexts } from '../../support/untranslated-texts';

let backOffice: BackOffice;

/** Paths of pages with a parameter or a query, two of them of records that do not exist. The other pages are found in `src/app`. */
const PATHS_WITH_VALUES = [
  '/queues',
  '/queues/exception',
  '/orders/pick-list?filter={}',
  '/orders/packing-slips?filter={}',
  '/orders/999999',
  '/imports/999999',
];

const PAGE_PATHS = [
  ...listBackOfficePages()
    .map((page) => page.path)
    .filter(
      (path) => !path.includes('[') && !PATHS_WITH_VALUES.some((known) => known.startsWith(`${path}?`)),
    ),
  ...PATHS_WITH_VALUES,
];

beforeAll(async () => {
  backOffice = await openBackOffice('chinese-pages');
  await backOffice.call('shops.create', { name: 'Minifigures', shop_id: 'minifigures' });
  await backOffice.send('/api/orders/import', {
    account_id: 1,
    rows: [
      {
        receipt_id: '4165098857',
        transaction_id: '5159655655',
        title: '积木人仔',
        quantity: 2,
        price: 4.49,
        currency: 'USD',
        sale_date: '11/20/2026',
        name: '王芳',
        country_name: 'Narnia',
        tracking_number: 'LX123456789CN',
      },
    ],
  });
  await backOffice.send('/api/v1/tracks', {
    data: { tracking_number: 'LX123456789CN', status: 'in_transit', location: 'Yiwu' },
  });
  await backOffice.send('/api/shop-statistics', {
    shop_id: 'minifigures',
    date: '2026-11-20',
    total_orders: 3,
  });
  await backOffice.call('catalog.createProduct', { code: 'HD-001', category_id: 1, name: '圆头' });
});
afterAll(() => backOffice?.close());

/** Returns short values that are wrapped, and cells that are narrower than their content. */
function findBrokenCells(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const countLines = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    const problems: string[] = [];
    for (const cell of document.querySelectorAll<HTMLElement>('td, th, dt, [data-tone], button, nav a')) {
      const text = cell.innerText.trim();
      if (cell.getBoundingClientRect().width === 0 || text === '') continue;
      if (cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflow === 'visible')
        problems.push(`too narrow: ${text}`);
      const isLeaf = cell.querySelector('*') === null;
      if (isLeaf && countLines(cell) > 1 && [...text].length / countLines(cell) < 4)
        problems.push(`vertical: ${text}`);
    }
    return problems;
  });
}

/** The widths of a laptop, a tablet and, last, a phone. */
const WIDTHS = [1280, 800, 360];

/** Runs `check` on the page at each width. */
async function checkAtEachWidth(page: Page, check: () => Promise<void>): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await waitUntilSettled(page);
    await check();
  }
}

describe('in Chinese, on a laptop, a tablet and a phone,', () => {
  const pageOptions = { locale: 'zh-CN', allowedErrors: /status of 404/ };

  it.each(PAGE_PATHS)(
    '/admin%s has no text left in English, no wrapped short value, no cell that is too narrow, and on the phone no tap area that is too small',
    async (path) => {
      await backOffice.withPage(
        path,
        async (page) => {
          await checkAtEachWidth(page, async () => {
            expect(await findUntranslatedTexts(page)).toEqual([]);
            expect(await findBrokenCells(page)).toEqual([]);
          });
          expect(await findSmallTapAreas(page)).toEqual([]);
        },
        pageOptions,
      );
    },
  );

  it('an incomplete form says in Chinese what is missing', async () => {
    await backOffice.withPage(
      '/shops',
      async (page) => {
        await page.getByRole('button', { name: /添加/ }).first().click();
        await page.getByRole('dialog').locator('button[type=submit]').click();
        await page.getByText('必填').first().waitFor();
        await checkAtEachWidth(page, async () => expect(await findUntranslatedTexts(page)).toEqual([]));
      },
      pageOptions,
    );
  });
});

it('the page for an address that does not exist is in the reader’s language', async () => {
  const titles: string[] = [];
  for (const language of ['zh-CN', 'en-US']) {
    const response = await fetch(`${backOffice.service.url}/no/such/page`, {
      headers: { 'Accept-Language': language, Accept: 'text/html' },
    });
    expect(response.status).toBe(404);
    titles.push(/<h1[^>]*>([^<]*)/.exec(await response.text())?.[1] ?? '');
  }
  expect(titles).toEqual(['页面不存在', 'This page does not exist']);
});
