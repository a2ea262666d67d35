import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../src/server/identity/keys/service';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { runBehindLock } from '../../support/database/run-behind-lock';
import {
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { TEST_ACTOR } from '../../support/service/test-service';

let backOffice: NotificationService;
let owner: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await createSignedInUser(backOffice.service, 'owner');
  queues = createQueueHelpers(backOffice.service, owner);
});
afterAll(() => backOffice.close());
beforeEach(async () => {
  const { database } = backOffice.service;
  await database.query('DELETE FROM notification_channels');
  await database.query('TRUNCATE orders CASCADE');
  backOffice.chat.acceptedMessages.length = 0;
});

const importLateOrders = (...receiptIds: string[]) =>
  backOffice.service.importRows(
    receiptIds.map((receipt_id) => ({ receipt_id, title: 'T', sale_date: timeDaysAgo(9) })),
  );

const saveSlackChannel = (kinds: string[], settings: object = {}) =>
  saveChannel(owner, { vendor: 'slack', url: backOffice.chat.urls.slack, kinds, ...settings });

/** Runs the job as if an hour had passed, so that another alert of each kind may be sent. Returns the texts of the new alerts. */
async function sendAlerts(): Promise<string[]> {
  await backOffice.backdate(61);
  backOffice.chat.acceptedMessages.length = 0;
  await backOffice.run();
  return backOffice.chat.acceptedMessages.map(({ text }) => text);
}

describe('an alert', () => {
  it('lists what is new, with links, and is not repeated', async () => {
    await importLateOrders('A1', 'A2');
    await saveSlackChannel(['late']);
    const [text, ...otherTexts] = await sendAlerts();
    expect(otherTexts).toEqual([]);
    expect(text).toContain('*2 orders are late*');
    const { id } = await queues.findEntry('late', 'A1');
    expect(text).toContain(`<http://desk.example/admin/orders/${id}|Order A1, Test shop>`);
    expect(text).toContain('<http://desk.example/admin/queues/late|All late orders>');
    expect(await sendAlerts()).toEqual([]);
    await importLateOrders('A3');
    const [nextText] = await sendAlerts();
    expect(nextText).toContain('1 order is late');
    expect(nextText).toContain('Order A3');
    expect(nextText).not.toContain('Order A1');
  });

  it('is sent at most once an hour per kind, with everything that is new by then', async () => {
    await saveSlackChannel(['late']);
    await importLateOrders('A1');
    expect(await sendAlerts()).toHaveLength(1);
    await importLateOrders('A2');
    await backOffice.run();
    await importLateOrders('A3');
    await backOffice.run();
    expect(backOffice.chat.acceptedMessages).toHaveLength(1);
    const [nextText, ...otherTexts] = await sendAlerts();
    expect(nextText).toContain('2 orders are late');
    expect(otherTexts).toEqual([]);
  });

  it('lists ten orders and counts the rest', async () => {
    await importLateOrders(...Array.from({ length: 13 }, (_, n) => `B${n}`));
    await saveSlackChannel(['late']);
    const [text] = await sendAlerts();
    expect(text).toContain('13 orders are late');
    expect(text!.match(/Order B/g)).toHaveLength(10);
    expect(text).toContain('And 3 more');
  });

  it('reports an order again after it was handled and came back', async () => {
    await queues.importStuckOrder('ex1');
    await saveSlackChannel(['exception']);
    expect(await sendAlerts()).toHaveLength(1);
    await queues.handle('exception', 'ex1');
    expect(await sendAlerts()).toEqual([]);
    await queues.sendCallback('NEX10', { description: 'Lost again' });
    const [text] = await sendAlerts();
    expect(text).toContain('Order ex1');
    expect(await sendAlerts()).toEqual([]);
  });

  it('reports an order that was handled and came back between two runs', async () => {
    await queues.importStuckOrder('ex2');
    await saveSlackChannel(['exception']);
    expect(await sendAlerts()).toHaveLength(1);
    await queues.handle('exception', 'ex2');
    await queues.sendCallback('NEX20', { description: 'Lost again' });
    expect(await sendAlerts()).toHaveLength(1);
  });

  it('covers only the chosen shops', async () => {
    const rows = await backOffice.service.database.query<{ id: number }>(
      `INSERT INTO shops (name) VALUES ('Other shop') RETURNING id`,
    );
    await saveSlackChannel(['late', 'import_failed'], { shop_ids: [rows[0]!.id] });
    await importLateOrders('A1');
    expect(await sendAlerts()).toEqual([]);
  });

  it('is not written if its kind is switched off after its channel was read', async () => {
    const { database } = backOffice.service;
    await importLateOrders('A1');
    await saveSlackChannel(['summary', 'late']);
    await database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
    // The channel is read first, then the statistics for its summary, and last what its alerts are about.
    await runBehindLock(
      database,
      `LOCK TABLE shop_daily_statistics IN ACCESS EXCLUSIVE MODE; UPDATE notification_channels SET kinds = '{summary}'`,
      () => backOffice.run(),
    );
    expect(await database.query('SELECT kind FROM notifications')).toEqual([{ kind: 'summary' }]);
    expect(await database.query('SELECT entry FROM notification_entries')).toEqual([]);
  });

  it('is sent once if several servers run the job at the same time', async () => {
    await importLateOrders('A1');
    await saveSlackChannel(['late']);
    await Promise.all([backOffice.run(), backOffice.run(), backOffice.run()]);
    expect(backOffice.chat.acceptedMessages).toHaveLength(1);
  });
});

