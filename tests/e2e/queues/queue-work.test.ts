import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForAnimations, waitUntilSettled } from '../../support/browser/browser';
import {
  headingOf,
  makeStuckOrders,
  pressKeys,
  readChosenNumber,
  readNumbers,
  STUCK_ORDERS,
} from '../../support/browser/queue-page';

const COLLEAGUE_EMAIL = 'bob@example.com';
const [FIRST_RECEIPT_ID, SECOND_RECEIPT_ID] = STUCK_ORDERS.map(({ receiptId }) => receiptId) as [
  string,
  string,
];

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('queue-work');
  await backOffice.addUser(COLLEAGUE_EMAIL, 'operator');
  await makeStuckOrders(backOffice);
});
afterAll(() => backOffice?.close());
/** Reopens every entry, so that tests do not depend on each other. */
beforeEach(async () => {
  await backOffice.queryDatabase('DELETE FROM queue_states');
});

const workLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Work/ });

describe('an entry', () => {
  it('is handled with at most two keys from the overview, and every further one with a single key', async () => {
    await backOffice.withPage('', async (page) => {
      const link = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: 'Exceptions' })
        .getByRole('link');
      await expect.poll(() => link.locator('xpath=..').innerText()).toMatch(/\b5$/);
      await link.focus();
      let keyCount = await pressKeys(page, 'Enter');
      await page.waitForURL(/\/admin\/queues\/exception/);
      await waitUntilSettled(page);
      keyCount += await pressKeys(page, 'h');
      expect(keyCount).toBeLessThanOrEqual(2);
      await expect
        .poll(() => readNumbers(page))
        .toEqual(STUCK_ORDERS.slice(1).map(({ receiptId }) => receiptId));
      // The next entry is open and has the focus.
      await expect.poll(() => readChosenNumber(page)).toBe(SECOND_RECEIPT_ID);
      await page.locator('[data-entry]:focus').waitFor();
      await page
        .getByRole('status')
        .getByText(`${FIRST_RECEIPT_ID} handled. Press U to undo.`)
        .waitFor({ state: 'attached' });
      await expect.poll(() => headingOf(page).innerText()).toBe('Exceptions 4');
      await expect.poll(() => workLink(page).innerText()).toMatch(/^Work\s+4\s+exceptions\s+4\s+open$/);
      await page.getByText('Handled by you today: 1').waitFor();
      await pressKeys(page, 'h');
      await expect.poll(() => readNumbers(page)).toHaveLength(3);
      await page.getByText('Handled by you today: 2').waitFor();
      const readCounts = () => backOffice.query('queues.counts', {});
      await expect.poll(async () => (await readCounts()).handled_today).toBe(2);
      await page.reload();
      await waitUntilSettled(page);
      expect(await readNumbers(page)).toEqual(STUCK_ORDERS.slice(2).map(({ receiptId }) => receiptId));
      await backOffice.visit(page, '');
      await expect.poll(() => link.locator('xpath=..').innerText()).toMatch(/\b3$/);
    });
  });

  it('that was handled last is put back first with U', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'h', 'h');
      await expect.poll(() => readNumbers(page)).toHaveLength(3);
      await pressKeys(page, 'u');
      await expect
        .poll(() => readNumbers(page))
        .toEqual(STUCK_ORDERS.slice(1).map(({ receiptId }) => receiptId));
      await pressKeys(page, 'u');
      await expect.poll(() => readNumbers(page)).toHaveLength(5);
      await expect.poll(() => headingOf(page).innerText()).toBe('Exceptions 5');
    });
  });

  it('is snoozed for days or until a date, and listed among the snoozed entries', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 's');
      await page.getByRole('menuitem', { name: '1 day' }).waitFor();
      await pressKeys(page, '1');
      await expect
        .poll(() => readNumbers(page))
        .toEqual(STUCK_ORDERS.slice(1).map(({ receiptId }) => receiptId));
      await pressKeys(page, 's');
      await page.getByRole('menuitem', { name: 'Until a date…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Snooze until' });
      await dialog.getByLabel('Day').fill('2026-01-01');
      await dialog.getByRole('button', { name: 'Snooze' }).click();
      await dialog.getByText('Choose a future date.').waitFor();
      await dialog.getByLabel('Day').fill('2099-01-01');
      await dialog.getByRole('button', { name: 'Snooze' }).click();
      await expect.poll(() => readNumbers(page)).toHaveLength(3);
      await page.getByLabel('State', { exact: true }).selectOption('snoozed');
      await expect.poll(() => readNumbers(page)).toEqual([FIRST_RECEIPT_ID, SECOND_RECEIPT_ID]);
      await page.getByRole('article').getByText('Snoozed until').waitFor();
      // The page shows the change before it is saved.
      const saveResponsePromise = page.waitForResponse(/queues\.putBack/);
      await page.getByRole('button', { name: 'Put back' }).click();
      await expect.poll(() => readNumbers(page)).toEqual([SECOND_RECEIPT_ID]);
      await saveResponsePromise;
    });
    const { entries: openEntries } = await backOffice.query('queues.list', { queue: 'exception' });
    expect(openEntries).toHaveLength(4);
  });

  it('has a menu that its key opens again even while it is fading out', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 3 });
      const item = page.getByRole('menuitem', { name: '1 day' });
      for (const pauseMs of [0, 40, 80, 120]) {
        await pressKeys(page, 's');
        await item.waitFor();
        await pressKeys(page, 'Escape');
        await page.waitForTimeout(pauseMs);
        await pressKeys(page, 's');
        await page.locator('button[aria-keyshortcuts=S][aria-expanded=true]').waitFor();
        await waitForAnimations(page);
        expect(await item.isVisible(), `after ${pauseMs} ms`).toBe(true);
        await pressKeys(page, 'Escape');
        await item.waitFor({ state: 'hidden' });
      }
      await session.detach();
    });
  });

  it('can be assigned to the user, a colleague or nobody', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'a');
      await page
        .getByRole('menu')
        .getByRole('menuitem', { name: 'To me' })
        .and(page.locator(':enabled'))
        .click();
      await page.getByRole('article').getByText('Assigned to ann').waitFor();
      await pressKeys(page, 'j');
      await expect.poll(() => readChosenNumber(page)).toBe(SECOND_RECEIPT_ID);
      await pressKeys(page, 'a');
      await page.getByRole('menuitem', { name: 'bob' }).click();
      await page.getByRole('article').getByText('Assigned to bob').waitFor();
      await page.getByLabel('Assigned to', { exact: true }).selectOption('me');
      await expect.poll(() => readNumbers(page)).toEqual([FIRST_RECEIPT_ID]);
      await page.getByLabel('Assigned to', { exact: true }).selectOption('nobody');
      await expect
        .poll(() => readNumbers(page))
        .toEqual(STUCK_ORDERS.slice(2).map(({ receiptId }) => receiptId));
    });
    await backOffice.withPage(
      '/queues/exception?assigned=me',
      async (page) => {
        expect(await readNumbers(page)).toEqual([SECOND_RECEIPT_ID]);
        await pressKeys(page, 'a');
        await page.getByRole('menuitem', { name: 'To nobody' }).click();
        await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      },
      { userEmail: COLLEAGUE_EMAIL },
    );
  });

  it('gets a note after pressing N', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await pressKeys(page, 'n');
      const dialog = page.getByRole('dialog', { name: `Notes on ${FIRST_RECEIPT_ID}` });
      await dialog.getByRole('textbox').fill('Buyer wants a refund: handle it soon');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      await dialog.getByRole('listitem').waitFor();
      await pressKeys(page, 'Escape');
      await page.getByRole('article').getByText('Buyer wants a refund').waitFor();
      // The letters of the note did not act as shortcuts.
      expect(await readNumbers(page)).toHaveLength(5);
    });
  });
});
