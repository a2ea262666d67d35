import { expect, it } from 'vitest';
import { findDueSummaryDay } from '../../../src/server/notifications/summary-schedule';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');

const dayAt = (now: string, sendAt: string, timeZone: string, summaryFrom = LONG_AGO) =>
  findDueSummaryDay({ sendAt, timeZone, summaryFrom }, Date.parse(now));

it.each([
  ['at its time', '2026-11-23T00:00:00Z', '08:00', 'Asia/Shanghai', '2026-11-23'],
  ['hours after its time', '2026-11-23T15:59:00Z', '08:00', 'Asia/Shanghai', '2026-11-23'],
  [
    'minutes after midnight, having been due just before it',
    '2026-11-23T16:05:00Z',
    '23:58',
    'Asia/Shanghai',
    '2026-11-23',
  ],
  ['at its time in winter', '2026-11-22T13:00:00Z', '08:00', 'America/New_York', '2026-11-22'],
  ['at its time in summer', '2026-07-22T12:00:00Z', '08:00', 'America/New_York', '2026-07-22'],
  // On 8 March, clocks in New York go from 2:00 to 3:00.
  ['an hour after a skipped time', '2026-03-08T07:30:00Z', '02:30', 'America/New_York', '2026-03-08'],
  // On 1 November, 1:30 occurs at 5:30Z and again at 6:30Z.
  [
    'at the first occurrence of a repeated time',
    '2026-11-01T05:30:00Z',
    '01:30',
    'America/New_York',
    '2026-11-01',
  ],
  [
    'for the same day at the second occurrence of a repeated time',
    '2026-11-01T06:30:00Z',
    '01:30',
    'America/New_York',
    '2026-11-01',
  ],
])('a daily summary is due %s', (_, now, sendAt, timeZone, day) => {
  expect(dayAt(now, sendAt, timeZone)).toBe(day);
});

it.each([
  ['a minute before its time', '2026-11-22T23:59:00Z', '08:00', 'Asia/Shanghai'],
  ['once the day is over in the reader’s time zone', '2026-11-23T16:00:00Z', '08:00', 'Asia/Shanghai'],
  [
    'more than six hours after its time just before midnight',
    '2026-11-23T21:59:00Z',
    '23:58',
    'Asia/Shanghai',
  ],
  ['before a time that the clocks skip', '2026-03-08T06:59:00Z', '02:30', 'America/New_York'],
])('no daily summary is due %s', (_, now, sendAt, timeZone) => {
  expect(dayAt(now, sendAt, timeZone)).toBeNull();
});

it('a summary is not due for a time before it was switched on', () => {
  const enabledAt = new Date('2026-11-22T09:00:00Z');
  expect(dayAt('2026-11-22T10:00:00Z', '08:00', 'UTC', enabledAt)).toBeNull();
  expect(dayAt('2026-11-23T08:00:00Z', '08:00', 'UTC', enabledAt)).toBe('2026-11-23');
  const enabledJustAfterMidnight = new Date('2026-11-23T00:02:00Z');
  expect(dayAt('2026-11-23T00:05:00Z', '23:58', 'UTC', enabledJustAfterMidnight)).toBeNull();
});
