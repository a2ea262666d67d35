import { DateTime } from 'luxon';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readHistoryFilter } from '../../../src/components/imports/history/history-filter';
import { DAY_MS } from '../../../src/server/core/days';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { runBehindLock } from '../../support/database/run-behind-lock';
import { avoidEndOfInterval } from '../../support/interval-end';
import {
  type NotificationService,
  saveChannel,
  startNotificationService,
} from '../../support/service/notification-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';

let backOffice: NotificationService;
let owner: SignedInUser;

beforeAll(async () => {
  backOffice = await startNotificationService();
  owner = await createSignedInUser(backOffice.service, 'owner');
});
afterAll(() => backOffice.close());
beforeEach(async () => {
  // After midnight, another day's summary would be due.
  await avoidEndOfInterval(DAY_MS);
  await backOffice.service.database.query('DELETE FROM notification_channels');
  backOffice.mail.emails.length = 0;
  backOffice.chat.acceptedMessages.length = 0;
});

const SUMMARY_SETTINGS = { vendor: 'email', kinds: ['summary'] };

/** Makes today's summary of every channel due at its time of day, even if the channel was switched on later. */
const makeSummariesDue = () =>
  backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);

describe('a daily summary', () => {
  it('says that nothing needs attention, or is not sent, as the user chose', async () => {
    const viewer = await createSignedInUser(backOffice.service, 'viewer');
    await saveChannel(owner, SUMMARY_SETTINGS);
    await saveChannel(viewer, { ...SUMMARY_SETTINGS, empty_days: false });
    await makeSummariesDue();
    await backOffice.run();
    expect(backOffice.emailsTo(owner)).toHaveLength(1);
    expect(backOffice.emailsTo(owner)[0]).toMatch(/Subject: .*: nothing needs attention/);
    expect(backOffice.emailsTo(viewer)).toEqual([]);
    const { data } = await viewer.call('notifications.own.deliveries');
    expect(data).toMatchObject([{ kind: 'summary', state: 'skipped', failure: null }]);
  });

  it('has the same counts as the pages, with links to them', async () => {
    const queues = createQueueHelpers(backOffice.service, owner);
    await backOffice.service.importRows([
      { receipt_id: 'today', title: 'T', sale_date: timeDaysAgo(0.5) },
      { receipt_id: 'old', title: 'T', sale_date: timeDaysAgo(9) },
    ]);
    await queues.importStuckOrder('stuck1');
    await saveChannel(owner, SUMMARY_SETTINGS);
    await makeSummariesDue();
    await backOffice.run();
    const counts = await queues.readCounts();
    const [email] = backOffice.emailsTo(owner);
    expect(counts).toMatchObject({ late: 1, exception: 1, to_ship: 2 });
    expect(email).toMatch(/Subject: .*: 1 late, 1 exception, 2 to ship/);
    expect(email).toContain('2 orders to ship');
    expect(email).toContain('http://desk.example/admin/queues/to_ship');
    expect(email).toContain('1 order late: paid 3 days ago or earlier and not shipped');
    expect(email).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
    expect(email).not.toMatch(/<img|src=/);
  });

  it('links to exactly the imports that it counts in the chosen shops', async () => {
    const { database } = backOffice.service;
    await backOffice.service.importRows([{ title: 'no receipt' }]);
    await database.query(
      `INSERT INTO imports (shop_id, source, outcome, actor, content_hash, rows, duration_ms, created_at)
       SELECT shop_id, source, outcome, actor, content_hash, rows, duration_ms, now() - interval '9 days'
         FROM imports WHERE outcome = 'rejected'`,
    );
    const slackSettings = {
      vendor: 'slack',
      url: backOffice.chat.urls.slack,
      kinds: ['summary'],
      shop_ids: [1],
    };
    await saveChannel(owner, slackSettings);
    await makeSummariesDue();
    await backOffice.run();
    const [, query] = /admin\/imports\?(\S+)\|1 import failed in the last 7 days>/.exec(
      backOffice.chat.acceptedMessages[0]!.text,
    )!;
    const parameters = Object.fromEntries(new URLSearchParams(query!.replaceAll('&amp;', '&')));
    const { data } = await owner.call('imports.history', readHistoryFilter(parameters, 'UTC'));
    expect(parameters).toMatchObject({ outcome: 'rejected,failed', shop: '1' });
    expect(data.entries).toMatchObject([{ outcome: 'rejected', account: 'Test shop' }]);
  });

  it('counts only the chosen shops, and is in the channel’s language', async () => {
    const rows = await backOffice.service.database.query<{ id: number }>(
      `INSERT INTO shops (name) VALUES ('Empty shop') RETURNING id`,
    );
    const url = backOffice.chat.urls.wecom;
    await saveChannel(owner, {
      vendor: 'wecom',
      url,
      kinds: ['summary'],
      locale: 'zh',
      shop_ids: [rows[0]!.id],
    });
    await saveChannel(owner, { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: ['summary'] });
    await makeSummariesDue();
    await backOffice.run();
    expect(backOffice.chat.acceptedMessages.find(({ vendor }) => vendor === 'wecom')!.text).toContain(
      '没有待处理事项',
    );
    expect(backOffice.chat.acceptedMessages.find(({ vendor }) => vendor === 'slack')!.text).toContain(
      '<http://desk.example/admin/queues/late|1 order late: paid 3 days ago or earlier and not shipped>',
    );
  });

  it('is sent to each channel once a day, even if several servers run the job at the same time or more than once', async () => {
    await saveChannel(owner, SUMMARY_SETTINGS);
    await saveChannel(owner, { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: ['summary'] });
    await makeSummariesDue();
    await Promise.all([backOffice.run(), backOffice.run(), backOffice.run()]);
    await backOffice.run();
    expect(backOffice.emailsTo(owner)).toHaveLength(1);
    expect(backOffice.chat.acceptedMessages).toHaveLength(1);
    await backOffice.run(DateTime.utc().plus({ days: 1 }).toMillis());
    expect(backOffice.emailsTo(owner)).toHaveLength(2);
  });

  it('that a server claimed but did not finish sending is sent again with the same Message-ID', async () => {
    await saveChannel(owner, SUMMARY_SETTINGS);
    await makeSummariesDue();
    await backOffice.run();
    await backOffice.service.database.query(
      `UPDATE notifications SET state = 'sending', sent_at = NULL, due_at = now() + interval '1 minute'`,
    );
    await backOffice.run();
    expect(backOffice.emailsTo(owner)).toHaveLength(1);
    await backOffice.backdate(2);
    await backOffice.run();
    const messageIds = backOffice.emailsTo(owner).map((email) => /^Message-ID: (.*)$/im.exec(email)?.[1]);
    expect(messageIds).toHaveLength(2);
    expect(messageIds[0]).toMatch(/^<notification-\d+@desk.example>/);
    expect(new Set(messageIds).size).toBe(1);
  });

  it('is sent neither to deactivated users nor before its time', async () => {
    const deactivatedUser = await createSignedInUser(backOffice.service, 'operator');
    await saveChannel(deactivatedUser, SUMMARY_SETTINGS);
    await makeSummariesDue();
    await backOffice.service.database.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [
      deactivatedUser.userId,
    ]);
    await saveChannel(owner, { ...SUMMARY_SETTINGS, send_at: '23:59' });
    await backOffice.run(DateTime.utc().startOf('day').plus({ hours: 12 }).toMillis());
    expect(backOffice.mail.emails).toEqual([]);
  });

  it.each([
    ['switched off', { active: false }, []],
    ['set to other kinds', { kinds: ['delivery_failed'] }, []],
    [
      'limited to another shop',
      { shop_ids: [9_001] },
      [expect.stringContaining(': nothing needs attention')],
    ],
  ])('is not sent as it was written while its channel was %s', async (_, change, expected) => {
    const { database } = backOffice.service;
    await database.query(`INSERT INTO shops (id, name) VALUES (9001, 'Quiet shop') ON CONFLICT DO NOTHING`);
    const input = { vendor: 'slack', url: backOffice.chat.urls.slack, kinds: ['summary'] };
    const id = await saveChannel(owner, input);
    await makeSummariesDue();
    // The summary waits for the statistics, then the change for the audit log, when it has deleted the unsent messages.
    await runBehindLock(
      database,
      'LOCK TABLE shop_daily_statistics, audit_log IN ACCESS EXCLUSIVE MODE',
      () => backOffice.run(),
      () => saveChannel(owner, { ...input, id, url: undefined, ...change }),
    );
    expect(await database.query('SELECT message FROM notifications')).toEqual([]);
    await backOffice.run();
    expect(backOffice.chat.acceptedMessages.map(({ text }) => text)).toEqual(expected);
  });

  it.each([
    ['en', 'Sunday, August 23: '],
    ['zh', '8月23日星期日：'],
  ])('that is sent after midnight has the day before in its title, in %s', async (locale, expected) => {
    const url = backOffice.chat.urls.slack;
    await saveChannel(owner, { vendor: 'slack', url, kinds: ['summary'], send_at: '23:58', locale });
    await makeSummariesDue();
    await backOffice.run(Date.parse('2026-08-24T00:03:00Z'));
    expect(backOffice.chat.acceptedMessages.map(({ text }) => text)).toEqual([
      expect.stringContaining(`*${expected}`),
    ]);
  });
});
