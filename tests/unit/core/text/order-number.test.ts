import { describe, expect, it } from 'vitest';
import { normaliseOrderNumber } from '../../../../src/server/core/text/order-number';

describe('an order number', () => {
  it.each([
    '4165098857',
    '#4165098857',
    '# 4165098857',
    '##4165098857',
    '# #4165098857',
    ' 4165 098 857 ',
    '4165\u3000098\u00a0857',
    '4165098857.0',
    '#4165098857.00',
  ])('is 4165098857 if it is written %j', (text) => {
    expect(normaliseOrderNumber(text)).toBe('4165098857');
  });

  it.each([
    ['AB 12', 'AB12'],
    ['#ab-12', 'ab-12'],
  ])('with letters loses spaces and #, but keeps its letter case: %j is %j', (text, orderNumber) => {
    expect(normaliseOrderNumber(text)).toBe(orderNumber);
  });

  it.each(['AB12.0', '12.50', '1.0.0', '.0', '1#2'])(
    'stays %j, because no spreadsheet has added anything to it',
    (text) => {
      expect(normaliseOrderNumber(text)).toBe(text);
    },
  );

  it.each(['#', ' # ', ''])('is empty if it is written %j', (text) => {
    expect(normaliseOrderNumber(text)).toBe('');
  });
});
