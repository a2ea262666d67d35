import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSender } from '../../../src/server/notifications/sending/sender';
import {
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { type SignedIn, signedInAs } from '../../support/service/signed-in';
import { DINGTALK_SECRET } from '../../support/stand-ins/chat-stand-in';
import { decodeEmail, MAIL_PASSWORD } from '../../support/stand-ins/mail-stand-in';

let backOffice: NotificationService;
let owner: SignedIn;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await signedInAs(backOffice.service, 'owner');
});
afterAll(() => backOffice.close());
afterEach(async () => {
  backOffice.chat.respondWith(null);
  backOffice.mail.refuseWith(null);
  await backOffice.service.database.query('DELETE FROM notification_channels');
});

const settingsOf = (vendor: 'wecom' | 'dingtalk' | 'slack') => ({
  vendor,
  url: backOffice.chat.urls[vendor],
  ...(vendor === 'dingtalk' ? { signing_key: DINGTALK_SECRET } : {}),
});

const sendTest = async (id: number) => (await owner.call('notifications.own.test', { id })).data;

describe('a test message', () => {
  it.each(['wecom', 'dingtalk', 'slack'] as const)('is accepted by %s', async (vendor) => {
    const id = await saveChannel(owner, settingsOf(vendor));
    expect(await sendTest(id)).toEqual({ reason: null });
    expect(backOffice.chat.accepted.at(-1)).toMatchObject({
      vendor,
      text: expect.stringContaining('Test message'),
    });
    const { data } = await owner.call('notifications.own.deliveries');
    expect(data[0]).toMatchObject({ kind: 'test', state: 'sent', vendor, failure: null });
  });

  it('is accepted by the mail server, from the configured sender', async () => {
    const id = await saveChannel(owner, { vendor: 'email', locale: 'zh' });
    expect(await sendTest(id)).toEqual({ reason: null });
    const { from, to } = backOffice.mail.emails.at(-1)!;
    expect({ from, to }).toEqual({ from: 'desk@shop.example', to: [owner.email] });
    expect(backOffice.emailsTo(owner).at(-1)).toContain('通知会发送到这里。');
  });

  it.each([
    [
      'an error code in a 200',
      'wecom',
      { status: 200, body: '{"errcode":93000,"errmsg":"invalid webhook url"}' },
      'notification.refused',
    ],
    [
      'a wrong signature',
      'dingtalk',
      { status: 200, body: '{"errcode":310000,"errmsg":"sign not match"}' },
      'notification.refused',
    ],
    ['a 200 that is not ok', 'slack', { status: 200, body: 'no_text' }, 'notification.refused'],
    ['a webhook that is gone', 'slack', { status: 404, body: 'no_service' }, 'notification.refused'],
    [
      'too many messages',
      'wecom',
      { status: 200, body: '{"errcode":45009,"errmsg":"api freq out of limit"}' },
      'notification.limited',
    ],
    ['a 429', 'slack', { status: 429, body: 'rate_limited' }, 'notification.limited'],
    ['a page instead of JSON', 'dingtalk', { status: 200, body: '<html>' }, 'notification.unreadable'],
    ['a redirect', 'wecom', { status: 302, body: '' }, 'notification.refused'],
    ['a failure', 'slack', { status: 503, body: 'down' }, 'notification.failing'],
  ] as const)('fails because of %s', async (_, vendor, response, reason) => {
    const id = await saveChannel(owner, settingsOf(vendor));
    backOffice.chat.respondWith(response);
    expect(await sendTest(id)).toMatchObject({ reason: { reason } });
    const { data } = await owner.call('notifications.own.deliveries');
    expect(data[0]).toMatchObject({ state: 'failed', failure: { reason } });
  });

  it('never reveals the address, even if the vendor repeats it', async () => {
    const id = await saveChannel(owner, settingsOf('slack'));
    backOffice.chat.respondWith({ status: 400, body: `bad ${backOffice.chat.urls.slack}` });
    const { reason } = await sendTest(id);
    expect(JSON.stringify(reason)).not.toContain('XXXXXXXX');
    expect(reason.values.detail).toContain('400 bad');
  });

  it('fails if the signing secret is wrong', async () => {
    const id = await saveChannel(owner, { ...settingsOf('dingtalk'), signing_key: 'SECwrong-secret' });
    expect(await sendTest(id)).toMatchObject({ reason: { reason: 'notification.refused' } });
  });

  it('fails with the mail server’s code', async () => {
    const id = await saveChannel(owner, { vendor: 'email' });
    backOffice.mail.refuseWith(550);
    expect(await sendTest(id)).toEqual({
      reason: { reason: 'notification.mailRefused', values: { code: 550 } },
    });
  });
});

describe('a message that was not accepted', () => {
  const createDueChannel = async () => {
    await saveChannel(owner, { ...settingsOf('wecom'), kinds: ['summary'] });
    await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  };
  const readDelivery = async () => (await owner.call('notifications.own.deliveries')).data[0];

  it('is sent later, but not in the next run, if the vendor limits messages', async () => {
    await createDueChannel();
    backOffice.chat.respondWith({ status: 200, body: '{"errcode":45009,"errmsg":"api freq out of limit"}' });
    await backOffice.run();
    expect(await readDelivery()).toMatchObject({
      state: 'waiting',
      failure: { reason: 'notification.limited' },
    });
    backOffice.chat.respondWith(null);
    await backOffice.run();
    expect(await readDelivery()).toMatchObject({ state: 'waiting' });
    await backOffice.age(6);
    await backOffice.run();
    expect(await readDelivery()).toMatchObject({ state: 'sent', failure: null });
  });

  it('is abandoned immediately if it would be refused again', async () => {
    await createDueChannel();
    backOffice.chat.respondWith({ status: 200, body: '{"errcode":93000,"errmsg":"invalid webhook url"}' });
    await backOffice.run();
    expect(await readDelivery()).toMatchObject({
      state: 'failed',
      failure: { reason: 'notification.refused' },
    });
  });

  it('is abandoned after five attempts', async () => {
    await createDueChannel();
    backOffice.chat.respondWith({ status: 429, body: '' });
    const before = backOffice.chat.requestCount();
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await backOffice.run();
      await backOffice.age(200);
    }
    expect(await readDelivery()).toMatchObject({ state: 'failed' });
    expect(backOffice.chat.requestCount() - before).toBe(5);
  });
});

