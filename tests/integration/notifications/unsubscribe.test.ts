import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSender } from '../../../src/server/notifications/sending/sender';
import {
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { decodeEmail } from '../../support/stand-ins/mail-stand-in';

let backOffice: NotificationService;
let owner: SignedInUser;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await createSignedInUser(backOffice.service, 'owner');
});
afterAll(() => backOffice.close());
afterEach(() => backOffice.service.database.query('DELETE FROM notification_channels'));

const sendTest = (id: number) => owner.call('notifications.own.test', { id });
/** Returns the link in the List-Unsubscribe header of the last e-mail. */
const readLastLink = () =>
  /^List-Unsubscribe: <([^>]+)>/im.exec(
    backOffice.mail.emails.at(-1)!.source.replace(/\r\n[ \t]+/g, ' '),
  )![1]!;
const visit = (link: string, init?: RequestInit) =>
  fetch(link.replace('http://desk.example', backOffice.service.url), init);
const isActive = async (user: SignedInUser) =>
  (await user.call('notifications.own.list')).data.channels[0].active;

describe('an unsubscribe link', () => {
  it('lets a user stop their e-mails without signing in, with a button or with one click in a mail program', async () => {
    const otherUser = await createSignedInUser(backOffice.service, 'viewer');
    await saveChannel(otherUser, { vendor: 'email' });
    const id = await saveChannel(owner, { vendor: 'email' });
    await sendTest(id);
    const link = readLastLink();
    const pageResponse = await visit(link);
    expect(pageResponse.status).toBe(200);
    expect(await pageResponse.text()).toContain('<form method="post">');
    expect(await isActive(owner)).toBe(true);
    const response = await visit(link, {
      method: 'POST',
      body: new URLSearchParams('List-Unsubscribe=One-Click'),
    });
    expect(response.status).toBe(200);
    expect(await isActive(owner)).toBe(false);
    expect(await isActive(otherUser)).toBe(true);
    expect((await visit(link, { method: 'POST' })).status).toBe(200);
    const auditRows = await backOffice.service.database.query(
      `SELECT actor FROM audit_log WHERE action = 'notification_channel.unsubscribe'`,
    );
    expect(auditRows).toEqual([{ actor: 'unsubscribe link' }]);
  });

  it('for another channel or with a wrong signature stops nothing', async () => {
    const id = await saveChannel(owner, { vendor: 'email' });
    await sendTest(id);
    const link = readLastLink();
    const viewer = await createSignedInUser(backOffice.service, 'viewer');
    const otherChannelId = await saveChannel(viewer, { vendor: 'email' });
    // One channel's signature is not valid for another channel.
    const forgedLink = readLastLink().replace(/token=\d+/, `token=${otherChannelId}`);
    for (const badLink of [
      forgedLink,
      link.slice(0, -2),
      link.replace(/token=\d+/, 'token=999'),
      link.replace(/\?.*/, ''),
    ])
      expect((await visit(badLink, { method: 'POST' })).status).toBe(404);
    expect(await isActive(owner)).toBe(true);
    expect(await isActive(viewer)).toBe(true);
  });

  it("opens a page in the e-mails' language, or in the browser's if the link is invalid", async () => {
    await sendTest(await saveChannel(owner, { vendor: 'email', locale: 'zh' }));
    const readPage = async (link: string, languages: string) =>
      (await visit(link, { headers: { 'Accept-Language': languages } })).text();
    const chinesePage = await readPage(readLastLink(), 'en-US');
    expect(chinesePage).toContain('<html lang="zh-CN">');
    expect(chinesePage).toContain('<h1>退订邮件</h1>');
    expect(await readPage('http://desk.example/unsubscribe', 'fr, zh;q=0.8')).toContain('链接已失效。');
    const englishPage = await readPage('http://desk.example/unsubscribe', 'en-GB, zh;q=0.8');
    expect(englishPage).toContain('<html lang="en-US">');
    expect(englishPage).toContain('This link is no longer valid.');
  });

  it('is marked for one-click unsubscribing (RFC 8058) if the service is reached over HTTPS', async () => {
    const sender = createSender({
      smtp: { url: backOffice.mail.url, from: 'desk@shop.example' },
      origins: backOffice.service.app.services.sender.origins,
      appUrl: 'https://desk.example',
      adminPrefix: '/admin',
    });
    const target = {
      vendor: 'email',
      name: 'A',
      address: 'a@example.com',
      locale: 'en',
      unsubscribeToken: '1.x',
    } as const;
    await sender.send(target, '1', { title: 'T', intro: 'I', lines: [] });
    const email = decodeEmail(backOffice.mail.emails.at(-1)!.source);
    expect(email).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(readLastLink()).toBe('https://desk.example/unsubscribe?token=1.x');
  });
});
