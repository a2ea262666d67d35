import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT, receiptIdOf } from '../../support/browser/back-office-orders';
import { chooseAction, makeFileReadsFail } from '../../support/browser/page-actions';
import { itRendersInEveryView } from '../../support/browser/views';

let backOffice: BackOffice;
let secondShopId: number;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-shipping');
  await makeOrders(backOffice);
  ({ id: secondShopId } = await backOffice.call('shops.create', { name: 'Owl Atelier' }));
  await backOffice.send('/api/orders/import', {
    account_id: secondShopId,
    rows: [
      {
        receipt_id: receiptIdOf(1),
        title: 'Owl Lamp',
        sale_date: '6/1/2026',
        price: 12.34,
        item_total: 12.34,
        order_shipping: 5.67,
        currency: 'USD',
        variations: 'Size:A3\nName:Mia',
        note: 'Gift',
        name: 'Ann Heron',
        first_line: '1 Nowhere Blvd',
        city: 'Hatboro',
        zip: '19040',
      },
      { receipt_id: '700001', title: 'Owl Lamp', sale_date: '6/2/2026', name: '王芳', zip: '02134' },
    ],
  });
});
afterAll(() => backOffice?.close());

/** Returns `act`, which awaits an action of the user and counts it, and `count`, which returns the number of actions. */
function makeActionCounter() {
  let count = 0;
  return {
    async act(actionPromise: Promise<unknown>) {
      count += 1;
      await actionPromise;
    },
    count: () => count,
  };
}

const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

async function readDownload(download: Download) {
  return readSheet(await readFile((await download.path())!));
}

describe('shipping selected orders', () => {
  it('takes at most 4 actions from the orders page to the forwarder’s file', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const { act, count } = makeActionCounter();
      await act(page.getByLabel(`Select ${receiptIdOf(2)}`).check());
      await act(page.getByRole('button', { name: 'Shipping', exact: true }).click());
      const downloadPromise = page.waitForEvent('download');
      await act(menuItem(page, 'Forwarder’s sheet (.xlsx)').click());
      const download = await downloadPromise;
      expect(count()).toBeLessThanOrEqual(4);
      expect(download.suggestedFilename()).toMatch(/^orders-forwarder-\d{4}-\d\d-\d\d\.xlsx$/);
      const rows = await readDownload(download);
      expect(rows[0]!.slice(0, 3)).toEqual(['Order number', 'Recipient', 'Address line 1']);
      expect(rows.slice(1).map(([receiptId]) => receiptId)).toEqual([receiptIdOf(2)]);
    });
  });

  it('offers a printable pick list with what the orders need', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      await page.getByLabel(`Select ${receiptIdOf(ORDER_COUNT)}`).check();
      await page.getByLabel(`Select ${receiptIdOf(ORDER_COUNT - 1)}`).check();
      await page.getByRole('button', { name: 'Shipping', exact: true }).click();
      const [pickList] = await Promise.all([page.waitForEvent('popup'), menuItem(page, 'Pick list').click()]);
      await pickList.getByRole('heading', { level: 1, name: 'Pick list' }).waitFor();
      await pickList.getByText('2 orders, 3 units').first().waitFor();
      await pickList.getByRole('row', { name: /Bear Pin.*4165000060.*1/ }).waitFor();
      await pickList.emulateMedia({ media: 'print' });
      expect(await pickList.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
      expect(await pickList.getByRole('table').isVisible()).toBe(true);
    });
  });

  it('offers printable packing slips, one per A4 page, with address, variations and note, but no prices', async () => {
    const filter = encodeURIComponent(JSON.stringify({ shops: [secondShopId] }));
    // Sales are in New York's time, whatever the time zone of the shop's statistics is.
    await backOffice.queryDatabase(
      `UPDATE shops SET time_zone = 'America/Los_Angeles' WHERE id = ${secondShopId}`,
    );
    await backOffice.withPage(`/orders/packing-slips?filter=${filter}`, async (page) => {
      await page.getByText('2 packing slips', { exact: true }).waitFor();
      const slip = page.getByRole('region', { name: `Order ${receiptIdOf(1)}` });
      await slip.getByText('Name:Mia').waitFor();
      await slip.getByText('Jun 1, 2026', { exact: true }).waitFor();
      await slip.getByText('Gift', { exact: false }).first().waitFor();
      expect(await slip.locator('address').innerText()).toMatch(/^Ann Heron\n1 Nowhere Blvd\n.*Hatboro/);
      expect(await slip.innerText()).not.toMatch(/12[.,]34|5[.,]67|18[.,]01|\$|USD/);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
      // A4 in points.
      expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
    });
  });

  it('says how to choose orders if the URL contains none', async () => {
    await backOffice.withPage('/account', async (page) => {
      await page.goto(`${backOffice.service.url}/admin/orders/pick-list`);
      await page.getByText('Select orders in the list, then choose what to print.').waitFor();
    });
  });
});

