import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility';
import { settled, sidewaysScroll, still } from '../../support/browser/browser';
import { itShowsInEveryView, type Office, openOffice } from '../../support/browser/office';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

const COLLEAGUE = 'bob@example.com';
/** Orders with an exception. */
const RECEIPTS = ['4166000001', '4166000002', '4166000003'] as const;
const [FIRST, SECOND, THIRD] = RECEIPTS;
const WAITING = '4166000009';
const numberOf = (receipt: string) => `LX${receipt}CN`;
/** No order has it; the first is one character away from an order's. */
const LOST = ['LX4166000002CM', 'ZZ770000001CN', 'ZZ770000002CN'] as const;
/** Typed instead of the last of them; no carrier knows it. */
const MISTYPED = 'ZZ770000002CM';
const SLIPPED = '4166000008';

let office: Office;
let carrier: CarrierStandIn;
let provider: TextProviderStandIn;
const ids = new Map<string, string>();

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  provider = await startTextProviderStandIn();
  office = await openOffice('queue-jobs', {
    CARRIER: '17track',
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.url17Track,
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
  await office.addPerson(COLLEAGUE, 'operator');
  const { id: shop } = await office.call('shops.create', { name: 'Fox and Bricks' });
  await office.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
  const soldHoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const order = (receipt_id: string, more: object) => ({
    receipt_id,
    title: 'Owl Magnet',
    quantity: 1,
    price: 4.5,
    currency: 'USD',
    name: `Buyer ${receipt_id.slice(-1)}`,
    ...more,
  });
  await office.send('/api/orders/import', {
    account_id: shop,
    rows: [
      ...RECEIPTS.map((receipt) =>
        order(receipt, { sale_date: '8/22/2026', tracking_number: numberOf(receipt) }),
      ),
      order(WAITING, { sale_date: soldHoursAgo(5) }),
      order(SLIPPED, { sale_date: soldHoursAgo(6), tracking_number: MISTYPED }),
    ],
  });
  const report = (tracking_number: string, status: string, description: string) =>
    office.send('/api/v1/tracks', { event: 'x', data: { tracking_number, status, description } });
  for (const receipt of RECEIPTS.toReversed())
    await report(numberOf(receipt), 'exception', 'Held by customs');
  for (const number of LOST.toReversed()) await report(number, 'in_transit', 'Left Shenzhen');
  const found = await office.inDatabase<{ id: string; receipt_id: string }>(
    'SELECT id::text, receipt_id FROM orders',
  );
  for (const { id, receipt_id } of found) ids.set(receipt_id, id);
});
afterAll(async () => {
  await office?.close();
  await carrier?.close();
  await provider?.close();
});

const entries = (page: Page) => page.getByRole('list', { name: 'Work' }).getByRole('link');
const numbers = (page: Page) => entries(page).locator('.mono').allInnerTexts();
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Work' }).getByRole('link', { name: new RegExp(`^${name}`) });

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Opens the dialog of a button of the selection, and returns the results that it lists in the end. */
async function outcomes(page: Page, count: number): Promise<string[]> {
  await page.getByText(`${count} of ${count} done`).waitFor();
  return page.getByRole('list', { name: 'Results' }).getByRole('listitem').allInnerTexts();
}

