import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility';
import { type Office, openOffice } from '../support/office';
import { makeOrders, ORDERS, receiptOf, receipts } from '../support/office-orders';
import { transferredScript } from '../support/transferred';

const MAX_SCRIPT_BYTES = 300_000;

let office: Office;

beforeAll(async () => {
  office = await openOffice('admin-orders');
});
afterAll(() => office?.close());

describe('the list of orders', () => {
  it('says what to do first where there are none, and shows them when they come', async () => {
    await office.onPage('/orders', async (page) => {
      await page.getByRole('heading', { name: 'There are no orders yet' }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await makeOrders(office);
      await page.reload();
      await page.getByText(`${ORDERS} orders`).waitFor();
    });
  });

  it('transfers at most 300 kB of script, and has nothing serious for axe-core', async () => {
    await office.onPage('/orders', async (page) => {
      await page.getByText(`${ORDERS} orders`).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      const bytes = await transferredScript(page, `${office.service.url}/admin/orders`);
      console.log(`The list of orders transfers ${bytes} bytes of script.`);
      expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
    });
  });

  it('is the newest first, page by page, and the other way round by its head', async () => {
    await office.onPage('/orders', async (page) => {
      expect((await receipts(page))[0]).toBe(receiptOf(ORDERS));
      await page.getByRole('button', { name: 'Next' }).click();
      await expect.poll(() => receipts(page)).toContain(receiptOf(1));
      expect(await page.locator('tbody tr').count()).toBe(ORDERS - 50);
      await page.getByRole('button', { name: 'Previous' }).click();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
      await page.getByRole('button', { name: 'Sold', exact: true }).last().click();
      await expect.poll(async () => (await receipts(page))[0]).toBe(receiptOf(1));
      expect(page.url()).toContain('sort=sold');
    });
  });

  it('is filtered by keyboard and mouse, with every filter in the address, which shows the same anew', async () => {
    await office.onPage('/orders', async (page) => {
      await page.getByRole('button', { name: 'Country' }).press('Enter');
      await page.getByRole('textbox', { name: 'Search Country' }).pressSequentially('germ');
      await page.getByRole('checkbox', { name: 'Germany' }).check();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sold', exact: true }).first().click();
      await page.getByLabel('From', { exact: true }).fill('2026-08-01');
      await page.getByLabel('To', { exact: true }).fill('2026-08-10');
      await page.keyboard.press('Escape');
      await page.getByText('5 orders', { exact: true }).waitFor();
      const address = new URL(page.url());
      expect(Object.fromEntries(address.searchParams)).toEqual({
        country: 'DE',
        from: '2026-08-01',
        to: '2026-08-10',
      });
      await page.reload();
      await page.getByText('5 orders', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText(`${ORDERS} orders`).waitFor();
    });
  });

  it.each([
    ['q=owl', 1],
    ['tracking=exception', 1],
    ['status=shipped,delivered', 1],
    ['unshipped=4', ORDERS - 1],
    ['import=1', ORDERS],
    ['status=paid&tracking=exception', 0],
  ])('is what a link says: %s', async (query, count) => {
    await office.onPage(`/orders?${query}`, async (page) => {
      if (count === 0) await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      else await page.getByText(`${count} order`).waitFor();
    });
  });

  it('downloads exactly the filtered rows, formulas as text', async () => {
    await office.onPage('/orders?tracking=exception', async (page) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'CSV' }).click(),
      ]);
      const text = await readFile((await download.path())!, 'utf8');
      expect(text).toContain(receiptOf(ORDERS));
      expect(text).not.toContain(receiptOf(1));
      expect(text.trim().split('\r\n')).toHaveLength(2);
    });
  });

  it('keeps filters as a view, which colleagues see once it is shared', async () => {
    await office.onPage('/orders?status=paid', async (page) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('Save these filters as').fill('To pack');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Share To pack with everyone' }).click();
      await page.getByText('shared').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: /^To pack/ }).click();
      await page.waitForURL(/status=paid/);
    });
  });

  it('keeps the filters of a view that is chosen right after another change, whatever is changed next', async () => {
    await office.onPage('/orders', async (page) => {
      const select = page.getByLabel('Not shipped for', { exact: true });
      const [, first, second] = await select
        .locator('option')
        .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
      await page.getByRole('button', { name: 'Views' }).click();
      const view = await page.getByRole('button', { name: /^To pack/ }).elementHandle();
      // In one task: the page has shown neither of the two changes when the second is made.
      await select.evaluate(
        (element, { value, button }) => {
          (element as HTMLSelectElement).value = value!;
          element.dispatchEvent(new Event('change', { bubbles: true }));
          (button as HTMLElement).click();
        },
        { value: first, button: view },
      );
      await page.waitForURL(/\?status=paid$/);
      await select.selectOption(second!);
      await page.waitForURL(new RegExp(`[?]status=paid&unshipped=${second}$`));
    });
  });

  it('sets the status of chosen rows, having said what it will do', async () => {
    await office.onPage('/orders?q=fox', async (page) => {
      for (const n of [57, 58]) await page.getByRole('checkbox', { name: `Select ${receiptOf(n)}` }).check();
      await page.getByText('2 rows selected').waitFor();
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Cancelled' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set 2 orders to “Cancelled”?' });
      await page.getByRole('menu').waitFor({ state: 'hidden' });
      await dialog.waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Set to “Cancelled”' }).click();
      await page.getByText('2 orders are now “Cancelled”.').waitFor();
      await office.visit(page, '/orders?status=cancelled');
      await page.getByText('2 orders').waitFor();
    });
  });

  it('is found with others by a pasted list of numbers, and by a name that is misspelled', async () => {
    await office.onPage('/orders', async (page) => {
      const search = page.getByRole('searchbox');
      await search.evaluate(
        (input: HTMLInputElement, text) => {
          input.focus();
          document.execCommand('insertText', false, text);
        },
        `${receiptOf(3)}\n${receiptOf(9)}`,
      );
      await expect.poll(() => receipts(page)).toEqual([receiptOf(9), receiptOf(3)]);
      await page.getByText('2 orders').waitFor();
      await search.fill('Bayer');
      await page.getByText('Did you mean').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Buyer 1', exact: true }).click();
      await page.waitForURL('**/orders?q=Buyer+1');
      // Every order has a buyer and a 1 somewhere.
      await page.getByText(`${ORDERS} orders`).waitFor();
    });
  });

  it('is found from anywhere by the palette, as are an order by what it has and a shop by its name', async () => {
    await office.onPage('/account', async (page) => {
      const ask = async (text: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Find a page, an order or a shop' }).fill(text);
      };
      // An exact number opens at once.
      await ask(receiptOf(7));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: receiptOf(7) }).waitFor();
      await ask('buyer');
      await page.getByRole('button', { name: 'Search orders for “buyer”' }).click();
      await page.waitForURL('**/orders?q=buyer');
      await ask('add tracking');
      await page.getByRole('button', { name: 'Add tracking numbers' }).click();
      await page.waitForURL('**/orders/tracking');
      await ask('owl magnet');
      await page.getByRole('button', { name: /Buyer 1 · Owl Magnet/ }).click();
      await page.getByRole('heading', { level: 1, name: receiptOf(1) }).waitFor();
      await ask('fox and');
      await page.getByRole('button', { name: 'Fox and Bricks', exact: true }).click();
      await page.waitForURL(/\/orders\?shop=\d+$/);
    });
  });
});
