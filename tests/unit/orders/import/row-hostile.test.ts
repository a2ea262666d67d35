import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../../src/server/orders/column-map';
import { readCell, readCells } from '../../../support/read-cells';

const NUL = '\u0000';
const LONE_SURROGATE = '\ud83d';

describe('text that PostgreSQL cannot store is refused', () => {
  it.each([
    ['U+0000', `a${NUL}b`],
    ['half a surrogate pair', `a${LONE_SURROGATE}b`],
  ])('with %s, in every field and in extra', (_, cell) => {
    const cells = Object.fromEntries(FIELD_NAMES.map((name) => [name, cell]));
    expect(readCells({ ...cells, other: cell }).problems.sort()).toEqual([...FIELD_NAMES, 'other'].sort());
  });

  it('in a name too, and the path of the problem can be stored', () => {
    for (const name of [`a${NUL}b`, LONE_SURROGATE, `${'x'.repeat(39)}${LONE_SURROGATE}x`]) {
      const { problems } = readCells({ receipt_id: '1', [name]: 1 });
      expect(problems).toHaveLength(1);
      expect(problems[0]!.isWellFormed()).toBe(true);
      expect(problems[0]).not.toContain(NUL);
    }
  });

  it('unless it is written as an entity, which becomes a replacement character', () => {
    expect(readCell('title', 'a&#0;b&#xD800;', { hasEntities: true }).value).toBe('a\uFFFDb\uFFFD');
  });
});

describe('extra', () => {
  it('has trimmed strings, numbers and booleans, but no blank values', () => {
    const extra = { memo: ' x ', weight: 1.5, gift: false, none: null, blank: ' ' };
    expect(readCells({ receipt_id: '1', ...extra }).extra).toEqual({ memo: 'x', weight: 1.5, gift: false });
  });

  it('is null if a row has only known fields', () => {
    expect(readCells({ receipt_id: '1', note: 'x' }).extra).toBeNull();
  });

  it('may have names with a special meaning in JavaScript', () => {
    const cells = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}');
    const { extra } = readCells({ ...cells, receipt_id: '1' });
    expect(JSON.stringify(extra)).toBe(JSON.stringify(cells));
    expect(Object.getPrototypeOf(extra)).toBe(Object.prototype);
  });

  it('accepts names of 200 characters and strings of 10,000, and refuses longer ones', () => {
    const name = 'n'.repeat(200);
    expect(readCells({ receipt_id: '1', [name]: 'x'.repeat(10_000) }).problems).toEqual([]);
    expect(readCells({ receipt_id: '1', [`${name}n`]: 'x' }).problems).toHaveLength(1);
    expect(readCells({ receipt_id: '1', other: 'x'.repeat(10_001) }).problems).toEqual(['other']);
  });
});

describe('any text', () => {
  it.each([
    'مرحبا بالعالم',
    'שלום\u200f!',
    '\u202Eevil',
    '👩‍👩‍👧‍👦 Wynn ❤️',
    'Zoë\u0308',
    '買い手',
    "'; DROP TABLE orders; --",
    '=1+1',
    '\u200b',
  ])('that can be stored is kept as it is: %j', (cell) => {
    expect(readCell('name', cell)).toMatchObject({ value: cell, refused: false });
    expect(readCells({ receipt_id: '1', [cell]: cell }).extra).toEqual({ [cell]: cell });
  });

  it('in any field, and any other value, is read without an exception, and yields only storable strings that are not blank', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom('&nbsp;', '#', '__proto__', NUL, LONE_SURROGATE),
      fc.double(),
      fc.boolean(),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...FIELD_NAMES, 'x'), cell),
        fc.boolean(),
        (cells, hasEntities) => {
          const { row, values, extra, problems } = readCells(cells, { hasEntities });
          if (row === null) expect(problems).toContain('receipt_id');
          for (const value of Object.values({ ...values, ...extra })) {
            if (typeof value !== 'string') continue;
            expect(value.isWellFormed() && !value.includes(NUL)).toBe(true);
            expect(value.trim()).not.toBe('');
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
