import type { SpreadsheetCell } from '../../core/spreadsheet/workbook';
import { openWorkbookStream } from '../../core/spreadsheet/workbook-stream';
import { ORDER_FIELDS, type OrderField } from '../column-map';
import { mapColumnsByName } from '../import/layout';
import type { RejectedRow } from './checked-sheet';
import type { DraftSheet } from './draft-sheet';

/** The kinds of fields written as text, because a spreadsheet program would corrupt ids, postal codes or SKUs read as numbers. */
const TEXT_KINDS = new Set(['id', 'text', 'currency', 'tracking_number']);

/**
 * Writes an .xlsx workbook with the rejected rows under the sheet's own header, so that they can be fixed in another program and
 * then imported. Ids and texts are text cells, so that no program rounds them or treats them as formulas.
 */
export async function writeRejectedRowsWorkbook(
  sheet: DraftSheet,
  rejectedRows: readonly Pick<RejectedRow, 'row'>[],
): Promise<Uint8Array> {
  const header = sheet.rows[0]!;
  const textColumns = new Set(
    [...mapColumnsByName(header)]
      .filter(([name]) => TEXT_KINDS.has(ORDER_FIELDS[name as OrderField]?.kind ?? 'text'))
      .map(([, column]) => column),
  );
  const chunks: Uint8Array[] = [];
  const workbook = openWorkbookStream('Sheet1', async (chunk) => {
    chunks.push(chunk);
  });
  const rows = [header, ...rejectedRows.map(({ row }) => sheet.rows[row]!)];
  const cellOf = (cell: SpreadsheetCell, column: number) =>
    cell === null || !textColumns.has(column) ? cell : String(cell);
  await workbook.writeRows(rows.map((row) => row.map(cellOf)));
  await workbook.end();
  return Buffer.concat(chunks);
}
