import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { itRendersInEveryView } from '../support/browser/views';
import { trackInfoOf } from '../support/stand-ins/carrier-reports';
import { type CarrierStandIn, KEY_17TRACK, startCarrierStandIn } from '../support/stand-ins/carrier-stand-in';

const VIEWER_EMAIL = 'viewer@example.com';

let backOffice: BackOffice;
let carrier: CarrierStandIn;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  backOffice = await openBackOffice('admin-tracking', {
    CARRIER: '17track',
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
    // The refresh that begins every four hours would ask the carrier too.
    BACKGROUND_JOBS: 'false',
  });
});

afterAll(async () => {
  await backOffice?.close();
  await carrier?.close();
});

const sendCallback = (tracking_number: string, status: string, description: string, hour: number) =>
  backOffice.send('/api/v1/tracks', {
    data: { tracking_number, status, description, time: `2026-08-23T${hour}:00:00Z` },
  });

const cell = (page: Page, name: string | RegExp) => page.getByRole('cell', { name });

describe('without any data', () => {
  it('the pages say that there is nothing to show yet', async () => {
    await backOffice.withPage('/tracking', async (page) => {
      await page.getByRole('heading', { name: 'There are no shipments yet' }).waitFor();
    });
    await backOffice.withPage('/tracking/callbacks', async (page) => {
      await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
    });
    await backOffice.withPage('/tracking/unmapped', async (page) => {
      await page.getByRole('heading', { name: 'Every status is understood' }).waitFor();
    });
  });

  it('the first shipments and callbacks are accepted', async () => {
    const { id: shopId } = await backOffice.call('shops.create', { name: 'Fox and Bricks' });
    await backOffice.send('/api/orders/import', {
      account_id: shopId,
      rows: ['WAY0001CN', 'WAY0002CN', 'WAY0003CN'].map((tracking_number, index) => ({
        receipt_id: `400000000${index}`,
        sale_date: '8/22/2026',
        tracking_number,
      })),
    });
    await sendCallback('WAY0001CN', 'in_transit', 'Departed', 10);
    await sendCallback('WAY0002CN', 'Handed to neighbour', 'With the neighbour', 11);
    await backOffice.send('/api/v1/tracks', { hello: 'there' });
    await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  });
});

