import { expect, it } from 'vitest';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { openWorkbookStream } from '../../../../src/server/core/spreadsheet/workbook-stream';

async function writeAndRead(row: readonly string[]): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const stream = openWorkbookStream('Sheet', async (chunk) => void chunks.push(chunk));
  await stream.writeRows([row]);
  await stream.end();
  const { rows } = await readSpreadsheet(
    { name: 'a.xlsx', bytes: Buffer.concat(chunks) },
    { maxBytes: 1_000_000 },
  );
  return rows[0];
}

it('a string that looks like an escaped character is read back as it was written', async () => {
  const row = ['A_x0042_C', '_x005F_', '_x000d__x0041_', 'a_x1', '_x00412_', '<&>'];
  expect(await writeAndRead(row)).toEqual(row);
});
