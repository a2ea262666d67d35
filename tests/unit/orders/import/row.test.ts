import { describe, expect, it } from 'vitest';
import { ORDER_FIELDS } from '../../../../src/server/orders/column-map';
import { leastCpuMs } from '../../../support/process/cpu-time';
import { readCell, readCells } from '../../../support/read-cells';

describe('a cell', () => {
  it.each([null, undefined, '', ' ', '\t\r\n', '\u00a0', '\uFEFF'])('of %j is blank', (cell) => {
    expect(
      readCells({ receipt_id: '1', title: cell, price: cell, sale_date: cell, quantity: cell }),
    ).toMatchObject({
      values: {},
      problems: [],
      warnings: [],
    });
  });

  it('of text is trimmed, and otherwise unchanged', () => {
    expect(readCell('title', '  Fox \n Sticker\u00a0').value).toBe('Fox \n Sticker');
  });

  it.each([
    ['text', '4', '4'],
    ['a number', 4, '4'],
    ['a fraction', 4.5, '4.5'],
    ['zero', 0, '0'],
    ['true', true, 'true'],
    ['false', false, 'false'],
  ])('may be %s', (_, cell, value) => {
    expect(readCell('title', cell)).toMatchObject({ value, refused: false });
  });

  it.each<{ cell: unknown }>([
    { cell: {} },
    { cell: [] },
    { cell: [1] },
    { cell: { toString: 1 } },
    { cell: Infinity },
    { cell: Number.NaN },
  ])('of $cell is refused', ({ cell }) => {
    const cells = { receipt_id: '1', title: cell, price: cell, sale_date: cell, other: cell };
    expect(readCells(cells).problems).toEqual(['title', 'price', 'sale_date', 'other']);
  });

  it('of an array row has its HTML entities decoded once, and one of a named row keeps them', () => {
    const readDecodedCell = (cell: string) => readCell('name', cell, { hasEntities: true }).value;
    expect(readDecodedCell('O&#39;Hara &amp; Sons')).toBe("O'Hara & Sons");
    expect(readDecodedCell('&amp;amp; &amp;#39;')).toBe('&amp; &#39;');
    expect(readDecodedCell('?a=1&copy=2 &nbsp')).toBe('?a=1&copy=2 &nbsp');
    expect(readCell('name', 'O&#39;Hara &amp; Sons').value).toBe('O&#39;Hara &amp; Sons');
  });

  it('of entities that decode to blanks is blank', () => {
    for (const cell of ['&nbsp;', ' &#32;&#9;', '&#xA0;&NewLine;']) {
      expect(readCell('name', cell, { hasEntities: true })).toMatchObject({
        value: undefined,
        refused: false,
      });
    }
  });

  it('may be as long as its field allows once trimmed, and a longer one is refused', () => {
    for (const [name, { kind, maxLength }] of Object.entries(ORDER_FIELDS)) {
      if (kind !== 'text') continue;
      const cell = 'x'.repeat(maxLength);
      expect(readCell(name as 'title', ` ${cell} `).value).toBe(cell);
      expect(readCell(name as 'title', `${cell}x`).message).toBe(`must have at most ${maxLength} characters`);
    }
  });

  it('has as many characters as PostgreSQL counts, so that an emoji is one', () => {
    expect(readCell('city', '🦉'.repeat(ORDER_FIELDS.city.maxLength)).refused).toBe(false);
    expect(readCell('city', '🦉'.repeat(ORDER_FIELDS.city.maxLength + 1)).refused).toBe(true);
  });

  it('of 10,000 characters is kept whole in variations', () => {
    const cell = `${'Size:A3\r\n'.repeat(1_111)}x`;
    expect(cell).toHaveLength(10_000);
    expect(readCell('variations', cell).value).toBe(cell);
  });

  it.each(['price', 'sale_date', 'receipt_id', 'quantity', 'sold_on', 'shipped_indicator'] as const)(
    'that is very long is refused quickly: %s',
    (name) => {
      let length = 200_000;
      const cpuMs = leastCpuMs(() => {
        // Another length for each measurement, because a cell that was read before may be in a cache.
        length += 1;
        for (const cell of [`-${' '.repeat(length)}!`, '1'.repeat(length), `0.${'0'.repeat(length)}1`])
          expect(readCell(name, cell).refused).toBe(true);
      });
      expect(cpuMs).toBeLessThan(500);
    },
  );
});

describe('a row', () => {
  it('has every wrong field reported, not only the first', () => {
    const cells = {
      receipt_id: 1.5,
      quantity: 'x',
      price: '12,00',
      transaction_id: -1,
      sale_date: 'x',
      other: {},
    };
    expect(readCells(cells).problems).toEqual(Object.keys(cells));
  });

  it.each([null, '', ' ', '#', ' # ', '&nbsp;'])('with the order number %j belongs to no order', (cell) => {
    const { row, problems } = readCells({ receipt_id: cell, title: 'Fox' }, { hasEntities: true });
    expect(row).toBeNull();
    expect(problems).toEqual(['receipt_id']);
  });
});

