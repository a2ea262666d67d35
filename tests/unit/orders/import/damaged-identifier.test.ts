import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import type { OrderField } from '../../../../src/server/orders/column-map';
import {
  createLostZerosReason,
  findDamage,
  mayHaveLostZeros,
} from '../../../../src/server/orders/import/damaged-identifier';

function damageOf(name: OrderField, cell: string | number, country?: string): string | null {
  const reason = findDamage(name, cell, country);
  return reason && sentenceOf(reason);
}

describe('there is a warning about an identifier', () => {
  it.each(['1.91E+18', '1,91E+18', '2E18', '1.91e+18'])('in scientific notation: %s', (cell) => {
    for (const name of ['receipt_id', 'transaction_id', 'listing_id', 'tracking_number', 'sku'] as const)
      expect(damageOf(name, cell)).toContain('rounded');
  });

  it.each([
    '1912345678901230',
    '1912345678901200',
    '19123456789012300000',
    '1912345678901234000',
    1912345678901230,
  ])('with sixteen or more digits and zeros at the end: %s', (cell) =>
    expect(damageOf('receipt_id', cell)).toContain('rounded'),
  );

  it.each(['1/2/2026', '1/2', '2-Jan', '2-Jan-26', 'Mar-26', 'March-1', '2026-01-02', '2026-01-02 00:00:00'])(
    'that was turned into a date: %s',
    (cell) => {
      expect(damageOf('sku', cell)).toContain('date');
      expect(damageOf('transaction_id', cell)).toContain('date');
    },
  );
});

it.each(['2134', '601', '2134-1234', 2134])(
  '%s has lost leading zeros as a postal code of the US, but not as one of another country',
  (cell) => {
    for (const country of ['United States', ' united states ', 'US', 'Puerto Rico'])
      expect(damageOf('zip', cell, country)).toContain('leading zeros');
    for (const country of ['Norway', 'Belgium', '', undefined])
      expect(damageOf('zip', cell, country)).toBeNull();
  },
);

it('there is no warning about an undamaged identifier', () => {
  for (const cell of [
    '4165098857',
    '9007199254740991',
    '191234567890120',
    '1912345678901234567',
    '1000',
    'E18',
    'FOX-01',
  ])
    expect(damageOf('receipt_id', cell), cell).toBeNull();
  for (const cell of ['FOX-01', '12-34', '2-J', 'JAN', 'A/B', '10-XL', 'MAR-RED'])
    expect(damageOf('sku', cell), cell).toBeNull();
  for (const cell of ['02134', '02134-1234', 'na', '800.'])
    expect(damageOf('zip', cell, 'US'), cell).toBeNull();
  for (const name of ['title', 'sale_date', 'price', 'sold_on', 'name'] as const)
    expect(damageOf(name, '1/2/2026'), name).toBeNull();
});

it('a SKU may have lost zeros only if it consists of digits and does not begin with 0', () => {
  expect(['731', '0731', 'A1', '', '0'].map(mayHaveLostZeros)).toEqual([true, false, false, false, false]);
  expect(sentenceOf(createLostZerosReason('731', '00731'))).toContain('"00731"');
});