describe('shipments', () => {
  it('are counted by status, and a count links to the shipments with that status', async () => {
    await backOffice.withPage('/tracking', async (page) => {
      await page.getByRole('link', { name: 'WAY0003CN' }).waitFor();
      // Not “Expired”, as for a key: 17TRACK means that the shipment has been in transit for too long.
      await page.getByRole('link', { name: '0 In transit for too long' }).waitFor();
      await page.getByRole('link', { name: '1 In transit' }).click();
      await page.waitForURL(/\?status=in_transit$/);
      await page.getByRole('link', { name: 'WAY0003CN' }).waitFor({ state: 'hidden' });
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('link', { name: 'WAY0001CN' }).waitFor();
    });
  });

  it('open beside the list with their timeline and orders, even from a link, and close with Esc', async () => {
    await backOffice.withPage('/tracking?shipment=WAY0001CN', async (page) => {
      const drawer = page.getByRole('dialog');
      await drawer.getByText('Departed').waitFor();
      expect(await drawer.getByRole('link', { name: '4000000000' }).getAttribute('href')).toMatch(
        /\/admin\/orders\/\d+$/,
      );
      await drawer
        .getByText(/tracking-text\?tracking_number=WAY0001CN/)
        .first()
        .waitFor();
      await drawer.getByRole('tab', { name: 'Ask the carrier' }).click();
      await drawer
        .getByText(/api\/logistics\?tracking_number=WAY0001CN/)
        .first()
        .waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.waitForURL(/\/tracking$/);
      await drawer.waitFor({ state: 'hidden' });
    });
  });

  it('are selected on a phone by tapping their checkboxes', async () => {
    await backOffice.withPage(
      '/tracking',
      async (page) => {
        await page.getByLabel('Select WAY0002CN').tap();
        await page.getByRole('button', { name: 'Ask the carrier about 1 shipment' }).waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
      },
      { viewport: { width: 360, height: 800 }, hasTouch: true },
    );
  });

  it('are no longer selected once a filter has changed, even if it is changed back', async () => {
    await backOffice.withPage('/tracking', async (page) => {
      await page.getByLabel('Select WAY0002CN').check();
      await page.getByText('1 selected').waitFor();
      await page.getByRole('link', { name: '1 In transit' }).click();
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('link', { name: '3 All' }).click();
      await expect.poll(() => page.getByRole('row').count()).toBe(4);
      expect(await page.getByText('1 selected').count()).toBe(0);
      expect(await page.getByLabel('Select WAY0002CN').isChecked()).toBe(false);
    });
  });

  it('are looked up with the carrier one by one or several at a time, each with its own result', async () => {
    carrier.script('WAY0003CN', {
      kind: 'known',
      report: trackInfoOf({ status: 'Delivered', sub_status: 'Delivered_Other' }, [
        {
          time_iso: '2026-08-24T12:00:00Z',
          time_utc: '2026-08-24T12:00:00Z',
          description: 'Left at the door',
          location: null,
          stage: 'Delivered',
          sub_status: 'Delivered_Other',
          address: {},
        },
      ]),
    });
    carrier.script('WAY0002CN', { kind: 'unknown' });
    await backOffice.withPage('/tracking', async (page) => {
      await page.getByLabel('Select WAY0002CN').check();
      await page.getByLabel('Select WAY0003CN').check();
      await page.getByRole('button', { name: 'Ask the carrier about 2 shipments' }).click();
      const results = page.getByRole('dialog', { name: 'What the carrier said' });
      await results.getByRole('row', { name: /WAY0003CN Answered Delivered/ }).waitFor();
      await results.getByRole('row', { name: /WAY0002CN Unknown/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: '1 Delivered' }).waitFor();
      await page.getByRole('link', { name: 'WAY0003CN' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Ask the carrier now' }).click();
      await page.getByText('1 answer, no new status, no order changed.').waitFor();
    });
  });
});

describe('callbacks', () => {
  it('are filtered by outcome or tracking number, with the filter in the URL', async () => {
    await backOffice.withPage('/tracking/callbacks', async (page) => {
      await cell(page, /unknown status "Handed to neighbour"/).waitFor();
      await page.getByLabel('Outcome').selectOption('nothing');
      await page.waitForURL(/outcome=nothing/);
      await cell(page, /the body is neither a 17TRACK v2 webhook/).waitFor();
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
    });
    await backOffice.withPage('/tracking/callbacks?number=way0001cn', async (page) => {
      await page.getByRole('link', { name: 'WAY0001CN' }).first().waitFor();
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
    });
  });

  it('show the body as received, and what resulted from it', async () => {
    await backOffice.withPage('/tracking/callbacks?number=WAY0002CN', async (page) => {
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: /^Callback \d+/ }).waitFor();
      await page.getByText('"status": "Handed to neighbour"').waitFor();
      await page.getByText('As received').click();
      await page.getByText('"status":"Handed to neighbour"').waitFor();
      await cell(page, 'With the neighbour').waitFor();
      await page.getByText('content-type').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByText(/^1 callback replayed: no new event/).waitFor();
    });
  });

  it('are no longer selected once a filter has changed, even if it is changed back', async () => {
    await backOffice.withPage('/tracking/callbacks', async (page) => {
      await page.getByLabel('Select all on this page').check();
      await page.getByText('3 selected').waitFor();
      await page.getByLabel('Outcome').selectOption('nothing');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      expect(await page.getByText('3 selected').count()).toBe(0);
      await page.getByLabel('Outcome').selectOption('');
      await expect.poll(() => page.getByRole('row').count()).toBe(4);
      expect(await page.getByLabel('Select all on this page').isChecked()).toBe(false);
    });
  });

  it('are replayed together after a confirmation', async () => {
    await backOffice.withPage('/tracking/callbacks', async (page) => {
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Replay 3 callbacks' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
      await page.getByRole('dialog', { name: 'What the replay changed' }).getByRole('table').waitFor();
      await page.getByText(/^3 callbacks replayed: no new event/).waitFor();
    });
  });
});

describe('unknown statuses', () => {
  it('can be given a meaning and lose it again; the page states the effect before and after', async () => {
    await backOffice.withPage('/tracking/unmapped', async (page) => {
      await page.getByLabel('Meaning of Handed to neighbour').selectOption('delivered');
      await page.getByRole('button', { name: 'Set meaning' }).click();
      const confirmation = page.getByRole('dialog');
      await confirmation.getByText('“Handed to neighbour” will mean “Delivered”.').waitFor();
      await confirmation.getByText(/^1 stored event of 1 shipment/).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await confirmation.getByRole('button', { name: 'Set meaning' }).click();
      await page.getByText('“Handed to neighbour” now means “Delivered”').waitFor();
      await page.getByText('1 event, 1 shipment and 1 order changed.').waitFor();
      await page.getByRole('heading', { name: 'Every status is understood' }).waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      await confirmation.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('“handed to neighbour” no longer has a meaning').waitFor();
      await cell(page, /^Handed to neighbour/).waitFor();
    });
  });

  it('can have their callbacks replayed', async () => {
    await backOffice.withPage('/tracking/unmapped', async (page) => {
      await page.getByRole('button', { name: 'Actions for Handed to neighbour' }).click();
      await page.getByRole('menuitem', { name: 'Replay its callbacks' }).click();
      await page.getByText(/^1 callback replayed/).waitFor();
    });
  });
});

describe('a viewer', () => {
  it('sees no controls to query carriers, replay callbacks or set meanings', async () => {
    const expectNoActions = async (page: Page) => {
      await page.getByRole('table').first().waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('button', { name: /Ask|Replay|Set|Remove/ }).count()).toBe(0);
    };
    for (const path of ['/tracking?shipment=WAY0001CN', '/tracking/callbacks', '/tracking/unmapped'])
      await backOffice.withPage(path, expectNoActions, { userEmail: VIEWER_EMAIL });
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/tracking', 'shipments'],
    ['/tracking?shipment=WAY0001CN', 'shipment', 'dialog'],
    ['/tracking/callbacks', 'callbacks'],
    ['/tracking/callbacks/1', 'callback'],
    ['/tracking/unmapped', 'unmapped'],
  ],
);
