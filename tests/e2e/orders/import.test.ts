import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { chooseFile, importNow, uploadAndPreview } from '../../support/browser/import-steps';
import { screenshot } from '../../support/browser/screenshot';
import { itRendersInEveryView } from '../../support/browser/views';
import { readFixtureRows } from '../../support/fixtures';
import { csvOf } from '../../support/service/import-drafts';

const RECEIPT_COLUMN = 24;

let backOffice: BackOffice;
let shopId: number;
/** The id of the last fixture's import. */
let importId: string;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-import');
});

afterAll(() => backOffice?.close());

const countOrders = (name: 'us' | 'uk') =>
  new Set(
    readFixtureRows(name)
      .slice(1)
      .map((row) => row[RECEIPT_COLUMN]),
  ).size;

const sendRows = (rows: unknown[]) => backOffice.send('/api/orders/import', { account_id: shopId, rows });

describe('without any data', () => {
  it('the import page asks for a shop, and the empty history leads to the import page', async () => {
    await backOffice.withPage('/import', async (page) => {
      await page.getByRole('heading', { name: 'There are no active shops' }).waitFor();
      await page
        .getByText('Orders belong to a shop. Add or restore one, then come back to import its orders.')
        .waitFor();
      expect(await page.getByRole('link', { name: 'Add a shop' }).getAttribute('href')).toBe('/admin/shops');
    });
    await backOffice.withPage('/imports', async (page) => {
      await page.getByRole('heading', { name: 'Nothing has been imported yet' }).waitFor();
      const hint = page.getByText(
        'Import the marketplace’s export here, or let a program send orders through the API.',
      );
      // The page's header has such a link too.
      await hint.locator('xpath=..').getByRole('link', { name: 'Import orders' }).click();
      await page.getByRole('heading', { level: 1, name: 'Import orders' }).waitFor();
    });
    shopId = (await backOffice.call('shops.create', { name: 'Fox and Bricks' })).id;
    await backOffice.call('shops.create', { name: 'Brick Portraits' });
  });
});

