import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeStuckOrders, pressKeys, readNumbers, waitForOutcomes } from '../../support/browser/queue-page';

const NO_RESPONSE = { allowedErrors: /ERR_FAILED/ };

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('note-sent-again');
  await makeStuckOrders(backOffice);
});
afterAll(() => backOffice?.close());

/** Lets the service store the next notes, but loses its responses until the returned function is called. */
async function loseResponses(page: Page): Promise<() => Promise<void>> {
  const url = '**/api/trpc/orders.addNote*';
  await page.route(url, async (route) => {
    await route.fetch();
    await route.abort();
  });
  return () => page.unroute(url);
}

const readNotes = (text: string) =>
  backOffice.queryDatabase<{ order_id: string }>(
    `SELECT order_id::text FROM order_notes WHERE text = '${text}'`,
  );

describe('after the response to a note was lost', () => {
  it('pressing "Add note" again adds it once, and the next note with the same text is a new one', async () => {
    const { orders } = await backOffice.query('orders.list', { filter: {} });
    await backOffice.withPage(
      `/orders/${orders[0].id}`,
      async (page) => {
        const field = page.getByRole('textbox', { name: 'Write a note for your colleagues' });
        const addButton = page.getByRole('button', { name: 'Add note' });
        const returnResponses = await loseResponses(page);
        await field.fill('Ask customs');
        await addButton.click();
        await page.getByRole('main').getByText('May already be saved', { exact: true }).waitFor();
        await returnResponses();
        await addButton.click();
        await expect.poll(() => field.inputValue()).toBe('');
        expect(await readNotes('Ask customs')).toHaveLength(1);
        await field.fill('Ask customs');
        await addButton.click();
        await expect.poll(() => field.inputValue()).toBe('');
        expect(await readNotes('Ask customs')).toHaveLength(2);
      },
      NO_RESPONSE,
    );
  });

  it('"Retry the failed ones" leaves one note on each of the selected orders', async () => {
    await backOffice.withPage(
      '/queues/exception',
      async (page) => {
        await expect.poll(() => readNumbers(page)).not.toHaveLength(0);
        await pressKeys(page, 'x', 'j', 'x', 'n');
        const dialog = page.getByRole('dialog', { name: 'Note on 2 orders' });
        const returnResponses = await loseResponses(page);
        await dialog.getByLabel('Note').fill('Wrote to customs');
        await dialog.getByRole('button', { name: 'Add note' }).click();
        await dialog.getByText('0 of 2 done, 2 failed').waitFor();
        await returnResponses();
        await dialog.getByRole('button', { name: 'Retry the failed ones' }).click();
        await dialog.getByText('2 of 2 done', { exact: true }).waitFor();
        const results = await waitForOutcomes(page, 2);
        expect(results.map((text) => text.replace(/^\d+\s+/, ''))).toEqual(['Note added.', 'Note added.']);
      },
      NO_RESPONSE,
    );
    const notes = await readNotes('Wrote to customs');
    expect(new Set(notes.map(({ order_id }) => order_id)).size).toBe(2);
    expect(notes).toHaveLength(2);
  });
});