describe('tracking numbers', () => {
  const rows = Array.from({ length: 20 }, (_, n) => `${receiptIdOf(n + 2)}\tLX1000000${n + 10}CN`);

  it('can be added twenty at once, in at most 5 actions from the orders page', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const { act, count } = makeActionCounter();
      await act(page.getByRole('link', { name: 'Add tracking numbers' }).click());
      await act(page.getByLabel('Paste from a spreadsheet').fill(rows.join('\n')));
      await act(page.getByRole('button', { name: 'Add 20 tracking numbers' }).click());
      await page.getByText('20 tracking numbers were added.').waitFor();
      expect(count()).toBeLessThanOrEqual(5);
    });
  });

  it('cannot be added until the page has read the latest text', async () => {
    const receiptIds = [receiptIdOf(40), receiptIdOf(41)];
    await backOffice.withPage('/orders/tracking', async (page) => {
      const pasteField = page.getByLabel('Paste from a spreadsheet');
      await pasteField.fill(`${receiptIds[0]}\tLX300000001CN`);
      const addButton = page.getByRole('button', { name: 'Add 1 tracking number' });
      // In one task, so that the page has not read the new text when the button is pressed.
      await pasteField.evaluate(
        (field, { text, button }) => {
          Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, text);
          field.dispatchEvent(new Event('input', { bubbles: true }));
          (button as HTMLElement).click();
        },
        {
          text: `${receiptIds[0]}\tLX300000002CN\n${receiptIds[1]}\tLX300000003CN`,
          button: await addButton.elementHandle(),
        },
      );
      await page.getByRole('button', { name: 'Add 2 tracking numbers' }).click();
      await page.getByText('2 tracking numbers were added.').waitFor();
    });
    const { orders } = await backOffice.query('orders.list', { filter: { ids: ['40', '41'] } });
    expect(orders.map((order: { tracking_numbers: string[] }) => order.tracking_numbers)).toEqual([
      ['LX300000003CN'],
      ['LX300000002CN'],
    ]);
  });

  it('that are typed while others are being saved stay on the page', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      let releaseRequest = () => {};
      const releasePromise = new Promise<void>((resolve) => {
        releaseRequest = resolve;
      });
      await page.route(/trackingPaste\.submit/, async (route) => {
        await releasePromise;
        await route.continue();
      });
      const pasteField = page.getByLabel('Paste from a spreadsheet');
      await pasteField.fill(`${receiptIdOf(44)}\tLX300000004CN`);
      await page.getByRole('button', { name: 'Add 1 tracking number' }).click();
      await pasteField.fill(`${receiptIdOf(44)}\tLX300000004CN\n${receiptIdOf(45)}\tLX300000005CN`);
      releaseRequest();
      await page.getByText('1 tracking number was added.').waitFor();
      await expect.poll(() => pasteField.inputValue()).toBe(`${receiptIdOf(45)}\tLX300000005CN\t`);
    });
  });

  it('in a file that the browser cannot read lead to an error message', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      await makeFileReadsFail(page);
      await page.locator('input[type=file]').setInputFiles({
        name: 'forwarder.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('folder'),
      });
      await page.getByRole('alert').getByText('The file cannot be read').waitFor();
    });
  });

  it('can also come from the forwarder’s file; refused rows stay on the page, and are added once they are corrected', async () => {
    const file = {
      name: 'forwarder.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'No.,Order number,Tracking number',
          `1,${receiptIdOf(30)},LX200000001CN`,
          `2,${receiptIdOf(1)},LX200000002CN`,
          '3,999,LX200000003CN',
        ].join('\n'),
      ),
    };
    await backOffice.withPage('/orders/tracking', async (page) => {
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByText('3 rows read.').waitFor();
      await page.getByRole('button', { name: 'Add 3 tracking numbers' }).click();
      await page.getByText('1 tracking number was added.').waitFor();
      await page
        .getByText('2 rows have not been added. The “Check” column says why', { exact: false })
        .waitFor();
      await page.getByRole('row', { name: /999.*No shop has an order with this number/ }).waitFor();
      await page.getByText('Several shops have this order number. Choose the shop.').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByLabel(`Shop of order ${receiptIdOf(1)}`).selectOption('Owl Atelier');
      const pasteField = page.getByLabel('Paste from a spreadsheet');
      await pasteField.fill((await pasteField.inputValue()).replace('999', '700001'));
      await page.getByRole('button', { name: 'Add 2 tracking numbers' }).click();
      await page.getByText('2 tracking numbers were added.').waitFor();
      await expect.poll(() => pasteField.inputValue()).toBe('');
    });
    const { orders } = await backOffice.query('orders.list', { filter: { shops: [secondShopId] } });
    expect(orders.map((order: { tracking_numbers: string[] }) => order.tracking_numbers)).toEqual([
      ['LX200000003CN'],
      ['LX200000002CN'],
    ]);
  });

  it('whose chosen shop no longer has the order stay on the page until a shop that has it is chosen, and are then added there', async () => {
    const { id: lostShopId } = await backOffice.call('shops.create', { name: 'Lost Shop' });
    const rows = [{ receipt_id: receiptIdOf(50), title: 'Owl Lamp' }];
    await backOffice.send('/api/orders/import', { account_id: lostShopId, rows });
    await backOffice.withPage('/orders/tracking', async (page) => {
      const shopChoice = page.getByLabel(`Shop of order ${receiptIdOf(50)}`);
      const addButton = page.getByRole('button', { name: /^Add \d tracking number/ });
      await page.getByLabel('Paste from a spreadsheet').fill(`${receiptIdOf(50)}\tLX400000001CN`);
      await addButton.click();
      await shopChoice.selectOption('Lost Shop');
      await backOffice.queryDatabase(`UPDATE shops SET archived_at = now() WHERE id = ${lostShopId}`);
      await addButton.click();
      await page
        .getByText('The chosen shop no longer has this order number, but another shop does.')
        .waitFor();
      expect(await addButton.isDisabled()).toBe(true);
      await shopChoice.selectOption('Fox and Bricks');
      await addButton.click();
      await page.getByText('1 tracking number was added.').waitFor();
    });
    const { orders } = await backOffice.query('orders.list', { filter: { ids: ['50'] } });
    expect(orders[0]).toMatchObject({ shop: 'Fox and Bricks', tracking_numbers: ['LX400000001CN'] });
  });
});

