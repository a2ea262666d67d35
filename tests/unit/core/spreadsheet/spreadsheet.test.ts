import { readFile } from 'node:fs/promises';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { prepareImport } from '../../../../src/server/orders/import/prepare';
import { readSaleDate } from '../../../../src/server/orders/import/sale-date';

const SIZE_LIMIT = { maxBytes: 64 * 1024 * 1024 };

const readCsv = (content: string | Uint8Array) =>
  readSpreadsheet({ name: 'orders.csv', bytes: Buffer.from(content as string) }, SIZE_LIMIT);
const readXlsx = (bytes: Uint8Array) => readSpreadsheet({ name: 'orders.xlsx', bytes }, SIZE_LIMIT);
const outcomeOf = (readingPromise: Promise<unknown>) =>
  readingPromise.then(
    () => 'was read',
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );

type WorkbookData = Parameters<typeof writeExcelFile>[0];
const createWorkbook = async (data: unknown): Promise<Uint8Array> =>
  writeExcelFile(data as WorkbookData).toBuffer();

/** Returns a workbook whose only sheet has these rows, which are given as XML. */
async function createWorkbookFromXml(rowsXml: string): Promise<Uint8Array> {
  const parts = unzipSync(await createWorkbook([['a']]));
  const xml = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rowsXml}</sheetData></worksheet>`;
  return zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(xml) });
}

describe('a CSV file', () => {
  it('is read with a BOM, CRLF, blank lines, quoted newlines and rows of different lengths', async () => {
    const sheet = await readCsv(
      '\uFEFF\r\na,b,c\r\n\r\n1,"x\r\ny\n\nz",3\r\n\r\n2,5" wide,4,5\r\n , \r\n,,\r\n"é",r\r\n',
    );
    expect(sheet.rows).toEqual([
      ['a', 'b', 'c'],
      ['1', 'x\r\ny\n\nz', '3'],
      ['2', '5" wide', '4', '5'],
      ['é', 'r'],
    ]);
  });

  it('is read with the line number of each row, despite blank lines and newlines inside cells', async () => {
    const sheet = await readCsv('\r\na,b\r\n\r\n1,"x\r\ny\n\nz"\r\n2,é\r\n , \r\n3,"q"');
    expect(sheet.lines).toEqual([2, 4, 8, 10]);
    expect(sheet.unit).toBe('line');
  });

  it('is split by semicolons or tabs only if its header has no comma', async () => {
    expect((await readCsv('a;b\n"1,5";2\n')).rows).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ]);
    expect((await readCsv('a\tb\n1\t2\n')).rows).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect((await readCsv('a,b;c\n1,2;3\n')).rows).toEqual([
      ['a', 'b;c'],
      ['1', '2;3'],
    ]);
  });

  it('may have the line endings of old Macs', async () => {
    expect(await readCsv('a,b\r1,2\r')).toEqual({
      rows: [
        ['a', 'b'],
        ['1', '2'],
      ],
      lines: [1, 2],
      unit: 'line',
      encoding: 'utf-8',
    });
  });

  it.each([
    ['old Macs', 'a,"b\n""c""",d\r1,"x\ny",2\r', ['a', 'b\n"c"', 'd'], ['1', 'x\ny', '2']],
    ['Unix', 'a,5" wide\n1,"x\ry"\n', ['a', '5" wide'], ['1', 'x\ry']],
    ['Windows', 'a,"b\rc"\r\n1,"x\ny"\r\n', ['a', 'b\rc'], ['1', 'x\ny']],
  ])('with the line endings of %s may have others inside its cells', async (_, text, header, row) => {
    expect((await readCsv(text)).rows).toEqual([header, row]);
  });

  it.each([
    ['sold-order-items-us.csv', 41, 37],
    ['sold-order-items-uk.csv', 31, 26],
  ])('exported from the marketplace is read completely: %s', async (name, rowCount, orderCount) => {
    const bytes = await readFile(`tests/fixtures/${name}`);
    const sheet = await readSpreadsheet({ name, bytes }, SIZE_LIMIT);
    expect(sheet.rows).toHaveLength(rowCount);
    const lines = bytes.toString('utf8').split('\n');
    for (const [index, row] of sheet.rows.entries())
      expect(lines[sheet.lines[index]! - 1]).toContain(row[24]);
    const preparedImport = prepareImport(
      { members: { account_id: 1, rows: sheet.rows, excel_format: true } },
      1_000,
    );
    expect([preparedImport.problems, preparedImport.orderCount]).toEqual([[], orderCount]);
  });

  it('in an unknown encoding is refused; the message names the line and the encoding to use', async () => {
    const latin1Bytes = Buffer.from('a,b\n1,2\nMüller,3\n', 'latin1');
    expect(await outcomeOf(readCsv(latin1Bytes))).toBe(
      'validation_failed: orders.csv is not encoded in UTF-8, UTF-16 or GB18030 (first seen on line 3). Open it in the program that made it and save it as CSV UTF-8.',
    );
  });

  it('with a quotation mark that is never closed is refused; the message names the line of its row', async () => {
    expect(await outcomeOf(readCsv('a,b\n1,2\n\n3,"x\n4,5\n6,7\n'))).toContain(
      'the row that begins on line 4',
    );
  });
});

describe('a file of the wrong kind', () => {
  it.each([
    ['an empty file', '', 'is empty'],
    ['a file of blanks', '\n \r\n', 'is empty'],
    ['commas alone', ',,\n,,\n', 'has no rows'],
    ['a PDF', '%PDF-1.7\n', 'is a PDF'],
    ['a web page', '<!DOCTYPE html><table>', 'is a web page'],
    [
      'an old Excel file',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
      'is an old Excel file (.xls) or has a password',
    ],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), 'is not a spreadsheet'],
    ['another archive', zipSync({ 'content.xml': strToU8('<a/>') }), 'is not an Excel workbook'],
    ['half a workbook', Buffer.from('PK\u0003\u0004 and no more'), 'is damaged or incomplete'],
  ])('%s is refused with a one-line message that says why', async (_, content, message) => {
    const text = await outcomeOf(readCsv(content));
    expect(text).toContain(`validation_failed: orders.csv ${message}`);
    expect(text.split('\n')).toHaveLength(1);
  });
});

describe('a file beyond the size limit', () => {
  it('is refused with an error that states its size and the limit', async () => {
    const readingPromise = readSpreadsheet(
      { name: 'big.csv', bytes: Buffer.alloc(3_000, 'a') },
      { maxBytes: 2_048 },
    );
    expect(await outcomeOf(readingPromise)).toBe(
      'validation_failed: big.csv is 3 KiB; the limit is 2 KiB. Split it into several files.',
    );
  });
});

describe('a workbook', () => {
  it('is read with numbers as numbers, text as text, and blank rows counted but left out', async () => {
    const bytes = await createWorkbook([
      [null],
      ['Sale Date', 'Qty', 'Zip'],
      [null],
      ['x\ny', 1.5, '01401'],
      [true, 4165098857],
    ]);
    expect(await readXlsx(bytes)).toEqual({
      rows: [
        ['Sale Date', 'Qty', 'Zip'],
        ['x\ny', 1.5, '01401'],
        [true, 4165098857, null],
      ],
      lines: [2, 4, 5],
      unit: 'row',
      encoding: null,
    });
  });

  it('has its dates read as New York time', async () => {
    const format = { type: Date, format: 'mm/dd/yyyy hh:mm:ss' };
    const bytes = await createWorkbook([
      [
        { value: new Date('2026-08-22T00:00:00Z'), ...format },
        { value: new Date('2026-01-05T15:04:05Z'), ...format },
        { value: new Date('2026-08-22T23:59:59Z'), ...format },
      ],
    ]);
    const { rows } = await readXlsx(bytes);
    expect(rows).toEqual([['8/22/2026', '1/5/2026 15:04:05', '8/22/2026 23:59:59']]);
    const instants = rows[0]!.map((cell) => new Date(readSaleDate(cell as string)!.instantMs).toISOString());
    expect(instants).toEqual([
      '2026-08-22T04:00:00.000Z',
      '2026-01-05T20:04:05.000Z',
      '2026-08-23T03:59:59.000Z',
    ]);
  });

  it('is read from its first sheet that is not empty', async () => {
    const bytes = await createWorkbook([
      { data: [], sheet: 'Notes' },
      { data: [['orders']], sheet: 'Orders' },
      { data: [['more']], sheet: 'More' },
    ]);
    expect((await readXlsx(bytes)).rows).toEqual([['orders']]);
  });

  it('is read from its second sheet if the first has only empty strings', async () => {
    const parts = unzipSync(
      await createWorkbook([{ data: [['a']] }, { data: [['orders']], sheet: 'Orders' }]),
    );
    const cells =
      '<c r="A1" t="str"><f>""</f><v></v></c><c r="B1" t="inlineStr"><is><t> </t></is></c><c r="C1" t="s"><v>0</v></c>';
    const bytes = zipSync({
      ...parts,
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`,
      ),
      'xl/sharedStrings.xml': strToU8('<sst><si><t/></si><si><t>orders</t></si></sst>'),
    });
    expect((await readXlsx(bytes)).rows).toEqual([['orders']]);
  });

  it('is read with the stored results of its formulas', async () => {
    const bytes = await createWorkbookFromXml(
      '<row r="1"><c r="A1" t="str"><f>B1&amp;"x"</f><v>yx</v></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1" t="inlineStr"><is><t>in</t></is></c></row>',
    );
    expect((await readXlsx(bytes)).rows).toEqual([['yx', 2, 'in']]);
  });

  it('in name only is refused, and not read as text', async () => {
    expect(await outcomeOf(readXlsx(Buffer.from('a,b\n1,2\n')))).toBe(
      'validation_failed: orders.xlsx has the extension .xlsx but is not an Excel workbook. Save it as .xlsx or .csv in a spreadsheet program.',
    );
  });

  it('without rows is refused', async () => {
    expect(await outcomeOf(readXlsx(await createWorkbook([])))).toContain('orders.xlsx has no rows');
    expect(
      await outcomeOf(readXlsx(await createWorkbookFromXml('<row r="3"><c r="A3" s="0"/></row>'))),
    ).toContain('has no rows');
  });

  it('with an error, or a formula without its result, is refused; the message names the cell', async () => {
    const workbookWithError = await createWorkbookFromXml(
      '<row r="2"><c r="D2" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="E2"><v>1</v></c></row>',
    );
    expect(await outcomeOf(readXlsx(workbookWithError))).toContain(
      'contains an error such as #REF! in D2. Fix or clear it',
    );
    const workbookWithoutResult = await createWorkbookFromXml(
      '<row r="2"><c r="D2"><f>1+1</f></c><c r="E2"><v>1</v></c></row>',
    );
    expect(await outcomeOf(readXlsx(workbookWithoutResult))).toContain(
      'contains formulas without their results in D2',
    );
  });

  it('whose stray cells span a huge rectangle is refused before its gaps are filled', async () => {
    const workbookWithStrayCells = await createWorkbookFromXml(
      '<row r="1"><c r="XFD1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>',
    );
    expect(await outcomeOf(readXlsx(workbookWithStrayCells))).toContain(
      'spans 1048576 rows and 16384 columns',
    );
    const workbookWithImpossibleCell = await createWorkbookFromXml(
      '<row r="1"><c r="ZZZ1"><v>1</v></c></row>',
    );
    expect(await outcomeOf(readXlsx(workbookWithImpossibleCell))).toContain('is not an Excel workbook');
  });
});
