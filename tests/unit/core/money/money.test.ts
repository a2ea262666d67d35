import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReason } from '../../../../src/server/core/errors/reason';
import { readMoney } from '../../../../src/server/core/money/money';

const amountOf = (cell: string | number): string | undefined => {
  const reading = readMoney(cell);
  return 'amount' in reading ? reading.amount : undefined;
};

/** Converts plain decimal text to ten-thousandths, exactly. */
function toTenThousandths(text: string): bigint {
  const [, minus, whole, decimals] = /^(-)?(\d+)(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const value = BigInt(whole!) * 10_000n + BigInt((decimals ?? '').padEnd(4, '0'));
  return minus ? -value : value;
}

const AMOUNT_LIMIT = 10n ** 12n;

describe('an amount as text', () => {
  it.each([
    ['4.49', '4.49'],
    ['40', '40'],
    ['32.5', '32.5'],
    ['0', '0'],
    ['0.00', '0'],
    ['$5.00', '5'],
    ['$1,234.50', '1234.5'],
    ['.5', '0.5'],
    ['007.10', '7.1'],
  ])('is read as exports and tools write it: %s is %s', (cell, amount) => {
    expect(amountOf(cell)).toBe(amount);
  });

  it.each([
    ['-5', '-5'],
    ['-$5.00', '-5'],
    ['$-5.00', '-5'],
    ['- 5', '-5'],
    ['-0.00', '0'],
  ])('may have a minus sign: %s is %s', (cell, amount) => {
    expect(amountOf(cell)).toBe(amount);
  });

  it.each([
    '€5',
    '5€',
    '£ 5',
    '5 £',
    '₹5',
    'USD 5',
    '5 USD',
    '5USD',
    'US$5',
    'Rs. 5',
    'R$ 5',
    '5 zł',
    '5 Kč',
    '5元',
  ])('may have a currency sign or code: %s', (cell) => {
    expect(amountOf(cell)).toBe('5');
  });

  it.each([
    ['1,234', '1234'],
    ['1,234,567.89', '1234567.89'],
    ['1,00,000', '100000'],
    ['12,34,567.89', '1234567.89'],
    ['1,00,00,000', '10000000'],
  ])('may have Western or Indian thousands separators: %s is %s', (cell, amount) => {
    expect(amountOf(cell)).toBe(amount);
  });

  it.each([
    '12,00',
    '12,0',
    ',500',
    '1,',
    '1,2345',
    '1,23,4567',
    '123,45,678',
    '1234,567',
    '1,,234',
    '1.234,50',
    '1.2,345',
  ])('is refused if its commas are misplaced: %s', (cell) => {
    expect(readMoney(cell)).toHaveProperty('problem');
  });

  it.each(['0,123', '00,000', '000,123', '0,00,123', '01,234', '01,23,456', '-0,123', '$0,123'])(
    'is refused if its first group of digits begins with a zero, which is a decimal comma: %s',
    (cell) => {
      expect(readMoney(cell)).toHaveProperty('problem');
    },
  );

  it.each([
    '',
    ' ',
    '-',
    '$',
    '.',
    '5.',
    '1.2.3',
    '--5',
    '-$-5',
    '5-',
    '(5.00)',
    '+5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    'free',
    '5 US dollars',
    '$5 each!',
    '5 5',
    '٥',
    '５',
  ])('is refused if it is malformed: %j', (cell) => {
    expect(readMoney(cell)).toHaveProperty('problem');
  });

  it('has up to four decimals, and any more must be zeros', () => {
    expect(amountOf('0.0001')).toBe('0.0001');
    expect(amountOf('999999999999.9999')).toBe('999999999999.9999');
    expect(amountOf('1.23450000')).toBe('1.2345');
    expect(readMoney('1.23456')).toHaveProperty('problem', createReason('cell.decimals'));
  });

  it('must be less than 10^12, whatever its sign', () => {
    expect(amountOf('999,999,999,999')).toBe('999999999999');
    expect(amountOf('000001000000')).toBe('1000000');
    expect(readMoney('1000000000000')).toHaveProperty('problem');
    expect(readMoney('-1000000000000.00')).toHaveProperty('problem');
  });

  const groupDigits = (digits: string, style: 'plain' | 'western' | 'indian'): string => {
    if (style === 'plain') return digits;
    if (style === 'western') return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
    return digits.replace(/\B(?=(?:\d{2})*\d{3}$)/g, ',');
  };

  it('is read exactly, whatever its digits, minus, commas and currency', () => {
    const cell = fc.record({
      minus: fc.constantFrom('', '-'),
      currency: fc.constantFrom('', '$', '€ ', 'GBP '),
      whole: fc.bigInt({ min: 0n, max: AMOUNT_LIMIT - 1n }),
      decimals: fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 0, maxLength: 4 }),
      style: fc.constantFrom('plain', 'western', 'indian'),
    });
    fc.assert(
      fc.property(cell, ({ minus, currency, whole, decimals, style }) => {
        const text = `${minus}${currency}${groupDigits(String(whole), style)}${decimals && `.${decimals}`}`;
        const absoluteValue = whole * 10_000n + BigInt(decimals.padEnd(4, '0'));
        expect(toTenThousandths(amountOf(text)!), text).toBe(minus ? -absoluteValue : absoluteValue);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is returned in a normal form, which parses to itself, or refused without an exception', () => {
    const amountLikeText = fc.string({ unit: fc.constantFrom(...'0123456789.,-$ aE'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(amountLikeText, fc.string({ unit: 'binary' })), (text) => {
        const amount = amountOf(text);
        if (amount === undefined) return;
        expect(amount).toMatch(/^(?!-0$)-?(?:0|[1-9]\d{0,11})(?:\.\d{0,3}[1-9])?$/);
        expect(amountOf(amount)).toBe(amount);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['spaces after a minus', `-${' '.repeat(1_000_000)}!`],
    ['spaces after a sign', `$${' '.repeat(1_000_000)}!`],
    ['spaces after digits', `5${' '.repeat(1_000_000)}!`],
    ['digits', `${'1'.repeat(1_000_000)}!`],
    ['commas', `${'1,00'.repeat(400_000)}!`],
    ['decimals', `0.${'0'.repeat(1_000_000)}1`],
  ])('that has very many %s is refused without backtracking', (_, cell) => {
    expect(readMoney(cell)).toHaveProperty('problem');
  });
});

describe('an amount as a number', () => {
  it.each([
    [4.49, '4.49'],
    [40, '40'],
    [0, '0'],
    [-0, '0'],
    [0.1 + 0.2, '0.3'],
    [1.005, '1.01'],
    [-1.005, '-1.01'],
    [1.004999, '1'],
    [0.995, '1'],
    [-0.004, '0'],
    [1e-7, '0'],
    [5e-324, '0'],
  ])('is rounded to cents, because it is a float: %d is %s', (cell, amount) => {
    expect(amountOf(cell)).toBe(amount);
  });

  it('must be finite and less than 10^12, even after rounding', () => {
    expect(amountOf(999_999_999_999.99)).toBe('999999999999.99');
    for (const cell of [1e12, -1e12, 1e21, 999_999_999_999.996, Infinity, -Infinity, NaN]) {
      expect(readMoney(cell), String(cell)).toHaveProperty('problem');
    }
  });

  it('of whole cents is exactly those cents', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 14n) + 1n, max: 10n ** 14n - 1n }), (cents) => {
        expect(toTenThousandths(amountOf(Number(cents) / 100)!)).toBe(cents * 100n);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is rounded half away from zero by its shortest decimal digits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 0, max: 99_999 }),
        (whole, hundredThousandths) => {
          const decimals = String(hundredThousandths).padStart(5, '0');
          const totalHundredThousandths = BigInt(whole) * 100_000n + BigInt(hundredThousandths);
          const cents = (totalHundredThousandths + 500n) / 1_000n;
          expect(toTenThousandths(amountOf(Number(`${whole}.${decimals}`))!)).toBe(cents * 100n);
          expect(toTenThousandths(amountOf(Number(`-${whole}.${decimals}`))!)).toBe(-cents * 100n);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
