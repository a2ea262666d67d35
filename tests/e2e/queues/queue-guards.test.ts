import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus } from '../../support/browser/browser';
import { holdRequests } from '../../support/browser/page-actions';
import {
  headingOf,
  makeStuckOrders,
  pressKeys,
  readNumbers,
  STUCK_ORDERS,
} from '../../support/browser/queue-page';
import { screenshot } from '../../support/browser/screenshot';

const RECEIPT_IDS = STUCK_ORDERS.map(({ receiptId }) => receiptId);
const [FIRST_RECEIPT_ID, SECOND_RECEIPT_ID] = RECEIPT_IDS as [string, string];
const QUEUE_PATH = '/queues/exception';
/** What the browser logs about a call without a response. */
const NO_RESPONSE = { allowedErrors: /ERR_FAILED/ };
const UNANSWERED_HINT =
  'The service did not answer, so this may or may not have been saved. Check before you try again.';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('queue-guards');
  await makeStuckOrders(backOffice);
});
afterAll(() => backOffice?.close());
/** Reopens every entry and removes the notes, so that tests do not depend on each other. */
beforeEach(async () => {
  await backOffice.queryDatabase('DELETE FROM queue_states');
  await backOffice.queryDatabase('DELETE FROM order_notes');
});

const announcementOf = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor({ state: 'attached' });
const handleButtonOf = (page: Page) => page.getByRole('button', { name: 'Mark as handled', exact: true });

describe('what is typed while a dialog is still being loaded', () => {
  it.each([
    ['after Ctrl+K', (page: Page) => page.keyboard.press('Control+k')],
    ["after a click on the header's search", (page: Page) => page.locator('header kbd').click()],
  ])('is searched for %s, and handles no order', async (_when, open) => {
    await backOffice.withPage(QUEUE_PATH, async (page) => {
      const release = await holdRequests(page, '**/_next/static/**');
      await open(page);
      await page.keyboard.type('hush 4166');
      release();
      const field = page.getByRole('dialog').getByRole('textbox');
      await waitForFocus(field);
      await page.keyboard.type('0000');
      await expect.poll(() => field.inputValue()).toBe('hush 41660000');
      expect(await readNumbers(page)).toEqual(RECEIPT_IDS);
    });
  });

  it('after N is the beginning of the note, even before the order has been loaded', async () => {
    await backOffice.withPage(null, async (page) => {
      const releaseOrder = await holdRequests(page, '**/api/trpc/*orders.one*');
      await backOffice.visit(page, QUEUE_PATH);
      await pressKeys(page, 'j');
      const releaseFiles = await holdRequests(page, '**/_next/static/**');
      await pressKeys(page, 'n');
      await page.keyboard.type('has ');
      releaseFiles();
      const dialog = page.getByRole('dialog', { name: `Notes on ${SECOND_RECEIPT_ID}` });
      const field = dialog.getByRole('textbox');
      await waitForFocus(field);
      await page.keyboard.type('called');
      releaseOrder();
      await expect.poll(() => dialog.locator('.mantine-Skeleton-root').count()).toBe(0);
      await waitForFocus(field);
      expect(await field.inputValue()).toBe('has called');
      expect(await readNumbers(page)).toEqual(RECEIPT_IDS);
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await waitForFocus(field);
    });
  });
});

