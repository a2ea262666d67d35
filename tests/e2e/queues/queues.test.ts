import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility';
import { settled, sidewaysScroll, still } from '../../support/browser/browser';
import { itShowsInEveryView, type Office, openOffice } from '../../support/browser/office';

const COLLEAGUE = 'bob@example.com';
const VIEWER = 'viewer@example.com';

/** Exceptions, the latest first. */
const STUCK = [
  { receipt: '4166000005', sub_status: 'Exception_Lost' },
  { receipt: '4166000004', sub_status: 'Exception_Returned' },
  { receipt: '4166000003', sub_status: 'Exception_Returned' },
  { receipt: '4166000002', description: 'Held by customs' },
  { receipt: '4166000001', description: 'Parcel damaged' },
] as const;
const [FIRST, SECOND, THIRD] = STUCK.map(({ receipt }) => receipt) as [string, string, string];

const numberOf = (receipt: string) => `LX${receipt}CN`;

let office: Office;

beforeAll(async () => {
  office = await openOffice('admin-queues');
  await office.addPerson(COLLEAGUE, 'operator');
  await office.addPerson(VIEWER, 'viewer');
  const { id: shop } = await office.call('shops.create', { name: 'Fox and Bricks' });
  const soon = new Date(Date.now() - 3_600_000).toISOString();
  const order = (receipt_id: string, more: object) => ({
    receipt_id,
    title: 'Owl Magnet',
    quantity: 1,
    price: 4.5,
    item_total: 4.5,
    currency: 'USD',
    name: `Buyer ${receipt_id.slice(-1)}`,
    first_line: '1 Example Street',
    city: 'Boston',
    country_name: 'United States',
    ...more,
  });
  await office.send('/api/orders/import', {
    account_id: shop,
    rows: [
      order('4166000011', { sale_date: '8/1/2026' }),
      order('4166000012', { sale_date: soon }),
      ...STUCK.map(({ receipt }) =>
        order(receipt, { sale_date: '8/22/2026', tracking_number: numberOf(receipt) }),
      ),
    ],
  });
  for (const [index, { receipt, ...problem }] of STUCK.entries())
    await office.send('/api/v1/tracks', {
      event: 'tracking',
      data: {
        tracking_number: numberOf(receipt),
        status: 'exception',
        time: new Date(Date.now() - (index + 2) * 3_600_000).toISOString(),
        location: 'Leipzig',
        ...problem,
      },
    });
});
afterAll(() => office?.close());
/** Every entry is open, so that tests do not depend on each other. */
beforeEach(async () => {
  await office.inDatabase('DELETE FROM queue_states');
});

const entries = (page: Page) => page.getByRole('list', { name: 'Work' }).getByRole('link');
const receipts = (page: Page) => entries(page).locator('.mono').allInnerTexts();
const chosen = (page: Page) => page.locator('[data-entry][aria-current] .mono').innerText();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const inNavigation = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Work/ });

