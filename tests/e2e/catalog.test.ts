import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { confirmAction, makeFileReadsFail } from '../support/browser/page-actions';
import { itRendersInEveryView } from '../support/browser/views';

const VIEWER_EMAIL = 'viewer@example.com';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-catalog');
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
});
afterAll(() => backOffice?.close());

/** Returns the codes in one of the API's lists. */
async function fetchCodes(listName: string): Promise<string[]> {
  const headers = { 'X-Api-Key': backOffice.service.key! };
  return (await fetch(`${backOffice.service.url}/api/legos-${listName}`, { headers })).json();
}

const makeCsvFile = (text: string) => ({
  name: 'products.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

it.each([
  ['/catalog', 'There are no products yet', /Add a product/],
  ['/imports', 'Nothing has been imported yet', /Import the marketplace/],
  ['/orders', 'There are no orders yet', /Import the marketplace/],
  ['/shops', 'There are no shops yet', /Add your first shop/],
  ['/messages/replies', 'No replies yet', /Reply to a buyer/],
  ['/statistics', 'No shop statistics', /POST/],
])('the empty list of %s tells only users who may do it what to do first', async (path, title, hint) => {
  const countHints = async (userEmail?: string) => {
    let count = -1;
    await backOffice.withPage(
      path,
      async (page) => {
        await page.getByRole('heading', { name: title }).waitFor();
        count = await page.getByRole('main').locator('p').getByText(hint).count();
      },
      userEmail === undefined ? {} : { userEmail },
    );
    return count;
  };
  expect([await countHints(), await countHints(VIEWER_EMAIL)]).toEqual([1, 0]);
});

it('the catalog says what to do first when it is empty, and lets the user add a product', async () => {
  await backOffice.withPage('/catalog', async (page) => {
    await page.getByRole('heading', { name: 'There are no products yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a product' }).first().click();
    await page.getByRole('dialog').getByLabel('Code').fill('HD-001');
    await page.getByRole('dialog').getByLabel('Name').fill('Round head');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /HD-001 Round head head/ }).waitFor();
  });
  expect(await fetchCodes('head')).toEqual(['HD-001']);
});

it('the import page imports a file as previewed, or says what is wrong with it by line and column', async () => {
  await backOffice.withPage(
    '/catalog/import',
    async (page) => {
      const fileInput = page.locator('input[type=file]');
      await fileInput.setInputFiles(
        makeCsvFile('category,code,name\nhead,HD-002,Square head\nwing,WG-001,\n'),
      );
      await page.getByText(/^Line 3, category:/).waitFor();
      expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
      await fileInput.setInputFiles(
        makeCsvFile(
          'category,code,name\nhead,HD-001,Very round head\nhair,HR-001,\nhead,HD-002,Square head\n',
        ),
      );
      await page.getByText('2 products will be added, 1 updated, 0 left unchanged.').waitFor();
      await page.getByRole('row', { name: /HD-001 Updated head Round head ?Very round head/ }).waitFor();
      await page.getByRole('button', { name: 'Import 3 products' }).click();
      await page.waitForURL(/\/admin\/catalog$/);
      await page.getByRole('row', { name: /HR-001/ }).waitFor();
    },
    { allowedErrors: /status of 422/ },
  );
  expect(await fetchCodes('sku')).toEqual(['HD-001', 'HD-002', 'HR-001']);
});

it('the import page imports the file that was chosen last, even if reading an earlier one takes longer', async () => {
  await backOffice.withPage('/catalog/import', async (page) => {
    let releaseFirstFile = () => {};
    const releasePromise = new Promise<void>((resolve) => {
      releaseFirstFile = resolve;
    });
    await page.route(
      /catalog\.readFile/,
      async (route) => {
        await releasePromise;
        await route.continue();
      },
      { times: 1 },
    );
    const fileInput = page.locator('input[type=file]');
    const firstRequestPromise = page.waitForRequest(/catalog\.readFile/);
    await fileInput.setInputFiles(
      makeCsvFile('category,code,name\nleg,LG-001,Long legs\nleg,LG-002,Thin legs\n'),
    );
    await firstRequestPromise;
    await fileInput.setInputFiles(makeCsvFile('category,code,name\nleg,LG-003,Short legs\n'));
    await page.getByText('1 product will be added, 0 updated, 0 left unchanged.').waitFor();
    const firstResponsePromise = page.waitForResponse(/catalog\.readFile/);
    releaseFirstFile();
    await firstResponsePromise;
    await page.getByRole('button', { name: 'Import 1 product' }).click();
    await page.waitForURL(/\/admin\/catalog$/);
  });
  expect(await fetchCodes('leg')).toEqual(['LG-003']);
});