describe('the import page', () => {
  it('asks for the shop before the file, remembers the shop, and refuses a file that is not an order export', async () => {
    await backOffice.withPage(
      '/import',
      async (page) => {
        await chooseFile(page, 'orders.csv', csvOf([{ receipt: '1' }]));
        await page.getByText('Choose the shop first, then the file.').waitFor();
        await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
        await chooseFile(page, 'picture.png', 'x');
        await page.getByText('“picture.png” is neither').waitFor();
        await chooseFile(page, 'other.csv', 'a,b\n1,2\n');
        await page.getByRole('alert').getByText('Please check your input').waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await page.reload();
        await expect.poll(() => page.getByLabel('Shop').inputValue()).toBe(String(shopId));
      },
      { allowedErrors: /status of 422/ },
    );
  });

  it.each(['us', 'uk'] as const)('imports the %s export as previewed', async (name) => {
    const count = countOrders(name);
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, `tests/fixtures/sold-order-items-${name}.csv`);
      await page.getByText(`This import will add ${count} new orders.`).waitFor();
      await importNow(page);
      await page.getByText(`${count} new orders were added.`).waitFor();
      // The result is still there after a reload.
      await page.reload();
      await page.getByText(`${count} new orders were added.`).waitFor();
      await page.getByRole('link', { name: 'Show the new orders' }).click();
      await page.waitForURL(/\/orders\?import=\d+$/);
      importId = new URL(page.url()).searchParams.get('import')!;
      await page.getByText(`${count} orders`, { exact: true }).waitFor();
    });
  });

  it('shows the day of a sale in New York time, even to a user in another time zone', async () => {
    await backOffice.queryDatabase("UPDATE users SET time_zone = 'Asia/Shanghai'");
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, {
        name: 'late.csv',
        text: csvOf([{ receipt: '4199999999', sale_date: '8/22/2026 11:00 PM' }]),
      });
      await page.getByRole('cell', { name: 'Aug 22, 2026 EDT' }).waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await page.waitForURL(/\/import$/);
    });
    await backOffice.queryDatabase('UPDATE users SET time_zone = NULL');
  });

  it('shows field by field what will change in orders', async () => {
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      const [row] = readFixtureRows('us').slice(1);
      await uploadAndPreview(page, {
        name: 'again.csv',
        text: csvOf([{ receipt: row![RECEIPT_COLUMN], name: 'Somebody Else' }]),
      });
      await page.getByText('This import will update 1 order.').waitFor();
      await page.getByRole('tab', { name: 'Updated' }).click();
      await page.getByRole('cell', { name: /Sable Proxy → Somebody Else/ }).waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await page.waitForURL(/\/import$/);
    });
  });

  it('accepts a fixed cell on Enter, checks the file again, and goes to the next bad cell', async () => {
    const text = csvOf([
      { receipt: 'm1', quantity: 'two', title: 'Fox Sticker' },
      { receipt: 'm2', price: '4,4x', title: 'Owl Magnet' },
      { receipt: 'm2', title: 'Owl Sticker' },
      { receipt: 'm3', title: 'Bear Pin', country: 'Untied States' },
    ]);
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name: 'bad.csv', text });
      await page.getByText('2 rows with bad cells are held back, together with 1 row').waitFor();
      await page.getByRole('tab', { name: /^Warnings/ }).click();
      await page.getByText('"Untied States" is not a known country').waitFor();
      await page.getByRole('tab', { name: /^Held back/ }).click();
      await screenshot(page, 'admin-import-rejected');
      await page.getByLabel('Quantity, Line 2').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await page.getByText('This import will add 2 new orders.').waitFor();
      await page.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Price, Line 3',
      );
      const downloadPromise = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download rows held back' }).click();
      expect((await downloadPromise).suggestedFilename()).toMatch(/^bad-bad-rows-[\d-]{10}\.xlsx$/);
      await page.getByRole('button', { name: 'Whole row, Line 3' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Price').fill('4.49');
      await drawer.getByRole('button', { name: 'Save and check again' }).click();
      await page.getByText('This import will add 3 new orders.').waitFor();
      await importNow(page);
      await page.getByText('3 new orders were added.').waitFor();
    });
  });

  it('asks whether a file belongs to another shop, and accepts a fix for a suspicious cell', async () => {
    await backOffice.withPage('/import', async (page) => {
      const [row] = readFixtureRows('us').slice(1);
      await page.getByLabel('Shop').selectOption({ label: 'Brick Portraits' });
      await uploadAndPreview(page, {
        name: 'foreign.csv',
        text: csvOf([{ receipt: row![RECEIPT_COLUMN] }, { receipt: 'bp-1', country: 'Atlantis' }]),
      });
      const alert = page.getByRole('alert').filter({ hasText: 'Does this file belong to Brick Portraits?' });
      await alert.getByText('1 order number already belongs to the shop Fox and Bricks.').waitFor();
      await page.getByText('1 cell looks suspicious: see the warnings.').waitFor();
      await page.getByRole('tab', { name: 'Warnings' }).click();
      await page.getByText('"Atlantis" is not a known country or alias').waitFor();
      const cell = page.getByLabel('Ship Country, Line 3');
      await cell.fill('Germany');
      await cell.press('Enter');
      await page.getByText('None.').waitFor();
      await expect.poll(() => page.getByText('looks suspicious').count()).toBe(0);
      await screenshot(page, 'admin-import-foreign');
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('refuses an import that no longer matches its preview, and shows a new preview', async () => {
    await backOffice.withPage(
      '/import',
      async (page) => {
        await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
        await uploadAndPreview(page, {
          name: 'stale.csv',
          text: csvOf([{ receipt: 's1' }, { receipt: 's2' }]),
        });
        await page.getByText('This import will add 2 new orders.').waitFor();
        await sendRows([{ receipt_id: 's1', name: 'Sent meanwhile' }]);
        await page.getByRole('button', { name: 'Import now' }).click();
        await page.getByRole('alert').getByText('nothing was imported').waitFor();
        await page.getByText('add 1 new order').waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await importNow(page);
      },
      { allowedErrors: /status of 409/ },
    );
  });

  it('keeps a draft to come back to', async () => {
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name: 'later.csv', text: csvOf([{ receipt: 'l1' }]) });
      await page.getByRole('link', { name: 'Import orders' }).click();
      await page.getByRole('link', { name: 'later.csv' }).click();
      await page.getByText('This import will add 1 new order.').waitFor();
    });
  });
});

describe('the steps of an import', () => {
  let draftPath: string;

  beforeAll(() =>
    backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      const text = csvOf([{ receipt: 'x1', quantity: 'two' }, { receipt: 'x2' }]);
      await uploadAndPreview(page, { name: 'look.csv', text });
      draftPath = new URL(page.url()).pathname.replace('/admin', '');
    }),
  );

  itRendersInEveryView(
    () => backOffice,
    () => [
      ['/import', 'import'],
      [`${draftPath}?part=new`, 'import-new'],
      [`${draftPath}?part=rejected`, 'import-rejected'],
      ['/imports', 'imports'],
      [`/imports/${importId}`, 'imports-one'],
    ],
  );
});
