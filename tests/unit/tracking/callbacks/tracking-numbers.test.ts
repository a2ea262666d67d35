import { describe, expect, it } from 'vitest';
import { createReason } from '../../../../src/server/core/errors/reason';
import { parseCallback } from '../../../../src/server/tracking/callbacks/callback';

const LONGEST_NUMBER = 'A1'.repeat(50);

/** Returns what is read of a number in both forms of a callback. */
const parseBothForms = (number: unknown) => {
  const webhook = { number, track_info: { latest_status: { status: 'Delivered' } } };
  return [webhook, { tracking_number: number, status: 'delivered' }].map((data) =>
    parseCallback({ data }, 0, 'hash'),
  );
};

describe("a callback's tracking number", () => {
  it.each([
    ['the most characters', LONGEST_NUMBER, LONGEST_NUMBER],
    ['spaces around it', `${' '.repeat(101)}LX123456789CN${'\n'.repeat(101)}`, 'LX123456789CN'],
    ['spaces inside it', `LX${' '.repeat(101)}123456789CN`, 'LX123456789CN'],
    ['the most characters and a space after each', LONGEST_NUMBER.replaceAll(/./g, '$& '), LONGEST_NUMBER],
    ['lower case', 'lx123456789cn', 'LX123456789CN'],
    ['only digits, as a JSON number', 4_006_381_333_931, '4006381333931'],
  ])('is read as it is stored if it has %s', (_, value, number) => {
    for (const { trackingNumbers, observations, reason } of parseBothForms(value)) {
      expect(trackingNumbers).toEqual([number]);
      expect(observations).toMatchObject([{ trackingNumber: number, status: 'delivered' }]);
      expect(reason).toBeNull();
    }
  });

  it.each([
    ['is too long', `${LONGEST_NUMBER}2`],
    ['is too long without its spaces', ` ${LONGEST_NUMBER} 2`],
    ['contains U+0000', 'LX\u0000123456789CN'],
    ['contains half a surrogate pair', 'LX\ud800123456789CN'],
    ['has nothing but spaces', ' '.repeat(200)],
    ['is of another type', ['LX123456789CN']],
  ])('is never shortened or repaired, so that there is no event, if it %s', (_, value) => {
    for (const { trackingNumbers, observations, reason } of parseBothForms(value)) {
      expect([trackingNumbers, observations]).toEqual([[], []]);
      expect(reason).toEqual(createReason('callback.noNumber'));
    }
  });
});
