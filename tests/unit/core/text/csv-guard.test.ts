import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLines } from '../../../../src/server/core/text/csv';
import { readCsv } from '../../../../src/server/core/text/csv-reader';

/** Returns a cell as the CSV file contains it, without the quotes around it. */
const writeCell = (cell: string) =>
  csvLines([[cell]])
    .slice(1, -3)
    .replaceAll('""', '"');

describe('a cell of a CSV file', () => {
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
  ])('is guarded against formulas: %j is written as %j', (cell, writtenCell) => {
    expect(writeCell(cell)).toBe(writtenCell);
  });

  it('keeps a quotation mark that opens no formula', () => {
    for (const cell of ['5"; 6"', 'a;"b=c"', 'a "=1"', 'a,"=1"']) expect(writeCell(cell)).toBe(cell);
  });

  it.each(['-5', '-5.25', '5', 'a=b', 'x-y', "it's", '', '4.49', 'a; b', '2026-08-22', 'a@b.example'])(
    'is quoted and otherwise unchanged if it contains no formula: %j',
    (cell) => {
      expect(csvLines([[cell]])).toBe(`"${cell}"\r\n`);
    },
  );

  it('is in quotes even if it is empty', () => {
    expect(csvLines([[null, 'a', '']])).toBe('"","a",""\r\n');
  });
});

describe('a row of a CSV file', () => {
  it('is read back as it was, whatever its cells contain', () => {
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
