import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility';
import { csvOf } from '../../support/browser/import-page';
import { itShowsInEveryView, type Office, openOffice } from '../../support/browser/office';
import { screenshot } from '../../support/browser/screenshot';
import { fixtureRows } from '../../support/fixtures';

const VIEWER = 'vic@example.com';
const RECEIPT = 24;

let office: Office;
let shop: number;
/** The import of the last fixture. */
let imported: string;

beforeAll(async () => {
  office = await openOffice('admin-import');
  await office.addPerson(VIEWER, 'viewer');
});

afterAll(() => office?.close());

const receiptsOf = (name: 'us' | 'uk') =>
  new Set(
    fixtureRows(name)
      .slice(1)
      .map((row) => row[RECEIPT]),
  ).size;

const choose = (page: Page, name: string, text: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Uploads a file and waits for the preview of its import. */
async function preview(page: Page, file: string | { name: string; text: string }): Promise<void> {
  if (typeof file === 'string') await page.locator('input[type=file]').setInputFiles(file);
  else await choose(page, file.name, file.text);
  await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
  await page.getByRole('button', { name: 'Import now' }).waitFor();
}

async function importNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import now' }).click();
  await page.getByRole('link', { name: 'Show the import' }).waitFor();
}

const sendRows = (rows: unknown[]) => office.send('/api/orders/import', { account_id: shop, rows });

describe('with nothing there', () => {
  it('the import asks for a shop first, and the history says what to do', async () => {
    await office.onPage('/import', async (page) => {
      await page.getByRole('heading', { name: 'There are no shops yet' }).waitFor();
      expect(await page.getByRole('link', { name: 'Add a shop' }).getAttribute('href')).toBe('/admin/shops');
    });
    await office.onPage('/imports', async (page) => {
      await page.getByRole('heading', { name: 'Nothing has been imported yet' }).waitFor();
    });
    shop = (await office.call('shops.create', { name: 'Fox and Bricks' })).id;
    await office.call('shops.create', { name: 'Brick Portraits' });
  });
});