describe('replies to review', () => {
  const draft = async (receipt: string, text: string) => {
    provider.play({ kind: 'reply', text });
    const messages = [{ sender: 'buyer', content: 'Where is it?' }];
    return (await office.call('drafts.write', { order_id: ids.get(receipt), messages })).id as string;
  };

  beforeEach(async () => {
    await office.inDatabase('DELETE FROM queue_states');
    await office.inDatabase('DELETE FROM replies');
    await draft(FIRST, 'It arrives on March 3.');
    await draft(SECOND, 'It is held by customs.');
    await draft(THIRD, 'We are sorry.');
  });

  // For the pictures.
  afterAll(() => draft(FIRST, 'It arrives on March 3.'));

  it('says what is in it, and shows the draft beside the list with its warnings', async () => {
    await office.onPage('/queues/to_review', async (page) => {
      await expect.poll(() => heading(page).innerText()).toBe('Replies to review 3');
      await page
        .getByText(
          'Orders with a draft that nobody has sent, or an API reply with warnings, in all shops. Handled discards it; another reply brings it back.',
        )
        .waitFor();
      await expect.poll(() => tab(page, 'Replies').innerText()).toBe('Replies to review 3');
      await expect.poll(() => numbers(page)).toEqual([FIRST, SECOND, THIRD]);
      expect(await entries(page).first().innerText()).toMatch(
        /^4166000001\s+1 warning\s+(?:just now|\dm)\s+Buyer 1 · Owl Magnet$/,
      );
      const order = page.getByRole('article');
      await expect
        .poll(() => order.getByRole('textbox', { name: 'Reply' }).inputValue())
        .toBe('It arrives on March 3.');
      await expect.poll(() => order.locator('mark').allInnerTexts()).toEqual(['March 3']);
      await order.getByText(numberOf(FIRST)).first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await office.visit(page, '');
      const tile = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Replies to review' });
      await expect.poll(() => tile.innerText()).toMatch(/Replies to review\s+1 with warnings\s+3/);
    });
  });

  it('marks one as sent as edited, discards one with one key, and brings it back with the next draft', async () => {
    await office.onPage('/queues/to_review', async (page) => {
      const text = page.getByRole('article').getByRole('textbox', { name: 'Reply' });
      await expect.poll(() => text.inputValue()).toBe('It arrives on March 3.');
      await text.fill('It arrives soon.');
      await page.getByRole('article').getByRole('button', { name: 'Mark as sent' }).click();
      await expect.poll(() => numbers(page)).toEqual([SECOND, THIRD]);
      await expect.poll(() => heading(page).innerText()).toBe('Replies to review 2');
      const sent = () => office.inDatabase('SELECT sent_text FROM replies WHERE sent_at IS NOT NULL');
      await expect.poll(sent).toEqual([{ sent_text: 'It arrives soon.' }]);
      await entries(page).first().focus();
      // The page shows the change before it is stored.
      const stored = page.waitForResponse(/queues\.handle/);
      await press(page, 'h');
      await expect.poll(() => numbers(page)).toEqual([THIRD]);
      await stored;
      await draft(SECOND, 'Customs have released it.');
      await office.visit(page, '/queues/to_review');
      expect(await numbers(page)).toEqual([THIRD, SECOND]);
    });
  });

  it('marks several as sent at once, as they were written', async () => {
    await office.onPage('/queues/to_review', async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
      await page
        .getByRole('group', { name: 'Selected entries' })
        .getByRole('button', { name: 'Mark as sent' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Mark 3 replies as sent?' });
      await dialog
        .getByText('Each is recorded as it was written, without your edits. 1 carries warnings.')
        .waitFor();
      await dialog.getByRole('button', { name: 'Mark as sent' }).click();
      await page.getByText('3 replies recorded as sent.').waitFor();
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      const sent = await office.inDatabase<{ same: boolean }>(
        'SELECT sent_text = reply AS same FROM replies WHERE sent_at IS NOT NULL',
      );
      expect(sent).toEqual([{ same: true }, { same: true }, { same: true }]);
    });
  });

  it('of several marked as sent at once, names those that a colleague had sent meanwhile, and records the others', async () => {
    await office.onPage('/queues/to_review', async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
      await page
        .getByRole('group', { name: 'Selected entries' })
        .getByRole('button', { name: 'Mark as sent' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Mark 3 replies as sent?' });
      await dialog.waitFor();
      const { entries: open } = await office.ask('queues.list', { queue: 'to_review' });
      const { shop_id, id, reply } = open.find(({ number }: { number: string }) => number === SECOND);
      const replies = [{ shop_id, order_id: id, id: reply.id }];
      expect(await office.call('drafts.markManySent', { replies })).toEqual({ changed: [id] });
      await dialog.getByRole('button', { name: 'Mark as sent' }).click();
      await page.getByText('2 replies recorded as sent.').waitFor();
      await page
        .getByText(`Not recorded, because the reply had been sent or deleted meanwhile: ${SECOND}`, {
          exact: true,
        })
        .waitFor();
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      expect(
        await office.inDatabase('SELECT count(*)::int AS sent FROM replies WHERE sent_at IS NOT NULL'),
      ).toEqual([{ sent: 3 }]);
    });
  });
});

describe('many exceptions at once', () => {
  beforeEach(async () => {
    await office.inDatabase('DELETE FROM queue_states');
  });

  it('get the same note, each with its result', async () => {
    await office.onPage('/queues/exception', async (page) => {
      await press(page, 'x', 'j', 'x', 'n');
      const dialog = page.getByRole('dialog', { name: 'Note on 2 orders' });
      await dialog.getByLabel('Note').fill('Wrote to customs');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      const chosen = await outcomes(page, 2);
      expect(chosen.map((text) => text.replace(/^\d+\s+/, ''))).toEqual(['Note added.', 'Note added.']);
      expect(await accessibilityFindings(page)).toEqual([]);
    });
    const notes = await office.inDatabase<{ text: string }>('SELECT text FROM order_notes');
    expect(notes).toEqual([{ text: 'Wrote to customs' }, { text: 'Wrote to customs' }]);
  });

  it('are asked of the carrier, each with its result', async () => {
    carrier.script(numberOf(SECOND), { kind: 'unknown' });
    await office.onPage('/queues/exception', async (page) => {
      const before = await numbers(page);
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
      await page
        .getByRole('group', { name: 'Selected entries' })
        .getByRole('button', { name: 'Ask the carrier' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Ask the carrier about 3 entries' });
      await dialog.getByRole('button', { name: 'Ask the carrier' }).click();
      const results = await outcomes(page, 3);
      expect(results.map((text) => text.slice(0, 10))).toEqual(before);
      expect(results.find((text) => text.startsWith(SECOND))).toBe(
        `${SECOND} The carrier does not know the number.`,
      );
      expect(results.filter((text) => /The carrier reported \d+ new events?\./.test(text))).toHaveLength(2);
    });
  });
});

describe('when some of many entries fail', () => {
  const GONE = '4166000004';

  /** An exception whose order is deleted once the page shows it. */
  const withGone = async (work: (page: Page) => Promise<void>) => {
    await office.inDatabase('DELETE FROM queue_states');
    const number = numberOf(GONE);
    const row = { receipt_id: GONE, title: 'Owl Magnet', quantity: 1, tracking_number: number };
    await office.send('/api/orders/import', { account_id: 1, rows: [row] });
    const data = { tracking_number: number, status: 'exception', description: 'Held by customs' };
    await office.send('/api/v1/tracks', { event: 'x', data });
    const shown = async (page: Page) => {
      await expect.poll(() => numbers(page)).toContain(GONE);
      await office.inDatabase(`DELETE FROM orders WHERE receipt_id = '${GONE}'`);
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
      await work(page);
    };
    // The page may ask for the order that is gone.
    await office.onPage('/queues/exception', shown, { except: /status of 404/ });
    await office.inDatabase('DELETE FROM queue_states');
  };

  it('the others are handled, and the page says which is not and why', async () => {
    await withGone(async (page) => {
      await press(page, 'h');
      const alert = page.getByRole('alert').filter({ hasText: '1 entry was not changed' });
      expect(await alert.innerText()).toMatch(/4166000004: No order has the id \d+\./);
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await press(page, 'u');
      await expect.poll(() => numbers(page)).toEqual([...RECEIPTS]);
    });
  });

  it('the others are assigned, and get the note', async () => {
    await withGone(async (page) => {
      await press(page, 'a');
      await page.getByRole('menuitem', { name: 'To me' }).and(page.locator(':enabled')).click();
      await page.getByRole('alert').filter({ hasText: '4166000004: No order has the id' }).waitFor();
      await page.getByText('3 entries assigned').first().waitFor({ state: 'attached' });
    });
    await withGone(async (page) => {
      await press(page, 'n');
      const dialog = page.getByRole('dialog', { name: 'Note on 4 orders' });
      await dialog.getByLabel('Note').fill('Asked again');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      const results = await outcomes(page, 4);
      expect(results.filter((text) => text.endsWith('Note added.'))).toHaveLength(3);
      expect(results.find((text) => text.startsWith(GONE))).toBe(
        `${GONE} The order does not exist any more.`,
      );
    });
    await office.inDatabase("DELETE FROM order_notes WHERE text = 'Asked again'");
    await office.inDatabase('UPDATE queue_states SET assigned_to = NULL');
  });
});

describe('unmatched callbacks', () => {
  it('are listed with what the carrier reported and the orders that they may belong to', async () => {
    await office.onPage('/queues/unmatched', async (page) => {
      await expect.poll(() => heading(page).innerText()).toBe('Unmatched callbacks 3');
      await page
        .getByText(
          'Tracking numbers that carriers report and no order has, whatever shop is chosen. They leave when an order gets the number.',
        )
        .waitFor();
      await expect.poll(() => numbers(page)).toEqual([...LOST]);
      const number = page.getByRole('article');
      await number.getByText('Left Shenzhen').waitFor();
      const candidates = number
        .getByRole('list', { name: 'Orders that it may belong to' })
        .getByRole('listitem');
      await expect.poll(() => candidates.count()).toBe(2);
      expect(await candidates.first().innerText()).toContain(
        `has ${numberOf(SECOND)}, which differs in one character`,
      );
      expect(await candidates.nth(1).innerText()).toMatch(
        /4166000009 Buyer 9 · Fox and Bricks\s+sold .+, has no tracking number/,
      );
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

  it('are handled with one key, undone, snoozed, assigned and noted', async () => {
    await office.onPage('/queues/unmatched', async (page) => {
      await press(page, 'h');
      await expect.poll(() => numbers(page)).toEqual(LOST.slice(1));
      await page
        .getByRole('status')
        .getByText(`${LOST[0]} handled. Press U to undo.`)
        .waitFor({ state: 'attached' });
      await expect.poll(() => heading(page).innerText()).toBe('Unmatched callbacks 2');
      await press(page, 'u');
      await expect.poll(() => numbers(page)).toHaveLength(3);
      await press(page, 'k');
      await page.getByRole('heading', { level: 2, name: LOST[0] }).waitFor();
      await page
        .getByRole('article')
        .getByRole('textbox', { name: /What your colleagues/ })
        .fill('Sample box');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText('Note saved.').waitFor();
      await entries(page).first().focus();
      await press(page, 'a');
      await page.getByRole('menuitem', { name: 'bob' }).click();
      await page.getByRole('article').getByText('Assigned to bob').waitFor();
      await press(page, 's');
      await page.getByRole('menuitem', { name: '1 day' }).waitFor();
      // The page shows the change before it is stored.
      const stored = page.waitForResponse(/queues\.snooze/);
      await press(page, '1');
      await expect.poll(() => numbers(page)).toEqual(LOST.slice(1));
      await stored;
      await page.reload();
      await settled(page);
      expect(await numbers(page)).toEqual(LOST.slice(1));
    });
    await office.inDatabase(
      'UPDATE unmatched_numbers SET handled_at = NULL, handled_by = NULL, snoozed_until = NULL, seen_at = NULL',
    );
  });

  it('are linked to an order, which gets the number and what the carrier reported', async () => {
    await office.onPage(`/queues/unmatched?entry=${LOST[1]}`, async (page) => {
      await page.getByRole('article').getByLabel('Order number').fill('nothing');
      await page.getByRole('article').getByRole('button', { name: 'Link', exact: true }).click();
      await page.getByText('There is no order nothing.').waitFor();
      await page.getByRole('button', { name: `Link to ${WAITING}` }).click();
      await page.getByText(`${WAITING} now has ${LOST[1]}.`).waitFor();
      await expect.poll(() => numbers(page)).toEqual([LOST[0], LOST[2]]);
      await expect.poll(() => heading(page).innerText()).toBe('Unmatched callbacks 2');
      await office.visit(page, `/orders/${ids.get(WAITING)}`);
      await page.getByText('Left Shenzhen').first().waitFor();
      await page.getByText(LOST[1]).first().waitFor();
    });
  });

  it('whose order has it with a slip correct that order, which can be undone there', async () => {
    await office.onPage(`/queues/unmatched?entry=${LOST[2]}`, async (page) => {
      await page
        .getByText(`has ${MISTYPED}, which differs in one character and which no carrier has reported`)
        .waitFor();
      await page.getByRole('button', { name: `Correct the number of ${SLIPPED}` }).click();
      await page.getByText(`${SLIPPED} now has ${LOST[2]} instead of ${MISTYPED}.`).waitFor();
      await expect.poll(() => numbers(page)).toEqual([LOST[0]]);
      await office.visit(page, `/orders/${ids.get(SLIPPED)}`);
      await page
        .getByRole('button', { name: `Copy ${LOST[2]}` })
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: `Copy ${MISTYPED}` }).count()).toBe(0);
    });
    const id = ids.get(SLIPPED);
    await office.call('orders.restoreTracking', { id, tracking_number: MISTYPED });
    await office.call('orders.removeTracking', { id, tracking_number: LOST[2] });
  });

  it('are handled together', async () => {
    await office.onPage('/queues/unmatched', async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
      await press(page, 'h');
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await press(page, 'u');
      // The second came back when its order lost it.
      await expect.poll(() => numbers(page)).toEqual([LOST[2], LOST[0]]);
    });
  });
});

describe('on a touch screen', () => {
  const phone = { viewport: { width: 360, height: 800 }, hasTouch: true };

  it('the target of an entry’s checkbox is 44 px', async () => {
    await office.onPage(
      '/queues/exception',
      async (page) => {
        const boxes = page.getByRole('list', { name: 'Work' }).getByRole('checkbox');
        const tapBeside = async (by: number) => {
          await still(page);
          const { x, y, width, height } = (await boxes.nth(1).boundingBox())!;
          await page.touchscreen.tap(x + width / 2 + by, y + height / 2 + by);
        };
        await tapBeside(20);
        await expect.poll(() => boxes.nth(1).isChecked()).toBe(true);
        // The actions for the selection have moved the list.
        await page.getByText('1 selected').waitFor();
        await tapBeside(-20);
        await expect.poll(() => boxes.nth(1).isChecked()).toBe(false);
        expect(await sidewaysScroll(page)).toBe(0);
      },
      phone,
    );
  });

  it('the actions of an order stay at hand', async () => {
    await office.onPage(
      `/orders/${ids.get(FIRST)}`,
      async (page) => {
        const reply = page.getByRole('button', { name: 'Reply to the buyer' });
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        const { y, height } = (await reply.boundingBox())!;
        expect(height).toBeGreaterThanOrEqual(44);
        expect(y + height).toBeLessThanOrEqual(800);
        expect(y).toBeGreaterThan(700);
        expect(await sidewaysScroll(page)).toBe(0);
      },
      phone,
    );
  });
});

it('forgets what a person has typed when they sign out, and not what others have', async () => {
  await office.onPage(
    `/orders/${ids.get(FIRST)}?reply=1`,
    async (page) => {
      await page.getByLabel('What the buyer wrote').fill('A secret');
      const kept = () =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.reply.')));
      await expect.poll(kept).toHaveLength(1);
      await page.evaluate(() => {
        localStorage.setItem('brickdesk.reply.other@example.com.1', '{}');
        sessionStorage.setItem('brickdesk.note.1', 'Begun');
      });
      await page.getByRole('button', { name: /bob/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/sign-in/);
      expect(await kept()).toEqual(['brickdesk.reply.other@example.com.1']);
      expect(await page.evaluate(() => sessionStorage.getItem('brickdesk.note.1'))).toBeNull();
    },
    { as: COLLEAGUE },
  );
});

itShowsInEveryView(
  () => office,
  () => [
    ['/queues/unmatched', 'queue-unmatched'],
    ['/queues/to_review', 'queue-to-review'],
  ],
);
