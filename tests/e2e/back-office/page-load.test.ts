import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeDailyData } from '../../support/browser/back-office-days';
import { waitUntilSettled } from '../../support/browser/browser';
import { measureLoad, readLayoutShift } from '../../support/browser/page-load';
import { type SlowProxy, startSlowProxy } from '../../support/browser/slow-proxy';
import { csvOf } from '../../support/service/import-drafts';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

/**
 * What pages may cost a browser with an empty cache: thousands of bytes of script as transferred, requests of any kind, and
 * layout shift. `content` is text from the database that the page must include; empty if none is checked.
 */
const BUDGETS = [
  { path: '', kB: 212, maxRequests: 36, maxShift: 0.005, content: 'Delivery failed' },
  { path: '/queues', kB: 223, maxRequests: 37, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/orders', kB: 217, maxRequests: 38, maxShift: 0.005, content: 'Buyer 3' },
  { path: '/orders/templates', kB: 209, maxRequests: 35, maxShift: 0.005, content: 'Forwarder' },
  { path: '/orders/pick-list?filter={}', kB: 185, maxRequests: 30, maxShift: 0.005, content: 'Owl Magnet' },
  {
    path: '/orders/packing-slips?filter={}',
    kB: 185,
    maxRequests: 30,
    maxShift: 0.005,
    content: 'Owl Magnet',
  },
  { path: '/orders/ORDER', kB: 227, maxRequests: 38, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/imports', kB: 212, maxRequests: 37, maxShift: 0.005, content: 'Import 1' },
  { path: '/imports/1', kB: 211, maxRequests: 39, maxShift: 0.005, content: 'Fox and Bricks' },
  { path: '/import', kB: 210, maxRequests: 34, maxShift: 0.005, content: 'sold.csv' },
  { path: '/import/DRAFT', kB: 217, maxRequests: 37, maxShift: 0.005, content: 'sold.csv' },
  { path: '/tracking', kB: 214, maxRequests: 36, maxShift: 0.005, content: 'LX000000060CN' },
  { path: '/tracking/callbacks', kB: 214, maxRequests: 36, maxShift: 0.005, content: 'LX000000060CN' },
  { path: '/tracking/unmapped', kB: 209, maxRequests: 34, maxShift: 0.005, content: 'Handed to neighbour' },
  { path: '/statistics', kB: 216, maxRequests: 38, maxShift: 0.005, content: '20.50' },
  { path: '/statistics/listings', kB: 213, maxRequests: 36, maxShift: 0.005, content: 'Owl Magnet' },
  { path: '/messages', kB: 203, maxRequests: 33, maxShift: 0.005, content: 'Fox and Bricks' },
  { path: '/messages/replies', kB: 212, maxRequests: 35, maxShift: 0.005, content: '4165001003' },
  { path: '/keys', kB: 215, maxRequests: 35, maxShift: 0.005, content: 'first key' },
  { path: '/keys/1', kB: 215, maxRequests: 37, maxShift: 0.005, content: '/api/v1/tracks' },
  { path: '/catalog', kB: 212, maxRequests: 38, maxShift: 0.005, content: '' },
  { path: '/records', kB: 210, maxRequests: 35, maxShift: 0.005, content: '' },
  { path: '/shops', kB: 212, maxRequests: 34, maxShift: 0.005, content: 'Owl Atelier' },
  { path: '/people', kB: 214, maxRequests: 35, maxShift: 0.005, content: 'ann@example.com' },
  { path: '/audit', kB: 215, maxRequests: 36, maxShift: 0.005, content: 'ann signed in' },
  { path: '/settings', kB: 207, maxRequests: 34, maxShift: 0.005, content: '' },
  { path: '/account', kB: 278, maxRequests: 42, maxShift: 0.005, content: 'ann@example.com' },
] as const;

let backOffice: BackOffice;
let provider: TextProviderStandIn;
let proxy: SlowProxy;
/** Ids that are known once the data exists. */
const ids = { ORDER: '', DRAFT: '' };

const withIds = (path: string) => path.replace(/[A-Z]{3,}/g, (name) => ids[name as keyof typeof ids]);

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  provider.script({ kind: 'written', write: () => 'Hello!' });
  backOffice = await openBackOffice('page-load', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
  proxy = await startSlowProxy(backOffice.service.url);
  await makeDailyData(backOffice);
  ids.ORDER = (await backOffice.query('orders.list', { filter: {} })).orders[0].id;
  await backOffice.send('/api/v1/tracks', {
    event: 'tracking',
    data: { tracking_number: 'LX000000060CN', status: 'Handed to neighbour', time: '2026-09-02T15:04:00Z' },
  });
  await backOffice.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
  await backOffice.send('/api/marketplace/message', {
    shop_name: 'Fox and Bricks',
    order_number: '4165001003',
    messages: [{ sender: 'buyer', content: 'Hi!' }],
  });
  await backOffice.withPage('/import', async (page) => {
    const [shop] = await backOffice.query('shops.list', null);
    const csv = csvOf([{ receipt: '4165009001', title: 'Fox Sticker', sale_date: '08/01/26', quantity: 1 }]);
    const response = await page.request.post(
      `${backOffice.service.url}/api/uploads/orders?account_id=${shop.id}&file_name=sold.csv`,
      { data: csv, headers: { Origin: backOffice.service.url, 'Content-Type': 'application/octet-stream' } },
    );
    expect(response.status(), await response.text()).toBe(200);
    ids.DRAFT = (await response.json()).data.draft_id;
  });
});

afterAll(async () => {
  await proxy?.close();
  await backOffice?.close();
  await provider?.close();
});

describe('a page opened with an empty cache', () => {
  it.each(BUDGETS.map((budget) => [budget.path, budget] as const))(
    '/admin%s needs no further data, and stays within its budget',
    async (path, { kB, maxRequests, maxShift }) => {
      await backOffice.withPage(null, async (page) => {
        const load = await measureLoad(page, `${backOffice.service.url}/admin${withIds(path)}`);
        console.log(JSON.stringify({ path, ...load }));
        expect(load.calls).toEqual([]);
        expect(load.scriptBytes).toBeLessThan(kB * 1000);
        expect(load.requestCount).toBeLessThanOrEqual(maxRequests);
        expect(load.layoutShift, load.movedElements.join('\n')).toBeLessThanOrEqual(maxShift);
      });
    },
  );

  it.each(['', '/orders/ORDER', '/statistics', '/tracking'])(
    '/admin%s does not shift while its HTML arrives in pieces',
    async (path) => {
      await backOffice.withPage(null, async (signedInPage) => {
        const context = signedInPage.context();
        const slowContext = await context
          .browser()!
          .newContext({ storageState: await context.storageState() });
        const page = await slowContext.newPage();
        await page.goto(`${proxy.url}/admin${withIds(path)}`);
        await waitUntilSettled(page);
        const { movedElements } = await readLayoutShift(page);
        await slowContext.close();
        expect(movedElements).toEqual([]);
      });
    },
  );

  it('shows its content without JavaScript', async () => {
    await backOffice.withPage(null, async (signedInPage) => {
      const context = signedInPage.context();
      const contextWithoutScripts = await context.browser()!.newContext({
        javaScriptEnabled: false,
        storageState: await context.storageState(),
      });
      const page = await contextWithoutScripts.newPage();
      const problems: string[] = [];
      for (const { path, content } of BUDGETS) {
        await page.goto(`${backOffice.service.url}/admin${withIds(path)}`);
        const text = await page.getByRole('main').innerText();
        // Only charts need scripts. The figures beside them do not.
        const skeletonCount = await page.locator('main .mantine-Skeleton-root:not([data-chart])').count();
        if (!text.includes(content) || skeletonCount > 0)
          problems.push(`${path}: ${skeletonCount} skeletons, ${text.slice(0, 300)}`);
      }
      await contextWithoutScripts.close();
      expect(problems).toEqual([]);
    });
  });
});

it('the scripts of a page tell V8 to compile all their functions at once, so that its code cache keeps them', async () => {
  await backOffice.withPage('/orders', async (page) => {
    const urls = await page
      .locator('script[src]:not([nomodule])')
      .evaluateAll((scripts) => scripts.map((script) => (script as HTMLScriptElement).src));
    expect(urls.length).toBeGreaterThan(10);
    for (const url of urls) {
      const response = await fetch(url, { headers: { 'Accept-Encoding': 'br' } });
      expect(response.headers.get('content-encoding'), url).toBe('br');
      expect((await response.text()).startsWith('//# allFunctionsCalledOnLoad\n'), url).toBe(true);
    }
  });
});
