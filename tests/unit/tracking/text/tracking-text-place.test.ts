import { describe, expect, it } from 'vitest';
import { readableLocation } from '../../../../src/server/tracking/text/place';
import { EARLIER_TIME, NOW, SINCE, textOf } from '../../../support/tracking-facts';

describe('the place', () => {
  const createScan = (occurredAt: number, location: string | null) => ({ occurredAt, location });

  it('is that of the newest event that has one, in whatever order the events come', () => {
    const events = [
      createScan(EARLIER_TIME, 'Shenzhen'),
      createScan(SINCE, 'Málaga'),
      createScan(NOW, ' '),
      createScan(EARLIER_TIME - 1, 'Hangzhou'),
    ];
    const text = textOf({ events });
    expect(text).toContain('Last place reported: Málaga. ');
    expect(textOf({ events: events.toReversed() })).toBe(text);
  });

  it('is left out, and not replaced by an older one, if it is in another script', () => {
    expect(
      textOf({ events: [createScan(EARLIER_TIME, 'Los Angeles, CA'), createScan(SINCE, '深圳市')] }),
    ).toBe(textOf());
  });

  it('of an older scan is left out for a parcel that was delivered or returned', () => {
    for (const facts of [
      { status: 'delivered' as const },
      { status: 'exception' as const, subStatus: 'Exception_Returned' },
    ]) {
      expect(textOf({ ...facts, events: [createScan(EARLIER_TIME, 'Shenzhen')] })).toBe(textOf(facts));
    }
  });

  it('is left out for a parcel that has not been scanned', () => {
    for (const status of ['not_found', 'info_received'] as const) {
      expect(textOf({ status, events: [createScan(SINCE, 'Shenzhen')] })).toBe(textOf({ status }));
    }
  });

  it.each([
    ['LOS ANGELES, CA', 'Los Angeles, CA'],
    ['ISC NEW YORK NY(USPS)', 'ISC New York NY, USPS'],
    ['ST.LOUIS, MO', 'St. Louis, MO'],
    ["O'HARE, IL", "O'Hare, IL"],
    ['MÁLAGA', 'Málaga'],
    ['Łódź', 'Łódź'],
    ['DİYARBAKIR, TR', 'Diyarbakir, TR'],
    ['ＬＯＳ ＡＮＧＥＬＥＳ', 'Los Angeles'],
    ['Jamaica, NY 11430', 'Jamaica, NY 11430'],
    ['Shenzhen\r\nChina', 'Shenzhen, China'],
    ['Shenzhen, SHENZHEN, CN', 'Shenzhen, CN'],
    ['Киев/Kyiv', 'Kyiv'],
    ['深圳, CN', 'China'],
    ['CN', 'China'],
    ['CA', 'CA'],
    ['Hainan', 'Hainan'],
  ])('%j is written %j', (location, place) => {
    expect(readableLocation(location)).toBe(place);
  });

  it.each([
    ['深圳'],
    ['Shenzhen深圳'],
    ['Москва'],
    ['Αθήνα'],
    ['90210'],
    ['N/A'],
    ['null'],
    ['undefined'],
    ['NaN'],
    ['Invalid Date'],
    ['See https://example.com/track'],
    ['Your parcel has been handed over to the local carrier, call us'],
    [''],
    [null],
  ])('is left out if the location is %j', (location) => {
    expect(readableLocation(location)).toBeNull();
  });

  it('has at most 60 characters, and no part of it is cut', () => {
    const place = readableLocation(Array.from({ length: 40 }, (_, n) => `Part ${n}`).join(','));
    expect(place).toBe('Part 0, Part 1, Part 2, Part 3, Part 4, Part 5, Part 6');
  });

  it('that ends with a full stop is not followed by another', () => {
    expect(textOf({ events: [createScan(SINCE, 'Washington, D.C.')] })).toContain(
      ': Washington, D.C. The parcel',
    );
  });
});
