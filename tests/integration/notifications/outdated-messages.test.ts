import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { deleteMarkedShops } from '../../../src/server/shop-data/removal-service';
import {
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { TEST_ACTOR } from '../../support/service/test-service';

let backOffice: NotificationService;
let owner: SignedInUser;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await createSignedInUser(backOffice.service, 'owner');
});
afterAll(() => backOffice.close());
afterEach(async () => {
  backOffice.chat.respondWith(null);
  await backOffice.service.database.query('DELETE FROM notification_channels');
});

const query = (sql: string) => backOffice.service.database.query<{ text: string }>(sql);
const textsAfter = (count: number) =>
  backOffice.chat.acceptedMessages.slice(count).map(({ text }) => String(text));
/** Writes what is due without delivering it: the vendor is down. Later runs deliver it. */
const runWhileVendorIsDown = async () => {
  backOffice.chat.respondWith({ status: 503, body: 'down' });
  await backOffice.run();
  backOffice.chat.respondWith(null);
};

describe('a message that waits to be sent', () => {
  it.each([
    ['summary', 'no longer names API keys', [expect.not.stringContaining('Secret project')]],
    ['key_expiring', 'is not sent', []],
  ])('(%s) %s once a role without access to keys is given to its reader', async (kind, _, expected) => {
    const reader = await createSignedInUser(backOffice.service, 'admin');
    await createApiKey(backOffice.service.app.services.db, TEST_ACTOR, {
      name: `Secret project ${kind}`,
      expiresAt: new Date(Date.now() + 3 * 86_400_000),
    });
    await saveChannel(reader, { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: [kind] });
    await query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
    await runWhileVendorIsDown();
    expect(await query('SELECT message::text AS text FROM notifications')).toEqual([
      { text: expect.stringContaining('Secret project') },
    ]);
    await query(`UPDATE users SET role = 'viewer' WHERE email = '${reader.email}'`);
    await backOffice.backdate(200);
    const count = backOffice.chat.acceptedMessages.length;
    // The first run deletes the message, the second writes and sends the summary again.
    await backOffice.run();
    await backOffice.run();
    expect(textsAfter(count)).toEqual(expected);
  });

  it('is written anew, if it names API keys, once its reader may see them again', async () => {
    const reader = await createSignedInUser(backOffice.service, 'admin');
    await createApiKey(backOffice.service.app.services.db, TEST_ACTOR, {
      name: 'Key of an admin',
      expiresAt: new Date(Date.now() + 3 * 86_400_000),
    });
    await saveChannel(reader, { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: ['key_expiring'] });
    await runWhileVendorIsDown();
    const count = backOffice.chat.acceptedMessages.length;
    await backOffice.backdate(6);
    for (const role of ['viewer', 'admin']) {
      expect(textsAfter(count)).toEqual([]);
      await query(`UPDATE users SET role = '${role}' WHERE email = '${reader.email}'`);
      await backOffice.run();
    }
    expect(textsAfter(count)).toEqual([expect.stringContaining('Key of an admin')]);
    await backOffice.backdate(200);
    await backOffice.run();
    expect(textsAfter(count)).toHaveLength(1);
  });

  it('is written anew if the shops of its channel change', async () => {
    const { database } = backOffice.service;
    const [shop] = await database.query<{ id: number }>(
      `INSERT INTO shops (name, currency, time_zone) VALUES ('Other shop', 'USD', 'UTC') RETURNING id`,
    );
    const input = { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: ['import_failed'] };
    await backOffice.service.importRows([{ receipt_id: '' }]);
    const id = await saveChannel(owner, input);
    await runWhileVendorIsDown();
    expect(await query('SELECT message::text AS text FROM notifications')).toHaveLength(1);
    await saveChannel(owner, { ...input, id, url: undefined, shop_ids: [shop!.id] });
    await backOffice.backdate(200);
    const count = backOffice.chat.acceptedMessages.length;
    await backOffice.run();
    expect(textsAfter(count)).toEqual([]);
    await saveChannel(owner, { ...input, id, url: undefined, shop_ids: [] });
    await backOffice.run();
    expect(textsAfter(count)).toEqual([expect.stringContaining('1 import failed')]);
  });

  it.each(['waiting', 'sending'])('(%s) is deleted with a shop that it may be about', async (state) => {
    const { service, chat } = backOffice;
    const name = `Deleted shop ${state}`;
    const { id: shopId } = (await owner.call('shops.create', { name })).data;
    await service.importRows([{ receipt_id: '' }]);
    await service.importRows([{ receipt_id: '' }], { account_id: shopId });
    const input = { vendor: 'slack', url: chat.urls.slack, kinds: ['import_failed'] };
    const id = await saveChannel(owner, { ...input, shop_ids: [shopId] });
    await saveChannel(owner, { ...input, shop_ids: [shopId, service.shopId] });
    await saveChannel(owner, { ...input, shop_ids: [] });
    await runWhileVendorIsDown();
    await query(`UPDATE notifications SET state = '${state}'`);
    await owner.call('shopData.delete', { id: shopId, name });
    await deleteMarkedShops(service.app.services);
    expect(await query('SELECT message::text AS text FROM notifications')).toEqual([]);
    expect(await query('SELECT entry AS text FROM notification_entries')).toEqual([]);
    // The other shop's imports are reported anew, also by the channel that had only this shop, once it is switched on.
    await saveChannel(owner, { ...input, id, url: undefined });
    const count = chat.acceptedMessages.length;
    await backOffice.run();
    expect(textsAfter(count)).toEqual(Array(3).fill(expect.stringMatching(/imports? failed/)));
    expect(textsAfter(count).join()).not.toContain(name);
  });
});

describe('a message that is being sent', () => {
  it.each([
    ['switched off', { active: false }],
    ['limited to another shop', { shop_ids: [9_001] }],
  ])('is not sent again after a failure if its channel was %s in the meantime', async (_, change) => {
    const { database } = backOffice.service;
    await database.query(`INSERT INTO shops (id, name) VALUES (9001, 'Quiet shop') ON CONFLICT DO NOTHING`);
    const input = { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: ['import_failed'] };
    await backOffice.service.importRows([{ receipt_id: '' }]);
    const id = await saveChannel(owner, input);
    const requestCountBefore = backOffice.chat.requestCount();
    let endAttempt!: (response: { status: number; body: string }) => void;
    backOffice.chat.respondWith(new Promise((resolve) => (endAttempt = resolve)));
    const runPromise = backOffice.run();
    await expect.poll(() => backOffice.chat.requestCount()).toBe(requestCountBefore + 1);
    await saveChannel(owner, { ...input, id, url: undefined, ...change });
    endAttempt({ status: 429, body: '' });
    await runPromise;
    backOffice.chat.respondWith(null);
    expect(await query('SELECT message::text AS text FROM notifications')).toEqual([]);
    expect(await query('SELECT entry AS text FROM notification_entries')).toEqual([]);
    await backOffice.backdate(200);
    await backOffice.run();
    expect(backOffice.chat.requestCount()).toBe(requestCountBefore + 1);
    // Everything that was not reported is reported once the channel covers it again.
    const count = backOffice.chat.acceptedMessages.length;
    await saveChannel(owner, { ...input, id, url: undefined });
    await backOffice.run();
    expect(textsAfter(count)).toEqual([expect.stringMatching(/imports? failed/)]);
  });
});
