import { describe, expect, it } from 'vitest';
import {
  type PastedRow,
  readTrackingPaste,
  remainingRowsOf,
  textOfRows,
} from '../../../../../src/components/orders/tracking-paste/tracking-paste';
import { sentenceOf } from '../../../../../src/server/core/errors/sentence';
import { leastCpuMs } from '../../../../support/process/cpu-time';

const cellsOf = (text: string) =>
  readTrackingPaste(text).rows.map((row) => [row.receipt_id, row.tracking_number, row.carrier_code]);
const textWithoutRows = (text: string, savedRows: readonly PastedRow[]) =>
  textOfRows(remainingRowsOf(text, savedRows));
const ONE_ROW = [['4165098857', 'LX123456789CN', 'yanwen']];

describe('pasted tracking numbers', () => {
  it.each([
    ['tabs', '4165098857\tLX123456789CN\tyanwen'],
    ['commas', '4165098857,LX123456789CN,yanwen'],
    ['semicolons', '4165098857;LX123456789CN;yanwen'],
    ['spaces', '4165098857  LX123456789CN yanwen'],
    ['quotes and spaces around its cells', '"4165098857" , "LX123456789CN","yanwen"'],
    ['a byte order mark, CRLF and empty lines', '\uFEFF\r\n4165098857,LX123456789CN,yanwen\r\n\r\n'],
    ['a # before the order number', '#4165098857,LX123456789CN,yanwen'],
    ['spaces and decimals in the order number', '# 4165 098 857.0,LX123456789CN,yanwen'],
  ])('are understood with %s', (_, text) => {
    expect(cellsOf(text)).toEqual(ONE_ROW);
  });

  it.each([
    'Carrier\tTracking Number\tOrder ID\nyanwen\tLX123456789CN\t4165098857',
    'receipt_id,carrier_code,tracking_number\n4165098857,yanwen,LX123456789CN',
    'Buyer;Receipt;Waybill no.;Courier\nAnn;4165098857;LX123456789CN;yanwen',
    '订单号,运单号,物流公司\n4165098857,LX123456789CN,yanwen',
  ])('can have their columns in any order if a header names them: %j', (text) => {
    const paste = readTrackingPaste(text);
    expect(paste.hasHeader).toBe(true);
    expect(cellsOf(text)).toEqual(ONE_ROW);
    expect(paste.rows[0]!.problem).toBeNull();
  });

  it('can have delimiters and quotation marks in quoted cells, and empty cells', () => {
    expect(cellsOf('r1,n1,"a, ""b"""\nr2,,c')).toEqual([
      ['r1', 'n1', 'a, "b"'],
      ['r2', '', 'c'],
    ]);
  });

  it('can have quotation marks in cells that are not quoted, as spreadsheets copy them', () => {
    const text =
      'order\tsize\ttracking\n4165098857\t5" sticker\tLX1\n4165098858\t6"\tLX2\n4165098859\t"7" pin\tLX3';
    expect(cellsOf(text)).toEqual([
      ['4165098857', 'LX1', ''],
      ['4165098858', 'LX2', ''],
      ['4165098859', 'LX3', ''],
    ]);
    expect(cellsOf('r1\tLX1\t"yanwen')).toEqual([['r1', 'LX1', '"yanwen']]);
  });

  it('can have line breaks in quoted cells', () => {
    const text = 'address\torder\ttracking\r\n"1 Street\r\nBoston"\tr1\tLX1\r\n2 Street\tr2\tLX2\r\n';
    expect(
      readTrackingPaste(text).rows.map((row) => [row.line, row.receipt_id, row.tracking_number]),
    ).toEqual([
      [2, 'r1', 'LX1'],
      [4, 'r2', 'LX2'],
    ]);
  });

  it.each([
    ['opening quotes that nothing closes', 'r1\tLX1\t"a\n'],
    ['doubled quotes', 'r1\tLX1\t"a""\n'],
    ['quotes around a cell', '"r1"\t"LX1"\t"a"\n'],
  ])('are read in linear time with %s', (_, row) => {
    const [shortTextMs, longTextMs] = [2_000, 32_000].map((rowCount) => {
      const text = row.repeat(rowCount);
      return leastCpuMs(() => readTrackingPaste(text));
    });
    // Sixteen times the rows; quadratic work would take 256 times as long.
    expect(longTextMs! / Math.max(shortTextMs!, 20)).toBeLessThan(64);
  });

  it('are read from 200,000 lines, too many to spread into one function call', () => {
    expect(readTrackingPaste('4165098857\tLX1\n'.repeat(200_000)).rows).toHaveLength(200_000);
  });

  it('that are invalid are refused with the service’s reasons', () => {
    const text = 'receipt\ttracking number\nr1\tn/a\nr2\t-\nr3\tLX1,LX2\nr4\tLX4';
    expect(
      readTrackingPaste(text).rows.map(({ problem, reason }) => [problem, reason && sentenceOf(reason)]),
    ).toEqual([
      ['refused_number', expect.stringContaining('must be letters and digits')],
      ['refused_number', expect.stringContaining('must be letters and digits')],
      ['refused_number', expect.stringContaining('contains several tracking numbers')],
      [null, null],
    ]);
  });

  it('have a problem that says which cell has characters that cannot be stored', () => {
    const lines = ['r\u00001\tLX1\tyanwen', 'r2\tLX\u00002\tyanwen', 'r3\tLX3\tyan\u0000wen'];
    expect(readTrackingPaste(lines.join('\n')).rows.map(({ problem }) => problem)).toEqual([
      'refused_receipt',
      'refused_number',
      'refused_carrier',
    ]);
  });

  it('have a problem for each bad row, with its line in the text', () => {
    const text = [
      'receipt,tracking number',
      '',
      ',LX1',
      'r2,',
      '4.17E+09,LX3',
      'r4,4.2E+21',
      `r5,${'9'.repeat(101)}`,
      'r6,LX6',
    ].join('\n');
    expect(readTrackingPaste(text).rows.map(({ line, problem }) => [line, problem])).toEqual([
      [3, 'no_receipt'],
      [4, 'no_number'],
      [5, 'damaged'],
      [6, 'damaged'],
      [7, 'long'],
      [8, null],
    ]);
  });

  it.each(['6129999882082120000', '61299998820821100000', '6.129999882082117e+19'])(
    'are damaged if a spreadsheet has rounded the order number or the tracking number: %s',
    (number) => {
      const { rows } = readTrackingPaste(`r1\t${number}\n${number}\tLX2`);
      expect(rows.map(({ problem }) => problem)).toEqual(['damaged', 'damaged']);
    },
  );

  it.each(['61299998820821171811', '612999988208212000', '9400111899223100001000', '1000'])(
    'are not damaged if their numbers merely end in zeros, or not even that: %s',
    (number) => expect(readTrackingPaste(`r1\t${number}`).rows[0]!.problem).toBeNull(),
  );

  it.each([
    ['r1\tLX1\n4166079773 LX5 LX6\nr3\tLX3', 'no_tab', '4166079773 LX5 LX6'],
    ['r1\tLX1\n4166079773,LX5\nr3\tLX3', 'no_tab', '4166079773,LX5'],
    ['r1,LX1\n4166079773 LX5\nr3,LX3', 'no_comma', '4166079773 LX5'],
    ['r1;LX1;x\n4166079773,LX5\nr3;LX3;x', 'no_semicolon', '4166079773,LX5'],
  ])(
    'that are in one cell are shown as typed, and say which separator is missing: %j',
    (text, problem, cell) => {
      const isExpected = (pastedText: string) =>
        expect(readTrackingPaste(pastedText).rows.find((row) => row.problem !== null)).toMatchObject({
          problem,
          receipt_id: cell,
          tracking_number: '',
        });
      isExpected(text);
      const [firstRow] = readTrackingPaste(text).rows;
      expect(textWithoutRows(text, [firstRow!])).toBe(
        `${cell}\t\t\nr3\tLX3\t${text.includes(';') ? 'x' : ''}`,
      );
    },
  );

  it('have no rows if the text is blank or only a header', () => {
    for (const text of ['', ' \n\t\n', 'receipt,tracking number\n'])
      expect(readTrackingPaste(text).rows).toEqual([]);
  });

  it('stay in the text if they were typed or changed while others were being saved', () => {
    const { rows } = readTrackingPaste('r1,LX1,yanwen\nr2,LX2');
    expect(textWithoutRows('r1,LX1,yanwen\nr2,LX2\nr3,LX3', [rows[0]!])).toBe('r2\tLX2\t\nr3\tLX3\t');
    // The first row stays, because its carrier was changed after it was saved.
    expect(textWithoutRows('r1,LX1,4px\nr2,LX2', rows)).toBe('r1\tLX1\t4px');
    expect(textWithoutRows('', rows)).toBe('');
  });
});
