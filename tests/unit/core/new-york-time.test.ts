import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  isWallTime,
  NEW_YORK,
  newYorkToUtc,
  serialToWallTime,
  type WallTime,
} from '../../../src/server/core/time';

const DAY_MS = 86_400_000;

const createWallTime = (
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): WallTime => ({
  year,
  month,
  day,
  hour,
  minute,
  second,
});
const toUtc = (...time: Parameters<typeof createWallTime>): string =>
  new Date(newYorkToUtc(createWallTime(...time))).toISOString();

/** Returns these years in decades, each with its first and its last year. Luxon takes seconds for a century: too long for one test. */
function decadesOf(firstYear: number, lastYear: number): [firstYear: number, lastYear: number][] {
  return Array.from({ length: Math.ceil((lastYear - firstYear + 1) / 10) }, (_, index) => {
    const first = firstYear + 10 * index;
    return [first, Math.min(first + 9, lastYear)];
  });
}

/** Returns the days of these years, as midnights in UTC. */
function* daysOf(firstYear: number, lastYear: number): Generator<number> {
  for (let day = Date.UTC(firstYear, 0, 1); day < Date.UTC(lastYear + 1, 0, 1); day += DAY_MS) yield day;
}

/** Returns what New York's clocks show at an instant, in milliseconds as if that were UTC. */
function wallClockMsAt(instant: number): number {
  return instant + DateTime.fromMillis(instant, { zone: NEW_YORK }).offset * 60_000;
}

describe('midnight in New York', () => {
  it('is 05:00Z in winter and 04:00Z in summer', () => {
    expect(toUtc(2026, 1, 15)).toBe('2026-01-15T05:00:00.000Z');
    expect(toUtc(2026, 7, 15)).toBe('2026-07-15T04:00:00.000Z');
  });

  it('is 05:00Z on 2026-03-08 and 04:00Z on 2026-11-01, the days on which the clocks change', () => {
    expect(toUtc(2026, 3, 8)).toBe('2026-03-08T05:00:00.000Z');
    expect(toUtc(2026, 3, 9)).toBe('2026-03-09T04:00:00.000Z');
    expect(toUtc(2026, 11, 1)).toBe('2026-11-01T04:00:00.000Z');
    expect(toUtc(2026, 11, 2)).toBe('2026-11-02T05:00:00.000Z');
  });

  it.each(decadesOf(1960, 2059))(
    'is the instant that luxon computes, for every day from %i to %i',
    (firstYear, lastYear) => {
      for (const dayStart of daysOf(firstYear, lastYear)) {
        const date = new Date(dayStart);
        const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const;
        const expectedMidnight = DateTime.fromObject(
          { year: day[0], month: day[1], day: day[2] },
          { zone: NEW_YORK },
        );
        if (newYorkToUtc(createWallTime(...day)) !== expectedMidnight.toMillis())
          expect.fail(`${day.join('-')} is not ${expectedMidnight.toISO()}`);
      }
    },
  );
});