it('a double click on a button imports or adds once', async () => {
  await backOffice.withPage('/catalog/import', async (page) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      calls.push(...(request.url().match(/catalog\.(?:importProducts|createProduct)/g) ?? []));
    });
    /** Clicks twice, as fast as a person does. */
    const clickTwice = async (button: Locator) => {
      await button.hover();
      const { x, y, width, height } = (await button.boundingBox())!;
      const position = [x + width / 2, y + height / 2] as const;
      await page.mouse.click(...position);
      await page.waitForTimeout(120);
      await page.mouse.click(...position, { clickCount: 2 });
    };
    await page
      .locator('input[type=file]')
      .setInputFiles(makeCsvFile('category,code,name\nleg,LG-003,Shorter legs\n'));
    await page.getByRole('button', { name: 'Import 1 product' }).dblclick();
    // Shown for a few seconds, from before the catalog is opened.
    await page.getByText('Imported: 0 new products, 1 updated.').waitFor();
    expect(await page.getByText('Imported: 0 new products, 1 updated.').count()).toBe(1);
    await page.waitForURL(/\/admin\/catalog$/);
    await page.getByRole('button', { name: 'Add a product' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('LG-004');
    await dialog.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'leg' }).click();
    await clickTwice(dialog.getByRole('button', { name: 'Add a product' }));
    await page.getByRole('row', { name: /LG-004/ }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(calls).toEqual(['catalog.importProducts', 'catalog.createProduct']);
  });
});

it('the import page says so if the browser cannot read the file', async () => {
  await backOffice.withPage('/catalog/import', async (page) => {
    await makeFileReadsFail(page);
    await page.locator('input[type=file]').setInputFiles(makeCsvFile('folder'));
    await page.getByRole('alert').getByText('The file cannot be read').waitFor();
  });
});

it('the catalog can be filtered by text and category in the URL, shown as an API call, and downloaded', async () => {
  await backOffice.withPage('/catalog?search=round', async (page) => {
    await page.getByRole('row', { name: /HD-001/ }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('combobox', { name: 'Category' }).selectOption('head');
    await page.getByRole('row', { name: /HD-002/ }).waitFor();
    await page.waitForURL(/category=\d+$/);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'View API call' }).click();
    await page.getByText('/api/legos-head').first().waitFor();
    await page.keyboard.press('Escape');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV', exact: true }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('"head","HD-002","Square head"');
  });
});

it('an archived product is hidden from the API until it is restored', async () => {
  await backOffice.withPage('/catalog', async (page) => {
    await page.getByRole('button', { name: 'Actions for HD-002' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('row', { name: /HD-002/ }).waitFor({ state: 'hidden' });
    expect(await fetchCodes('head')).toEqual(['HD-001']);
    await page.getByRole('combobox', { name: 'Archived' }).selectOption('yes');
    await page.getByRole('button', { name: 'Actions for HD-002' }).click();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });
  expect(await fetchCodes('head')).toEqual(['HD-001', 'HD-002']);
});

it('categories are added, renamed, reordered and deleted', async () => {
  await backOffice.withPage('/catalog/categories', async (page) => {
    await page.getByRole('button', { name: 'Add a category' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Wings');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Rename Wings' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Capes');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move Capes up' }).click();
    await expect.poll(() => fetchCodes('cate')).toEqual(['head', 'body', 'hair', 'leg', 'Capes', 'brick']);
    await page.getByRole('button', { name: 'Delete Capes' }).click();
    await confirmAction(page, 'Delete');
    await expect.poll(() => fetchCodes('cate')).toEqual(['head', 'body', 'hair', 'leg', 'brick']);
    await expect.poll(() => page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  });
});

it('the audit log shows no previous value for the counts of an import', async () => {
  await backOffice.withPage('/audit', async (page) => {
    const row = page.getByRole('row', { name: /imported the catalog: 0 new products/ });
    await row.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    const changedRow = page.getByRole('dialog').getByRole('row', { name: /^changed / });
    expect(await changedRow.innerText()).toMatch(/\s–\s+1$/);
  });
});

it('viewers see the products, but no buttons to change them', async () => {
  await backOffice.withPage(
    '/catalog',
    async (page) => {
      await page.getByRole('row', { name: /HD-001/ }).waitFor();
      expect(await page.getByRole('button', { name: /Add a product|Actions for/ }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Import CSV' }).count()).toBe(0);
    },
    { userEmail: VIEWER_EMAIL },
  );
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/catalog', 'catalog'],
    ['/catalog/categories', 'categories'],
    ['/catalog/import', 'catalog-import'],
  ],
);
