import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT, receiptIdOf } from '../../support/browser/back-office-orders';
import { itRendersInEveryView } from '../../support/browser/views';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

const VIEWER_EMAIL = 'vic@example.com';
const DRAFT = 'Hi! LX000000060CN is held by customs. It arrives on March 3. You paid $10.50.';

let backOffice: BackOffice;
let provider: TextProviderStandIn;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  backOffice = await openBackOffice('order-reply', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
    OPENAI_TIMEOUT_MS: '5000',
  });
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  await makeOrders(backOffice);
  await backOffice.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
});
afterAll(async () => {
  await backOffice?.close();
  await provider?.close();
});

const orderPath = (n = ORDER_COUNT) => `/orders/${n}`;
const buyerField = (page: Page) => page.getByLabel('What the buyer wrote');
const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true });

/** Returns functions that act as a user does and count the actions: each click, each key and each paste is one. */
function makeCountingUser(page: Page) {
  let actionCount = 0;
  return {
    click: (name: string | RegExp) => {
      actionCount++;
      return page.getByRole('button', { name, exact: true }).click();
    },
    press: (key: string) => {
      actionCount++;
      return page.keyboard.press(key);
    },
    paste: (text: string) => {
      actionCount++;
      return page.keyboard.insertText(text);
    },
    actionCount: () => actionCount,
  };
}

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

