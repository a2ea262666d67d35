import { DateTime } from 'luxon';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  await backOffice.service.database.query('DELETE FROM notification_channels');
  await backOffice.service.database.query('DELETE FROM shop_daily_statistics');
  backOffice.chat.acceptedMessages.length = 0;
});

/** Saves a Slack channel whose summary is due. */
const saveSlackChannel = async (...kinds: string[]) => {
  await saveChannel(owner, { vendor: 'slack', url: backOffice.chat.urls.slack, kinds });
  await backOffice.service.database.query(`UPDATE notification_channels SET summary_from = '2020-01-01'`);
};

/** Runs the job as of an instant. Returns the texts of the messages that were sent. */
async function sendAt(now: number): Promise<string[]> {
  await backOffice.backdate(61);
  backOffice.chat.acceptedMessages.length = 0;
  await backOffice.run(now);
  return backOffice.chat.acceptedMessages.map(({ text }) => text);
}

describe('80 shops without statistics', () => {
  const SHOP_COUNT = 80;
  /** In New York, it is 11:00, so that the day before is not expected to have statistics yet. */
  const MORNING = Date.parse('2026-08-23T15:00:00Z');

  beforeEach(async () => {
    await backOffice.service.database.query(
      `INSERT INTO shop_daily_statistics (shop_id, date)
       SELECT 'shop-' || lpad(n::text, 2, '0'), date
         FROM generate_series(1, $1) n, unnest(ARRAY['2026-08-20', current_date - 4]) AS date`,
      [SHOP_COUNT],
    );
  });

  it('are all alerted, ten by name, and once', async () => {
    await saveSlackChannel('statistics_missing');
    const [text, ...otherTexts] = await sendAt(MORNING);
    expect(otherTexts).toEqual([]);
    expect(text).toContain('*80 shops without statistics*');
    expect(text!.match(/shop-\d\d, August 21>/g)).toHaveLength(10);
    expect(text).toContain('And 70 more');
    const entries = await backOffice.service.database.query(
      'SELECT entry FROM notification_entries ORDER BY entry',
    );
    expect(entries).toHaveLength(SHOP_COUNT);
    expect(entries.at(-1)).toEqual({ entry: 'shop-80' });
    expect(await sendAt(MORNING)).toEqual([]);
  });

  it('are all counted by the summary, with a link to all shops', async () => {
    await saveSlackChannel('summary');
    const [text] = await sendAt(MORNING);
    expect(text).toMatch(
      /admin\/statistics\/missing\|No statistics for August 22: shop-01, .*shop-05,? and 75 more>/,
    );
  });

  it('are all counted by the overview, which lists the first fifty', async () => {
    const today = DateTime.now().setZone('America/New_York').toISODate();
    const { data } = await owner.call('overview.read', { from: today, to: today });
    expect(data.attention.statistics_missing_count).toBe(SHOP_COUNT);
    expect(data.attention.statistics_missing).toHaveLength(50);
    expect(data.attention.statistics_missing.at(-1)).toEqual({
      id: null,
      name: 'shop-50',
      shop_id: 'shop-50',
    });
  });
});

describe('a day without statistics', () => {
  /** In Tokyo, it is 05:00 of the next day. */
  const NOW = Date.parse('2026-08-23T20:00:00Z');

  beforeAll(() =>
    backOffice.service.database.query(
      `INSERT INTO shops (name, shop_id, time_zone) VALUES ('Tokyo shop', 'tokyo', 'Asia/Tokyo'),
              ('Boston shop', 'boston', 'America/New_York'), ('Utica shop', 'utica', 'America/New_York')`,
    ),
  );
  beforeEach(() =>
    backOffice.service.database.query(
      `INSERT INTO shop_daily_statistics (shop_id, date) SELECT unnest(ARRAY['tokyo', 'boston', 'utica']), '2026-08-20'`,
    ),
  );

  it.each([
    [
      'en',
      [
        '=boston,utica|No statistics for August 22: Boston shop and Utica shop>',
        '=tokyo|No statistics for August 23: Tokyo shop>',
      ],
      ['Boston shop, August 22>', 'Tokyo shop, August 22>'],
    ],
    [
      'zh',
      [
        '=boston,utica|8月22日缺少统计数据：Boston shop和Utica shop>',
        '=tokyo|8月23日缺少统计数据：Tokyo shop>',
      ],
      ['Boston shop，8月22日>', 'Tokyo shop，8月22日>'],
    ],
  ])('is named as it is in the time zone of its shop, in %s', async (locale, summaryLines, alertLines) => {
    await saveSlackChannel('summary', 'statistics_missing');
    await backOffice.service.database.query('UPDATE notification_channels SET locale = $1', [locale]);
    const [summary, alert] = await sendAt(NOW);
    for (const line of summaryLines) expect(summary).toContain(line);
    for (const line of alertLines) expect(alert).toContain(line);
  });
});
