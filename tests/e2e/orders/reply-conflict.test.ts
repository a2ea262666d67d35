import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, OWNER_EMAIL, openBackOffice } from '../../support/browser/back-office';
import { makeOrders } from '../../support/browser/back-office-orders';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

const BOB_EMAIL = 'bob@example.com';
const BOBS_TEXT = 'A long and careful reply.';

let backOffice: BackOffice;
let provider: TextProviderStandIn;

beforeAll(async () => {
  provider = await startTextProviderStandIn();
  backOffice = await openBackOffice('reply-conflict', {
    OPENAI_API_KEY: 'stand-in',
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODEL: 'stand-in-model',
  });
  await backOffice.addUser(BOB_EMAIL, 'operator');
  await makeOrders(backOffice);
  await backOffice.call('prompts.set', { shop_name: 'Fox and Bricks', text: 'Be kind.' });
});
afterAll(async () => {
  await backOffice?.close();
  await provider?.close();
});

const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true });
const markAsSentByAnn = (order_id: string, draft_id: string) =>
  backOffice.call('replyDrafts.markSent', { order_id, draft_id, key: 'ann', text: 'Sent by Ann.' });
const markAsSent = (page: Page) => page.getByRole('button', { name: 'Mark as sent' }).click();

it('a typed reply stays if a colleague has marked its draft as sent in the meantime, and can be sent as another reply or discarded', async () => {
  const draft = await backOffice.call('replyDrafts.write', { order_id: '1', messages: [] });
  await backOffice.withPage(
    '/orders/1?reply=1',
    async (page) => {
      await expect.poll(() => replyField(page).inputValue()).not.toBe('');
      await replyField(page).fill(BOBS_TEXT);
      await markAsSentByAnn('1', draft.id);
      await markAsSent(page);
      await page.getByText('This is not possible now').waitFor();
      await page.getByText(`${OWNER_EMAIL} has marked this draft as sent.`).waitFor();
      expect(await replyField(page).inputValue()).toBe(BOBS_TEXT);
      await page.reload();
      await expect.poll(() => replyField(page).inputValue()).toBe(BOBS_TEXT);
      await markAsSent(page);
      const entries = page.getByRole('listitem').filter({ hasText: 'Reply sent' });
      await entries.filter({ hasText: BOBS_TEXT }).waitFor();
      expect(await entries.count()).toBe(2);
      await expect.poll(() => replyField(page).inputValue()).toBe('');
    },
    { userEmail: BOB_EMAIL, allowedErrors: /status of 409/ },
  );

  const otherDraft = await backOffice.call('replyDrafts.write', { order_id: '2', messages: [] });
  await backOffice.withPage(
    '/orders/2?reply=1',
    async (page) => {
      await replyField(page).fill(BOBS_TEXT);
      await markAsSentByAnn('2', otherDraft.id);
      await page.reload();
      await page.getByRole('button', { name: 'Discard my text' }).click();
      await expect.poll(() => replyField(page).inputValue()).toBe('');
    },
    { userEmail: BOB_EMAIL },
  );
});
