import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/server/core/days';
import { createSender } from '../../../src/server/notifications/sending/sender';
import { avoidEndOfInterval } from '../../support/interval-end';
import {
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { DINGTALK_SECRET } from '../../support/stand-ins/chat-stand-in';
import { MAIL_PASSWORD } from '../../support/stand-ins/mail-stand-in';

let backOffice: NotificationService;
let owner: SignedInUser;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await createSignedInUser(backOffice.service, 'owner');
});
afterAll(() => backOffice.close());
// After midnight, another day's summary would be due.
beforeEach(() => avoidEndOfInterval(DAY_MS));
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
    expect(backOffice.chat.acceptedMessages.at(-1)).toMatchObject({
      vendor,
      text: expect.stringContaining('Test message'),
    });
    const { data } = await owner.call('notifications.own.deliveries');
    expect(data[0]).toMatchObject({ kind: 'test', state: 'sent', vendor, failure: null });
  });

  it('is sent by e-mail from the configured sender', async () => {
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

  it('never reveals the webhook address, even if the vendor repeats it', async () => {
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
    await backOffice.backdate(6);
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
    const requestCountBefore = backOffice.chat.requestCount();
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await backOffice.run();
      await backOffice.backdate(200);
    }
    expect(await readDelivery()).toMatchObject({ state: 'failed' });
    expect(backOffice.chat.requestCount() - requestCountBefore).toBe(5);
  });
});

it('a message is abandoned, and not sent again, if servers died five times while sending it', async () => {
  await saveChannel(owner, { ...settingsOf('slack'), kinds: ['summary'] });
  await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  await backOffice.run();
  const requestCountBefore = backOffice.chat.requestCount();
  await backOffice.service.database.query(
    `UPDATE notifications SET state = 'sending', attempts = 5, sent_at = NULL, due_at = now()`,
  );
  await backOffice.run();
  expect(backOffice.chat.requestCount()).toBe(requestCountBefore);
  const { data } = await owner.call('notifications.own.deliveries');
  expect(data[0]).toMatchObject({ state: 'failed', failure: { reason: 'notification.interrupted' } });
});

it('if a server dies before recording that a message was sent, the message is sent again unchanged, even if its data has changed', async () => {
  const { database } = backOffice.service;
  const [recipient, laterRecipient] = [
    await createSignedInUser(backOffice.service, 'owner'),
    await createSignedInUser(backOffice.service, 'owner'),
  ];
  const saveDueChannel = async (user: SignedInUser) => {
    await saveChannel(user, { vendor: 'email', kinds: ['summary'] });
    await database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  };
  /** Returns an e-mail without the parts that differ each time it is sent: its date and its MIME boundary. */
  const removeChangingParts = (email: string) => {
    const boundary = /boundary="([^"]+)"/.exec(email)![1]!;
    return email.replaceAll(boundary, 'boundary').replace(/^Date: .*$/m, '');
  };
  await saveDueChannel(recipient);
  await backOffice.run();
  await backOffice.service.importRows([{ receipt_id: '' }]);
  await database.query(`UPDATE notifications SET state = 'sending', sent_at = NULL, due_at = now()`);
  await saveDueChannel(laterRecipient);
  await backOffice.run();
  const [firstEmail, secondEmail, ...otherEmails] = backOffice.emailsTo(recipient).map(removeChangingParts);
  expect(secondEmail).toBe(firstEmail);
  expect(secondEmail).toMatch(/^Message-ID: <notification-\d+@/im);
  expect(otherEmails).toEqual([]);
  expect(firstEmail).not.toContain('1 import failed');
  expect(backOffice.emailsTo(laterRecipient)).toEqual([expect.stringContaining('1 import failed')]);
});

it('an e-mail whose acceptance was lost on the way is sent again with the same Message-ID', async () => {
  const recipient = await createSignedInUser(backOffice.service, 'owner');
  await saveChannel(recipient, { vendor: 'email', kinds: ['summary'] });
  await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  backOffice.mail.refuseWith(451, { keep: true });
  await backOffice.run();
  backOffice.mail.refuseWith(null);
  await backOffice.backdate(6);
  await backOffice.run();
  const messageIds = backOffice
    .emailsTo(recipient)
    .map((email) => /^Message-ID: (<notification-\d+@desk\.example>)/im.exec(email)?.[1]);
  expect(messageIds).toEqual([expect.any(String), messageIds[0]]);
});

it('a pending message is not sent once its user is deactivated', async () => {
  const deactivatedUser = await createSignedInUser(backOffice.service, 'operator');
  await saveChannel(deactivatedUser, { ...settingsOf('slack'), kinds: ['summary'] });
  await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
  backOffice.chat.respondWith({ status: 429, body: '' });
  await backOffice.run();
  backOffice.chat.respondWith(null);
  await backOffice.service.database.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [
    deactivatedUser.userId,
  ]);
  const requestCountBefore = backOffice.chat.requestCount();
  await backOffice.backdate(10);
  await backOffice.run();
  expect(backOffice.chat.requestCount()).toBe(requestCountBefore);
});

it('a vendor that has failed five times in a row is no longer called', async () => {
  const sender = createSender({
    smtp: null,
    origins: backOffice.service.app.services.sender.origins,
    appUrl: 'https://desk.example',
    adminPrefix: '/admin',
  });
  const slackTarget = { vendor: 'slack' as const, url: backOffice.chat.urls.slack, signingKey: null };
  const trySend = () =>
    sender
      .send(slackTarget, '1', { title: 'T', intro: 'I', lines: [] })
      .catch((error) => error.reason.reason);
  backOffice.chat.respondWith({ status: 500, body: '' });
  const requestCountBefore = backOffice.chat.requestCount();
  const reasons = [];
  for (let n = 0; n < 7; n += 1) reasons.push(await trySend());
  expect(reasons).toEqual([
    ...Array(5).fill('notification.failing'),
    'notification.paused',
    'notification.paused',
  ]);
  expect(backOffice.chat.requestCount() - requestCountBefore).toBe(5);
});

it('the service logs no webhook address, signing secret or password', () => {
  const logText = backOffice.service.readLog();
  expect(logText).toContain('notification not sent');
  for (const secret of [DINGTALK_SECRET, MAIL_PASSWORD, 'XXXXXXXX', '693a91f6', '0123456789abcdef0123'])
    expect(logText).not.toContain(secret);
});
