import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { measureHorizontalOverflow, waitForFocus } from '../../support/browser/browser';
import {
  entryLinksOf,
  headingOf,
  makeStuckOrders,
  pressKeys,
  readNumbers,
  STUCK_ORDERS,
  trackingNumberOf,
} from '../../support/browser/queue-page';
import { itRendersInEveryView } from '../../support/browser/views';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

const COLLEAGUE_EMAIL = 'bob@example.com';
const [FIRST_RECEIPT_ID, SECOND_RECEIPT_ID, THIRD_RECEIPT_ID] = STUCK_ORDERS.map(
  ({ receiptId }) => receiptId,
) as [string, string, string];

/** The reply for FIRST_RECEIPT_ID: its date is unconfirmed on every day of the year, though the order's events have just happened. */
const REPLY_WITH_DATE = 'It arrives on February 30.';

let backOffice: BackOffice;
let provider: TextProviderStandIn;
const orderIdByReceiptId = new Map<string, string>();

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  backOffice = await openBackOffice('to-review', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
  await backOffice.addUser(COLLEAGUE_EMAIL, 'operator');
  await makeStuckOrders(backOffice);
  await backOffice.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
  const orders = await backOffice.queryDatabase<{ id: string; receipt_id: string }>(
    'SELECT id::text, receipt_id FROM orders',
  );
  for (const { id, receipt_id } of orders) orderIdByReceiptId.set(receipt_id, id);
});
afterAll(async () => {
  await backOffice?.close();
  await provider?.close();
});

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Work' }).getByRole('link', { name: new RegExp(`^${name}`) });

/** Selects every entry and presses Mark as sent. Returns the confirmation dialog. */
async function openMarkAsSentDialog(page: Page): Promise<Locator> {
  await page.getByRole('checkbox', { name: 'Select all shown' }).check();
  await page
    .getByRole('group', { name: 'Selected entries' })
    .getByRole('button', { name: 'Mark as sent' })
    .click();
  return page.getByRole('dialog', { name: 'Mark 3 replies as sent?' });
}