describe('an id', () => {
  it.each(['receipt_id', 'transaction_id', 'listing_id'] as const)(
    'such as %s may be text or a number, and keeps its digits',
    (name) => {
      expect(readCell(name, '4165098857').value).toBe('4165098857');
      expect(readCell(name, 4165098857).value).toBe('4165098857');
      expect(readCell(name, Number.MAX_SAFE_INTEGER).value).toBe('9007199254740991');
      expect(readCell(name, '9223372036854775807').value).toBe('9223372036854775807');
      expect(readCell(name, '000123').value).toBe('000123');
    },
  );

  it.each(['receipt_id', 'transaction_id', 'listing_id'] as const)(
    'such as %s is refused as a number beyond 2^53-1, because its digits are already lost',
    (name) => {
      for (const cell of [2 ** 53, Number('9223372036854775807'), 1e21]) {
        expect(readCell(name, cell).message).toContain('send it as text');
      }
    },
  );

  it.each([1.5, -1, true, false])('cannot be %j', (cell) => {
    expect(readCell('receipt_id', cell).refused).toBe(true);
  });

  it('loses a leading #', () => {
    expect(readCell('receipt_id', '#3001').value).toBe('3001');
    expect(readCell('receipt_id', ' # 3001 ').value).toBe('3001');
    expect(readCell('receipt_id', '&#35;3001', { hasEntities: true }).value).toBe('3001');
    expect(readCell('receipt_id', '30#01').value).toBe('30#01');
  });

  it.each(['1.91E+18', '1,91E+18', '2E18', '1912345678901000'])(
    'damaged by a spreadsheet, such as %s, causes a warning',
    (cell) => {
      expect(readCell('receipt_id', cell)).toMatchObject({ value: cell, warned: true });
    },
  );

  it('that is undamaged causes no warning', () => {
    for (const cell of ['4165098857', '9007199254740991', 'E18', '1000']) {
      expect(readCell('receipt_id', cell).warned).toBe(false);
    }
  });
});

describe('a quantity', () => {
  it.each([
    [0, 0],
    [-0, 0],
    [1, 1],
    ['12', 12],
    ['3.0', 3],
    ['007', 7],
    [2_147_483_647, 2_147_483_647],
  ])('of %j is %d', (cell, value) => {
    expect(readCell('quantity', cell).value).toBe(value);
  });

  it.each([-1, '-1', 1.5, '1.5', '1,000', '1e3', 2 ** 31, 1e21, 'one', true])('cannot be %j', (cell) => {
    expect(readCell('quantity', cell).refused).toBe(true);
  });
});

describe('an amount', () => {
  it('is read exactly from text, rounded to cents from a float, and refused if it is malformed', () => {
    expect(readCell('price', '$1,234.5678').value).toBe('1234.5678');
    expect(readCell('price', 1.005).value).toBe('1.01');
    expect(readCell('price', '12,00').refused).toBe(true);
    expect(readCell('price', true).refused).toBe(true);
  });

  it.each(Object.entries(ORDER_FIELDS).filter(([, { kind }]) => kind === 'money'))(
    'is what the field %s contains',
    (name) => {
      expect(readCell(name as 'price', '1,234.50').value).toBe('1234.5');
    },
  );
});

describe('sale_date', () => {
  it('is stored in UTC', () => {
    expect(readCell('sale_date', '08/22/2026').value).toBe('2026-08-22T04:00:00.000Z');
    expect(readCell('sale_date', 46_256).value).toBe('2026-08-22T04:00:00.000Z');
  });

  it.each(['yesterday', '22/08/2026', 12, true, false])('that is not a date is refused: %j', (cell) => {
    expect(readCell('sale_date', cell).refused).toBe(true);
  });
});

describe('sold_on and shipped_indicator', () => {
  it.each(['sold_on', 'shipped_indicator'] as const)('%s is the day, as YYYY-MM-DD', (name) => {
    expect(readCell(name, '08/22/26')).toMatchObject({ value: '2026-08-22', warned: false });
    expect(readCell(name, 46_256)).toMatchObject({ value: '2026-08-22', warned: false });
  });

  it.each(['sold_on', 'shipped_indicator'] as const)(
    '%s that is not a date is kept as text, with a warning',
    (name) => {
      expect(readCell(name, 'last week')).toEqual({
        value: 'last week',
        refused: false,
        warned: true,
        message: undefined,
      });
      expect(readCell(name, 3)).toMatchObject({ value: '3', warned: true });
      // Reading the value again, now from the cache, causes the warning too.
      expect(readCell(name, 'last week').warned).toBe(true);
    },
  );

  it.each(['', null, '0', 0, 'false', 'FALSE', false, 'no', 'No', 'n', 'N'])(
    'a shipped_indicator of %j means not shipped',
    (cell) => {
      expect(readCell('shipped_indicator', cell)).toMatchObject({
        value: undefined,
        refused: false,
        warned: false,
      });
    },
  );

  it.each(['1', 1, 'true', true, 'yes', 'Y', '08/22/2026', 'on its way'])(
    'a shipped_indicator of %j means shipped',
    (cell) => {
      expect(readCell('shipped_indicator', cell).value).toBeDefined();
    },
  );
});

describe('strings that look like numbers', () => {
  it.each(['02134', '02134-1234', '800.', 'na', '1e5'])('keep every character: zip %s', (cell) => {
    expect(readCell('zip', cell).value).toBe(cell);
  });

  it('are refused as numbers beyond 2^53-1', () => {
    expect(readCell('sku', 2 ** 53).message).toContain('send it as text');
  });
});

it('a tracking number is stored without spaces and in upper case', () => {
  expect(readCell('tracking_number', ' lx 123\u00a0456 789cn ').value).toBe('LX123456789CN');
  expect(readCell('tracking_number', 123456789012).value).toBe('123456789012');
  expect(readCell('tracking_number', 2 ** 53).refused).toBe(true);
});
