import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isDateTimeFormat } from '../../../../src/server/core/spreadsheet/cells';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { readSaleDate } from '../../../../src/server/orders/import/sale-date';

const RELATIONSHIPS = `<Relationships>
  <Relationship Id="s" Type="http://x/worksheet" Target="/xl/worksheets/only.xml"/>
  <Relationship Id="t" Type="http://x/sharedStrings" Target="texts.xml"/>
  <Relationship Id="y" Type="http://x/styles" Target="looks.xml"/></Relationships>`;

/** Returns the rows of a workbook whose parts have unusual names. The elements of the workbook and of its sheet have a prefix. */
async function readRows(rowsXml: string, { sharedStrings = '', styles = '', properties = '' } = {}) {
  const parts = {
    '_rels/.rels':
      '<Relationships><Relationship Id="w" Type="http://x/officeDocument" Target="xl/book22.xml"/></Relationships>',
    'xl/book22.xml': `<x:workbook xmlns:x="m" xmlns:r="r">${properties}<x:sheets><x:sheet name="a" r:id="s"/></x:sheets></x:workbook>`,
    'xl/_rels/book22.xml.rels': RELATIONSHIPS,
    'xl/worksheets/only.xml': `<x:worksheet xmlns:x="m"><x:sheetData>${rowsXml}</x:sheetData></x:worksheet>`,
    'xl/texts.xml': `<sst>${sharedStrings}</sst>`,
    'xl/looks.xml': `<styleSheet>${styles}</styleSheet>`,
  };
  const bytes = zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  );
  return (await readSpreadsheet({ name: 'a.xlsx', bytes }, { maxBytes: 1_000_000 })).rows;
}

describe('a workbook from another program', () => {
  it('is read by the order of its rows and cells if they have no addresses', async () => {
    const sheet = '<x:row><x:c><x:v>1</x:v></x:c><x:c/><x:c><x:v>3</x:v></x:c></x:row><x:row/>';
    expect(await readRows(sheet)).toEqual([[1, null, 3]]);
  });

  it('has its shared strings joined from their runs, without phonetic text', async () => {
    const sharedStrings =
      '<si><t>plain</t></si><si><r><rPr/><t>two </t></r><r><t>runs</t></r><rPh sb="0" eb="1"><t>SPOKEN</t></rPh></si><si><t>a_x000D_b_x005F_</t></si>';
    const sheet =
      '<x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" t="s"><x:v>1</x:v></x:c><x:c r="C1" t="s"><x:v>2</x:v></x:c></x:row>';
    expect(await readRows(sheet, { sharedStrings })).toEqual([['plain', 'two runs', 'a\rb_']]);
  });

  it('has its dates recognised by their formats, in the 1900 or 1904 date system', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;;@"/><numFmt numFmtId="177" formatCode="0.00_ "/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="31"/><xf numFmtId="176"/><xf numFmtId="177"/></cellXfs>';
    const cell = (column: string, style: number) => `<x:c r="${column}1" s="${style}"><x:v>46256</x:v></x:c>`;
    const sheet = `<x:row r="1">${cell('A', 0)}${cell('B', 1)}${cell('C', 2)}${cell('D', 3)}<x:c r="E1" t="d"><x:v>2026-08-22T15:04:05</x:v></x:c></x:row>`;
    expect(await readRows(sheet, { styles })).toEqual([
      [46_256, '8/22/2026', '8/22/2026', 46_256, '8/22/2026 15:04:05'],
    ]);
    const dateSystem1904 = { styles, properties: '<x:workbookPr date1904="1"/>' };
    expect((await readRows(`<x:row r="1">${cell('A', 1)}</x:row>`, dateSystem1904))[0]).toEqual([
      '8/23/2030',
    ]);
  });

  it('keeps a nonexistent date as it was written, so that the import refuses it', async () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
    const dates = ['2026-02-30', '2026-04-31T10:00:00', '2026-13-01', '2026-02-28T25:00:00Z'];
    const cells = dates.map((date) => `<x:c t="d"><x:v> ${date} </x:v></x:c>`).join('');
    const [row] = await readRows(`<x:row>${cells}<x:c s="0"><x:v>4165001001</x:v></x:c></x:row>`, { styles });
    expect(row).toEqual([...dates, 4_165_001_001]);
    expect(row!.map((cell) => readSaleDate(cell as string | number))).toEqual(row!.map(() => null));
  });
});

it.each([
  ['General', false],
  ['0.00E+00', false],
  ['#,##0.00_);[Red](#,##0.00)', false],
  ['"day "0', false],
  ['0\\d', false],
  ['[$-804]yyyy"年"m"月"', true],
  ['m/d/yyyy;@', true],
  ['[h]:mm', true],
  ['[mm]', true],
  ['y'.repeat(300), false],
])('the format %s shows a date: %s', (code, isDateFormat) => {
  expect(isDateTimeFormat(200, code)).toBe(isDateFormat);
});
