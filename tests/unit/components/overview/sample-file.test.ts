import { expect, it } from 'vitest';
import { SAMPLE_CSV, SAMPLE_FILE_NAME } from '../../../../src/components/overview/sample-file';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { prepareImport } from '../../../../src/server/orders/import/prepare';

it('the sample file causes no problems or warnings when it is prepared for import', async () => {
  const file = { name: SAMPLE_FILE_NAME, bytes: new TextEncoder().encode(SAMPLE_CSV) };
  const { rows } = await readSpreadsheet(file, { maxBytes: 1_000_000 });
  expect(rows).toHaveLength(4);
  const members = { account_id: 1, excel_format: true, rows };
  expect(prepareImport({ members }, 10)).toMatchObject({ problems: [], warnings: [] });
});
