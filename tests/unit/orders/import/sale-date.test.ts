import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSaleDate } from '../../../../src/server/orders/import/sale-date';

const readInstant = (cell: string | number): string | null => {
  const date = readSaleDate(cell);
  return date && new Date(date.instantMs).toISOString().replace('.000Z', 'Z');
};

// Midnights in New York: 04:00Z in summer, 05:00Z in winter.
const AUGUST_22 = '2026-08-22T04:00:00Z';
const JANUARY_2 = '2026-01-02T05:00:00Z';

describe('a sale date', () => {
  it.each([
    ['08/22/2026', AUGUST_22],
    ['8/22/2026', AUGUST_22],
    ['08/22/26', AUGUST_22],
    ['08-22-2026', AUGUST_22],
    ['8-22-26', AUGUST_22],
    ['1/2/26', JANUARY_2],
    ['01/02/2026', JANUARY_2],
    ['7/5/2020', '2020-07-05T04:00:00Z'],
  ])('may be month, day and year: %s is midnight in New York, %s', (cell, instant) => {
    expect(readInstant(cell)).toBe(instant);
  });

  it('is never read with the day first', () => {
    expect(readInstant('01/02/2026')).toBe(JANUARY_2);
    expect(readInstant('22/08/2026')).toBeNull();
  });

  it('with a two-digit year is in 19xx from 70 to 99, otherwise in 20xx', () => {
    for (let year = 0; year < 100; year++) {
      const text = String(year).padStart(2, '0');
      expect(readSaleDate(`06/15/${text}`)?.day).toBe(`${year >= 70 ? 19 : 20}${text}-06-15`);
    }
  });

  it.each([
    ['08/22/2026 3:04 PM', '2026-08-22T19:04:00Z'],
    ['08/22/2026 3:04 pm', '2026-08-22T19:04:00Z'],
    ['08/22/2026 3:04PM', '2026-08-22T19:04:00Z'],
    ['08/22/2026 3:04 AM', '2026-08-22T07:04:00Z'],
    ['08/22/2026 12:30 AM', '2026-08-22T04:30:00Z'],
    ['08/22/2026 12:30 PM', '2026-08-22T16:30:00Z'],
    ['08/22/26 15:04', '2026-08-22T19:04:00Z'],
    ['8-22-26 15:04:05', '2026-08-22T19:04:05Z'],
    ['08/22/2026 0:00', AUGUST_22],
    ['08/22/2026 23:59:59', '2026-08-23T03:59:59Z'],
  ])('may have a time: %s is %s', (cell, instant) => {
    expect(readInstant(cell)).toBe(instant);
  });

  it.each([
    ['03/08/2026', '2026-03-08T05:00:00Z'],
    ['11/01/2026', '2026-11-01T04:00:00Z'],
    ['03/08/2026 2:30 AM', '2026-03-08T07:30:00Z'],
    ['11/01/2026 1:30 AM', '2026-11-01T05:30:00Z'],
  ])('may be on a day when the clocks change: %s is %s', (cell, instant) => {
    expect(readInstant(cell)).toBe(instant);
  });

  it.each([
    ['2024-01-15', '2024-01-15T05:00:00Z'],
    ['2026-08-22', AUGUST_22],
    ['2024-02-29', '2024-02-29T05:00:00Z'],
  ])('may be an ISO day: %s is midnight in New York, %s', (cell, instant) => {
    expect(readInstant(cell)).toBe(instant);
  });

  it.each([
    ['2026-08-22T15:04:05Z', '2026-08-22T15:04:05Z'],
    ['2026-08-22T15:04Z', '2026-08-22T15:04:00Z'],
    ['2026-08-22t15:04:05z', '2026-08-22T15:04:05Z'],
    ['2026-08-22 15:04:05+00:00', '2026-08-22T15:04:05Z'],
    ['2026-08-22T15:04:05.123Z', '2026-08-22T15:04:05.123Z'],
    ['2026-08-22T15:04:05.123456789Z', '2026-08-22T15:04:05.123Z'],
    ['2026-08-22T15:04:05-04:00', '2026-08-22T19:04:05Z'],
    ['2026-08-22T01:00:00+0530', '2026-08-21T19:30:00Z'],
    ['2026-08-22T01:00:00+14', '2026-08-21T11:00:00Z'],
  ])('may be an ISO time with an offset or Z: %s is %s', (cell, instant) => {
    expect(readInstant(cell)).toBe(instant);
  });

  it.each(['2-Jan 2026', '02-Jan 2026', '2-jan 2026', '2-JAN 2026'])(
    'may be day, name of the month and year: %s',
    (cell) => {
      expect(readInstant(cell)).toBe(JANUARY_2);
    },
  );

  it('may name any of the twelve months', () => {
    const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
    expect(monthNames.map((name) => readSaleDate(`9-${name} 2026`)?.day)).toEqual(
      monthNames.map((_, month) => `2026-${String(month + 1).padStart(2, '0')}-09`),
    );
  });

  it('may be a spreadsheet’s serial date from 20000 to 80000, as a number or as text', () => {
    expect(readInstant(46_256)).toBe(AUGUST_22);
    expect(readInstant('46256')).toBe(AUGUST_22);
    expect(readInstant(46_256.75)).toBe('2026-08-22T22:00:00Z');
    expect(readInstant('46256.75')).toBe('2026-08-22T22:00:00Z');
    expect(readSaleDate(20_000)?.day).toBe('1954-10-03');
    expect(readSaleDate(80_000)?.day).toBe('2119-01-11');
    for (const cell of [19_999, 19_999.9, 80_000.1, 80_001, 0, -46_256, Infinity, NaN])
      expect(readInstant(cell)).toBeNull();
    for (const cell of ['19999', '80001', '80000.1', '462560', '-46256', '4.6256E4'])
      expect(readInstant(cell)).toBeNull();
  });
});

