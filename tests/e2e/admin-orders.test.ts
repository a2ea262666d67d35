import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility';
import { launchBrowser, sidewaysScroll, watch } from '../support/browser';
import { killServices, type ReadyService, startService } from '../support/service-process';
import { makeTemporaryFolder, removeTemporaryFolder } from '../support/temporary-folder';
import { transferredScript } from '../support/transferred';

const EMAIL = 'ann@example.com';
const VIEWER = 'vic@example.com';
const PASSWORD = 'correct horse battery staple';
const MAX_SCRIPT_BYTES = 300_000;
/** More than a page holds. */
const ORDERS = 60;

let folder: string;
let service: ReadyService;
let browser: Browser;
let owner: Awaited<ReturnType<Browser['newContext']>>;
let shop: number;

/** Calls a procedure as the page's own script would. */
async function call(page: Page, procedure: string, input: unknown) {
  const response = await page.request.post(`${service.url}/api/trpc/${procedure}`, {
    data: input,
    headers: { Origin: service.url },
  });
  expect(response.status(), procedure).toBe(200);
  return (await response.json()).result.data;
}

async function send(place: string, body: unknown): Promise<void> {
  const response = await fetch(service.url + place, {
    method: 'POST',
    headers: { 'X-Api-Key': service.key!, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBe(200);
}

const receiptOf = (n: number) => String(4_165_000_000 + n);

/** Sixty orders on as many days, the last of them two items and on its way. */
async function makeOrders(): Promise<void> {
  const rows = Array.from({ length: ORDERS }, (_, index) => ({
    receipt_id: receiptOf(index + 1),
    title: index === 0 ? 'Owl Magnet' : 'Fox Sticker',
    sku: `FX-${index}`,
    quantity: 1,
    price: 4.5,
    item_total: 4.5,
    currency: 'USD',
    sale_date: `${index < 30 ? 7 : 8}/${(index % 30) + 1}/2026`,
    name: `Buyer ${index + 1}`,
    first_line: '1 Example Street',
    city: 'Boston',
    state: 'MA',
    zip: '02108',
    country_name: index % 2 === 0 ? 'United States' : 'Germany',
  }));
  const last = receiptOf(ORDERS);
  rows.push({ ...rows.at(-1)!, title: 'Bear Pin', sku: '=1+1' });
  await send('/api/orders/import', {
    account_id: shop,
    rows: [...rows, { receipt_id: last, tracking_number: 'LX000000060CN', carrier_code: 'yanwen' }],
  });
  await send('/api/v1/tracks', {
    event: 'tracking',
    data: {
      tracking_number: 'LX000000060CN',
      status: 'exception',
      time: '2026-09-02T15:04:00Z',
      description: 'Held by customs',
      location: 'Leipzig',
    },
  });
}

async function signIn(page: Page, email = EMAIL): Promise<void> {
  await page.goto(`${service.url}/admin/account`, { waitUntil: 'networkidle' });
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${service.url}/admin/account`);
}

beforeAll(async () => {
  folder = await makeTemporaryFolder('admin-orders');
  service = await startService(
    { DATA_DIR: path.join(folder, 'data'), ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD },
    'build',
  );
  browser = await launchBrowser();
  owner = await browser.newContext({ locale: 'en-US' });
  const page = await owner.newPage();
  await signIn(page);
  shop = (await call(page, 'shops.create', { name: 'Fox and Bricks' })).id;
  await call(page, 'people.create', { email: VIEWER, role: 'viewer', password: PASSWORD });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

/** Opens a page of the owner's; at the end it must have said no error but those expected, and asked no other host. */
async function onPage(
  place: string,
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions & { except?: RegExp } = {},
): Promise<void> {
  const { except = /(?!)/, ...more } = options;
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    storageState: await owner.storageState(),
    acceptDownloads: true,
    ...more,
  });
  try {
    const page = await context.newPage();
    const { errors, requests } = watch(page);
    await page.goto(`${service.url}/admin${place}`, { waitUntil: 'networkidle' });
    await work(page);
    expect(errors.filter((error) => !except.test(error))).toEqual([]);
    expect(
      requests.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)),
    ).toEqual([]);
  } finally {
    await context.close();
  }
}

const rows = (page: Page) => page.locator('tbody tr');
const receipts = async (page: Page) => page.locator('tbody td[data-heading] a').allInnerTexts();
const opensOrder = (page: Page, receipt: string) =>
  page.getByRole('heading', { level: 1, name: receipt }).waitFor();

describe('the list of orders', () => {
  it('says what to do first where there are none', async () => {
    await onPage('/orders', async (page) => {
      await page.getByRole('heading', { name: 'There are no orders yet' }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
    });
    await makeOrders();
  });

  it('transfers at most 300 kB of script, and has nothing serious for axe-core', async () => {
    await onPage('/orders', async (page) => {
      await page.getByText(`${ORDERS} orders`).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      const bytes = await transferredScript(page, `${service.url}/admin/orders`);
      console.log(`The list of orders transfers ${bytes} bytes of script.`);
      expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
    });
  });

  it('is the newest first, page by page, and the other way round by its head', async () => {
    await onPage('/orders', async (page) => {
      expect((await receipts(page))[0]).toBe(receiptOf(ORDERS));
      await page.getByRole('button', { name: 'Next' }).click();
      await expect.poll(() => receipts(page)).toContain(receiptOf(1));
      expect(await rows(page).count()).toBe(ORDERS - 50);
      await page.getByRole('button', { name: 'Previous' }).click();
      await expect.poll(() => rows(page).count()).toBe(50);
      await page.getByRole('button', { name: 'Sold', exact: true }).last().click();
      await expect.poll(async () => (await receipts(page))[0]).toBe(receiptOf(1));
      expect(page.url()).toContain('sort=sold');
    });
  });

  it('is filtered by keyboard and mouse, with every filter in the address, which shows the same anew', async () => {
    await onPage('/orders', async (page) => {
      await page.getByRole('button', { name: 'Country' }).press('Enter');
      await page.getByRole('textbox', { name: 'Search Country' }).pressSequentially('germ');
      await page.getByRole('checkbox', { name: 'Germany' }).check();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sold', exact: true }).first().click();
      await page.getByLabel('From').fill('2026-08-01');
      await page.getByLabel('To').fill('2026-08-10');
      await page.keyboard.press('Escape');
      await page.getByText('5 orders').waitFor();
      const address = new URL(page.url());
      expect(Object.fromEntries(address.searchParams)).toEqual({
        country: 'DE',
        from: '2026-08-01',
        to: '2026-08-10',
      });
      await page.reload({ waitUntil: 'networkidle' });
      await page.getByText('5 orders').waitFor();
      await page.getByRole('button', { name: 'Clear the filters' }).click();
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
    await onPage(`/orders?${query}`, async (page) => {
      if (count === 0) await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      else await page.getByText(`${count} order`).waitFor();
    });
  });

  it('downloads exactly the filtered rows, formulas as text', async () => {
    await onPage('/orders?tracking=exception', async (page) => {
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
    await onPage('/orders?status=paid', async (page) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('Keep these filters as').fill('To pack');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Share To pack with everybody' }).click();
      await page.getByText('shared').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: /^To pack/ }).click();
      await page.waitForURL(/status=paid/);
    });
  });

  it('sets the status of chosen rows, having said what it will do', async () => {
    await onPage('/orders?q=fox', async (page) => {
      for (const n of [2, 3]) await page.getByRole('checkbox', { name: `Select ${receiptOf(n)}` }).check();
      await page.getByText('2 rows selected').waitFor();
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Cancelled' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set 2 orders to “Cancelled”?' });
      expect(await accessibilityFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Set to “Cancelled”' }).click();
      await page.getByText('2 orders are now “Cancelled”.').waitFor();
      await page.goto(`${service.url}/admin/orders?status=cancelled`);
      await page.getByText('2 orders').waitFor();
    });
  });

  it('is found from anywhere by the palette, for a receipt that was typed', async () => {
    await onPage('/account', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Find a page or an order' }).waitFor();
      await page.keyboard.type(receiptOf(7));
      await page.getByText(`Search orders for “${receiptOf(7)}”`).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/orders?q=${receiptOf(7)}`);
      await expect.poll(() => receipts(page)).toEqual([receiptOf(7)]);
    });
  });
});

