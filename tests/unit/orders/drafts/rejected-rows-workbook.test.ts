import { strFromU8, unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { writeRejectedRowsWorkbook } from '../../../../src/server/orders/drafts/rejected-rows-workbook';
import { createExportRow, HEADER } from '../../../support/fixtures';

it('the workbook of rejected rows has ids, postal codes and SKUs as text, and amounts and quantities as numbers', async () => {
  const cells = { 3: 2, 4: 4.49, 13: 5159655655, 22: 2134, 24: 4165098857, 32: 731 };
  const sheet = { rows: [HEADER, createExportRow(cells)], lines: [1, 2], unit: 'row', fixed: [] } as never;
  const bytes = await writeRejectedRowsWorkbook(sheet, [{ row: 1 }]);
  const { rows } = await readSpreadsheet({ name: 'bad.xlsx', bytes }, { maxBytes: 1_000_000 });
  const values = Object.keys(cells).map((column) => rows[1]![Number(column)]);
  expect(values).toEqual([2, 4.49, '5159655655', '2134', '4165098857', '731']);
  // Text cells have the text format, so that they stay text when somebody types into them.
  const parts = unzipSync(bytes);
  const xml = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  expect(xml).toMatch(/<c r="N2" s="1" t="inlineStr"><is><t xml:space="preserve">5159655655</);
  expect(xml).toContain('<c r="E2"><v>4.49</v></c>');
  expect(strFromU8(parts['xl/styles.xml']!)).toContain('<xf/><xf numFmtId="49" applyNumberFormat="1"/>');
});