describe('export templates', () => {
  it('can be copied from a built-in one, reordered by keyboard, and used for an export', async () => {
    await backOffice.withPage('/orders/templates', async (page) => {
      await chooseAction(page, 'Picking', 'Copy');
      const form = page.getByRole('dialog', { name: 'New template' });
      await form.getByLabel('Name').fill('To pick');
      await form.getByText('One row per item.', { exact: false }).waitFor();
      await form.getByRole('button', { name: 'Move Order number up' }).focus();
      for (let n = 0; n < 4; n += 1) await page.keyboard.press('Enter');
      await form.getByLabel('Header of Order number').fill('单号');
      await form.getByRole('button', { name: 'Remove SKU' }).click();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText('To pick is saved.').waitFor();
      await backOffice.visit(page, '/orders?q=bear');
      await page.getByRole('button', { name: 'Export' }).click();
      const downloadPromise = page.waitForEvent('download');
      await menuItem(page, 'To pick').click();
      const rows = await readDownload(await downloadPromise);
      expect(rows[0]).toEqual(['单号', 'Title', 'Variations and personalization', 'Quantity']);
      expect(rows[1]![0]).toBe(receiptIdOf(ORDER_COUNT));
    });
  });
});

describe('the pages', () => {
  const filter = encodeURIComponent(JSON.stringify({ sold_to: '2026-07-03' }));
  itRendersInEveryView(
    () => backOffice,
    () => [
      ['/orders/templates', 'export-templates'],
      [`/orders/pick-list?filter=${filter}`, 'pick-list'],
      [`/orders/packing-slips?filter=${filter}`, 'packing-slips'],
      ['/orders/tracking', 'tracking-paste'],
    ],
  );
});