describe('an order', () => {
  it('has items, address, the parcel with where it was in New York time, and what happened to it', async () => {
    await onPage(`/orders?q=${receiptOf(ORDERS)}`, async (page) => {
      await page.getByRole('link', { name: receiptOf(ORDERS) }).click();
      await opensOrder(page, receiptOf(ORDERS));
      for (const text of [
        'Bear Pin',
        'Boston, MA 02108',
        'Held by customs',
        'Leipzig',
        'Sep 2, 2026, 11:04 AM',
      ])
        await page.getByText(text).first().waitFor();
      await page.getByRole('definition').getByText('$9.00').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Orders' }).last().click();
      await page.waitForURL(`**/orders?q=${receiptOf(ORDERS)}`);
    });
  });

  it('takes a note and loses it again, a tracking number and a status; its history tells of each', async () => {
    await onPage(`/orders?q=${receiptOf(5)}`, async (page) => {
      await page.getByRole('link', { name: receiptOf(5) }).click();
      await page.getByLabel('Write a note for your colleagues').fill('Blue hair, please');
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('listitem').getByText('Blue hair, please').first().waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Note removed').waitFor();
      await page.getByRole('button', { name: 'Add tracking number' }).click();
      await page.getByRole('dialog').getByLabel('Tracking number').fill('LX000000005CN');
      await page.keyboard.press('Enter');
      await page.getByText('Tracking number added').waitFor();
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Delivered' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Set to “Delivered”' }).click();
      await page.getByText('Status set').waitFor();
    });
  });

  it('has a text for the buyer, as programs get it', async () => {
    await onPage(`/orders?q=${receiptOf(ORDERS)}`, async (page) => {
      await page.getByRole('link', { name: receiptOf(ORDERS) }).click();
      await page.getByRole('button', { name: 'Text for the buyer' }).click();
      await page.getByRole('dialog').getByText('LX000000060CN').waitFor();
      await page.getByRole('button', { name: 'As an API call' }).click();
      await page.getByText('/api/v1/tracking-text?order_id=').waitFor();
    });
  });

  it('that there is not is said to be so', async () => {
    await onPage(
      '/orders/999999',
      async (page) => {
        await page.getByRole('alert').getByText('No order has the id 999999.').waitFor();
      },
      { except: /status of 404/ },
    );
  });
});

