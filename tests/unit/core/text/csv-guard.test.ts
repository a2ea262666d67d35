import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLines } from '../../../../src/server/core/text/csv';
import { readCsv } from '../../../../src/server/core/text/csv-reader';

const csvCell = (cell: string) =>
  csvLines([[cell]])
    .slice(1, -3)
    .replaceAll('""', '"');

describe('formulas are guarded in every CSV file', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+86 138', "'+86 138"],
    ['+5', "'+5"],
    ['-1+cmd', "'-1+cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\rx', "'\rx"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ['\u200b=1', "'\u200b=1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\u3000=1', "'\u3000=1"],
    [' =1', "' =1"],
    ['\u202e\u2060-1', "'\u202e\u2060-1"],
    ['a;=cmd()', "a;'=cmd()"],
    ['a\t=cmd()', "a\t'=cmd()"],
    ['a\n\u200b@b', "a\n'\u200b@b"],
    ['x;"=1+1;y', 'x;\'"=1+1;y'],
    ["x;\"=cmd|' /C calc'!A0;y", "x;'\"=cmd|' /C calc'!A0;y"],
    ['a\t"@b', 'a\t\'"@b'],
    ['a\n""-1', 'a\n\'""-1'],
    ['a; "\u200b＝1', 'a;\' "\u200b＝1'],
    ['a;\'"=1', "a;''\"=1"],
    ["'=1", "''=1"],
    ['"=1', '"=1'],
  ])('%j is written as %j', (cell, expected) => {
    expect(csvCell(cell)).toBe(expected);
  });

  it('a quotation mark that opens no formula stays as it is', () => {
    for (const cell of ['5"; 6"', 'a;"b=c"', 'a "=1"', 'a,"=1"']) expect(csvCell(cell)).toBe(cell);
  });

  it.each(['-5', '-5.25', '5', 'a=b', 'x-y', "it's", '', '4.49', 'a; b', '2026-08-22', 'a@b.example'])(
    '%j stays as it is, in quotes',
    (cell) => {
      expect(csvLines([[cell]])).toBe(`"${cell}"\r\n`);
    },
  );

  it('empty cells are in quotes too', () => {
    expect(csvLines([[null, 'a', '']])).toBe('"","a",""\r\n');
  });
});

describe('a guarded cell is read back as it was', () => {
  it('for any cells', () => {
    const part = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      "'",
      ';',
      '\t',
      '\r',
      '\n',
      '\u200b',
      '\u00a0',
      ' ',
      'a',
      '1',
      '"',
      ',',
    );
    const cell = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 4 }), (cells) => {
        const row = ['x', ...cells];
        const header = row.map((_, index) => `c${index}`);
        const { rows } = readCsv(Buffer.from(csvLines([header, row])));
        expect(rows[1]).toEqual(row);
      }),
      { numRuns: 2_000 },
    );
  });
});
