import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvOf } from '../support/import-page';
import { type Office, openOffice } from '../support/office';
import { makeDays } from '../support/office-days';
import { measureLoad } from '../support/page-load';
import { startTextProviderStandIn, type TextProviderStandIn } from '../support/text-provider-stand-in';

/**
 * What each page may cost a browser with an empty cache: thousands of bytes of script as transferred, requests of any kind, and
 * layout shift. `shows` is content that comes from the database.
 */
const BUDGETS = [
  { at: '', kB: 375, requests: 50, shift: 0.005, shows: 'Shipment exceptions' },
  { at: '/queues', kB: 340, requests: 40, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/orders', kB: 285, requests: 40, shift: 0.005, shows: 'Buyer 3' },
  { at: '/orders/ORDER', kB: 340, requests: 40, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/imports', kB: 325, requests: 40, shift: 0.005, shows: 'Import 1' },
  { at: '/imports/1', kB: 270, requests: 40, shift: 0.005, shows: 'Fox and Bricks' },
  { at: '/import', kB: 282, requests: 40, shift: 0.005, shows: 'sold.csv' },
  { at: '/import/DRAFT', kB: 300, requests: 40, shift: 0.005, shows: 'sold.csv' },
  { at: '/tracking', kB: 333, requests: 40, shift: 0.005, shows: 'LX000000060CN' },
  { at: '/tracking/callbacks', kB: 329, requests: 40, shift: 0.005, shows: 'LX000000060CN' },
  { at: '/tracking/unmapped', kB: 323, requests: 40, shift: 0.005, shows: 'Handed to neighbour' },
  { at: '/statistics', kB: 380, requests: 45, shift: 0.005, shows: '20.50' },
  { at: '/statistics/listings', kB: 282, requests: 45, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/messages', kB: 263, requests: 42, shift: 0.005, shows: 'Fox and Bricks' },
  { at: '/messages/replies', kB: 326, requests: 40, shift: 0.005, shows: '4165001003' },
  { at: '/keys', kB: 327, requests: 40, shift: 0.005, shows: 'first key' },
  { at: '/keys/1', kB: 327, requests: 40, shift: 0.005, shows: '/api/v1/tracks' },
  { at: '/catalog', kB: 325, requests: 40, shift: 0.005, shows: '' },
  { at: '/records', kB: 278, requests: 40, shift: 0.005, shows: '' },
  { at: '/shops', kB: 324, requests: 40, shift: 0.005, shows: 'Owl Atelier' },
  { at: '/people', kB: 326, requests: 40, shift: 0.005, shows: 'ann@example.com' },
  { at: '/audit', kB: 265, requests: 40, shift: 0.005, shows: 'ann@example.com' },
  { at: '/settings', kB: 265, requests: 40, shift: 0.005, shows: '' },
  { at: '/account', kB: 360, requests: 40, shift: 0.005, shows: 'ann@example.com' },
] as const;

let office: Office;
let provider: TextProviderStandIn;
/** Ids that only the database knows. */
const ids = { ORDER: '', DRAFT: '' };

const placeOf = (at: string) => at.replace(/[A-Z]{3,}/g, (name) => ids[name as keyof typeof ids]);

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  provider.play({ kind: 'written', by: () => 'Hello!' });
  office = await openOffice('page-load', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
  await makeDays(office);
  ids.ORDER = (await office.ask('orders.list', { filter: {} })).orders[0].id;
  await office.send('/api/v1/tracks', {
    event: 'tracking',
    data: { tracking_number: 'LX000000060CN', status: 'Handed to neighbour', time: '2026-09-02T15:04:00Z' },
  });
  await office.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
  await office.send('/api/marketplace/message', {
    shop_name: 'Fox and Bricks',
    order_number: '4165001003',
    messages: [{ sender: 'buyer', content: 'Hi!' }],
  });
  await office.onPage('/import', async (page) => {
    const [shop] = await office.ask('shops.list', null);
    const csv = csvOf([{ receipt: '4165009001', title: 'Fox Sticker', sale_date: '08/01/26', quantity: 1 }]);
    const sent = await page.request.post(
      `${office.service.url}/api/uploads/orders?account_id=${shop.id}&file_name=sold.csv`,
      { data: csv, headers: { Origin: office.service.url, 'Content-Type': 'application/octet-stream' } },
    );
    expect(sent.status(), await sent.text()).toBe(200);
    ids.DRAFT = (await sent.json()).data.draft_id;
  });
});

afterAll(async () => {
  await office?.close();
  await provider?.close();
});

describe('a page that is opened cold', () => {
  it.each(BUDGETS)('$at brings its content along, within its budget', async ({ at, kB, requests, shift }) => {
    await office.onPage('/account', async (page) => {
      const load = await measureLoad(page, `${office.service.url}/admin${placeOf(at)}`);
      console.log(JSON.stringify({ at, ...load }));
      expect(load.calls).toEqual([]);
      expect(load.scriptBytes).toBeLessThan(kB * 1000);
      expect(load.requests).toBeLessThanOrEqual(requests);
      expect(load.layoutShift).toBeLessThanOrEqual(shift);
    });
  });

  it('shows its content where JavaScript is switched off', async () => {
    await office.onPage('/account', async (signedIn) => {
      const context = signedIn.context();
      const quiet = await context.browser()!.newContext({
        javaScriptEnabled: false,
        storageState: await context.storageState(),
      });
      const page = await quiet.newPage();
      const found: string[] = [];
      for (const { at, shows } of BUDGETS) {
        await page.goto(`${office.service.url}/admin${placeOf(at)}`);
        const text = await page.getByRole('main').innerText();
        // Charts are drawn by script; the figures beside them are there without it.
        const held = await page.locator('main .mantine-Skeleton-root:not([data-chart])').count();
        if (!text.includes(shows) || held > 0) found.push(`${at}: ${held} skeletons, ${text.slice(0, 300)}`);
      }
      await quiet.close();
      expect(found).toEqual([]);
    });
  });
});
