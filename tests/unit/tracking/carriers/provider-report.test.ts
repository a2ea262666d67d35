import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerText, readMoment } from '../../../../src/server/tracking/carriers/provider-report';

it('every text is storable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (value) => {
      const text = providerText(`${value}\ud801\u0000`);
      expect(text === null || (text.isWellFormed() && !text.includes('\u0000'))).toBe(true);
      expect((text ?? '').length).toBeLessThanOrEqual(2_000);
    }),
  );
});

describe('readMoment', () => {
  it.each([
    ['2023-04-26T09:52:37', '+02', '2023-04-26T07:52:37.000Z'],
    ['2023-04-26T20:16:02', '+08', '2023-04-26T12:16:02.000Z'],
    ['2023-04-26 20:16:02', '+0530', '2023-04-26T14:46:02.000Z'],
    ['2023-04-26T20:16:02', '+05:30', '2023-04-26T14:46:02.000Z'],
    ['2023-04-26T20:16:02', '-05', '2023-04-27T01:16:02.000Z'],
    ['2023-03-10 14:30:00', '+8', '2023-03-10T06:30:00.000Z'],
    ['2023-04-26T20:16:02', '', '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02', null, '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02', 'local', '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02Z', '+08', '2023-04-26T20:16:02.000Z'],
    ['2023-04-26T20:16:02.123456+02:00', '+08', '2023-04-26T18:16:02.123Z'],
    ['2023-04-26', null, '2023-04-26T00:00:00.000Z'],
  ])('%j in %j is %s', (text, zone, instant) => {
    expect(new Date(readMoment(text, zone)!).toISOString()).toBe(instant);
  });

  it.each([
    '',
    '20230426',
    '2023-13-01',
    '2023-04-31',
    '2023-04-26T20:16:02+25',
    '1999-12-31',
    '2100-01-01',
    'now',
  ])('%j is no moment', (text) => {
    expect(readMoment(text)).toBeNull();
  });

  it('reads whatever a Date writes', () => {
    const date = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(fc.property(date, (at) => readMoment(at.toISOString()) === at.getTime()));
  });
});
