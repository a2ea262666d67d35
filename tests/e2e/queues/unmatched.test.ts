import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitUntilSettled } from '../../support/browser/browser';
import { chooseAction, confirmAction, holdRequests } from '../../support/browser/page-actions';
import {
  entryLinksOf,
  headingOf,
  pressKeys,
  readNumbers,
  rowOf,
  trackingNumberOf,
} from '../../support/browser/queue-page';
import { itRendersInEveryView } from '../../support/browser/views';

const COLLEAGUE_EMAIL = 'bob@example.com';
const SHIPPED_RECEIPT_ID = '4166000002';
const WAITING_RECEIPT_ID = '4166000009';
/** Tracking numbers that no order has. The first differs in one character from an order's tracking number. */
const UNMATCHED_NUMBERS = ['LX4166000002CM', 'ZZ770000001CN', 'ZZ770000002CN'] as const;
/** The last of `UNMATCHED_NUMBERS` with a typo; no carrier has reported it. */
const MISTYPED_NUMBER = 'ZZ770000002CM';
/** The order that has `MISTYPED_NUMBER` until it is corrected. */
const CORRECTED_RECEIPT_ID = '4166000008';

let backOffice: BackOffice;
const orderIdByReceiptId = new Map<string, string>();

beforeAll(async () => {
  backOffice = await openBackOffice('unmatched');
  await backOffice.addUser(COLLEAGUE_EMAIL, 'operator');
  const { id: shopId } = await backOffice.call('shops.create', { name: 'Fox and Bricks' });
  const timeHoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  await backOffice.send('/api/orders/import', {
    account_id: shopId,
    rows: [
      rowOf(SHIPPED_RECEIPT_ID, {
        sale_date: '8/22/2026',
        tracking_number: trackingNumberOf(SHIPPED_RECEIPT_ID),
      }),
      rowOf(WAITING_RECEIPT_ID, { sale_date: timeHoursAgo(5) }),
      rowOf(CORRECTED_RECEIPT_ID, { sale_date: timeHoursAgo(6), tracking_number: MISTYPED_NUMBER }),
    ],
  });
  const sendCallback = (tracking_number: string, status: string, description: string) =>
    backOffice.send('/api/v1/tracks', { event: 'x', data: { tracking_number, status, description } });
  await sendCallback(trackingNumberOf(SHIPPED_RECEIPT_ID), 'exception', 'Held by customs');
  for (const number of UNMATCHED_NUMBERS.toReversed())
    await sendCallback(number, 'in_transit', 'Left Shenzhen');
  const orders = await backOffice.queryDatabase<{ id: string; receipt_id: string }>(
    'SELECT id::text, receipt_id FROM orders',
  );
  for (const { id, receipt_id } of orders) orderIdByReceiptId.set(receipt_id, id);
});
afterAll(() => backOffice?.close());

const noteFieldOf = (page: Page) =>
  page.getByRole('article').getByRole('textbox', { name: /What your colleagues/ });

