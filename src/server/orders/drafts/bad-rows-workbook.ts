import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import type { SpreadsheetCell } from '../../core/spreadsheet/workbook';
import { ORDER_FIELDS, type OrderField } from '../import/column-map';
import { columnsByName } from '../import/layout';
import type { RejectedRow } from './checked-sheet';
import type { DraftSheet } from './draft-sheet';

/** Kinds that a spreadsheet program would damage by reading them as numbers: ids, postal codes, SKUs, tracking numbers. */
const AS_TEXT = new Set(['id', 'text', 'currency', 'tracking_number']);

/**
 * Writes an .xlsx workbook of the given rows under the sheet's own header, to be fixed elsewhere and imported as it is. Ids and
 * texts are text cells, so that no program rounds them or takes them for formulas.
 */
export async function writeBadRows(
  sheet: DraftSheet,
  rejected: readonly Pick<RejectedRow, 'row'>[],
): Promise<Uint8Array> {
  const header = sheet.rows[0]!;
  const textColumns = new Set(
    [...columnsByName(header)]
      .filter(([name]) => AS_TEXT.has(ORDER_FIELDS[name as OrderField]?.kind ?? 'text'))
      .map(([, column]) => column),
  );
  const cellOf = (cell: SpreadsheetCell, column: number) => {
    if (cell === null || cell === '') return null;
    if (typeof cell === 'string' || textColumns.has(column)) {
      return { value: String(cell), type: String, format: '@' };
    }
    return typeof cell === 'number'
      ? ({ value: cell, type: Number } as const)
      : ({ value: cell, type: Boolean } as const);
  };
  const rows = [header, ...rejected.map(({ row }) => sheet.rows[row]!)];
  return writeExcelFile(rows.map((row) => row.map(cellOf)) as SheetData).toBuffer();
}