it('failed imports are reported once, with their shop and a link to their page', async () => {
  await saveSlackChannel(['import_failed']);
  await backOffice.service.importRows([{ title: 'no receipt' }]);
  const [text] = await sendAlerts();
  expect(text).toContain('failed');
  expect(text).toMatch(/<http:\/\/desk\.example\/admin\/imports\/\d+\|Import through the API, Test shop>/);
  expect(text).toContain('/admin/imports?outcome=rejected,failed|All failed imports>');
  expect(await sendAlerts()).toEqual([]);
});

it('a shop that has no statistics for a day is reported at noon of the next day, and only once', async () => {
  const { database } = backOffice.service;
  await database.query(`UPDATE shops SET shop_id = 'test-shop', time_zone = 'UTC' WHERE id = 1`);
  await database.query(
    `INSERT INTO shop_daily_statistics (shop_id, date) VALUES ('test-shop', '2026-08-20'), ('test-shop', '2026-08-21')`,
  );
  await saveSlackChannel(['statistics_missing']);
  const sendAlertsAt = async (instant: string) => {
    await backOffice.backdate(61);
    backOffice.chat.acceptedMessages.length = 0;
    await backOffice.run(Date.parse(instant));
    return backOffice.chat.acceptedMessages.map(({ text }) => text);
  };
  expect(await sendAlertsAt('2026-08-22T11:00:00Z')).toEqual([]);
  expect(await sendAlertsAt('2026-08-23T11:59:00Z')).toEqual([]);
  const [text] = await sendAlertsAt('2026-08-23T12:01:00Z');
  expect(text).toContain('*1 shop without statistics*');
  expect(text).toContain('Test shop, August 22');
  expect(await sendAlertsAt('2026-08-23T14:00:00Z')).toEqual([]);
});

describe('API keys that expire soon', () => {
  it('are reported to those who may see keys, unless a newer key has replaced them', async () => {
    const { db } = backOffice.service.app.services;
    const operator = await createSignedInUser(backOffice.service, 'operator');
    const inTenDays = new Date(Date.now() + 10 * 86_400_000);
    const inFortyDays = new Date(Date.now() + 40 * 86_400_000);
    await createApiKey(db, TEST_ACTOR, { name: 'ERP', expiresAt: inTenDays });
    await createApiKey(db, TEST_ACTOR, { name: 'Far', expiresAt: inFortyDays });
    await createApiKey(db, TEST_ACTOR, { name: 'Old', expiresAt: inTenDays });
    await createApiKey(db, TEST_ACTOR, { name: 'Next', expiresAt: inFortyDays });
    await backOffice.service.database.query(
      'UPDATE api_keys SET rotated_from_id = (SELECT id FROM api_keys WHERE name = $1) WHERE name = $2',
      ['Old', 'Next'],
    );
    await saveSlackChannel(['key_expiring']);
    await saveChannel(operator, {
      vendor: 'wecom',
      url: backOffice.chat.urls.wecom,
      kinds: ['key_expiring'],
    });
    const [text, ...otherTexts] = await sendAlerts();
    expect(otherTexts).toEqual([]);
    expect(text).toContain('The API key “ERP” expires on');
    expect(text).not.toMatch(/Far|Old|Next/);
  });
});
