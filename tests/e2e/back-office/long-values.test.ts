import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { dateDaysAgo } from '../../support/browser/back-office-days';
import { measureHorizontalOverflow } from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';

const PHONE = { viewport: { width: 390, height: 844 } };
const NUMBERS = ['4166034443', '4166034444'];
const SKU = 'HD-001';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('long-values');
  await backOffice.call('shops.create', { name: 'Fox and Bricks', shop_id: 'fox', currency: 'USD' });
  const longTitle = 'Knight with a very long name '.repeat(5);
  await backOffice.send('/api/orders/import', {
    account_id: 1,
    rows: [
      {
        receipt_id: 'unbroken',
        title: 'Fox',
        sku: 'S'.repeat(64),
        buyer: 'B'.repeat(80),
        quantity: 1,
        price: '1',
        currency: 'XXX',
        sale_date: '11/20/2026',
      },
      ...NUMBERS.map((receipt_id) => ({
        receipt_id,
        sku: SKU,
        title: longTitle,
        quantity: 2,
        variations: `Photo: https://example.com/${'p'.repeat(120)}`,
        sale_date: '11/20/2026',
      })),
    ],
  });
});
afterAll(() => backOffice?.close());

const countLines = (text: Locator) =>
  text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });

describe('an order whose buyer and SKU are long and have no spaces', () => {
  it.each([360, 1280])('fits on a screen %i pixels wide', async (width) => {
    await backOffice.withPage(
      '/orders/1',
      async (page) => {
        await page.getByText('B'.repeat(80)).first().waitFor();
        expect(await measureHorizontalOverflow(page)).toBe(0);
        await screenshot(page, `admin-order-long-values-${width}`);
      },
      { viewport: { width, height: 800 } },
    );
  });

  it('shows amounts without a currency alike on the server and in the browser', async () => {
    // A page that differs logs an error, which fails the test.
    await backOffice.withPage('/orders/1', async (page) => {
      await page.getByText('1.00 XXX').first().waitFor();
    });
  });
});

describe('an amount with 13 digits on the overview', () => {
  const AMOUNT = 15_241_580_021.32;

  beforeAll(async () => {
    const date = dateDaysAgo(1);
    const sale_date = date.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1');
    await backOffice.send('/api/orders/import', {
      account_id: 1,
      rows: [
        { receipt_id: '4166034445', title: 'Gold', quantity: 1, price: AMOUNT, currency: 'USD', sale_date },
      ],
    });
    const adFigures = { ad_spend: AMOUNT, ad_revenue: AMOUNT };
    await backOffice.send('/api/shop-statistics', { shop_id: 'fox', date, ...adFigures });
    // Daily sums are updated a moment after orders arrive.
    const readSums = () => backOffice.query('overview.read', { from: date, to: date });
    await vi.waitUntil(async () => (await readSums()).orders.value === 1, { timeout: 20_000, interval: 100 });
  });

  it.each([375, 1280])('is in one line and not cut off, on a screen %i pixels wide', async (width) => {
    await backOffice.withPage(
      '?range=7d',
      async (page) => {
        const amounts = page.locator('dl dd').filter({ hasText: /^\$15,241,580,021\.32$/ });
        expect(await amounts.count()).toBe(2);
        for (const amount of await amounts.all()) {
          expect(await countLines(amount)).toBe(1);
          const {
            left,
            right,
            width: cardWidth,
          } = await amount.evaluate((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            const text = range.getBoundingClientRect();
            const card = element.parentElement!.getBoundingClientRect();
            return { left: text.left - card.left, right: text.right - card.left, width: card.width };
          });
          // The card's padding is the same on both sides.
          expect(right).toBeLessThanOrEqual(cardWidth - left);
        }
        await screenshot(page, `admin-overview-long-amounts-${width}`, { fullPage: true });
      },
      { viewport: { width, height: 800 } },
    );
  });
});

it('the pick list breaks neither an order number nor a SKU, however long the title is', async () => {
  const filter = encodeURIComponent(JSON.stringify({ ids: ['2', '3'] }));
  await backOffice.withPage(`/orders/pick-list?filter=${filter}`, async (page) => {
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 794, height: 1123 });
    for (const text of [...NUMBERS, SKU])
      expect(await countLines(page.locator('td span').filter({ hasText: text }).first())).toBe(1);
    await screenshot(page, 'admin-pick-list-long-values');
  });
});

describe('on a phone', () => {
  it('cards name the facts that would mean something else without their name', async () => {
    const labelsOn = async (path: string) => {
      let labels: string[] = [];
      await backOffice.withPage(
        path,
        async (page) => {
          const cells = page.locator('tbody tr').first().locator('td[data-card=labelled]');
          await cells.first().waitFor();
          labels = await cells.evaluateAll((elements) =>
            elements.map((element) => getComputedStyle(element, '::before').content),
          );
        },
        PHONE,
      );
      return labels;
    };
    expect(await labelsOn('/people')).toEqual([expect.stringContaining('Two-factor sign-in')]);
    expect(await labelsOn('/orders?tab=to_ship')).toEqual([expect.stringContaining('Ship by')]);
  });
});
