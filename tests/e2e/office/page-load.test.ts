import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settled } from '../../support/browser/browser';
import { csvOf } from '../../support/browser/import-page';
import { type Office, openOffice } from '../../support/browser/office';
import { makeDays } from '../../support/browser/office-days';
import { layoutShiftOf, measureLoad } from '../../support/browser/page-load';
import { openSlowDoor, type SlowDoor } from '../../support/browser/slow-door';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

/**
 * What each page may cost a browser with an empty cache: thousands of bytes of script as transferred, requests of any kind, and
 * layout shift. `shows` is content that comes from the database.
 */
const BUDGETS = [
  { at: '', kB: 212, requests: 36, shift: 0.005, shows: 'Failed deliveries' },
  { at: '/queues', kB: 223, requests: 37, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/orders', kB: 217, requests: 38, shift: 0.005, shows: 'Buyer 3' },
  { at: '/orders/templates', kB: 209, requests: 35, shift: 0.005, shows: 'Forwarder' },
  { at: '/orders/pick-list?filter={}', kB: 185, requests: 30, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/orders/packing-slips?filter={}', kB: 185, requests: 30, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/orders/ORDER', kB: 227, requests: 38, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/imports', kB: 212, requests: 37, shift: 0.005, shows: 'Import 1' },
  { at: '/imports/1', kB: 211, requests: 39, shift: 0.005, shows: 'Fox and Bricks' },
  { at: '/import', kB: 210, requests: 34, shift: 0.005, shows: 'sold.csv' },
  { at: '/import/DRAFT', kB: 217, requests: 37, shift: 0.005, shows: 'sold.csv' },
  { at: '/tracking', kB: 214, requests: 36, shift: 0.005, shows: 'LX000000060CN' },
  { at: '/tracking/callbacks', kB: 214, requests: 36, shift: 0.005, shows: 'LX000000060CN' },
  { at: '/tracking/unmapped', kB: 209, requests: 34, shift: 0.005, shows: 'Handed to neighbour' },
  { at: '/statistics', kB: 216, requests: 38, shift: 0.005, shows: '20.50' },
  { at: '/statistics/listings', kB: 213, requests: 36, shift: 0.005, shows: 'Owl Magnet' },
  { at: '/messages', kB: 203, requests: 33, shift: 0.005, shows: 'Fox and Bricks' },
  { at: '/messages/replies', kB: 212, requests: 35, shift: 0.005, shows: '4165001003' },
  { at: '/keys', kB: 215, requests: 35, shift: 0.005, shows: 'first key' },
  { at: '/keys/1', kB: 215, requests: 37, shift: 0.005, shows: '/api/v1/tracks' },
  { at: '/catalog', kB: 212, requests: 38, shift: 0.005, shows: '' },
  { at: '/records', kB: 210, requests: 35, shift: 0.005, shows: '' },
  { at: '/shops', kB: 212, requests: 34, shift: 0.005, shows: 'Owl Atelier' },
  { at: '/people', kB: 214, requests: 35, shift: 0.005, shows: 'ann@example.com' },
  { at: '/audit', kB: 215, requests: 36, shift: 0.005, shows: 'ann signed in' },
  { at: '/settings', kB: 207, requests: 34, shift: 0.005, shows: '' },
  { at: '/account', kB: 278, requests: 42, shift: 0.005, shows: 'ann@example.com' },
] as const;

let office: Office;
let provider: TextProviderStandIn;
let door: SlowDoor;
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
  door = await openSlowDoor(office.service.url);
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
  await door?.close();
  await office?.close();
  await provider?.close();
});

describe('a page that is opened cold', () => {
  it.each(BUDGETS)('$at brings its content along, within its budget', async ({ at, kB, requests, shift }) => {
    await office.onPage(null, async (page) => {
      const load = await measureLoad(page, `${office.service.url}/admin${placeOf(at)}`);
      console.log(JSON.stringify({ at, ...load }));
      expect(load.calls).toEqual([]);
      expect(load.scriptBytes).toBeLessThan(kB * 1000);
      expect(load.requests).toBeLessThanOrEqual(requests);
      expect(load.layoutShift, load.moved.join('\n')).toBeLessThanOrEqual(shift);
    });
  });

  it.each(['', '/orders/ORDER', '/statistics', '/tracking'])(
    '%s stays where it is while its HTML arrives in pieces',
    async (at) => {
      await office.onPage(null, async (signedIn) => {
        const context = signedIn.context();
        const behindDoor = await context
          .browser()!
          .newContext({ storageState: await context.storageState() });
        const page = await behindDoor.newPage();
        await page.goto(`${door.url}/admin${placeOf(at)}`);
        await settled(page);
        const { moved } = await layoutShiftOf(page);
        await behindDoor.close();
        expect(moved).toEqual([]);
      });
    },
  );

  it('shows its content where JavaScript is switched off', async () => {
    await office.onPage(null, async (signedIn) => {
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
