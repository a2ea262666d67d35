import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUEUES } from '../../../src/server/queues/queue';
import { listPagePaths } from '../../support/back-office-pages';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { dateDaysAgo, makeDailyData } from '../../support/browser/back-office-days';
import { waitUntilSettled } from '../../support/browser/browser';
import { BUDGETS, type Budget, PUBLIC_BUDGETS } from '../../support/browser/page-budgets';
import { measureLoad, readLayoutShift } from '../../support/browser/page-load';
import { type SlowProxy, startSlowProxy } from '../../support/browser/slow-proxy';
import { csvOf } from '../../support/service/import-drafts';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

/** Redirects to another page. */
const REDIRECTS = ['/docs'];

let backOffice: BackOffice;
let provider: TextProviderStandIn;
let proxy: SlowProxy;
/** Ids that are known once the data exists. */
const ids = { ORDER: '', DRAFT: '', REPLY: '' };

const withIds = (path: string) => path.replace(/[A-Z]{3,}/g, (name) => ids[name as keyof typeof ids]);

/** Adds an entry to each queue that has none yet. The draft to review is not the newest reply to its order. */
async function fillQueues(): Promise<void> {
  const [{ id: shopId }] = (await backOffice.query('shops.list', null)).filter(
    ({ name }: { name: string }) => name === 'Owl Atelier',
  );
  const makeRow = (days: number, tracking_number: string) => ({
    receipt_id: String(4_165_000_000 + shopId * 1_000 + days),
    tracking_number,
    carrier_code: 'yanwen',
  });
  const rows = [makeRow(10, 'LX000000061CN'), makeRow(11, 'LX000000062CN')];
  await backOffice.send('/api/orders/import', { account_id: shopId, rows });
  const time = `${dateDaysAgo(8)}T12:00:00Z`;
  for (const [tracking_number, status] of [
    ['LX000000061CN', 'delivery_failure'],
    ['LX000000062CN', 'InfoReceived'],
    ['ZZ770000001CN', 'in_transit'],
  ])
    await backOffice.send('/api/v1/tracks', { event: 'tracking', data: { tracking_number, status, time } });
  const [orderToReplyTo] = await backOffice.queryDatabase<{ id: string }>(
    "SELECT id::text FROM orders WHERE receipt_id = '4165001003'",
  );
  ({ id: ids.REPLY } = await backOffice.call('replyDrafts.write', {
    order_id: orderToReplyTo!.id,
    messages: [{ sender: 'buyer', content: 'Where are my magnets?' }],
  }));
}

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
  await backOffice.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be brief.', draft: true });
  await fillQueues();
  await backOffice.send('/api/marketplace/message', {
    shop_name: 'Fox and Bricks',
    order_number: '4165001003',
    messages: [{ sender: 'buyer', content: 'Hi!' }],
  });
  await backOffice.send('/api/shop-statistics', {
    shop_id: 'owl',
    date: dateDaysAgo(4),
    total_revenue: 1_000,
  });
  await backOffice.send('/api/v1/marketplace', { note: 'Stored as it arrived' });
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

async function checkBudget(
  path: string,
  { kB, maxRequests, maxShift }: Budget,
  page: Page,
  waitUntilIdle: (page: Page) => Promise<void>,
): Promise<void> {
  const load = await measureLoad(page, backOffice.service.url + path, waitUntilIdle);
  console.log(JSON.stringify({ path, ...load }));
  expect(load.calls).toEqual([]);
  expect(load.scriptBytes).toBeLessThan(kB * 1000);
  expect(load.requestCount).toBeLessThanOrEqual(maxRequests);
  expect(load.layoutShift, load.movedElements.join('\n')).toBeLessThanOrEqual(maxShift);
}

/** The page of all queues that have none of their own. */
const QUEUES_PATH = '/admin/queues/[[...queue]]';

/** Returns the path of each page, and of each queue. The names of parameters are in brackets. */
function listPathsToBudget(): string[] {
  const pagePaths = listPagePaths().map((path) => path.replace('/[prefix]', '/admin'));
  // The path of the first queue is `/queues`.
  const queuePaths = QUEUES.map((queue, index) => `/admin/queues${index === 0 ? '' : `/${queue}`}`);
  return [...new Set([...pagePaths, ...queuePaths])].filter(
    (path) => path !== QUEUES_PATH && !REDIRECTS.includes(path),
  );
}

it('every page has a budget', () => {
  const paths = listPathsToBudget();
  const budgetedPaths = [
    ...BUDGETS.map(({ path }) => `/admin${path}`),
    ...PUBLIC_BUDGETS.map(({ path }) => path),
  ];
  /** Returns the page that a budget is for. A page without parameters comes before one with parameters. */
  const pageOf = (budgetedPath: string) => {
    const [path] = budgetedPath.split('?');
    const isPattern = (page: string) => new RegExp(`^${page.replace(/\[.*?\]/g, '[^/]+')}$`).test(path!);
    return paths.find((page) => page === path) ?? paths.find(isPattern);
  };
  const pagesWithBudget = budgetedPaths.map(pageOf);
  expect(paths.filter((page) => !pagesWithBudget.includes(page))).toEqual([]);
});

describe('a page opened with an empty cache', () => {
  it.each(BUDGETS.map((budget) => [budget.path, budget] as const))(
    '/admin%s needs no further data, and stays within its budget',
    async (path, budget) => {
      await backOffice.withPage(null, async (page) => {
        await checkBudget(`/admin${withIds(path)}`, budget, page, waitUntilSettled);
      });
    },
  );

  it.each(PUBLIC_BUDGETS.map((budget) => [budget.path, budget] as const))(
    '%s needs no further data, and stays within its budget',
    async (path, budget) => {
      await backOffice.withPage(
        null,
        async (page) => {
          await checkBudget(path, budget, page, (openedPage) => openedPage.waitForLoadState('networkidle'));
        },
        { userEmail: null },
      );
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

  it.each([
    ['for the user', BUDGETS.map((budget) => ({ ...budget, path: `/admin${budget.path}` })), {}],
    ['for anybody', PUBLIC_BUDGETS, { userEmail: null }],
  ] as const)('shows its content %s without JavaScript', async (_whom, budgets, options) => {
    await backOffice.withPage(
      null,
      async (pageWithScripts) => {
        const context = pageWithScripts.context();
        const contextWithoutScripts = await context.browser()!.newContext({
          javaScriptEnabled: false,
          storageState: await context.storageState(),
        });
        const page = await contextWithoutScripts.newPage();
        const problems: string[] = [];
        for (const { path, content } of budgets) {
          await page.goto(backOffice.service.url + withIds(path));
          const text = await page.getByRole('main').innerText();
          const skeletonCount = await page.locator('main .mantine-Skeleton-root').count();
          if (!text.includes(content) || skeletonCount > 0)
            problems.push(`${path}: ${skeletonCount} skeletons, ${text.slice(0, 300)}`);
        }
        await contextWithoutScripts.close();
        expect(problems).toEqual([]);
      },
      options,
    );
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