describe('tracking numbers for many orders', () => {
  it('are refused as a whole where a row is wrong, at that row, and given once it is mended', async () => {
    await onPage(
      '/orders/tracking',
      async (page) => {
        const paste = page.getByLabel('Paste from a spreadsheet or CSV');
        const lines = [`LX000000010CN\t${receiptOf(10)}`, `LX000000011CN\t${receiptOf(11)}`];
        await paste.fill(['tracking number\torder id', ...lines, 'LX000000099CN\t999'].join('\n'));
        await page.getByText('3 rows read.').waitFor();
        await page.getByRole('button', { name: 'Add 3 tracking numbers' }).click();
        await page.getByRole('alert').getByText('Nothing was added').waitFor();
        await page.getByRole('row', { name: /999.*The shop has no order with this receipt/ }).waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        await paste.fill(['tracking number\torder id', ...lines].join('\n'));
        await page.getByRole('button', { name: 'Add 2 tracking numbers' }).click();
        await page.getByText('2 tracking numbers were added to 2 orders.').waitFor();
        await page.goto(`${service.url}/admin/orders?q=LX000000010CN`);
        await expect.poll(() => receipts(page)).toEqual([receiptOf(10)]);
      },
      { except: /status of 422/ },
    );
  });
});

describe('for whom and on what', () => {
  it('a viewer sees orders and can change none', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    try {
      const page = await context.newPage();
      await signIn(page, VIEWER);
      await page.goto(`${service.url}/admin/orders`, { waitUntil: 'networkidle' });
      await page.getByText(`${ORDERS} orders`).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Add tracking numbers' }).count()).toBe(0);
      await page.getByRole('link', { name: receiptOf(ORDERS) }).click();
      await opensOrder(page, receiptOf(ORDERS));
      for (const name of ['Set status', 'Add note', 'Add tracking number'])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
      await page.goto(`${service.url}/admin/orders/tracking`);
      await page.getByRole('heading', { name: 'Your role does not open this page' }).waitFor();
    } finally {
      await context.close();
    }
  });

  it.each(['/orders', '/orders?q=owl', '/orders/1', '/orders/tracking'])(
    '%s does not scroll sideways on a phone, in Chinese and in the dark',
    async (place) => {
      await onPage(
        place,
        async (page) => {
          expect(await sidewaysScroll(page)).toBe(0);
          expect(await accessibilityFindings(page)).toEqual([]);
        },
        { viewport: { width: 360, height: 800 }, locale: 'zh-CN', colorScheme: 'dark' },
      );
    },
  );
});
