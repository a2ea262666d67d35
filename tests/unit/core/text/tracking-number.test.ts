import { describe, expect, it } from 'vitest';
import { createReason } from '../../../../src/server/core/errors/reason';
import { trackingNumberProblem } from '../../../../src/server/core/text/tracking-number';

describe('a tracking number', () => {
  it.each([
    'LX123456789CN',
    'lx 123 456 789 cn',
    '9400 1000 0000 0000 0000 00',
    '1Z999AA10123456784',
    '1Z 999 AA1 0123456784',
    '420941039400100000000000000000',
    'JJD-0002-254',
    'LX1',
    'LX0',
    '1',
  ])('may be %s', (text) => {
    expect(trackingNumberProblem(text)).toBeNull();
  });

  it.each([
    'n/a',
    'N/A',
    '-',
    '--',
    '.',
    'none',
    'pending',
    'TBD',
    '0',
    '000',
    '无',
    'https://17track.net',
    '1.9E+18',
  ])('cannot be %s', (text) => {
    expect(trackingNumberProblem(text)).toEqual(createReason('cell.noTrackingNumber'));
  });

  it.each([
    'LX1,LX2',
    'LX1, LX2',
    'LX1;LX2',
    'LX1/LX2',
    'LX1\nLX2',
    'LX1、LX2',
    'LX123456789CN LX987654321CN',
    'LX123456789CN & LX987654321CN',
  ])('cannot be %j, which contains several', (text) => {
    expect(trackingNumberProblem(text)).toEqual(createReason('cell.severalNumbers'));
  });
});
