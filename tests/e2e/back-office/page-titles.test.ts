import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { csvOf } from '../../support/service/import-drafts';
import { type CollectorStandIn, startCollectorStandIn } from '../../support/stand-ins/collector-stand-in';

const RECEIPT_ID = '4165098857';

let backOffice: BackOffice;
let collector: CollectorStandIn;

beforeAll(async () => {
  collector = await startCollectorStandIn();
  backOffice = await openBackOffice('page-titles', {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  });
  await backOffice.call('shops.create', { name: 'Minifigures' });
  await backOffice.send('/api/orders/import', {
    account_id: 1,
    rows: [{ receipt_id: RECEIPT_ID, title: 'Fox Sticker', quantity: 1, sale_date: '11/20/2026' }],
  });
});
afterAll(async () => {
  await backOffice?.close();
  await collector?.close();
});

describe('the browser names a tab', () => {
  it.each([
    ['/catalog/categories', 'Categories'],
    ['/catalog/import', 'Import CSV'],
    ['/imports/1', 'Import 1'],
    ['/keys/1', 'Key 1'],
    ['/messages/prompt?shop=Minifigures', 'Minifigures - Prompts'],
    ['/orders/1', RECEIPT_ID],
    ['/queues', 'To ship - Work'],
    ['/queues/late', 'Late - Work'],
    ['/queues/to_review', 'Replies to review - Work'],
    ['/queues/unmatched', 'Unmatched callbacks - Work'],
    ['/statistics', 'Shop statistics - Statistics'],
    ['/statistics/listings', 'Listings - Statistics'],
    ['/statistics/listings/42', 'Listing 42'],
    ['/statistics/missing', 'Missing days - Statistics'],
    ['/statistics/rewrites', 'Changed days - Statistics'],
    ['/statistics/import', 'CSV import - Statistics'],
  ])('with /admin%s "%s"', async (path, title) => {
    await backOffice.withPage(path, async (page) => {
      await expect.poll(() => page.title()).toBe(`${title} - Brickdesk`);
    });
  });

  it('with the name of the file that is being prepared for import', async () => {
    await backOffice.withPage('/import', async (page) => {
      await page.locator('input[type=file]').setInputFiles({
        name: 'august.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          csvOf([{ receipt: '4165098858', title: 'Fox', sale_date: '08/01/26', quantity: 1 }]),
        ),
      });
      await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
      await expect.poll(() => page.title()).toBe('august.csv - Brickdesk');
    });
  });

  it('"Order" if there is no such order', async () => {
    await backOffice.withPage(
      '/orders/999',
      async (page) => {
        await expect.poll(() => page.title()).toBe('Order - Brickdesk');
      },
      { allowedErrors: /status of 404/ },
    );
  });

  it('after the order, and after the list again once the user goes there', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      await expect.poll(() => page.title()).toBe('Orders - Brickdesk');
      await page.goto(`${backOffice.service.url}/admin/orders/1`);
      await expect.poll(() => page.title()).toBe(`${RECEIPT_ID} - Brickdesk`);
      await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      await expect.poll(() => page.title()).toBe('Orders - Brickdesk');
    });
  });
});

it('somebody who is not signed in is not told the number of an order', async () => {
  const response = await fetch(`${backOffice.service.url}/admin/orders/1`, { redirect: 'manual' });
  expect(response.status).toBe(307);
  expect(await response.text()).not.toContain(RECEIPT_ID);
});

it('a page queries an order once, for its title and its content', async () => {
  await backOffice.withPage('/orders/1', async (page) => {
    await page.getByRole('heading', { level: 1 }).getByText(RECEIPT_ID).waitFor();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const response = await page.request.get(page.url(), {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    expect(await response.text()).toContain(`<title>${RECEIPT_ID} - Brickdesk</title>`);
    const spansOfPage = () => collector.spans.filter((span) => span.traceId === traceId);
    await expect
      .poll(() => spansOfPage().filter(({ name }) => name.startsWith('GET ')).length)
      .toBeGreaterThan(0);
    expect(spansOfPage().filter(({ name }) => name === 'procedure orders.one')).toHaveLength(1);
  });
});
