import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTimeZone } from '../../../src/server/db/time-zones';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let shopId: number;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
  shopId = (await owner.call('shops.create', { name: 'Owl', time_zone: 'Europe/Paris' })).data.id;
});
afterAll(() => service.close());

const find = (timeZone: string) => findTimeZone(service.app.services.db.prisma, timeZone);

/** Returns the local time of an instant in each time zone that PostgreSQL names, as PostgreSQL computes it. */
const readLocalTimes = (instant: string) =>
  service.database.query<{ zone: string; time: string }>(
    `SELECT name AS zone, to_char($1::timestamptz AT TIME ZONE name, 'YYYY-MM-DD HH24:MI') AS time FROM pg_timezone_names`,
    [instant],
  );

it('a time zone is known only if PostgreSQL reads it as Intl does, in winter and in summer', async () => {
  const misreadZones = new Set<string>();
  for (const instant of ['2015-01-15T12:00:00Z', '2015-07-15T12:00:00Z'])
    for (const { zone, time } of await readLocalTimes(instant)) {
      const localTime = DateTime.fromISO(instant, { zone });
      if (localTime.isValid && localTime.toFormat('yyyy-MM-dd HH:mm') !== time) misreadZones.add(zone);
    }
  expect([...misreadZones]).toContain('CET');
  for (const zone of misreadZones) expect(await find(zone), zone).toBeNull();
  for (const zone of ['UTC', 'GMT', 'EST', 'Asia/Calcutta', 'America/New_York', 'EST5EDT'])
    expect(await find(zone.toLowerCase()), zone).toBe(zone);
});

describe.each(['IST', 'CET', 'US/Pacific-New'])(
  'the time zone %s, which PostgreSQL does not know or reads otherwise, is refused',
  (zone) => {
    it.each<[string, () => [string, object]]>([
      ['for a new shop', () => ['shops.create', { name: 'Fox', time_zone: zone }]],
      ['for a shop', () => ['shops.update', { id: shopId, time_zone: zone }]],
      ['for a user', () => ['account.update', { time_zone: zone }]],
      [
        'for a channel',
        () => [
          'notifications.own.save',
          {
            vendor: 'slack',
            url: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
            kinds: ['summary'],
            shop_ids: [],
            send_at: '08:00',
            time_zone: zone,
            locale: 'en',
            empty_days: false,
            active: true,
          },
        ],
      ],
    ])('%s', async (_, getCall) => {
      const { status, error } = await owner.call(...getCall());
      expect([status, error?.problems]).toEqual([
        422,
        [{ path: 'time_zone', message: 'must be a time zone such as America/New_York or Europe/London' }],
      ]);
    });

    it.each(['shop-days', 'listing-days', 'listings', 'countries'])(
      'for a download of %s',
      async (download) => {
        const query = new URLSearchParams({
          format: 'csv',
          zone,
          input: JSON.stringify({ from: '2026-08-01', to: '2026-08-31' }),
        });
        const response = await fetch(`${service.url}/api/downloads/${download}?${query}`, {
          headers: { Cookie: owner.cookie },
        });
        expect(response.status).toBe(422);
        expect((await response.json()).errors).toEqual([
          { path: 'zone', message: 'must be a time zone such as America/New_York or Europe/London' },
        ]);
      },
    );
  },
);
