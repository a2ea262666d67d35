import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, receiptIdOf } from '../../support/browser/back-office-orders';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-tracking-paste');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

describe('pasted tracking numbers', () => {
  it('stay on the page after another page and a reload, until they are added or cleared', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      const pasteField = page.getByLabel('Paste from a spreadsheet');
      const rows = `${receiptIdOf(2)}\tLX500000001CN\n999\tLX500000002CN`;
      await pasteField.fill(rows);
      await page.getByRole('link', { name: 'Overview' }).first().click();
      await page.waitForURL((url) => !url.pathname.endsWith('/orders/tracking'));
      await page.goBack();
      await expect.poll(() => pasteField.inputValue()).toBe(rows);
      await page.reload();
      await expect.poll(() => pasteField.inputValue()).toBe(rows);

      await page.getByRole('button', { name: 'Add 2 tracking numbers' }).click();
      await page.getByText('1 tracking number was added.').waitFor();
      await page.reload();
      await expect.poll(() => pasteField.inputValue()).toBe('999\tLX500000002CN\t');
      // The row keeps the number of its line in the spreadsheet.
      await page.getByRole('row', { name: /^2\s+999/ }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.reload();
      await page.getByText('One line per shipment').waitFor();
      expect(await pasteField.inputValue()).toBe('');
    });
  });

  it('are not called OK before the service has looked for their orders', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      await page.getByLabel('Paste from a spreadsheet').fill('9999999999\tLX111111111CN');
      await page.getByRole('row', { name: /9999999999.*Correct format/ }).waitFor();
      await page.getByText('The orders are looked up when you add the numbers.').waitFor();
      expect(await page.getByText('OK', { exact: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Clear' }).click();
    });
  });

  it('keep the line numbers of the spreadsheet while the remaining rows are corrected', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      const pasteField = page.getByLabel('Paste from a spreadsheet');
      const lines = [
        'Order number\tTracking number',
        ...[3, 4, 5].map((n) => `${receiptIdOf(n)}\tLX50000000${n}CN`),
      ];
      lines.splice(2, 0, '998\tLX500000008CN');
      lines.push('997\tLX500000007CN');
      await pasteField.fill(lines.join('\n'));
      await page.getByRole('row', { name: /^3\s+998/ }).waitFor();
      await page.getByRole('row', { name: /^6\s+997/ }).waitFor();
      await page.getByRole('button', { name: 'Add 5 tracking numbers' }).click();
      await page.getByText('3 tracking numbers were added.').waitFor();
      await page.getByRole('row', { name: /^3\s+998/ }).waitFor();
      await page.getByRole('row', { name: /^6\s+997/ }).waitFor();
      await pasteField.fill((await pasteField.inputValue()).replace('997', receiptIdOf(6)));
      await page.getByRole('row', { name: new RegExp(`^6\\s+${receiptIdOf(6)}`) }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
    });
  });

  it('lead to the orders that they were added to', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      const rows = [10, 11].map((n) => `${receiptIdOf(n)}\tLX6000000${n}CN`);
      await page.getByLabel('Paste from a spreadsheet').fill(rows.join('\n'));
      await page.getByRole('button', { name: 'Add 2 tracking numbers' }).click();
      await page.getByRole('link', { name: 'Show the orders with these numbers' }).click();
      await page
        .getByRole('link', { name: receiptIdOf(11) })
        .first()
        .waitFor();
      expect(await page.locator('tbody td[data-heading] a').allInnerTexts()).toEqual([
        receiptIdOf(11),
        receiptIdOf(10),
      ]);
    });
  });

  it('that already belong to another order cause a warning that names that order and links to it', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      await page.getByLabel('Paste from a spreadsheet').fill(`${receiptIdOf(20)}\tLX000000060CN`);
      await page.getByRole('button', { name: 'Add 1 tracking number' }).click();
      const warning = page
        .getByRole('alert')
        .filter({ hasText: 'Several orders have the same tracking number' });
      await warning.getByText('LX000000060CN').waitFor();
      await warning.getByRole('link', { name: `${receiptIdOf(60)} (Fox and Bricks)` }).click();
      await page.getByText(`Order ${receiptIdOf(20)} (Fox and Bricks) also has this number`).waitFor();
    });
  });
});
