import { describe, expect, it } from 'vitest';
import {
  caseVariantsOf,
  readSearchText,
  spellingsOf,
} from '../../../../src/server/orders/filter/search-text';

describe('a search text', () => {
  it.each([
    ['4165001001 4165001002', ['4165001001', '4165001002']],
    ['4165001001\r\nLX123456789CN\n', ['4165001001', 'LX123456789CN']],
    [
      '#4165001001, 4165001002;4165001003；4165001004',
      ['4165001001', '4165001002', '4165001003', '4165001004'],
    ],
    ['ORD_123456 AB.1234-56', ['ORD_123456', 'AB.1234-56']],
  ])('%j means any of several numbers', (text, numbers) => {
    expect(readSearchText(text)).toMatchObject({ numbers, fallsBackToWords: false });
  });

  it.each([
    ['LX 1234 5678 9CN', ['LX123456789CN']],
    ['4165 001 001', ['4165001001']],
    ['#4165 001 001.0', ['4165001001']],
  ])('%j may be one number written with spaces', (text, numbers) => {
    expect(readSearchText(text)).toMatchObject({ numbers, fallsBackToWords: true });
  });

  it('is read as an order number without the decimals that a spreadsheet added', () => {
    expect(readSearchText('4165001001.0')).toMatchObject({ numbers: ['4165001001'], fallsBackToWords: true });
    expect(readSearchText('4165001001.0 4165001002')).toMatchObject({
      numbers: ['4165001001', '4165001002'],
      fallsBackToWords: false,
    });
    expect(readSearchText('2.0')).toMatchObject({ words: ['2.0'], numbers: [] });
  });

  it.each(['4165001001', 'ann lee', 'fox magnet 2024', 'size 40 42', 'ORDER 123', '', undefined])(
    '%j means words',
    (text) => {
      expect(readSearchText(text)).toMatchObject({ numbers: [], fallsBackToWords: true });
    },
  );

  it('is split into lower-case words, without the # of order numbers and without U+0000', () => {
    expect(readSearchText(' #Ox-00\u0000  Straße ').words).toEqual(['ox-00', 'straße']);
  });
});

it.each([
  ['ab', ['ab', 'aB', 'Ab', 'AB']],
  ['a1', ['a1', 'A1']],
  ['10', ['10']],
  ['_', ['_']],
])('the word %j is looked up in every mix of upper and lower case', (word, variants) => {
  expect(caseVariantsOf(word)).toEqual(variants);
});

it('order numbers are looked up as typed, in lower case and in upper case, and tracking numbers only as they are stored', () => {
  expect(spellingsOf(['Ab-123456', '4165001001'])).toEqual({
    receiptIds: ['Ab-123456', 'ab-123456', 'AB-123456', '4165001001'],
    trackingNumbers: ['AB-123456', '4165001001'],
  });
});
