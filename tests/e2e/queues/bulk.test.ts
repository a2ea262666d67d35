import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus } from '../../support/browser/browser';
import {
  headingOf,
  makeStuckOrders,
  pressKeys,
  readNumbers,
  STUCK_ORDERS,
  trackingNumberOf,
  waitForOutcomes,
} from '../../support/browser/queue-page';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';

const RECEIPT_IDS = STUCK_ORDERS.map(({ receiptId }) => receiptId);
const SECOND_RECEIPT_ID = RECEIPT_IDS[1]!;

let backOffice: BackOffice;
let carrier: CarrierStandIn;
let shopId: number;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  backOffice = await openBackOffice('queue-bulk', {
    CARRIER: '17track',
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
    // The refresh that begins every four hours would ask the carrier too.
    BACKGROUND_JOBS: 'false',
  });
  shopId = await makeStuckOrders(backOffice);
});
afterAll(async () => {
  await backOffice?.close();
  await carrier?.close();
});
/** Opens every entry again, so that tests do not depend on each other. */
beforeEach(async () => {
  await backOffice.queryDatabase('DELETE FROM queue_states');
});

describe('several selected exceptions', () => {
  it('are handled together, and put back together with U', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'x', 'j', 'x', 'j', 'Space');
      await page.getByText('3 selected').waitFor();
      await pressKeys(page, 'h');
      await expect.poll(() => readNumbers(page)).toEqual(RECEIPT_IDS.slice(3));
      await page
        .getByRole('status')
        .getByText('3 entries handled. Press U to undo.')
        .waitFor({ state: 'attached' });
      await pressKeys(page, 'u');
      await expect.poll(() => readNumbers(page)).toHaveLength(5);
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await page.getByText('5 selected').waitFor();
      await page.getByRole('button', { name: 'Mark as handled', exact: true }).click();
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await expect.poll(() => headingOf(page).innerText()).toBe('Exceptions 0');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('are no longer selected once a filter has changed, even if it is changed back', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'x', 'j', 'x');
      await page.getByText('2 selected').waitFor();
      await page.getByLabel('Assigned to').selectOption('me');
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(() => readNumbers(page)).toHaveLength(5);
      expect(await page.getByText('2 selected').count()).toBe(0);
    });
  });

  it('get the same note, with a result for each', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'x', 'j', 'x', 'n');
      const dialog = page.getByRole('dialog', { name: 'Note on 2 orders' });
      await dialog.getByLabel('Note').fill('Wrote to customs');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      const results = await waitForOutcomes(page, 2);
      expect(results.map((text) => text.replace(/^\d+\s+/, ''))).toEqual(['Note added.', 'Note added.']);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
    const notes = await backOffice.queryDatabase<{ text: string }>('SELECT text FROM order_notes');
    expect(notes).toEqual([{ text: 'Wrote to customs' }, { text: 'Wrote to customs' }]);
  });

  it('keep the text of a note that failed until it is added to all of them', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        await pressKeys(page, 'x', 'j', 'x', 'n');
        const dialog = page.getByRole('dialog', { name: 'Note on 2 orders' });
        const field = dialog.getByLabel('Note');
        await field.fill('Wrote to customs');
        await page.route('**/api/trpc/orders.addNotes*', (route) => route.abort());
        await dialog.getByRole('button', { name: 'Add note' }).click();
        await dialog.getByText('0 of 2 done, 2 failed').waitFor();
        // The run has ended once the others can be tried again.
        await dialog
          .getByRole('button', { name: 'Retry the failed ones' })
          .and(page.locator(':not([data-loading])'))
          .waitFor();
        await pressKeys(page, 'Escape');
        await dialog.waitFor({ state: 'hidden' });
        await pressKeys(page, 'n');
        await expect.poll(() => field.inputValue()).toBe('Wrote to customs');
        await page.unroute('**/api/trpc/orders.addNotes*');
        await dialog.getByRole('button', { name: 'Add note' }).click();
        await waitForOutcomes(page, 2);
        await pressKeys(page, 'Escape');
        await dialog.waitFor({ state: 'hidden' });
        await pressKeys(page, 'n');
        await waitForFocus(field);
        expect(await field.inputValue()).toBe('');
      },
      { allowedErrors: /ERR_FAILED/ },
    );
  });

  it('are looked up with the carrier, with a result for each', async () => {
    carrier.script(trackingNumberOf(SECOND_RECEIPT_ID), { kind: 'unknown' });
    await backOffice.withPage('/queues/exception', async (page) => {
      const listedNumbers = await readNumbers(page);
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await page
        .getByRole('group', { name: 'Selected entries' })
        .getByRole('button', { name: 'Ask the carrier' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Ask the carrier about 5 entries' });
      await dialog.getByRole('button', { name: 'Ask the carrier' }).click();
      const results = await waitForOutcomes(page, 5);
      expect(results.map((text) => text.slice(0, 10))).toEqual(listedNumbers);
      expect(results.find((text) => text.startsWith(SECOND_RECEIPT_ID))).toBe(
        `${SECOND_RECEIPT_ID} The carrier has no information.`,
      );
      expect(results.filter((text) => /The carrier reported \d+ new events?\./.test(text))).toHaveLength(4);
    });
  });
});

