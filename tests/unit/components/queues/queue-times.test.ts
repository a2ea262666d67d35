import { describe, expect, it } from 'vitest';
import { ageText } from '../../../../src/components/queues/list/age-text';
import { morningOf, snoozeTimes } from '../../../../src/components/queues/snooze-times';

const HOUR_MS = 3_600_000;

describe('the age of an entry', () => {
  it.each([
    [1 / 60, '1m', '1分钟'],
    [0.99, '59m', '59分钟'],
    [1, '1h', '1小时'],
    [47.9, '47h', '47小时'],
    [48, '2d', '2天'],
    [24 * 400, '400d', '400天'],
  ])('of %d hours is %s', (hours, english, chinese) => {
    expect(ageText(hours * HOUR_MS, 'en-US')).toBe(english);
    expect(ageText(hours * HOUR_MS, 'zh-CN')).toBe(chinese);
  });

  it('of less than a minute is null: the list says "just now"', () => {
    for (const ms of [-HOUR_MS, 0, 59_999]) expect(ageText(ms, 'en-US')).toBeNull();
  });
});

describe('a snooze', () => {
  const SHANGHAI = 'Asia/Shanghai';

  it.each([
    ['Sunday', '22', '23'],
    ['Monday', '23', '30'],
    ['Saturday', '28', '30'],
  ])(
    "chosen on a %s lasts one day, three days, or until next Monday at 8 a.m. in the reader's time zone",
    (_, day, monday) => {
      const now = new Date(`2026-11-${day}T23:30:00+08:00`);
      const [inOneDay, inThreeDays, nextWeek] = snoozeTimes(SHANGHAI, now);
      expect(inOneDay!.until).toEqual(new Date(now.getTime() + 24 * HOUR_MS));
      expect(inThreeDays!.until).toEqual(new Date(now.getTime() + 72 * HOUR_MS));
      expect(nextWeek!.until).toEqual(new Date(`2026-11-${monday}T08:00:00+08:00`));
    },
  );

  it("until a date ends at 8 a.m. on that day in the reader's time zone, which must be in the future", () => {
    const now = new Date('2026-11-22T09:00:00+08:00');
    expect(morningOf('2026-11-23', SHANGHAI, now)).toEqual(new Date('2026-11-23T08:00:00+08:00'));
    expect(morningOf('2026-11-22', SHANGHAI, now)).toBeNull();
    expect(morningOf('', SHANGHAI, now)).toBeNull();
    expect(morningOf('23.11.2026', SHANGHAI, now)).toBeNull();
    // No such day; JavaScript would read it as 3 March.
    expect(morningOf('2027-02-31', SHANGHAI, now)).toBeNull();
  });

  it('until the day of a clock change ends at 8 a.m. by the new time', () => {
    const now = new Date('2026-10-30T12:00:00Z');
    expect(morningOf('2026-11-01', 'America/New_York', now)).toEqual(new Date('2026-11-01T08:00:00-05:00'));
  });
});