describe('the reply form', () => {
  it('needs at most four actions from the order’s page to a copied draft, by keyboard or by mouse', async () => {
    provider.script({ kind: 'reply', text: DRAFT });
    for (const device of ['keyboard', 'mouse']) {
      await backOffice.withPage(orderPath(), async (page) => {
        const user = makeCountingUser(page);
        if (device === 'keyboard') await user.press('r');
        else await user.click('Reply to the buyer');
        await expect
          .poll(() => buyerField(page).evaluate((field) => field === document.activeElement))
          .toBe(true);
        await user.paste('Where is it?');
        if (device === 'keyboard') await user.press('Control+Enter');
        else await user.click(/^Write (a|another) draft$/);
        if (device === 'mouse') await page.getByText('Draft 2 of 2').waitFor();
        await expect.poll(() => replyField(page).inputValue()).toBe(DRAFT);
        if (device === 'keyboard') {
          const copyButton = page.getByRole('button', { name: 'Copy', exact: true });
          await expect
            .poll(() => copyButton.evaluate((button) => button === document.activeElement))
            .toBe(true);
        }
        // Waits in the page, and before the action: the button says so for only two seconds.
        await Promise.all([
          page.waitForFunction(() =>
            [...document.querySelectorAll('button')].some(({ innerText }) => innerText === 'Copied'),
          ),
          device === 'keyboard' ? user.press('Enter') : user.click('Copy'),
        ]);
        expect(user.actionCount()).toBeLessThanOrEqual(4);
        expect(await readClipboard(page)).toBe(DRAFT);
      });
    }
  });

  it('marks only unconfirmed claims in the reply, and updates the marks when the reply is edited', async () => {
    await backOffice.withPage(`${orderPath()}?reply=1`, async (page) => {
      await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['March 3']);
      await page.getByText('Nothing in the database or the prompt confirms this.').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await replyField(page).fill('Hi! It is held by customs.');
      await expect.poll(() => page.locator('mark').count()).toBe(0);
      await page
        .getByText('Nothing in the database or the prompt confirms this.')
        .waitFor({ state: 'hidden' });
    });
  });

  it('keeps earlier drafts and edits until the reply is marked as sent; the timeline then shows the reply', async () => {
    provider.script({ kind: 'reply', text: 'A second draft.' });
    await backOffice.withPage(`${orderPath()}?reply=1`, async (page) => {
      await buyerField(page).fill('Buyer: Where is it?\nShop: On its way.\nBuyer: Still?');
      await page.getByText('Read as 2 messages from the buyer and 1 from the shop.').waitFor();
      await page.getByRole('button', { name: 'Write another draft' }).click();
      await page.getByText('Draft 3 of 3').waitFor();
      await expect.poll(() => replyField(page).inputValue()).toBe('A second draft.');
      await replyField(page).fill('A second draft, edited.');
      await page.getByRole('button', { name: 'Older draft' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe(DRAFT);
      await page.getByRole('button', { name: 'Newer draft' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('A second draft, edited.');
      await page.getByRole('link', { name: 'Catalog', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
      await backOffice.visit(page, `${orderPath()}?reply=1`);
      await expect.poll(() => replyField(page).inputValue()).toBe('A second draft, edited.');
      await expect.poll(() => buyerField(page).inputValue()).toContain('Still?');
      await page.getByRole('button', { name: 'Mark as sent' }).click();
      await page.getByText('Marked as sent. It is in the order’s timeline.').waitFor();
      await expect.poll(() => buyerField(page).inputValue()).toBe('');
      await expect.poll(() => replyField(page).inputValue()).toBe('');
      const entry = page.getByRole('listitem').filter({ hasText: 'Reply sent' });
      await entry.getByText('A second draft, edited.').waitFor();
      await entry.getByText('ann@example.com').waitFor();
      await backOffice.visit(page, '/messages/replies?sent=yes');
      await page
        .getByRole('row', { name: /Draft for ann@example.com/ })
        .getByRole('link')
        .first()
        .click();
      await page.getByText('A second draft, edited.').waitFor();
    });
  });

  it('accepts a reply that was written by hand', async () => {
    await backOffice.withPage(`${orderPath()}?reply=1`, async (page) => {
      await replyField(page).fill('Written by hand.');
      await page.getByRole('button', { name: 'Mark as sent' }).click();
      const entry = page.getByRole('listitem').filter({ hasText: 'Reply sent' });
      await entry.getByText('Written by hand.').waitFor();
    });
  });

  it.each([
    [{ kind: 'status', status: 401 } as const, 'Ask the administrator to check OPENAI_API_KEY'],
    [{ kind: 'slow', ms: 10_000 } as const, 'The text provider was too slow.'],
    [{ kind: 'refusal' } as const, 'Write one by hand.'],
  ])(
    'reports a failure of the text provider, such as %j, and keeps what was typed',
    async (behaviour, message) => {
      provider.script(behaviour);
      await backOffice.withPage(
        `${orderPath(1)}?reply=1`,
        async (page) => {
          await buyerField(page).fill('Where is it?');
          await page.getByRole('button', { name: 'Write a draft' }).click();
          await page.getByRole('alert').getByText(message).waitFor();
          await page.getByRole('alert').getByText('What you typed is kept.').waitFor();
          expect(await buyerField(page).inputValue()).toBe('Where is it?');
        },
        { allowedErrors: /status of 50\d/ },
      );
    },
  );

  it('says how to get a prompt if the shop has none', async () => {
    await backOffice.call('shops.create', { name: 'Owl Atelier' });
    const [, shop] = await backOffice.query('shops.list', null);
    await backOffice.send('/api/orders/import', {
      account_id: shop.id,
      rows: [{ receipt_id: '1', title: 'Owl' }],
    });
    const [row] = await backOffice.queryDatabase<{ id: string }>('SELECT max(id)::text AS id FROM orders');
    await backOffice.withPage(
      `/orders/${row!.id}?reply=1`,
      async (page) => {
        await page.getByRole('button', { name: 'Write a draft' }).click();
        await page
          .getByRole('alert')
          .getByText(/^No prompt is published for/)
          .waitFor();
        await page.getByRole('link', { name: 'Open the prompt' }).waitFor();
      },
      { allowedErrors: /status of 422/ },
    );
  });

  it('translates both ways, checks the translation, and can restore the original', async () => {
    await backOffice.withPage(`${orderPath(2)}?reply=1`, async (page) => {
      await buyerField(page).fill('Où est mon colis ?');
      provider.script({ kind: 'reply', text: 'Where is my parcel?' });
      await page.getByRole('button', { name: 'Translate into English' }).click();
      await page.getByRole('region', { name: 'In English' }).getByText('Where is my parcel?').waitFor();
      await replyField(page).fill('It costs $99.50.');
      provider.script({ kind: 'reply', text: 'Elle coûte 99,50 $.' });
      await page.getByRole('button', { name: 'Translate for the buyer' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('Elle coûte 99,50 $.');
      await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['99,50 $']);
      await page.getByRole('button', { name: 'Back to the original' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('It costs $99.50.');
      provider.script({ kind: 'reply', text: 'Bonjour.' });
      await page.getByRole('button', { name: 'Translate for the buyer' }).click();
      await page.getByText('The translation does not state this.').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('shows a translation only with the message or draft that was translated', async () => {
    await backOffice.withPage(`${orderPath(5)}?reply=1`, async (page) => {
      const message = 'Où est mon colis ?';
      await buyerField(page).fill(message);
      provider.script({ kind: 'reply', text: 'First draft.' });
      await page.getByRole('button', { name: 'Write a draft' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('First draft.');
      provider.script({ kind: 'reply', text: 'Second draft.' });
      await page.getByRole('button', { name: 'Write another draft' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('Second draft.');

      provider.script({ kind: 'slow', ms: 1_500 });
      const replyTranslationPromise = page.waitForResponse(/replyDrafts\.translateReply/);
      await page.getByRole('button', { name: 'Translate for the buyer' }).click();
      await page.getByRole('button', { name: 'Older draft' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('First draft.');
      await replyTranslationPromise;
      await page
        .getByRole('button', { name: 'Translate for the buyer' })
        .and(page.locator(':enabled'))
        .waitFor();
      expect(await replyField(page).inputValue()).toBe('First draft.');
      await page.getByRole('button', { name: 'Newer draft' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('Too late.');

      const messageTranslationPromise = page.waitForResponse(/replyDrafts\.translateMessage/);
      await page.getByRole('button', { name: 'Translate into English' }).click();
      await buyerField(page).fill('Bonjour.');
      await messageTranslationPromise;
      await page
        .getByRole('button', { name: 'Translate into English' })
        .and(page.locator(':enabled'))
        .waitFor();
      expect(await page.getByRole('region', { name: 'In English' }).count()).toBe(0);
      await buyerField(page).fill(message);
      await page.getByRole('region', { name: 'In English' }).getByText('Too late.').waitFor();
    });
  });

  it('logs a translation as a reply without a prompt', async () => {
    await backOffice.withPage('/messages/replies?kind=translation', async (page) => {
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: /^Reply \d+/ }).waitFor();
      await page.getByText('Translation for').first().waitFor();
      await page.getByRole('heading', { name: 'Conversation' }).waitFor();
      expect(await page.getByRole('heading', { name: 'Prompt' }).count()).toBe(0);
    });
  });

  it('shows the buyer’s other orders and the replies sent to the buyer', async () => {
    const [shop] = await backOffice.query('shops.list', null);
    const makeRow = (n: number) => ({ receipt_id: receiptIdOf(n), buyer: 'Wynn (4y1po5ze)' });
    await backOffice.send('/api/orders/import', { account_id: shop.id, rows: [makeRow(3), makeRow(4)] });
    await backOffice.call('replyDrafts.markSent', {
      order_id: '4',
      draft_id: null,
      key: 'k',
      text: 'It left today.',
    });
    await backOffice.withPage(orderPath(3), async (page) => {
      const replies = page.getByRole('list', { name: 'Replies sent' });
      await replies.getByText('It left today.').waitFor();
      await page
        .getByRole('list', { name: 'Other orders' })
        .getByRole('link', { name: receiptIdOf(4) })
        .click();
      await page.getByRole('heading', { level: 1, name: receiptIdOf(4) }).waitFor();
      const progress = page.getByRole('list', { name: 'Progress' });
      await expect.poll(() => progress.locator('[data-done]').count()).toBe(2);
    });
  });

  it('is one key away in a work queue', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await page.getByRole('heading', { level: 2, name: receiptIdOf(ORDER_COUNT) }).waitFor();
      await page.keyboard.press('r');
      await page.waitForURL(/orders\/\d+\?reply=1/);
      await buyerField(page).waitFor();
    });
  });

  it('is not offered to viewers', async () => {
    await backOffice.withPage(
      `${orderPath()}?reply=1`,
      async (page) => {
        await page.getByRole('heading', { level: 1, name: receiptIdOf(ORDER_COUNT) }).waitFor();
        await page.keyboard.press('r');
        expect(await page.getByRole('button', { name: 'Reply to the buyer' }).count()).toBe(0);
        expect(await buyerField(page).count()).toBe(0);
      },
      { userEmail: VIEWER_EMAIL },
    );
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    [orderPath(), 'order'],
    [`${orderPath()}?reply=1`, 'order-reply'],
  ],
);
