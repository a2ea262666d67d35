import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, OWNER_EMAIL, openBackOffice } from '../support/browser/back-office';
import { itRendersInEveryView } from '../support/browser/views';
import { type ChatStandIn, startChatStandIn } from '../support/stand-ins/chat-stand-in';
import { type MailStandIn, startMailStandIn } from '../support/stand-ins/mail-stand-in';

let backOffice: BackOffice;
let mail: MailStandIn;
let chat: ChatStandIn;

beforeAll(async () => {
  [mail, chat] = await Promise.all([startMailStandIn(), startChatStandIn()]);
  backOffice = await openBackOffice('admin-notifications', {
    SMTP_URL: mail.url,
    SMTP_FROM: 'desk@shop.example',
    ...chat.environment,
  });
  await backOffice.call('shops.create', { name: 'Fox and Bricks' });
});
afterAll(async () => {
  await backOffice?.close();
  await Promise.all([mail?.close(), chat?.close()]);
});

it('a user adds an e-mail channel, sends a test message, and sees that it was sent', async () => {
  await backOffice.withPage('/account', async (page) => {
    await page.getByRole('main').getByRole('link', { name: 'Manage notifications' }).click();
    await page.getByText('There are no channels yet.').waitFor();
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('checkbox', { name: 'Late orders' }).check();
    await form.getByRole('button', { name: 'Add a channel' }).click();
    const row = page.getByRole('row').filter({ hasText: OWNER_EMAIL });
    await row.getByText(/Daily summary at 08:00 \(.+\) and Late orders/).waitFor();
    await row.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('Test message sent.').waitFor();
    // At 08:00 the daily summary is sent too.
    const testMessages = mail.emails.filter(({ source }) => source.includes('Test message'));
    expect(testMessages.map(({ to }) => to)).toEqual([[OWNER_EMAIL]]);
    await page
      .getByRole('row')
      .filter({ hasText: 'Test message from Brickdesk' })
      .getByText('Sent', { exact: true })
      .waitFor();
  });
});

it('the team’s chat is set up in the settings, which show the vendor’s error but not the webhook URL', async () => {
  await backOffice.withPage(
    '/settings',
    async (page) => {
      await page.getByRole('link', { name: 'Team notifications' }).click();
      await page.getByRole('button', { name: 'Add a channel' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Name').fill('Packing');
      await form.getByLabel('Webhook URL').fill('https://evil.example/hook');
      await form.getByRole('button', { name: 'Add a channel' }).click();
      await form.getByText('must be the webhook URL that WeCom shows').waitFor();
      await form.getByLabel('Webhook URL').fill(chat.urls.wecom);
      await form.getByRole('button', { name: 'Add a channel' }).click();
      const row = page.getByRole('row').filter({ hasText: 'Packing' });
      await row.getByRole('button', { name: 'Send a test message' }).click();
      await page.getByText('Test message sent.').waitFor();
      chat.respondWith({ status: 200, body: '{"errcode":93000,"errmsg":"invalid webhook url"}' });
      await row.getByRole('button', { name: 'Send a test message' }).click();
      await page
        .getByRole('alert')
        .getByText('WeCom refused the message: 93000 invalid webhook url')
        .waitFor();
      expect(await page.content()).not.toContain('693a91f6');
    },
    { allowedErrors: /422/ },
  );
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/account/notifications', 'notifications'],
    ['/settings/notifications', 'team-notifications'],
  ],
);