describe('anything else is not a sale date:', () => {
  it.each([
    ['an empty text', ''],
    ['a word', 'yesterday'],
    ['a part of a date', '08/22'],
    ['an invalid month', '13/01/2026'],
    ['an invalid month', '0/1/2026'],
    ['a day that the month does not have', '02/30/2026'],
    ['a day that the month does not have', '2/29/2023'],
    ['a day that the month does not have', '2026-02-30'],
    ['a day that the month does not have', '31-Feb 2026'],
    ['an unknown name of a month', '2-Foo 2026'],
    ['two separators', '08/22-2026'],
    ['other separators', '08.22.2026'],
    ['a year of three digits', '08/22/026'],
    ['a year of five digits', '08/22/20266'],
    ['a year out of range', '08/22/0026'],
    ['a year out of range', '0001-01-01'],
    ['a year out of range', '12/31/1899'],
    ['a year out of range', '1/1/2200'],
    ['a year out of range', '2200-01-01T00:00:00Z'],
    ['an invalid time', '08/22/2026 24:00'],
    ['an invalid time', '08/22/2026 12:60'],
    ['an invalid time', '08/22/2026 13:00 PM'],
    ['an invalid time', '08/22/2026 0:30 AM'],
    ['an invalid time', '08/22/2026 12:00:60'],
    ['a time alone', '3:04 PM'],
    ['an ISO time without an offset', '2026-08-22T15:04:05'],
    ['an invalid ISO time', '2026-08-22T24:00:00Z'],
    ['an invalid offset', '2026-08-22T15:04:05+15:00'],
    ['an invalid offset', '2026-08-22T15:04:05+01:60'],
    ['an ISO week date', '2026-W34-6'],
    ['text after a date', '08/22/2026 x'],
    ['text after a date', '08/22/2026\n08/23/2026'],
    ['digits of another script', '٠٨/٢٢/٢٠٢٦'],
  ])('%s, %j', (_, cell) => {
    expect(readSaleDate(cell)).toBeNull();
  });
});

describe('the sale date reader', () => {
  it('reads any string or number without an exception', () => {
    const dateLikeText = fc.string({ unit: fc.constantFrom(...'0123456789/-: TZ+.aPM'), maxLength: 24 });
    fc.assert(
      fc.property(fc.oneof(dateLikeText, fc.string({ unit: 'binary' }), fc.double()), (cell) => {
        const date = readSaleDate(cell);
        if (date) expect(new Date(date.instantMs).toISOString()).toMatch(/^\d{4}-/);
      }),
      { numRuns: 5_000 },
    );
  });

  it('refuses a string of millions of characters without backtracking', () => {
    for (const part of ['1', ' ', '08/22/2026 ', '2026-08-22T15:04:05.']) {
      expect(readSaleDate(`${part.repeat(1_000_000)}!`)).toBeNull();
    }
    expect(readSaleDate(`08/22/2026${' '.repeat(1_000_000)}!`)).toBeNull();
  });
});

it('a day in any of its formats is read as the same instant, on that day', () => {
  const anyDay = fc.date({
    min: new Date('1954-10-03T12:00Z'),
    max: new Date('2069-12-31T12:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(anyDay, (date) => {
      const isoDay = date.toISOString().slice(0, 10);
      const [year, month, dayOfMonth] = isoDay.split('-').map(Number) as [number, number, number];
      const monthName = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
      const serialDay = Date.UTC(year, month - 1, dayOfMonth) / 86_400_000 + 25_569;
      const cells = [
        isoDay,
        `${month}/${dayOfMonth}/${year}`,
        `${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}-${year}`,
        `${month}/${dayOfMonth}/${year} 12:00 AM`,
        `${dayOfMonth}-${monthName} ${year}`,
        serialDay,
        ...(year >= 1970 ? [`${month}/${dayOfMonth}/${String(year % 100).padStart(2, '0')}`] : []),
      ];
      const [firstDate, ...otherDates] = cells.map(readSaleDate);
      expect(firstDate?.day).toBe(isoDay);
      for (const otherDate of otherDates) expect(otherDate).toEqual(firstDate);
    }),
  );
});