/** Presses keys one after another, and returns how many. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key);
  return keys.length;
}

describe('the queue of exceptions', () => {
  it('says what is in it, in words and numbers', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await expect.poll(() => heading(page).innerText()).toBe('Exceptions 5');
      await page
        .getByText(
          'Orders with a shipment exception, in all shops and from any date. The newest comes first.',
        )
        .waitFor();
      await expect.poll(() => receipts(page)).toEqual(STUCK.map(({ receipt }) => receipt));
      expect(await entries(page).first().innerText()).toMatch(
        /^4166000005\s+Lost\s+2h\s+Buyer 5 · Owl Magnet$/,
      );
      const chips = page.getByRole('group', { name: 'Filter by cause' }).getByRole('button');
      await expect
        .poll(() => chips.allInnerTexts())
        .toEqual(['All 5', 'Returned 2', 'Customs 1', 'Damaged 1', 'Lost 1']);
      const tabs = page.getByRole('navigation', { name: 'Work' }).getByRole('link');
      await expect
        .poll(() => tabs.allInnerTexts())
        .toEqual([
          'To ship 2',
          'Late 1',
          'Exceptions 5',
          'Delivery failed 0',
          'Not scanned 0',
          'Replies to review 0',
          'Unmatched callbacks 0',
        ]);
      await expect.poll(() => inNavigation(page).innerText()).toMatch(/^Work\s+5\s+exceptions\s+7\s+open$/);
      // The order beside the list.
      const order = page.getByRole('article');
      await order.getByText(numberOf(FIRST)).first().waitFor();
      await order.getByText('Owl Magnet').waitFor();
      await order.getByText(/^sold Aug 22/).waitFor();
      await order.getByText('1 Example Street').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

  it('has a cause filter, kept in the address', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await page.getByRole('button', { name: 'Returned 2' }).click();
      await expect.poll(() => receipts(page)).toEqual([SECOND, THIRD]);
      await page.reload();
      await settled(page);
      expect(await receipts(page)).toEqual([SECOND, THIRD]);
      await page.getByRole('button', { name: 'All 5' }).click();
      await expect.poll(() => receipts(page)).toHaveLength(5);
    });
  });

  it('handles an entry with at most two keys from the overview, and every further one with one', async () => {
    await office.onPage('', async (page) => {
      const link = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: 'Exceptions' })
        .getByRole('link');
      await expect.poll(() => link.locator('xpath=..').innerText()).toMatch(/\b5$/);
      await link.focus();
      let keys = await press(page, 'Enter');
      await page.waitForURL(/\/admin\/queues\/exception/);
      await settled(page);
      keys += await press(page, 'h');
      expect(keys).toBeLessThanOrEqual(2);
      await expect.poll(() => receipts(page)).toEqual(STUCK.slice(1).map(({ receipt }) => receipt));
      // The next one shows, and has the focus.
      await expect.poll(() => chosen(page)).toBe(SECOND);
      await page.locator('[data-entry]:focus').waitFor();
      await page
        .getByRole('status')
        .getByText(`${FIRST} handled. Press U to undo.`)
        .waitFor({ state: 'attached' });
      await expect.poll(() => heading(page).innerText()).toBe('Exceptions 4');
      await expect.poll(() => inNavigation(page).innerText()).toMatch(/^Work\s+4\s+exceptions\s+6\s+open$/);
      await page.getByText('Handled today: 1').waitFor();
      await press(page, 'h');
      await expect.poll(() => receipts(page)).toHaveLength(3);
      await page.getByText('Handled today: 2').waitFor();
      const stored = () => office.ask('queues.counts', {});
      await expect.poll(async () => (await stored()).handled_today).toBe(2);
      await page.reload();
      await settled(page);
      expect(await receipts(page)).toEqual(STUCK.slice(2).map(({ receipt }) => receipt));
      await office.visit(page, '');
      await expect.poll(() => link.locator('xpath=..').innerText()).toMatch(/\b3$/);
    });
  });

  it('undoes with U, in the reverse order', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 'h', 'h');
      await expect.poll(() => receipts(page)).toHaveLength(3);
      await press(page, 'u');
      await expect.poll(() => receipts(page)).toEqual(STUCK.slice(1).map(({ receipt }) => receipt));
      await press(page, 'u');
      await expect.poll(() => receipts(page)).toHaveLength(5);
      await expect.poll(() => heading(page).innerText()).toBe('Exceptions 5');
    });
  });

  it('moves with J and K, and opens the order with Enter', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 'j', 'j');
      await expect.poll(() => chosen(page)).toBe(THIRD);
      await press(page, 'k');
      await expect.poll(() => chosen(page)).toBe(SECOND);
      await page.getByRole('article').getByText(numberOf(SECOND)).first().waitFor();
      await press(page, 'Enter');
      await page.waitForURL(/\/admin\/orders\/\d+$/);
      await page.goBack();
      await expect.poll(() => chosen(page)).toBe(SECOND);
    });
  });

  it('snoozes for days and until a date, and shows what is snoozed', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 's');
      await page.getByRole('menuitem', { name: '1 day' }).waitFor();
      await press(page, '1');
      await expect.poll(() => receipts(page)).toEqual(STUCK.slice(1).map(({ receipt }) => receipt));
      await press(page, 's');
      await page.getByRole('menuitem', { name: 'Until a date …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Snooze until' });
      await dialog.getByLabel('Day').fill('2026-01-01');
      await dialog.getByRole('button', { name: 'Snooze' }).click();
      await dialog.getByText('Choose a future date.').waitFor();
      await dialog.getByLabel('Day').fill('2099-01-01');
      await dialog.getByRole('button', { name: 'Snooze' }).click();
      await expect.poll(() => receipts(page)).toHaveLength(3);
      await page.getByLabel('State', { exact: true }).selectOption('snoozed');
      await expect.poll(() => receipts(page)).toEqual([FIRST, SECOND]);
      await page.getByRole('article').getByText('Snoozed until').waitFor();
      // The page shows the change before it is stored.
      const stored = page.waitForResponse(/queues\.putBack/);
      await page.getByRole('button', { name: 'Put back' }).click();
      await expect.poll(() => receipts(page)).toEqual([SECOND]);
      await stored;
    });
    const { entries: open } = await office.ask('queues.list', { queue: 'exception' });
    expect(open).toHaveLength(4);
  });

  it('opens the menu again by its key though it is still fading out', async () => {
    await office.onPage('/queues/exception', async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 3 });
      const item = page.getByRole('menuitem', { name: '1 day' });
      for (const pause of [0, 40, 80, 120]) {
        await press(page, 's');
        await item.waitFor();
        await press(page, 'Escape');
        await page.waitForTimeout(pause);
        await press(page, 's');
        await page.locator('button[aria-keyshortcuts=S][aria-expanded=true]').waitFor();
        await still(page);
        expect(await item.isVisible(), `after ${pause} ms`).toBe(true);
        await press(page, 'Escape');
        await item.waitFor({ state: 'hidden' });
      }
    });
  });

  it('assigns to oneself, to a colleague and to nobody', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 'a');
      await page
        .getByRole('menu')
        .getByRole('menuitem', { name: 'To me' })
        .and(page.locator(':enabled'))
        .click();
      await page.getByRole('article').getByText('Assigned to ann').waitFor();
      await press(page, 'j');
      await expect.poll(() => chosen(page)).toBe(SECOND);
      await press(page, 'a');
      await page.getByRole('menuitem', { name: 'bob' }).click();
      await page.getByRole('article').getByText('Assigned to bob').waitFor();
      await page.getByLabel('Assigned to', { exact: true }).selectOption('me');
      await expect.poll(() => receipts(page)).toEqual([FIRST]);
      await page.getByLabel('Assigned to', { exact: true }).selectOption('nobody');
      await expect.poll(() => receipts(page)).toEqual(STUCK.slice(2).map(({ receipt }) => receipt));
    });
    await office.onPage(
      '/queues/exception?assigned=me',
      async (page) => {
        expect(await receipts(page)).toEqual([SECOND]);
        await press(page, 'a');
        await page.getByRole('menuitem', { name: 'To nobody' }).click();
        await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      },
      { as: COLLEAGUE },
    );
  });

  it('handles several at once', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 'x', 'j', 'x', 'j', 'Space');
      await page.getByText('3 selected').waitFor();
      await press(page, 'h');
      await expect.poll(() => receipts(page)).toEqual(STUCK.slice(3).map(({ receipt }) => receipt));
      await page
        .getByRole('status')
        .getByText('3 entries handled. Press U to undo.')
        .waitFor({ state: 'attached' });
      await press(page, 'u');
      await expect.poll(() => receipts(page)).toHaveLength(5);
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
      await page.getByText('5 selected').waitFor();
      await page.getByRole('button', { name: 'Handled', exact: true }).click();
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await expect.poll(() => heading(page).innerText()).toBe('Exceptions 0');
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

  it('writes a note with N', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 'n');
      const dialog = page.getByRole('dialog', { name: `Notes on ${FIRST}` });
      await dialog.getByRole('textbox').fill('Buyer wants a refund: handle it soon');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      await dialog.getByRole('listitem').waitFor();
      await press(page, 'Escape');
      await page.getByRole('article').getByText('Buyer wants a refund').waitFor();
      // The letters of the note were not shortcuts.
      expect(await receipts(page)).toHaveLength(5);
    });
  });

  it('brings an entry back when a callback reports something new', async () => {
    await office.onPage('/queues/exception', async (page) => {
      // The page shows the change before it is stored.
      const stored = page.waitForResponse(/queues\.handle/);
      await press(page, 'h');
      await expect.poll(() => receipts(page)).not.toContain(FIRST);
      await stored;
      await office.send('/api/v1/tracks', {
        event: 'tracking',
        data: { tracking_number: numberOf(FIRST), status: 'exception', description: 'Search has begun' },
      });
      await office.visit(page, '/queues/exception');
      expect(await receipts(page)).toContain(FIRST);
      await page.getByText('Search has begun').first().waitFor();
    });
  });

  it('is to look at for a viewer', async () => {
    await office.onPage(
      '/queues/exception',
      async (page) => {
        expect(await page.getByRole('button', { name: 'Handled' }).count()).toBe(0);
        expect(await page.getByRole('checkbox').count()).toBe(0);
        await press(page, 'h', 'j');
        await expect.poll(() => chosen(page)).toBe(SECOND);
        expect(await receipts(page)).toHaveLength(5);
      },
      { as: VIEWER },
    );
  });
});

describe('on a phone', () => {
  it('the list shows first, then the entry, and back', async () => {
    await office.onPage(
      '/queues/exception',
      async (page) => {
        expect(await page.getByRole('article').isVisible()).toBe(false);
        await entries(page).nth(1).click();
        await page.getByRole('heading', { level: 2, name: SECOND }).waitFor();
        expect(await entries(page).first().isVisible()).toBe(false);
        expect(await sidewaysScroll(page)).toBe(0);
        await page.getByRole('button', { name: 'Handled', exact: true }).click();
        await page.getByRole('heading', { level: 2, name: THIRD }).waitFor();
        await page.getByRole('button', { name: 'Back to the list' }).click();
        await expect.poll(() => receipts(page)).toHaveLength(4);
        await page.getByRole('article').waitFor({ state: 'hidden' });
      },
      { viewport: { width: 360, height: 800 } },
    );
  });
});

it('shows to ship first, with the late ones in a queue of their own', async () => {
  await office.onPage('/queues', async (page) => {
    await expect.poll(() => heading(page).innerText()).toBe('To ship 2');
    await expect.poll(() => receipts(page)).toEqual(['4166000011', '4166000012']);
    await page.getByRole('navigation', { name: 'Work' }).getByRole('link', { name: /^Late/ }).click();
    await expect.poll(() => heading(page).innerText()).toBe('Late 1');
    await page.getByText('Paid 3 days ago or earlier and not shipped, in all shops.').waitFor();
    await expect.poll(() => receipts(page)).toEqual(['4166000011']);
  });
});

it('knows no other queue', async () => {
  await office.onPage(
    '/account',
    async (page) => {
      await page.goto(`${office.service.url}/admin/queues/unknown`);
      await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    },
    { except: /404/ },
  );
});

itShowsInEveryView(
  () => office,
  () => [
    ['/queues/exception', 'queue-exception'],
    ['/queues/to_ship', 'queue-to-ship'],
    ['/queues/not_scanned', 'queue-empty'],
  ],
);
