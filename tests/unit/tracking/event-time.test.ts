import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReason } from '../../../src/server/core/errors/reason';
import { sentenceOf } from '../../../src/server/core/errors/sentence';
import { readEventTime } from '../../../src/server/tracking/event-time';

const instantOf = (value: unknown, zone?: unknown) => {
  const { at } = readEventTime(value, zone);
  return at === null ? null : new Date(at).toISOString();
};

describe('the time of an event', () => {
  it.each([
    ['2026-08-28T15:04:05Z', '2026-08-28T15:04:05.000Z'],
    ['2026-08-28T15:04:05', '2026-08-28T15:04:05.000Z'],
    ['2026-08-28T15:04', '2026-08-28T15:04:00.000Z'],
    ['2026-08-28T15', '2026-08-28T15:00:00.000Z'],
    ['2026-08-28', '2026-08-28T00:00:00.000Z'],
    ['2026-08-28 15:04:05', '2026-08-28T15:04:05.000Z'],
    ['2026-08-28t15:04:05z', '2026-08-28T15:04:05.000Z'],
    ['2026-08-28T15:04:05.123456+02:00', '2026-08-28T13:04:05.123Z'],
    ['2026-08-28T15:04:05,5-0530', '2026-08-28T20:34:05.500Z'],
    ['2026-08-28T15:04:05+08', '2026-08-28T07:04:05.000Z'],
    ['20260828T150405Z', '2026-08-28T15:04:05.000Z'],
    ['20260828T150405.5+0200', '2026-08-28T13:04:05.500Z'],
    ['20260828T1504', '2026-08-28T15:04:00.000Z'],
    ['20260828T15', '2026-08-28T15:00:00.000Z'],
    ['20260828', '2026-08-28T00:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    [1_787_929_445, '2026-08-28T15:04:05.000Z'],
    [1_787_929_445.25, '2026-08-28T15:04:05.250Z'],
    [1_787_929_445_123, '2026-08-28T15:04:05.123Z'],
  ])('%j is %s', (value, instant) => {
    expect(instantOf(value)).toBe(instant);
  });

  it.each([
    ['2023-04-26T09:52:37', '+02', '2023-04-26T07:52:37.000Z'],
    ['2023-04-26T20:16:02', '+08', '2023-04-26T12:16:02.000Z'],
    ['2023-04-26 20:16:02', '+0530', '2023-04-26T14:46:02.000Z'],
    ['2023-04-26T20:16:02', '+05:30', '2023-04-26T14:46:02.000Z'],
    ['2023-04-26T20:16:02', '-05', '2023-04-27T01:16:02.000Z'],
    ['2023-03-10 14:30:00', '+8', '2023-03-10T06:30:00.000Z'],
    ['2023-03-10 14:30:00', 8, '2023-03-10T06:30:00.000Z'],
    ['2023-03-10 14:30:00', -5, '2023-03-10T19:30:00.000Z'],
    ['2023-03-10 14:30:00', 5.5, '2023-03-10T09:00:00.000Z'],
    ['2023-03-10 14:30:00', 0, '2023-03-10T14:30:00.000Z'],
    ['2023-03-10 14:30:00', 14, '2023-03-10T00:30:00.000Z'],
    ['2023-04-26T20:16:02Z', 8, '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02', '', '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02', null, '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02Z', '+08', '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02.123456+02:00', '+08', '2023-04-26T18:16:02.123Z'],
  ])('%j with the separate offset %j is %s', (value, zone, instant) => {
    expect(instantOf(value, zone)).toBe(instant);
  });

  it.each([[undefined], [null], [''], ['  ']])('may be missing: %j', (value) => {
    expect(readEventTime(value)).toEqual({ at: null, problem: null });
  });

  it.each([
    '2026-02-30T10:00:00Z',
    '2026-02-30',
    '20260230',
    '2023-02-29',
    '2023-13-01',
    '2023-04-31',
    '2026-08-28T24:00:00Z',
    '2026-08-28T25:00:00Z',
    '2026-08-28T10:60:00Z',
    '2026-08-28T10:00:60Z',
    '0000-00-00T00:00:00',
  ])('%j does not exist', (value) => {
    expect(readEventTime(value)).toEqual({
      at: null,
      problem: createReason('callback.noSuchTime', { value: `"${value}"` }),
    });
  });

  it.each(['1999-12-31', '2100-01-01', '1970-01-01T00:00:00Z', '99991231'])('%j is out of range', (value) => {
    expect(readEventTime(value).problem).toEqual(createReason('callback.timeRange', { value: `"${value}"` }));
  });

  it.each([
    ['5'],
    ['2026'],
    ['2026-08'],
    ['10:00'],
    ['yesterday'],
    ['now'],
    ['Aug 28, 2026 10:00'],
    ['28 Aug 2026 10:00 EST'],
    ['Fri, 28 Aug 2026 10:00:00 GMT'],
    ['8/28/2026'],
    ['2026-8-28'],
    ['2026-08-28T10:00:00 EST'],
    ['2026-08-28T10:00:00+25'],
    ['2026-08-28T10:00:00+8'],
    ['2026-08-28T10:00:00+05:60'],
    ['2026-08-28T1004'],
    ['20260828T10:04'],
    ['1787929445'],
    ['1787929445123'],
    [5],
    [0],
    [-1],
    [20_260_828],
    [Number.MAX_SAFE_INTEGER],
    [true],
    [{}],
    [['2026-08-28']],
  ])('%j cannot be read', (value) => {
    expect(readEventTime(value)).toMatchObject({
      at: null,
      problem: { reason: 'callback.unreadableTime', values: { value: expect.any(String) } },
    });
  });

  it.each(['local', 'EST', '+25', '+130', '8', 15, -15, 800, 1_000, 0.001, 1e300])(
    'cannot be read with the separate offset %j',
    (zone) => {
      expect(readEventTime('2026-08-28T10:00:00', zone).problem?.reason).toBe('callback.unreadableTime');
    },
  );

  it('can be read as text, seconds and milliseconds for any date', () => {
    const anyDate = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(readEventTime(date.toISOString()).at).toBe(date.getTime());
        expect(readEventTime(date.getTime()).at).toBe(date.getTime());
        expect(readEventTime(Math.floor(date.getTime() / 1000)).at).toBe(
          Math.floor(date.getTime() / 1000) * 1000,
        );
      }),
    );
  });

  it('is, for any value, an instant, missing, or refused with a storable reason', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.jsonValue()), (value) => {
        const { at, problem } = readEventTime(value);
        expect(at === null || Number.isSafeInteger(at)).toBe(true);
        if (problem !== null) {
          expect(at).toBeNull();
          const sentence = sentenceOf(problem);
          expect(sentence.isWellFormed() && !sentence.includes('\u0000')).toBe(true);
        }
      }),
    );
  });
});
