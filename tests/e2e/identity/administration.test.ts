import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus } from '../../support/browser/browser';
import { chooseAction, confirmAction, readSecret } from '../../support/browser/page-actions';
import { itRendersInEveryView } from '../../support/browser/views';

const VIEWER_EMAIL = 'viewer@example.com';
const ADMIN_EMAIL = 'admin@example.com';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-administration');
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  await backOffice.addUser(ADMIN_EMAIL, 'admin');
});
afterAll(() => backOffice?.close());

describe('shops', () => {
  it('are added with the keyboard, renamed, archived and restored', async () => {
    await backOffice.withPage('/shops', async (page) => {
      await page.getByRole('heading', { name: 'There are no shops yet' }).waitFor();
      await page.getByRole('button', { name: 'Add a shop' }).first().focus();
      await page.keyboard.press('Enter');
      await waitForFocus(page.getByRole('dialog').getByLabel('Name'));
      await page.keyboard.press('Enter');
      await page.getByText('Is required.').waitFor();
      await page.keyboard.type('Fox Stickers');
      await page.keyboard.press('Tab');
      await page.keyboard.type('fox-and-bricks');
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /Fox Stickers .*fox-and-bricks/ }).waitFor();
      await chooseAction(page, 'Fox Stickers', 'Edit');
      await page.getByRole('dialog').getByLabel('Name').fill('Fox & Bricks');
      await page.getByRole('dialog').getByLabel('Marketplace shop ID').fill('');
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /^Fox & Bricks formerly Fox Stickers –/ }).waitFor();
      await chooseAction(page, 'Fox & Bricks', 'Archive');
      await confirmAction(page, 'Archive');
      await page.getByRole('row', { name: /Archived/ }).waitFor();
      await chooseAction(page, 'Fox & Bricks', 'Restore');
      await page.getByRole('row', { name: /Active/ }).waitFor();
    });
  });

  it.each(['Fox & Bricks', 'Fox Stickers'])(
    'cannot have the name %s, which another shop has or had',
    async (name) => {
      await backOffice.withPage(
        '/shops',
        async (page) => {
          await page.getByRole('button', { name: 'Add a shop' }).click();
          await page.getByRole('dialog').getByLabel('Name').fill(name);
          await page.keyboard.press('Enter');
          await page.locator('[name=name][aria-invalid=true]').waitFor();
        },
        { allowedErrors: /status of 422/ },
      );
    },
  );
});

describe('a shop', () => {
  it('is downloaded with its orders, and marked for deletion once its name is typed', async () => {
    const { id } = await backOffice.call('shops.create', { name: 'Old Shop' });
    await backOffice.send('/api/orders/import', { account_id: id, rows: [{ receipt_id: '4165000099' }] });
    // The job that deletes marked shops waits for another run to end. Otherwise, if it came due just then, it could delete the shop
    // before the page shows that it is being deleted.
    const insertRun = `INSERT INTO pgboss.job (name, state, policy) VALUES ('delete-shops', 'active', 'singleton')
                       ON CONFLICT DO NOTHING RETURNING id`;
    await expect.poll(() => backOffice.queryDatabase(insertRun)).toHaveLength(1);
    await backOffice.withPage(
      '/shops',
      async (page) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          chooseAction(page, 'Old Shop', 'Download data'),
        ]);
        expect(download.suggestedFilename()).toMatch(/^shop-\d+-\d{4}-\d\d-\d\d\.ndjson\.gz$/);
        const shopJson = gunzipSync(await readFile((await download.path())!)).toString();
        expect(shopJson).toContain('4165000099');
        await chooseAction(page, 'Old Shop', 'Delete');
        const deletionDialog = page.getByRole('dialog', { name: 'Delete “Old Shop”' });
        await deletionDialog
          .getByText(
            'The shop, its 1 order, imports, replies, prompt and 0 days of statistics will be deleted within a few minutes. This cannot be undone. The audit log stays.',
          )
          .waitFor();
        const nameField = deletionDialog.getByLabel('Type the name of the shop to confirm');
        await nameField.fill('Fox & Bricks');
        await page.keyboard.press('Enter');
        await deletionDialog.getByText('Must be the name of the shop: Old Shop').waitFor();
        await nameField.fill('Old Shop');
        await deletionDialog.getByRole('button', { name: 'Delete the shop and all its data' }).click();
        await page.getByRole('row', { name: /Old Shop .*Being deleted/ }).waitFor();
        await page.getByRole('button', { name: 'Actions for Old Shop' }).click();
        await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Download data']);
      },
      { allowedErrors: /status of 422/ },
    );
  });
});