describe('unmatched callbacks', () => {
  it('are listed with what the carrier reported and the orders that they may belong to', async () => {
    // Even a user in another time zone sees when an order was sold in New York time.
    await backOffice.queryDatabase("UPDATE users SET time_zone = 'Asia/Shanghai'");
    await backOffice.withPage('/queues/unmatched', async (page) => {
      await expect.poll(() => headingOf(page).innerText()).toBe('Unmatched callbacks 3');
      await page
        .getByText(
          'Tracking numbers that carriers report but no order has, regardless of the selected shop. They disappear once an order has the number.',
        )
        .waitFor();
      await expect.poll(() => readNumbers(page)).toEqual([...UNMATCHED_NUMBERS]);
      const entry = page.getByRole('article');
      await entry.getByText('Left Shenzhen').waitFor();
      const candidates = entry
        .getByRole('list', { name: 'Orders that it may belong to' })
        .getByRole('listitem');
      await expect.poll(() => candidates.count()).toBe(2);
      expect(await candidates.first().innerText()).toContain(
        `has ${trackingNumberOf(SHIPPED_RECEIPT_ID)}, one typo away`,
      );
      expect(await candidates.nth(1).innerText()).toMatch(
        /4166000009 Buyer 9 · Fox and Bricks\s+sold .+ E[DS]T, has no tracking number/,
      );
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('are handled with one key, put back, snoozed, assigned and given a note', async () => {
    await backOffice.withPage('/queues/unmatched', async (page) => {
      await pressKeys(page, 'h');
      await expect.poll(() => readNumbers(page)).toEqual(UNMATCHED_NUMBERS.slice(1));
      await page
        .getByRole('status')
        .getByText(`${UNMATCHED_NUMBERS[0]} handled. Press U to undo.`)
        .waitFor({ state: 'attached' });
      await expect.poll(() => headingOf(page).innerText()).toBe('Unmatched callbacks 2');
      await pressKeys(page, 'u');
      await expect.poll(() => readNumbers(page)).toHaveLength(3);
      await pressKeys(page, 'k');
      await page.getByRole('heading', { level: 2, name: UNMATCHED_NUMBERS[0] }).waitFor();
      await page
        .getByRole('article')
        .getByRole('textbox', { name: /What your colleagues/ })
        .fill('Sample box');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText('Note saved.').waitFor();
      await entryLinksOf(page).first().focus();
      await pressKeys(page, 'a');
      await page.getByRole('menuitem', { name: 'bob' }).click();
      await page.getByRole('article').getByText('Assigned to bob').waitFor();
      await pressKeys(page, 's');
      await page.getByRole('menuitem', { name: '1 day' }).waitFor();
      // The page shows the change before it is saved.
      const saveResponsePromise = page.waitForResponse(/queues\.snooze/);
      await pressKeys(page, '1');
      await expect.poll(() => readNumbers(page)).toEqual(UNMATCHED_NUMBERS.slice(1));
      await saveResponsePromise;
      await page.reload();
      await waitUntilSettled(page);
      expect(await readNumbers(page)).toEqual(UNMATCHED_NUMBERS.slice(1));
    });
    await backOffice.queryDatabase(
      'UPDATE unmatched_numbers SET handled_at = NULL, handled_by = NULL, snoozed_until = NULL, seen_at = NULL',
    );
  });

  it('keep the text of a note that is not saved yet, until it is saved or discarded', async () => {
    await backOffice.withPage('/queues/unmatched', async (page) => {
      const field = noteFieldOf(page);
      await field.fill('Asked the forwarder');
      await page.getByText('Not saved yet').waitFor();
      await pressKeys(page, 'Tab');
      await entryLinksOf(page).nth(1).click();
      await page.getByRole('heading', { level: 2, name: UNMATCHED_NUMBERS[1] }).waitFor();
      await expect.poll(() => field.inputValue()).toBe('');
      await entryLinksOf(page).first().click();
      await expect.poll(() => field.inputValue()).toBe('Asked the forwarder');
      await page.getByRole('button', { name: 'Mark as handled', exact: true }).click();
      await expect.poll(() => readNumbers(page)).toEqual(UNMATCHED_NUMBERS.slice(1));
      await pressKeys(page, 'u');
      await expect.poll(() => readNumbers(page)).toHaveLength(3);
      await entryLinksOf(page).first().click();
      await expect.poll(() => field.inputValue()).toBe('Asked the forwarder');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText('Note saved.').waitFor();
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
      await page.reload();
      await expect.poll(() => field.inputValue()).toBe('Asked the forwarder');
    });
  });

  it('show a colleague’s new note, but neither lose what is being typed nor let it overwrite that note unseen', async () => {
    const [number] = UNMATCHED_NUMBERS;
    const saveNote = (text: string) =>
      backOffice.call('queues.noteUnmatched', { tracking_number: number, text });
    await saveNote('Sample box');
    await backOffice.withPage(
      '/queues/unmatched',
      async (page) => {
        const field = noteFieldOf(page);
        /** Makes the page load the entry again, by assigning it to somebody. */
        const reloadEntry = async (assignee: string) => {
          await entryLinksOf(page).first().focus();
          await pressKeys(page, 'a');
          const responsePromise = page.waitForResponse(/queues\.unmatched/);
          await page.getByRole('menuitem', { name: assignee }).click();
          await responsePromise;
        };
        await expect.poll(() => field.inputValue()).toBe('Sample box');
        await saveNote('Sample box for Ann');
        await reloadEntry('To me');
        await expect.poll(() => field.inputValue()).toBe('Sample box for Ann');
        await field.fill('Lost');
        await saveNote('Sample box for Bob');
        await reloadEntry('To nobody');
        expect(await field.inputValue()).toBe('Lost');
        await page.getByRole('button', { name: 'Save note' }).click();
        const notice = page
          .getByRole('article')
          .getByText('A colleague has changed the note to “Sample box for Bob” in the meantime.');
        await notice.waitFor();
        expect(await field.inputValue()).toBe('Lost');
        expect((await backOffice.query('queues.unmatched', { tracking_number: number })).note).toBe(
          'Sample box for Bob',
        );
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.getByRole('button', { name: 'Save note' }).click();
        await page.getByText('Note saved.').waitFor();
        await notice.waitFor({ state: 'detached' });
        expect((await backOffice.query('queues.unmatched', { tracking_number: number })).note).toBe('Lost');
        await field.fill('');
        await page.getByRole('button', { name: 'Save note' }).click();
        await page.getByText('Not saved yet').waitFor({ state: 'detached' });
        expect((await backOffice.query('queues.unmatched', { tracking_number: number })).note).toBeNull();
      },
      { allowedErrors: /status of 409/ },
    );
  });

  it('have a note that cannot be changed until the page has it again after a save, so no later input is lost', async () => {
    await backOffice.withPage('/queues/unmatched', async (page) => {
      const field = noteFieldOf(page);
      const release = await holdRequests(page, /queues\.unmatched/);
      await field.fill('Asked the warehouse');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText('Note saved.').waitFor();
      expect(await field.isEditable()).toBe(false);
      release();
      await field.fill('Asked the warehouse twice');
      expect(await field.inputValue()).toBe('Asked the warehouse twice');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
      await expect.poll(() => field.inputValue()).toBe('Asked the warehouse twice');
    });
    await backOffice.call('queues.noteUnmatched', { tracking_number: UNMATCHED_NUMBERS[0], text: null });
  });

  it('are not linked to an order of a shop that has been archived in the meantime', async () => {
    await backOffice.withPage('/queues/unmatched', async (page) => {
      const entry = page.getByRole('article');
      const link = entry.getByRole('button', { name: `Link to ${WAITING_RECEIPT_ID}` });
      await link.waitFor();
      await backOffice.queryDatabase('UPDATE shops SET archived_at = now()');
      await link.click();
      await page
        .getByText(`The shop no longer has the order ${WAITING_RECEIPT_ID}, or has been archived.`)
        .waitFor();
      await backOffice.queryDatabase('UPDATE shops SET archived_at = NULL');
    });
    expect(
      await backOffice.queryDatabase('SELECT FROM unmatched_numbers WHERE matched_at IS NULL'),
    ).toHaveLength(3);
  });

  it('are linked to an order, which gets the number and what the carrier reported', async () => {
    await backOffice.withPage(`/queues/unmatched?entry=${UNMATCHED_NUMBERS[1]}`, async (page) => {
      await page.getByRole('article').getByLabel('Order number').fill('nothing');
      await page.getByRole('article').getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('There is no order nothing. Check the number.').waitFor();
      await page.getByRole('button', { name: `Link to ${WAITING_RECEIPT_ID}` }).click();
      await page.getByText(`${WAITING_RECEIPT_ID} now has ${UNMATCHED_NUMBERS[1]}.`).waitFor();
      await expect.poll(() => readNumbers(page)).toEqual([UNMATCHED_NUMBERS[0], UNMATCHED_NUMBERS[2]]);
      await expect.poll(() => headingOf(page).innerText()).toBe('Unmatched callbacks 2');
      await backOffice.visit(page, `/orders/${orderIdByReceiptId.get(WAITING_RECEIPT_ID)}`);
      await page.getByText('Left Shenzhen').first().waitFor();
      await page.getByText(UNMATCHED_NUMBERS[1]).first().waitFor();
    });
  });

  it('whose number is one typo away from an order’s can correct that order; the order’s page can undo this', async () => {
    await backOffice.withPage(`/queues/unmatched?entry=${UNMATCHED_NUMBERS[2]}`, async (page) => {
      await page
        .getByText(`has ${MISTYPED_NUMBER}, one typo away; no carrier has reported that number`)
        .waitFor();
      await page
        .getByRole('button', { name: `Correct the tracking number of ${CORRECTED_RECEIPT_ID}` })
        .click();
      await page
        .getByText(`${CORRECTED_RECEIPT_ID} now has ${UNMATCHED_NUMBERS[2]} instead of ${MISTYPED_NUMBER}.`)
        .waitFor();
      await expect.poll(() => readNumbers(page)).toEqual([UNMATCHED_NUMBERS[0]]);
      await backOffice.visit(page, `/orders/${orderIdByReceiptId.get(CORRECTED_RECEIPT_ID)}`);
      await page
        .getByRole('button', { name: `Copy ${UNMATCHED_NUMBERS[2]}` })
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: `Copy ${MISTYPED_NUMBER}` }).count()).toBe(0);
      const removalEntry = page.getByRole('listitem').filter({ hasText: 'Tracking number removed' });
      await removalEntry.getByRole('button', { name: 'Restore' }).click();
      await page.getByText(`${MISTYPED_NUMBER} restored.`).waitFor();
      await chooseAction(page, UNMATCHED_NUMBERS[2], 'Remove tracking number');
      await confirmAction(page, 'Remove tracking number');
      await page.getByText(`${UNMATCHED_NUMBERS[2]} removed. The order is now “Shipped”.`).waitFor();
      await page.getByRole('button', { name: `Actions for ${MISTYPED_NUMBER}` }).waitFor();
      await page
        .getByRole('button', { name: `Actions for ${UNMATCHED_NUMBERS[2]}` })
        .waitFor({ state: 'detached' });
      await backOffice.visit(page, '/queues/unmatched');
      expect(await readNumbers(page)).toEqual([UNMATCHED_NUMBERS[2], UNMATCHED_NUMBERS[0]]);
    });
  });

  it('are handled together, and put back together with U', async () => {
    // As if the shop had been chosen in another queue: the tabs keep it.
    await backOffice.withPage('/queues/unmatched?shop=1', async (page) => {
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await pressKeys(page, 'h');
      // Not "Nothing matches" with a button that clears the filters: this queue has no filter for shops.
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await pressKeys(page, 'u');
      // UNMATCHED_NUMBERS[2] came back when it was removed from its order.
      await expect.poll(() => readNumbers(page)).toEqual([UNMATCHED_NUMBERS[2], UNMATCHED_NUMBERS[0]]);
    });
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [['/queues/unmatched', 'queue-unmatched']],
);
