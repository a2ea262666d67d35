import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUserActive } from '../../../src/server/identity/users/service';
import {
  CHANNEL_SETTINGS,
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR } from '../../support/service/test-service';
import { DINGTALK_SECRET } from '../../support/stand-ins/chat-stand-in';

let backOffice: NotificationService;
let owner: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await createSignedInUser(backOffice.service, 'owner');
  viewer = await createSignedInUser(backOffice.service, 'viewer');
});
afterAll(() => backOffice.close());
beforeEach(() => backOffice.service.database.query('DELETE FROM notification_channels'));

const makeSlackSettings = () => ({ vendor: 'slack', url: backOffice.chat.urls.slack });
/** Saves a channel. Returns the paths of the problems, or undefined if the channel was saved. */
const trySave = async (input: object, scope: 'own' | 'team' = 'own') =>
  (await owner.call(`notifications.${scope}.save`, { ...CHANNEL_SETTINGS, ...input })).error?.problems.map(
    ({ path }) => path,
  );

describe('a channel', () => {
  it('belongs to its user: no one else sees, changes, tests or removes it', async () => {
    const id = await saveChannel(viewer, makeSlackSettings());
    expect((await owner.call('notifications.own.list')).data.channels).toEqual([]);
    for (const [action, input] of [
      ['save', { ...CHANNEL_SETTINGS, ...makeSlackSettings(), id }],
      ['test', { id }],
      ['remove', { id }],
    ] as const) {
      expect((await owner.call(`notifications.own.${action}`, input)).status, action).toBe(404);
      expect((await owner.call(`notifications.team.${action}`, input)).status, action).toBe(404);
    }
    expect((await viewer.call('notifications.own.list')).data.channels).toHaveLength(1);
  });

  it('of the team can be listed and set up by an owner, but not by a viewer or an operator', async () => {
    const operator = await createSignedInUser(backOffice.service, 'operator');
    await saveChannel(owner, { ...makeSlackSettings(), name: 'Packing' }, 'team');
    for (const user of [viewer, operator]) {
      expect((await user.call('notifications.team.list')).status).toBe(403);
      expect(
        (await user.call('notifications.team.save', { ...CHANNEL_SETTINGS, ...makeSlackSettings() })).status,
      ).toBe(403);
    }
    expect((await owner.call('notifications.team.list')).data.channels).toMatchObject([{ name: 'Packing' }]);
  });

  it('is stored with its address encrypted, and no list or audit entry contains the address', async () => {
    const id = await saveChannel(owner, {
      vendor: 'dingtalk',
      url: backOffice.chat.urls.dingtalk,
      signing_key: DINGTALK_SECRET,
    });
    const channelRows = await backOffice.service.database.query(
      `SELECT notification_channels::text AS row FROM notification_channels`,
    );
    const auditRows = await backOffice.service.database.query(`SELECT audit_log::text AS row FROM audit_log`);
    const { data } = await owner.call('notifications.own.list');
    for (const text of [channelRows, auditRows, data].map((value) => JSON.stringify(value))) {
      expect(text).not.toContain('0123456789abcdef');
      expect(text).not.toContain(Buffer.from('0123456789abcdef').toString('hex'));
    }
    expect(data.channels).toMatchObject([{ id, signed: true }]);
  });

  it('keeps its address when only other settings change, and loses its signing secret when an address is saved without one', async () => {
    const id = await saveChannel(owner, {
      vendor: 'dingtalk',
      url: backOffice.chat.urls.dingtalk,
      signing_key: DINGTALK_SECRET,
    });
    await saveChannel(owner, { vendor: 'dingtalk', id, locale: 'zh' });
    expect((await owner.call('notifications.own.test', { id })).data).toEqual({ reason: null });
    await saveChannel(owner, { vendor: 'dingtalk', id, url: backOffice.chat.urls.dingtalk });
    expect((await owner.call('notifications.own.list')).data.channels).toMatchObject([{ signed: false }]);
  });

  it('cannot be decrypted if its row is moved to another user', async () => {
    const id = await saveChannel(owner, makeSlackSettings());
    await backOffice.service.database.query('UPDATE notification_channels SET user_id = $1', [viewer.userId]);
    const { data } = await viewer.call('notifications.own.test', { id });
    expect(data).toMatchObject({ reason: { reason: 'notification.otherSecret' } });
  });

  it.each<[string, object, string]>([
    ['an address on another host', { vendor: 'slack', url: 'https://evil.example/services/T0/B0/X' }, 'url'],
    ['an address inside the network', { vendor: 'wecom', url: 'http://169.254.169.254/latest' }, 'url'],
    ['no address', { vendor: 'slack' }, 'url'],
    [
      'a signing secret that the vendor does not use',
      { vendor: 'slack', url: '', signing_key: 'SEC12345678' },
      'signing_key',
    ],
    ['an unknown shop', { vendor: 'email', shop_ids: [999] }, 'shop_ids'],
    ['a time of day that does not exist', { vendor: 'email', send_at: '24:00' }, 'send_at'],
    ['an unknown time zone', { vendor: 'email', time_zone: 'Mars/Base' }, 'time_zone'],
    ['an unknown kind', { vendor: 'email', kinds: ['test'] }, 'kinds.0'],
  ])('is refused with %s', async (_, input, path) => {
    // An empty URL stands for the stand-in's, which is not known before the tests run.
    const channelInput =
      'url' in input && input.url === '' ? { ...input, url: backOffice.chat.urls.slack } : input;
    expect(await trySave(channelInput)).toEqual([path]);
  });

  it('for e-mail exists once per user, and not for the team', async () => {
    await saveChannel(owner, { vendor: 'email' });
    expect(await trySave({ vendor: 'email' })).toEqual(['vendor']);
    expect(await trySave({ vendor: 'email' }, 'team')).toEqual(['vendor']);
    await saveChannel(viewer, { vendor: 'email' });
  });

  it('drops its pending messages when it is switched off', async () => {
    const id = await saveChannel(owner, { ...makeSlackSettings(), kinds: ['summary'] });
    await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
    backOffice.chat.respondWith({ status: 429, body: '' });
    await backOffice.run();
    backOffice.chat.respondWith(null);
    await saveChannel(owner, { ...makeSlackSettings(), id, kinds: ['summary'], active: false });
    await backOffice.backdate(10);
    await backOffice.run();
    expect((await owner.call('notifications.own.deliveries')).data).toEqual([]);
  });

  it.each([
    ['deactivated', true],
    ['reactivated', false],
  ])('drops pending messages and forgets what they reported when its user is %s', async (_, wasActive) => {
    const { db } = backOffice.service.app.services;
    const user = await createSignedInUser(backOffice.service, 'viewer');
    const channelId = await saveChannel(user, { ...makeSlackSettings(), kinds: ['late'] });
    if (!wasActive) await setUserActive(db, TEST_ACTOR, { id: user.userId }, false);
    await db.prisma.notificationEntry.create({ data: { channelId, kind: 'late', entry: '1' } });
    for (const state of ['waiting', 'sending', 'failed'] as const)
      await db.prisma.notification.create({
        data: { channelId, kind: 'late', period: state, message: {}, state },
      });
    await setUserActive(db, TEST_ACTOR, { id: user.userId }, !wasActive);
    expect(await db.prisma.notificationEntry.count({ where: { channelId } })).toBe(0);
    const remainingMessages = await db.prisma.notification.findMany({
      where: { channelId },
      select: { state: true },
    });
    expect(remainingMessages).toEqual([{ state: 'failed' }]);
  });
});

it('messages are deleted after thirty days', async () => {
  const id = await saveChannel(owner, makeSlackSettings());
  await owner.call('notifications.own.test', { id });
  const { deleteOldNotifications } = await import('../../../src/server/notifications/delivery-service');
  await backOffice.backdate(29 * 24 * 60);
  await deleteOldNotifications(backOffice.service.app.services.db);
  expect((await owner.call('notifications.own.deliveries')).data).toHaveLength(1);
  await backOffice.backdate(2 * 24 * 60);
  await deleteOldNotifications(backOffice.service.app.services.db);
  expect((await owner.call('notifications.own.deliveries')).data).toEqual([]);
});

it('an e-mail channel is refused without a mail server, and the error says what to configure', async () => {
  const service = await startTestService();
  try {
    const user = await createSignedInUser(service, 'viewer');
    const { data } = await user.call('notifications.own.list');
    expect(data).toEqual({ channels: [], has_email: false });
    const { error } = await user.call('notifications.own.save', { ...CHANNEL_SETTINGS, vendor: 'email' });
    expect(error!.problems).toMatchObject([{ path: 'vendor', message: expect.stringContaining('SMTP_URL') }]);
  } finally {
    await service.close();
  }
});