describe('people', () => {
  it('are added with a password that is shown only once, and can then be edited, deactivated and reactivated', async () => {
    await backOffice.withPage('/people', async (page) => {
      await page.getByRole('button', { name: 'Add a person' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('E-mail').fill('Kim@example.com');
      await drawer.getByLabel('Name').fill('Kim');
      await page.keyboard.press('Enter');
      expect((await readSecret(page)).length).toBeGreaterThan(12);
      await page.getByRole('row', { name: /Kim kim@example.com Operator Active/ }).waitFor();
      await chooseAction(page, 'Kim', 'Edit');
      await page.getByRole('dialog').getByLabel('Require two-factor sign-in').check();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /Kim .*Required, not set up yet/ }).waitFor();
      await chooseAction(page, 'Kim', 'Reset the password');
      await confirmAction(page, 'Reset the password');
      expect((await readSecret(page)).length).toBeGreaterThan(12);
      await chooseAction(page, 'Kim', 'Deactivate');
      await confirmAction(page, 'Deactivate');
      await page.getByRole('row', { name: /Kim .*Deactivated/ }).waitFor();
      await chooseAction(page, 'Kim', 'Reactivate');
      await page.getByRole('row', { name: /Kim .*Operator Active/ }).waitFor();
    });
  });

  it('who are administrators cannot manage owners', async () => {
    await backOffice.withPage(
      '/people',
      async (page) => {
        await page.getByRole('button', { name: 'Actions for Kim' }).waitFor();
        expect(await page.getByRole('button', { name: 'Actions for ann' }).count()).toBe(0);
        await page.getByRole('button', { name: 'Add a person' }).click();
        await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
        const roleList = page.getByRole('listbox', { name: 'Role' });
        await roleList.getByRole('option', { name: 'Administrator' }).waitFor();
        expect(await roleList.getByRole('option', { name: 'Owner' }).count()).toBe(0);
      },
      { userEmail: ADMIN_EMAIL },
    );
  });

  it('who are viewers cannot open pages that their role does not include, and see no buttons to change shops', async () => {
    for (const path of ['/keys', '/keys/1', '/clients', '/people', '/records', '/settings'])
      await backOffice.withPage(
        path,
        async (page) => {
          await page.getByRole('heading', { name: 'Your role does not give access to this page' }).waitFor();
          expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
        },
        { userEmail: VIEWER_EMAIL, allowedErrors: /status of 403/ },
      );
    await backOffice.withPage(
      '/shops',
      async (page) => {
        await page.getByRole('row', { name: /Fox & Bricks/ }).waitFor();
        expect(await page.getByRole('button', { name: /Add a shop|Actions for/ }).count()).toBe(0);
      },
      { userEmail: VIEWER_EMAIL },
    );
  });
});

describe('countries', () => {
  it('can have an unknown name added as an alias, which sets the country of orders with that name until the alias is removed', async () => {
    const rows = ['Untied States', 'Brickland'].map((country_name, index) => ({
      receipt_id: String(4_165_000_000 + index),
      country_name,
    }));
    expect(
      await backOffice.callApi(backOffice.service.key!, '/api/orders/import', { account_id: 1, rows }),
    ).toBe(200);
    await backOffice.withPage('/countries', async (page) => {
      await page.getByRole('heading', { name: '2 names match no country' }).waitFor();
      await page.getByRole('combobox', { name: 'Country for Brickland' }).fill('Germa');
      await page.getByRole('option', { name: 'Germany' }).click();
      await page
        .getByRole('row', { name: /Brickland/ })
        .getByRole('button', { name: 'Add' })
        .click();
      await page.getByText('1 order now has its country.').waitFor();
      await page.getByRole('heading', { name: '1 name matches no country' }).waitFor();
      await page.getByPlaceholder('Find a name or code').fill('brickland');
      await page.getByRole('button', { name: 'Aliases of Germany' }).click();
      await page.getByRole('button', { name: 'Remove Brickland' }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('1 order has no country now.').waitFor();
    });
  });

  it('are offered in the order of the names that the reader sees', async () => {
    await backOffice.withPage(
      '/countries',
      async (page) => {
        await page.getByRole('combobox', { name: /Untied States/ }).click();
        const options = page.getByRole('option');
        await options.first().waitFor();
        const names = await options.allInnerTexts();
        expect(names).toHaveLength(50);
        // Sorted by the browser, which may have other versions of names and orders than Node.
        const sortedNames = await page.evaluate(
          (texts) => [...texts].sort(new Intl.Collator('zh-CN').compare),
          names,
        );
        expect(names).toEqual(sortedNames);
      },
      { locale: 'zh-CN' },
    );
  });
});

describe('debug records', () => {
  it('show the request body as text, even if it contains HTML', async () => {
    const html = '<script>document.title = "taken"</script><b>bold</b>';
    expect(
      await backOffice.callApi(backOffice.service.key!, '/api/v1/marketplace?run=1&run=2', { html }),
    ).toBe(200);
    await backOffice.withPage('/records', async (page) => {
      await page.getByRole('link', { name: /^POST/ }).click();
      await page.getByText(JSON.stringify({ html })).waitFor();
      expect(await page.locator('main b').count()).toBe(0);
      expect(await page.title()).not.toContain('taken');
      expect(await page.getByText('run', { exact: true }).count()).toBe(2);
    });
  });
});

describe('settings', () => {
  it('show the migrations, tables, jobs and limits, and check other services on request', async () => {
    await backOffice.withPage('/settings', async (page) => {
      await page.getByText(/\d+ migrations? applied/).waitFor();
      const sizeTable = page.getByRole('table', { name: 'Largest tables' });
      await sizeTable.getByRole('row', { name: /^orders [\d,]+ \d/ }).waitFor();
      await page.getByText(/^Expired data is deleted every \d+ minutes\.$/).waitFor();
      const jobNames = page.getByRole('table', { name: 'Background work' }).locator('tbody [data-heading]');
      expect(new Set(await jobNames.allInnerTexts())).toEqual(
        new Set([
          'Ask carriers about undelivered shipments',
          'Delete expired data',
          'Delete shops with all their data',
          'Index old orders for search',
          'Replay interrupted callbacks',
          'Write and send notifications',
        ]),
      );
      await page.getByRole('row', { name: /Maximum rows in one order import 50,000/ }).waitFor();
      const responsePromise = page.waitForResponse(/settings\.checkUpstreams/);
      await page.getByRole('button', { name: 'Check now' }).click();
      await responsePromise;
      expect(await page.getByText('Not configured').count()).toBe(2);
    });
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/shops', 'shops'],
    ['/people', 'people'],
    ['/countries', 'countries'],
    ['/records', 'records'],
    ['/records/1', 'record'],
    ['/settings', 'settings'],
  ],
);
