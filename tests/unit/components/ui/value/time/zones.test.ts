import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  dayIn,
  midnightIn,
  zoneName,
  zoneOptions,
} from '../../../../../../src/components/ui/value/time/zones';

/** Zones ahead of UTC and behind it, with half-hour offsets, with clock changes at midnight, and across the date line. */
const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Shanghai',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/Santiago',
];

describe.each(ZONES)('in %s', (zone) => {
  it('every day of a year begins when luxon says that it begins', () => {
    for (let day = DateTime.fromISO('2026-01-01', { zone }); day.year === 2026; day = day.plus({ days: 1 })) {
      const date = day.toISODate()!;
      expect(midnightIn(zone, date)?.toISOString(), date).toBe(day.startOf('day').toJSDate().toISOString());
    }
  });
});

it('the time zones to choose from include UTC and the stored zone, each once', () => {
  const zones = zoneOptions('Asia/Saigon').map(({ value }) => value);
  expect(zones).toEqual(expect.arrayContaining(['UTC', 'Asia/Saigon', 'America/New_York']));
  expect(new Set(zones).size).toBe(zones.length);
  expect(new Set(zoneOptions('UTC').map(({ value }) => value)).size).toBe(zoneOptions('UTC').length);
  expect(zoneOptions('UTC')).toContainEqual({ value: 'America/New_York', label: 'America/New York' });
});

it('the day of an instant depends on the zone', () => {
  const instant = new Date('2026-01-02T03:30:00Z');
  expect(dayIn('America/New_York', instant)).toBe('2026-01-01');
  expect(dayIn('Asia/Shanghai', instant)).toBe('2026-01-02');
});

it('an invalid date has no midnight', () => {
  expect(midnightIn('UTC', '2026-02-31x')).toBeNull();
  expect(midnightIn('UTC', '')).toBeNull();
});

it('a zone has its common name', () => {
  expect(zoneName('America/New_York', 'en-US')).toBe('Eastern Time');
  expect(zoneName('UTC', 'en-US')).toBe('UTC');
  expect(zoneName('Asia/Shanghai', 'zh-CN')).toBe('中国标准时间');
});