describe('on a day when the clocks change', () => {
  it('a time that is skipped in spring moves forward', () => {
    expect(toUtc(2026, 3, 8, 1, 59, 59)).toBe('2026-03-08T06:59:59.000Z');
    expect(toUtc(2026, 3, 8, 2, 0)).toBe('2026-03-08T07:00:00.000Z');
    expect(toUtc(2026, 3, 8, 2, 30)).toBe('2026-03-08T07:30:00.000Z');
    expect(toUtc(2026, 3, 8, 2, 59, 59)).toBe('2026-03-08T07:59:59.000Z');
    expect(toUtc(2026, 3, 8, 3, 0)).toBe('2026-03-08T07:00:00.000Z');
  });

  it('a time that occurs twice in autumn becomes the earlier of the two instants', () => {
    expect(toUtc(2026, 11, 1, 0, 59, 59)).toBe('2026-11-01T04:59:59.000Z');
    expect(toUtc(2026, 11, 1, 1, 0)).toBe('2026-11-01T05:00:00.000Z');
    expect(toUtc(2026, 11, 1, 1, 30)).toBe('2026-11-01T05:30:00.000Z');
    expect(toUtc(2026, 11, 1, 1, 59, 59)).toBe('2026-11-01T05:59:59.000Z');
    expect(toUtc(2026, 11, 1, 2, 0)).toBe('2026-11-01T07:00:00.000Z');
  });

  it.each(decadesOf(1967, 2099))(
    'every quarter hour is converted correctly, in every year from %i to %i',
    (firstYear, lastYear) => {
      const changeDays: string[] = [];
      const offsetAtNoonOf = (day: number) =>
        DateTime.fromMillis(day + 17 * 3_600_000, { zone: NEW_YORK }).offset;
      let lastOffset = offsetAtNoonOf(Date.UTC(firstYear, 0, 0));
      for (const dayStart of daysOf(firstYear, lastYear)) {
        const offset = offsetAtNoonOf(dayStart);
        const isSpring = offset > lastOffset;
        const hasChange = offset !== lastOffset;
        lastOffset = offset;
        if (!hasChange) continue;
        const day = new Date(dayStart);
        changeDays.push(day.toISOString().slice(0, 10));
        for (let minutes = 0; minutes < 1440; minutes += 15) {
          const clockTime = dayStart + minutes * 60_000;
          const instant = newYorkToUtc(
            createWallTime(
              day.getUTCFullYear(),
              day.getUTCMonth() + 1,
              day.getUTCDate(),
              Math.floor(minutes / 60),
              minutes % 60,
            ),
          );
          const isSkipped = isSpring && minutes >= 120 && minutes < 180;
          const isConverted =
            wallClockMsAt(instant) === (isSkipped ? clockTime + 3_600_000 : clockTime) &&
            // The instant is the first one: an hour earlier, the clocks do not show this time.
            wallClockMsAt(instant - 3_600_000) !== clockTime;
          if (!isConverted)
            expect.fail(`${new Date(clockTime).toISOString()} is not ${new Date(instant).toISOString()}`);
        }
      }
      expect(changeDays).toHaveLength(2 * (lastYear - firstYear + 1));
      expect(changeDays.filter((day) => day.startsWith('2026'))).toEqual(
        firstYear <= 2026 && lastYear >= 2026 ? ['2026-03-08', '2026-11-01'] : [],
      );
    },
  );
});

it('any New York time from 1900 to 2199 becomes the first instant at which the clocks show it, or an hour later if they skip it', () => {
  const anySeconds = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2199, 11, 31) / 1000 });
  fc.assert(
    fc.property(anySeconds, (seconds) => {
      const clockTime = seconds * 1000;
      const date = new Date(clockTime);
      const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const;
      const convertedInstant = newYorkToUtc(
        createWallTime(...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()),
      );
      if (wallClockMsAt(convertedInstant) !== clockTime)
        expect(wallClockMsAt(convertedInstant)).toBe(clockTime + 3_600_000);
      expect(wallClockMsAt(convertedInstant - 3_600_000)).not.toBe(clockTime);
    }),
    { numRuns: 3_000 },
  );
});

describe('isWallTime', () => {
  it('refuses days and months that do not exist, and knows leap years', () => {
    expect(isWallTime(createWallTime(2024, 2, 29))).toBe(true);
    expect(isWallTime(createWallTime(2000, 2, 29))).toBe(true);
    for (const [year, month, day] of [
      [2023, 2, 29],
      [1900, 2, 29],
      [2026, 4, 31],
      [2026, 13, 1],
      [2026, 0, 1],
      [2026, 1, 0],
      [2026, 1, 32],
    ] as const) {
      expect(isWallTime(createWallTime(year, month, day)), `${year}-${month}-${day}`).toBe(false);
    }
  });

  it('accepts times of day from 00:00:00 to 23:59:59, and no others', () => {
    expect(isWallTime(createWallTime(2026, 1, 1, 23, 59, 59))).toBe(true);
    expect(isWallTime(createWallTime(2026, 1, 1, 24))).toBe(false);
    expect(isWallTime(createWallTime(2026, 1, 1, 0, 60))).toBe(false);
    expect(isWallTime(createWallTime(2026, 1, 1, 0, 0, 60))).toBe(false);
  });
});

describe("a spreadsheet's serial date", () => {
  it('counts days from 1899-12-30, and its fraction is the time of day', () => {
    expect(serialToWallTime(25_569)).toEqual(createWallTime(1970, 1, 1));
    expect(serialToWallTime(46_256)).toEqual(createWallTime(2026, 8, 22));
    expect(serialToWallTime(46_256.75)).toEqual(createWallTime(2026, 8, 22, 18));
  });

  it('is rounded to the second, because its fraction is a float', () => {
    for (let second = 0; second < 86_400; second += 61) {
      const time = serialToWallTime(46_256 + second / 86_400);
      expect(time.hour * 3600 + time.minute * 60 + time.second).toBe(second);
    }
    expect(serialToWallTime(46_255.999_999_9)).toEqual(createWallTime(2026, 8, 22));
  });
});
