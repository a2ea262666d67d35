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

  beforeEach(async () => {
    await backOffice.service.database.query(
      `INSERT INTO shop_daily_statistics (shop_id, date)
       SELECT 'shop-' || lpad(n::text, 2, '0'), current_date - 4 FROM generate_series(1, $1) n`,
      [SHOP_COUNT],
    );
  });

  it('are all alerted, ten by name, and once', async () => {
    await saveSlackChannel('statistics_missing');
    const [text, ...otherTexts] = await sendAt(Date.now());
    expect(otherTexts).toEqual([]);
    expect(text).toContain('*80 shops have no statistics for yesterday*');
    expect(text!.match(/shop-\d\d>/g)).toHaveLength(10);
    expect(text).toContain('And 70 more');
    const entries = await backOffice.service.database.query(
      'SELECT entry FROM notification_entries ORDER BY entry',
    );
    expect(entries).toHaveLength(SHOP_COUNT);
    expect(entries.at(-1)).toEqual({ entry: 'shop-80' });
    expect(await sendAt(Date.now())).toEqual([]);
  });

  it('are all counted by the summary, with a link to all shops', async () => {
    await saveSlackChannel('summary');
    const [text] = await sendAt(Date.now());
    expect(text).toMatch(
      /admin\/statistics\/missing\|No statistics for yesterday: shop-01, .*shop-05,? and 75 more>/,
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