describe('the import page', () => {
  it('wants the shop before the file, remembers it, and refuses what is no order export', async () => {
    await office.onPage(
      '/import',
      async (page) => {
        await choose(page, 'orders.csv', csvOf([{ receipt: '1' }]));
        await page.getByText('Choose the shop first, then the file.').waitFor();
        await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
        await choose(page, 'picture.png', 'x');
        await page.getByText('“picture.png” is neither').waitFor();
        await choose(page, 'other.csv', 'a,b\n1,2\n');
        await page.getByRole('alert').getByText('Please check your input').waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        await page.reload();
        await expect.poll(() => page.getByLabel('Shop').inputValue()).toBe(String(shop));
      },
      { except: /status of 422/ },
    );
  });

  it.each(['us', 'uk'] as const)('imports the %s export, as it says before', async (name) => {
    const count = receiptsOf(name);
    await office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await preview(page, `tests/fixtures/sold-order-items-${name}.csv`);
      await page.getByText(`This import will add ${count} new orders.`).waitFor();
      await importNow(page);
      await page.getByText(`${count} new orders were added.`).waitFor();
      // The result is still there after coming back.
      await page.reload();
      await page.getByText(`${count} new orders were added.`).waitFor();
      await page.getByRole('link', { name: 'Show its new orders' }).click();
      await page.waitForURL(/\/orders\?import=\d+$/);
      imported = new URL(page.url()).searchParams.get('import')!;
      await page.getByText(`${count} orders`, { exact: true }).waitFor();
    });
  });

  it('shows what changes of orders, field by field', async () => {
    await office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      const [row] = fixtureRows('us').slice(1);
      await preview(page, {
        name: 'again.csv',
        text: csvOf([{ receipt: row![RECEIPT], name: 'Somebody Else' }]),
      });
      await page.getByText('This import will update 1 order.').waitFor();
      await page.getByRole('tab', { name: 'Updated' }).click();
      await page.getByRole('cell', { name: /Sable Proxy → Somebody Else/ }).waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await page.waitForURL(/\/import$/);
    });
  });

  it('takes a fixed cell with Enter, checks the file again, and goes to the next bad cell', async () => {
    const text = csvOf([
      { receipt: 'm1', quantity: 'two', title: 'Fox Sticker' },
      { receipt: 'm2', price: '4,4x', title: 'Owl Magnet' },
      { receipt: 'm2', title: 'Owl Sticker' },
      { receipt: 'm3', title: 'Bear Pin', country: 'Untied States' },
    ]);
    await office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await preview(page, { name: 'bad.csv', text });
      await page.getByText('2 rows with bad cells are held back, together with 1 row').waitFor();
      await page.getByRole('tab', { name: /^Warnings/ }).click();
      await page.getByText('"Untied States" is not a known country').waitFor();
      await page.getByRole('tab', { name: /^Rejected/ }).click();
      await screenshot(page, 'admin-import-rejected');
      await page.getByLabel('Quantity, Line 2').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await page.getByText('This import will add 2 new orders.').waitFor();
      await page.waitForFunction(
        () => document.activeElement?.getAttribute('aria-label') === 'Price, Line 3',
      );
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download bad rows' }).click();
      expect((await download).suggestedFilename()).toBe('bad - bad rows.xlsx');
      await page.getByRole('button', { name: 'Whole row, Line 3' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Price').fill('4.49');
      await drawer.getByRole('button', { name: 'Save and check again' }).click();
      await page.getByText('This import will add 3 new orders.').waitFor();
      await importNow(page);
      await page.getByText('3 new orders were added.').waitFor();
    });
  });

  it('asks whether a file is of another shop, and takes a fixed suspicious cell', async () => {
    await office.onPage('/import', async (page) => {
      const [row] = fixtureRows('us').slice(1);
      await page.getByLabel('Shop').selectOption({ label: 'Brick Portraits' });
      await preview(page, {
        name: 'foreign.csv',
        text: csvOf([{ receipt: row![RECEIPT] }, { receipt: 'bp-1', country: 'Atlantis' }]),
      });
      const alert = page.getByRole('alert').filter({ hasText: 'Is this a file of Brick Portraits?' });
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
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

  it('refuses what no longer is as the preview showed, and shows the new preview', async () => {
    await office.onPage(
      '/import',
      async (page) => {
        await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
        await preview(page, { name: 'stale.csv', text: csvOf([{ receipt: 's1' }, { receipt: 's2' }]) });
        await page.getByText('This import will add 2 new orders.').waitFor();
        await sendRows([{ receipt_id: 's1', name: 'Sent meanwhile' }]);
        await page.getByRole('button', { name: 'Import now' }).click();
        await page.getByRole('alert').getByText('nothing was imported').waitFor();
        await page.getByText('add 1 new order').waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        await importNow(page);
      },
      { except: /status of 409/ },
    );
  });

  it('keeps what was begun, to come back to', async () => {
    await office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await preview(page, { name: 'later.csv', text: csvOf([{ receipt: 'l1' }]) });
      await page.getByRole('link', { name: 'Import orders' }).click();
      await page.getByRole('link', { name: 'later.csv' }).click();
      await page.getByText('This import will add 1 new order.').waitFor();
    });
  });
});