it('an entry whose carrier query fails says why', async () => {
  carrier.script(trackingNumberOf(RECEIPT_IDS[0]!), { kind: 'status', status: 401 });
  await backOffice.withPage('/queues/exception', async (page) => {
    await page.getByRole('heading', { level: 2, name: RECEIPT_IDS[0]! }).waitFor();
    await page.getByRole('article').getByRole('button', { name: 'Ask the carrier' }).click();
    await page.getByRole('alert').getByText('The carrier refused the query.').waitFor();
  });
  carrier.script(trackingNumberOf(RECEIPT_IDS[0]!), { kind: 'known' });
});

describe('when one of many entries fails', () => {
  const DELETED_RECEIPT_ID = '4166000009';

  /** Runs `work` on a page with all entries selected, one of which belongs to an order that has just been deleted. */
  const withDeletedOrder = async (work: (page: Page) => Promise<void>) => {
    await backOffice.queryDatabase('DELETE FROM queue_states');
    const number = trackingNumberOf(DELETED_RECEIPT_ID);
    const row = { receipt_id: DELETED_RECEIPT_ID, title: 'Owl Magnet', quantity: 1, tracking_number: number };
    await backOffice.send('/api/orders/import', { account_id: shopId, rows: [row] });
    const data = { tracking_number: number, status: 'exception', description: 'Held by customs' };
    await backOffice.send('/api/v1/tracks', { event: 'x', data });
    const runOnList = async (page: Page) => {
      await expect.poll(() => readNumbers(page)).toContain(DELETED_RECEIPT_ID);
      await backOffice.queryDatabase(`DELETE FROM orders WHERE receipt_id = '${DELETED_RECEIPT_ID}'`);
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await work(page);
    };
    // The page may request the deleted order.
    await backOffice.withPage('/queues/exception', runOnList, { allowedErrors: /status of 404/ });
    await backOffice.queryDatabase('DELETE FROM queue_states');
  };

  it('the others are handled, and the page says which one was not and why', async () => {
    await withDeletedOrder(async (page) => {
      await pressKeys(page, 'h');
      const alert = page.getByRole('alert').filter({ hasText: '1 entry was not changed' });
      expect(await alert.innerText()).toMatch(/4166000009: No order has the id \d+\./);
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await pressKeys(page, 'u');
      await expect.poll(() => readNumbers(page)).toEqual(RECEIPT_IDS);
    });
  });

  it('the others are assigned, and get the note', async () => {
    await withDeletedOrder(async (page) => {
      await pressKeys(page, 'a');
      await page.getByRole('menuitem', { name: 'To me' }).and(page.locator(':enabled')).click();
      await page.getByRole('alert').filter({ hasText: '4166000009: No order has the id' }).waitFor();
      await page.getByText('5 entries assigned').first().waitFor({ state: 'attached' });
    });
    await withDeletedOrder(async (page) => {
      await pressKeys(page, 'n');
      const dialog = page.getByRole('dialog', { name: 'Note on 6 orders' });
      await dialog.getByLabel('Note').fill('Asked again');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      const results = await waitForOutcomes(page, 6);
      expect(results.filter((text) => text.endsWith('Note added.'))).toHaveLength(5);
      expect(results.find((text) => text.startsWith(DELETED_RECEIPT_ID))).toBe(
        `${DELETED_RECEIPT_ID} The order no longer exists.`,
      );
    });
    await backOffice.queryDatabase("DELETE FROM order_notes WHERE text = 'Asked again'");
    await backOffice.queryDatabase('UPDATE queue_states SET assigned_to = NULL');
  });
});