it('abandons a message without sending it again if servers died five times while sending it', async () => {
  await saveChannel(owner, { ...settingsOf('slack'), kinds: ['summary'] });
  await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  await backOffice.run();
  const before = backOffice.chat.requestCount();
  await backOffice.service.database.query(
    `UPDATE notifications SET state = 'sending', attempts = 5, sent_at = NULL, due_at = now()`,
  );
  await backOffice.run();
  expect(backOffice.chat.requestCount()).toBe(before);
  const { data } = await owner.call('notifications.own.deliveries');
  expect(data[0]).toMatchObject({ state: 'failed', failure: { reason: 'notification.interrupted' } });
});

it('does not send a waiting message once its user is deactivated', async () => {
  const deactivatedUser = await signedInAs(backOffice.service, 'operator');
  await saveChannel(deactivatedUser, { ...settingsOf('slack'), kinds: ['summary'] });
  await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  backOffice.chat.respondWith({ status: 429, body: '' });
  await backOffice.run();
  backOffice.chat.respondWith(null);
  await backOffice.service.database.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [
    deactivatedUser.userId,
  ]);
  const before = backOffice.chat.requestCount();
  await backOffice.age(10);
  await backOffice.run();
  expect(backOffice.chat.requestCount()).toBe(before);
});

it('stops calling a vendor that has failed five times in a row', async () => {
  const sender = createSender({
    smtp: null,
    origins: backOffice.service.app.services.sender.origins,
    appUrl: 'https://desk.example',
    adminPrefix: '/admin',
  });
  const slackTarget = { vendor: 'slack' as const, url: backOffice.chat.urls.slack, signingKey: null };
  const send = () =>
    sender
      .send(slackTarget, '1', { title: 'T', intro: 'I', lines: [] })
      .catch((error) => error.reason.reason);
  backOffice.chat.respondWith({ status: 500, body: '' });
  const before = backOffice.chat.requestCount();
  const reasons = [];
  for (let n = 0; n < 7; n += 1) reasons.push(await send());
  expect(reasons).toEqual([
    ...Array(5).fill('notification.failing'),
    'notification.paused',
    'notification.paused',
  ]);
  expect(backOffice.chat.requestCount() - before).toBe(5);
});

describe('an unsubscribe link', () => {
  /** Returns the link in the header of the last e-mail. */
  const lastLink = () =>
    /^List-Unsubscribe: <([^>]+)>/im.exec(
      backOffice.mail.emails.at(-1)!.source.replace(/\r\n[ \t]+/g, ' '),
    )![1]!;
  const visit = (link: string, init?: RequestInit) =>
    fetch(link.replace('http://desk.example', backOffice.service.url), init);
  const isActive = async (user: SignedIn) =>
    (await user.call('notifications.own.list')).data.channels[0].active;

  it('stops the e-mails of one user without signing in, by a button or with one click in a mail program', async () => {
    const otherUser = await signedInAs(backOffice.service, 'viewer');
    await saveChannel(otherUser, { vendor: 'email' });
    const id = await saveChannel(owner, { vendor: 'email' });
    await sendTest(id);
    const link = lastLink();
    const page = await visit(link);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<form method="post">');
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

  it('for another channel or with another signature stops nothing', async () => {
    const id = await saveChannel(owner, { vendor: 'email' });
    await sendTest(id);
    const link = lastLink();
    const viewer = await signedInAs(backOffice.service, 'viewer');
    const otherId = await saveChannel(viewer, { vendor: 'email' });
    // One channel's signature is not valid for another channel.
    const forgedLink = lastLink().replace(/token=\d+/, `token=${otherId}`);
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
    const chinesePage = await readPage(lastLink(), 'en-US');
    expect(chinesePage).toContain('<html lang="zh-CN">');
    expect(chinesePage).toContain('<h1>退订邮件</h1>');
    expect(await readPage('http://desk.example/unsubscribe', 'fr, zh;q=0.8')).toContain('链接已失效。');
    const englishPage = await readPage('http://desk.example/unsubscribe', 'en-GB, zh;q=0.8');
    expect(englishPage).toContain('<html lang="en-US">');
    expect(englishPage).toContain('This link is no longer valid.');
  });

  it('works with one click (RFC 8058) if the service is reached over HTTPS', async () => {
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
    expect(lastLink()).toBe('https://desk.example/unsubscribe?token=1.x');
  });
});

it('logs no webhook address, signing secret or password', () => {
  const logged = backOffice.service.logged();
  expect(logged).toContain('notification not sent');
  for (const secret of [DINGTALK_SECRET, MAIL_PASSWORD, 'XXXXXXXX', '693a91f6', '0123456789abcdef0123'])
    expect(logged).not.toContain(secret);
});