describe('replies to review', () => {
  const writeDraft = async (receiptId: string, text: string) => {
    provider.script({ kind: 'reply', text });
    const messages = [{ sender: 'buyer', content: 'Where is it?' }];
    return (
      await backOffice.call('replyDrafts.write', { order_id: orderIdByReceiptId.get(receiptId), messages })
    ).id as string;
  };

  beforeEach(async () => {
    await backOffice.queryDatabase('DELETE FROM queue_states');
    await backOffice.queryDatabase('DELETE FROM replies');
    await writeDraft(FIRST_RECEIPT_ID, REPLY_WITH_DATE);
    await writeDraft(SECOND_RECEIPT_ID, 'It is held by customs.');
    await writeDraft(THIRD_RECEIPT_ID, 'We are sorry.');
  });

  // Leaves a draft for the screenshots.
  afterAll(() => writeDraft(FIRST_RECEIPT_ID, REPLY_WITH_DATE));

  it('are listed with their warnings, and shown beside the list with unconfirmed claims marked', async () => {
    await backOffice.withPage('/queues/to_review', async (page) => {
      await expect.poll(() => headingOf(page).innerText()).toBe('Replies to review 3');
      await page
        .getByText(
          'Orders in all shops with an unsent draft, or an API reply with warnings. Marking one as handled takes it off this list but keeps the draft; a new reply brings it back.',
        )
        .waitFor();
      await expect.poll(() => tab(page, 'Replies').innerText()).toBe('Replies to review 3');
      await expect
        .poll(() => readNumbers(page))
        .toEqual([FIRST_RECEIPT_ID, SECOND_RECEIPT_ID, THIRD_RECEIPT_ID]);
      expect(await entryLinksOf(page).first().innerText()).toMatch(
        /^4166000005\s+1 warning\s+(?:just now|\dm)\s+Buyer 5 · Owl Magnet$/,
      );
      const order = page.getByRole('article');
      await expect
        .poll(() => order.getByRole('textbox', { name: 'Reply' }).inputValue())
        .toBe(REPLY_WITH_DATE);
      await expect.poll(() => order.locator('mark').allInnerTexts()).toEqual(['February 30']);
      await order.getByText(trackingNumberOf(FIRST_RECEIPT_ID)).first().waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await backOffice.visit(page, '');
      const tile = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Replies to review' });
      await expect.poll(() => tile.innerText()).toMatch(/Replies to review\s+1 with warnings\s+3/);
    });
  });

  it('are shown with the buyer’s message, and can be translated into its language', async () => {
    await backOffice.withPage('/queues/to_review', async (page) => {
      const order = page.getByRole('article');
      const conversation = order.getByRole('region', { name: 'Conversation' });
      await conversation.getByText('Where is it?').waitFor();
      // Space scrolls a long conversation; elsewhere it selects the entry.
      await conversation.focus();
      await page.keyboard.press(' ');
      expect(await page.getByRole('group', { name: 'Selected entries' }).innerText()).toContain('0 selected');
      provider.script({ kind: 'reply', text: 'Es kommt am 3. März.' });
      await order.getByRole('button', { name: 'Translate for the buyer' }).click();
      await expect
        .poll(() => order.getByRole('textbox', { name: 'Reply' }).inputValue())
        .toBe('Es kommt am 3. März.');
      expect(JSON.stringify(provider.requests.at(-1))).toContain('Where is it?');
      await order.getByRole('button', { name: 'Back to the original' }).click();
      await backOffice.queryDatabase(`UPDATE replies SET messages = '[]'`);
      await backOffice.visit(page, '/queues/to_review');
      await order
        .getByText(
          'The buyer’s message is not recorded. To translate the reply, open the order and paste the message there.',
        )
        .waitFor();
      expect(await order.getByRole('button', { name: 'Translate for the buyer' }).isDisabled()).toBe(true);
      expect(await conversation.count()).toBe(0);
    });
  });

  it('can be read, but not edited, without JavaScript', async () => {
    await backOffice.withPage(null, async (pageWithScripts) => {
      const context = pageWithScripts.context();
      const contextWithoutScripts = await context.browser()!.newContext({
        javaScriptEnabled: false,
        storageState: await context.storageState(),
      });
      const page = await contextWithoutScripts.newPage();
      await page.goto(`${backOffice.service.url}/admin/queues/to_review`);
      const order = page.getByRole('article');
      expect(await order.getByRole('region', { name: 'Conversation' }).innerText()).toContain('Where is it?');
      const replyField = order.getByRole('textbox', { name: 'Reply' });
      expect(await replyField.inputValue()).toBe(REPLY_WITH_DATE);
      expect(await replyField.isEditable()).toBe(false);
      expect(await order.locator('mark').allInnerTexts()).toEqual(['February 30']);
      await contextWithoutScripts.close();
    });
  });

  it('cannot be edited until the scripts are loaded and the unsent reply is restored', async () => {
    await backOffice.withPage('/queues/to_review', async (page) => {
      const order = page.getByRole('article');
      const replyField = order.getByRole('textbox', { name: 'Reply' });
      await replyField.fill('It arrives soon.');
      let loadScripts = () => {};
      const scriptsPromise = new Promise<void>((resolve) => {
        loadScripts = resolve;
      });
      await page.route(/\.js$/, async (route) => {
        await scriptsPromise;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      await replyField.focus();
      await page.keyboard.type('x');
      expect(await replyField.inputValue()).toBe(REPLY_WITH_DATE);
      loadScripts();
      await expect.poll(() => replyField.inputValue()).toBe('It arrives soon.');
      await waitForFocus(replyField);
      await page.keyboard.press('End');
      await page.keyboard.type(' Sorry!');
      expect(await replyField.inputValue()).toBe('It arrives soon. Sorry!');
    });
  });

  it('are marked as sent with their edits or handled with one key, and come back with the next draft', async () => {
    await backOffice.withPage('/queues/to_review', async (page) => {
      const replyField = page.getByRole('article').getByRole('textbox', { name: 'Reply' });
      await expect.poll(() => replyField.inputValue()).toBe(REPLY_WITH_DATE);
      await replyField.fill('It arrives soon.');
      await page.getByRole('article').getByRole('button', { name: 'Mark as sent' }).click();
      await expect.poll(() => readNumbers(page)).toEqual([SECOND_RECEIPT_ID, THIRD_RECEIPT_ID]);
      await expect.poll(() => headingOf(page).innerText()).toBe('Replies to review 2');
      const readSentTexts = () =>
        backOffice.queryDatabase('SELECT sent_text FROM replies WHERE sent_at IS NOT NULL');
      await expect.poll(readSentTexts).toEqual([{ sent_text: 'It arrives soon.' }]);
      await entryLinksOf(page).first().focus();
      // The page shows the change before it is saved.
      const saveResponsePromise = page.waitForResponse(/queues\.handle/);
      await pressKeys(page, 'h');
      await expect.poll(() => readNumbers(page)).toEqual([THIRD_RECEIPT_ID]);
      await saveResponsePromise;
      await writeDraft(SECOND_RECEIPT_ID, 'Customs have released it.');
      await backOffice.visit(page, '/queues/to_review');
      expect(await readNumbers(page)).toEqual([THIRD_RECEIPT_ID, SECOND_RECEIPT_ID]);
    });
  });

  it('are marked as sent together, as they were written', async () => {
    await backOffice.withPage('/queues/to_review', async (page) => {
      const dialog = await openMarkAsSentDialog(page);
      await dialog
        .getByText('Replies are recorded as they were drafted, without your edits. 1 reply has warnings.')
        .waitFor();
      await dialog.getByRole('button', { name: 'Mark as sent' }).click();
      await page.getByText('3 replies were marked as sent.').waitFor();
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      const sentReplies = await backOffice.queryDatabase<{ is_unedited: boolean }>(
        'SELECT sent_text = reply AS is_unedited FROM replies WHERE sent_at IS NOT NULL',
      );
      expect(sentReplies).toEqual(Array(3).fill({ is_unedited: true }));
    });
  });

  it('are marked as sent together, except those that have been sent in the meantime, which are named', async () => {
    await backOffice.withPage('/queues/to_review', async (page) => {
      const dialog = await openMarkAsSentDialog(page);
      await dialog.waitFor();
      const { entries: openEntries } = await backOffice.query('queues.list', { queue: 'to_review' });
      const { shop_id, id, reply } = openEntries.find(
        ({ number }: { number: string }) => number === SECOND_RECEIPT_ID,
      );
      const replies = [{ shop_id, order_id: id, id: reply.id }];
      expect(await backOffice.call('replyDrafts.markManySent', { replies })).toEqual({ changed: [id] });
      await dialog.getByRole('button', { name: 'Mark as sent' }).click();
      await page.getByText('2 replies were marked as sent.').waitFor();
      await page
        .getByText(`Not marked as sent (already sent or deleted in the meantime): ${SECOND_RECEIPT_ID}`, {
          exact: true,
        })
        .waitFor();
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      expect(
        await backOffice.queryDatabase(
          'SELECT count(*)::int AS sent_count FROM replies WHERE sent_at IS NOT NULL',
        ),
      ).toEqual([{ sent_count: 3 }]);
    });
  });
});

it('the reply button stays within reach on a phone', async () => {
  await backOffice.withPage(
    `/orders/${orderIdByReceiptId.get(FIRST_RECEIPT_ID)}`,
    async (page) => {
      const replyButton = page.getByRole('button', { name: 'Reply to the buyer' });
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const { y, height } = (await replyButton.boundingBox())!;
      expect(height).toBeGreaterThanOrEqual(44);
      expect(y + height).toBeLessThanOrEqual(800);
      expect(y).toBeGreaterThan(700);
      expect(await measureHorizontalOverflow(page)).toBe(0);
    },
    { viewport: { width: 360, height: 800 }, hasTouch: true },
  );
});

it('signing out discards what this user has typed, but not what others have', async () => {
  await backOffice.withPage(
    `/orders/${orderIdByReceiptId.get(FIRST_RECEIPT_ID)}?reply=1`,
    async (page) => {
      await page.getByLabel('What the buyer wrote').fill('A secret');
      const readStoredKeys = () =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.reply.')));
      await expect.poll(readStoredKeys).toHaveLength(1);
      await page.evaluate(() => {
        localStorage.setItem('brickdesk.reply.other@example.com.1', '{}');
        sessionStorage.setItem('brickdesk.note.1', 'Begun');
      });
      await page.getByRole('button', { name: /bob/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/sign-in/);
      expect(await readStoredKeys()).toEqual(['brickdesk.reply.other@example.com.1']);
      expect(await page.evaluate(() => sessionStorage.getItem('brickdesk.note.1'))).toBeNull();
    },
    { userEmail: COLLEAGUE_EMAIL },
  );
});

itRendersInEveryView(
  () => backOffice,
  () => [['/queues/to_review', 'queue-to-review']],
);