describe('the result of an import', () => {
  /** Imports a file and returns the page's sentences and the downloads that it offers. */
  const result = async (name: string, text: string): Promise<string[]> => {
    let said: string[] = [];
    await office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await preview(page, { name: `${name}.csv`, text });
      await importNow(page);
      const alert = page.getByRole('status').filter({ hasText: 'Imported' });
      said = await alert.locator('p').allTextContents();
      const links = page.getByRole('link', { name: 'Download bad rows' });
      if ((await links.count()) > 0) {
        const download = page.waitForEvent('download');
        await links.click();
        said.push((await download).suggestedFilename());
      }
      await screenshot(page, `admin-import-result-${name}`);
    });
    return said;
  };
  const clean = csvOf([
    { receipt: 'r1', transaction_id: '1', title: 'Fox' },
    { receipt: 'r1', transaction_id: '2', title: 'Owl' },
    { receipt: 'r2', transaction_id: '3', title: 'Elk' },
  ]);

  it('of a clean file tells its orders and items, and of no row that was held back', async () => {
    expect(await result('clean', clean)).toEqual(['2 new orders were added.', '3 items were added.']);
  });

  it('of the same file again tells that nothing has changed', async () => {
    expect(await result('again', clean)).toEqual([
      '2 orders were already here, and nothing in them has changed.',
    ]);
  });

  it('of a file with bad rows tells how many stayed behind, and gives them for download', async () => {
    const text = csvOf([
      { receipt: 'r1', transaction_id: '1', title: 'Red Fox' },
      { receipt: 'r2', transaction_id: '3', title: 'Elk' },
      { receipt: 'r3', transaction_id: '4', quantity: 'two', price: '12,00' },
      { receipt: 'r3', transaction_id: '5' },
      { receipt: 'r4', transaction_id: '6', country: 'Atlantis' },
    ]);
    expect(await result('held', text)).toEqual([
      '1 new order was added.',
      '1 order was updated.',
      '1 order was already here and has not changed.',
      '1 item was added.',
      '1 item was updated.',
      '2 rows were held back and can still be downloaded.',
      '1 warning is kept with the import.',
      'held - bad rows.xlsx',
    ]);
  });
});

describe('the history', () => {
  it('undoes an import except what was touched since, and shows both before it does', async () => {
    await office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await preview(page, { name: 'undo.csv', text: csvOf([{ receipt: 'u1' }, { receipt: 'u2' }]) });
      await importNow(page);
      await sendRows([{ receipt_id: 'u2', name: 'Sent since' }]);
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('button', { name: 'Undo …' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('This removes 1 order.').waitFor();
      await drawer.getByRole('cell', { name: 'u1' }).waitFor();
      await drawer.getByRole('tab', { name: /^Kept/ }).click();
      await drawer.getByRole('cell', { name: 'u2' }).waitFor();
      await drawer.getByText(/^Changed later by import \d+$/).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await screenshot(page, 'admin-import-undo');
      await drawer.getByRole('button', { name: 'Undo this import' }).click();
      await drawer.getByText('The import is undone').waitFor();
      await drawer.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('Undone', { exact: true }).first().waitFor();
      expect(await page.getByRole('button', { name: 'Undo …' }).count()).toBe(0);
    });
  });

  it('is filtered by what its address says', async () => {
    await office.onPage('/imports?source=spreadsheet&file=bad', async (page) => {
      await page.getByRole('cell', { name: 'bad.csv' }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('cell', { name: 'sold-order-items-uk.csv' }).waitFor();
      await page.getByLabel('Source').selectOption({ label: 'API' });
      await page.waitForURL(/source=api/);
    });
    await office.onPage('/imports?warnings=yes', async (page) => {
      await page.getByRole('cell', { name: 'bad.csv' }).waitFor();
      expect(await page.getByRole('cell', { name: 'undo.csv' }).count()).toBe(0);
    });
  });

  it('is open to viewers, who can neither import nor undo', async () => {
    await office.onPage(
      '/imports',
      async (page) => {
        expect(await page.getByRole('link', { name: 'Import orders' }).count()).toBe(0);
        await page
          .getByRole('link', { name: /^Import \d+$/ })
          .last()
          .click();
        await page.getByRole('tab', { name: /^Issues/ }).waitFor();
        expect(await page.getByRole('button', { name: 'Undo …' }).count()).toBe(0);
        await office.visit(page, '/import');
        await page.getByText('Your role does not include this page').waitFor();
      },
      { as: VIEWER, except: /status of 403/ },
    );
  });
});

describe('each step', () => {
  let draft: string;

  beforeAll(() =>
    office.onPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      const text = csvOf([{ receipt: 'x1', quantity: 'two' }, { receipt: 'x2' }]);
      await preview(page, { name: 'look.csv', text });
      draft = new URL(page.url()).pathname.replace('/admin', '');
    }),
  );

  itShowsInEveryView(
    () => office,
    () => [
      ['/import', 'import'],
      [`${draft}?part=new`, 'import-new'],
      [`${draft}?part=rejected`, 'import-rejected'],
      ['/imports', 'imports'],
      [`/imports/${imported}`, 'imports-one'],
    ],
  );
});