describe('a handled order', () => {
  it('is one order, even after a double click', async () => {
    await backOffice.withPage(QUEUE_PATH, async (page) => {
      await handleButtonOf(page).dblclick();
      await announcementOf(page, `${FIRST_RECEIPT_ID} handled. Press U to undo.`);
      expect(await readNumbers(page)).toEqual(RECEIPT_IDS.slice(1));
      await page.getByLabel('State', { exact: true }).selectOption('handled');
      await expect.poll(() => readNumbers(page)).toEqual([FIRST_RECEIPT_ID]);
    });
  });

  it('is confirmed by a message with a button that undoes it and keeps the focus in the list', async () => {
    await backOffice.withPage(QUEUE_PATH, async (page) => {
      await handleButtonOf(page).click();
      const toast = page.getByRole('group', { name: `${FIRST_RECEIPT_ID} handled.` });
      await toast.getByText(`${FIRST_RECEIPT_ID} handled.`, { exact: true }).waitFor();
      await screenshot(page, 'admin-queue-undo');
      await toast.getByRole('button', { name: 'Undo' }).click();
      await announcementOf(page, `Undone: ${FIRST_RECEIPT_ID}`);
      await expect.poll(() => readNumbers(page)).toEqual(RECEIPT_IDS);
      await toast.waitFor({ state: 'detached' });
      await waitForFocus(page.locator('[data-entry][aria-current]'));
    });
  });

  it('does not mention a key where there is no keyboard', async () => {
    await backOffice.withPage(
      QUEUE_PATH,
      async (page) => {
        await page.getByRole('link', { name: new RegExp(FIRST_RECEIPT_ID) }).tap();
        await handleButtonOf(page).tap();
        await announcementOf(page, `${FIRST_RECEIPT_ID} handled.`);
        await page.getByRole('button', { name: 'Undo' }).waitFor();
        await screenshot(page, 'admin-queue-undo-phone');
        await page.getByRole('button', { name: 'Undo' }).tap();
        await announcementOf(page, `Undone: ${FIRST_RECEIPT_ID}`);
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    );
  });
});

describe('when the service does not respond', () => {
  it('an order comes back to the list with the reason, and is not said to be undone', async () => {
    await backOffice.withPage(
      QUEUE_PATH,
      async (page) => {
        await page.route('**/api/trpc/queues.*', (route) => route.abort());
        await pressKeys(page, 'h');
        await announcementOf(page, `No response: ${FIRST_RECEIPT_ID}`);
        await page
          .getByRole('alert')
          .filter({ hasText: `No response: ${FIRST_RECEIPT_ID}` })
          .getByText(UNANSWERED_HINT, { exact: true })
          .waitFor();
        expect(await readNumbers(page)).toEqual(RECEIPT_IDS);
        await expect.poll(() => headingOf(page).innerText()).toBe('Exceptions 5');
        await pressKeys(page, 'u');
        await page.waitForTimeout(300);
        expect(await page.getByText('Undone').count()).toBe(0);
        await page.unroute('**/api/trpc/queues.*');
      },
      NO_RESPONSE,
    );
  });

  it('an undo that fails can be repeated', async () => {
    await backOffice.withPage(
      QUEUE_PATH,
      async (page) => {
        await pressKeys(page, 'h');
        await announcementOf(page, `${FIRST_RECEIPT_ID} handled. Press U to undo.`);
        await page.route('**/api/trpc/queues.putBack*', (route) => route.abort());
        await pressKeys(page, 'u');
        await announcementOf(page, `No response: ${FIRST_RECEIPT_ID}`);
        await page.unroute('**/api/trpc/queues.putBack*');
        await pressKeys(page, 'u');
        await announcementOf(page, `Undone: ${FIRST_RECEIPT_ID}`);
        await expect.poll(() => readNumbers(page)).toEqual(RECEIPT_IDS);
      },
      NO_RESPONSE,
    );
  });

  it('a note on several orders says what failed and why, and can be added again', async () => {
    await backOffice.withPage(
      QUEUE_PATH,
      async (page) => {
        await pressKeys(page, 'x', 'j', 'x', 'n');
        const dialog = page.getByRole('dialog', { name: 'Note on 2 orders' });
        await waitForFocus(dialog.getByLabel('Note'));
        await page.keyboard.type('Wrote to customs');
        await page.route('**/api/trpc/orders.addNotes*', (route) => route.abort());
        await pressKeys(page, 'Tab', 'Enter');
        await dialog.getByText('0 of 2 done, 2 failed').waitFor();
        await waitForFocus(dialog.getByRole('status'));
        const readResults = () =>
          dialog.getByRole('list', { name: 'Results' }).getByRole('listitem').allInnerTexts();
        expect((await readResults()).sort()).toEqual(
          [FIRST_RECEIPT_ID, SECOND_RECEIPT_ID]
            .sort()
            .map((receiptId) => `${receiptId} No response. ${UNANSWERED_HINT}`),
        );
        await screenshot(page, 'admin-queue-bulk-note-failed');
        await page.unroute('**/api/trpc/orders.addNotes*');
        await dialog.getByRole('button', { name: 'Retry the failed ones' }).click();
        await dialog.getByText('2 of 2 done', { exact: true }).waitFor();
        expect((await readResults()).every((text) => text.endsWith('Note added.'))).toBe(true);
        await pressKeys(page, 'Escape');
        await dialog.waitFor({ state: 'hidden' });
        // The text has been used, so it is not offered again.
        await pressKeys(page, 'n');
        await waitForFocus(dialog.getByLabel('Note'));
        expect(await dialog.getByLabel('Note').inputValue()).toBe('');
      },
      NO_RESPONSE,
    );
  });

  it('the text of a note on several orders is kept for these orders, not for others', async () => {
    await backOffice.withPage(QUEUE_PATH, async (page) => {
      await pressKeys(page, 'x', 'j', 'x', 'n');
      await waitForFocus(page.getByRole('dialog', { name: 'Note on 2 orders' }).getByLabel('Note'));
      await page.keyboard.type('Both');
      await pressKeys(page, 'Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await pressKeys(page, 'j', 'x', 'n');
      const field = page.getByRole('dialog', { name: 'Note on 3 orders' }).getByLabel('Note');
      await waitForFocus(field);
      expect(await field.inputValue()).toBe('');
      await pressKeys(page, 'Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await pressKeys(page, 'x', 'n');
      const firstField = page.getByRole('dialog', { name: 'Note on 2 orders' }).getByLabel('Note');
      await waitForFocus(firstField);
      expect(await firstField.inputValue()).toBe('Both');
    });
  });
});

describe('a new note', () => {
  it('keeps what is typed while it is being saved, and its button keeps the focus', async () => {
    await backOffice.withPage(QUEUE_PATH, async (page) => {
      await pressKeys(page, 'n');
      const dialog = page.getByRole('dialog', { name: `Notes on ${FIRST_RECEIPT_ID}` });
      const field = dialog.getByRole('textbox');
      const button = dialog.getByRole('button', { name: 'Add note' });
      await waitForFocus(field);
      await page.keyboard.type('Buyer called.');
      const release = await holdRequests(page, '**/api/trpc/orders.addNote*');
      // The button that discards the text comes after it.
      await pressKeys(page, 'Tab');
      await waitForFocus(button);
      await pressKeys(page, 'Enter');
      await dialog.locator('button[data-loading]').waitFor();
      await waitForFocus(button);
      // Ignored, like a click.
      await pressKeys(page, 'Enter');
      await pressKeys(page, 'Shift+Tab');
      await waitForFocus(field);
      await pressKeys(page, 'End');
      await page.keyboard.type(' Wants a refund.');
      release();
      await dialog.getByRole('listitem').getByText('Buyer called.', { exact: true }).waitFor();
      await expect.poll(() => field.inputValue()).toBe('Wants a refund.');
      await dialog.getByText('Not saved yet').waitFor();
      await pressKeys(page, 'Escape');
      await dialog.waitFor({ state: 'hidden' });
      await pressKeys(page, 'n');
      await expect.poll(() => field.inputValue()).toBe('Wants a refund.');
      await button.click();
      await dialog.getByRole('listitem').getByText('Wants a refund.', { exact: true }).waitFor();
      await waitForFocus(button);
    });
    expect(await backOffice.queryDatabase('SELECT text FROM order_notes ORDER BY id')).toEqual([
      { text: 'Buyer called.' },
      { text: 'Wants a refund.' },
    ]);
  });
});

it("a snooze until a day ends at 8 a.m. in the account's time zone, whatever the browser's is", async () => {
  await backOffice.withPage(
    QUEUE_PATH,
    async (page) => {
      await pressKeys(page, 's');
      await page.getByRole('menuitem', { name: 'Until a date…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Snooze until' });
      await dialog.getByLabel('Day').fill('2099-01-15');
      await dialog.getByRole('button', { name: 'Snooze' }).click();
      await announcementOf(page, `${FIRST_RECEIPT_ID} snoozed. Press U to undo.`);
    },
    { timezoneId: 'Asia/Shanghai' },
  );
  const states = await backOffice.queryDatabase<{ until: Date }>(
    'SELECT snoozed_until AS until FROM queue_states',
  );
  expect(states.map(({ until }) => until.toISOString())).toEqual(['2099-01-15T13:00:00.000Z']);
});
