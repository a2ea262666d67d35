import { gunzipSync, gzipSync } from 'node:zlib';
import { ServiceError, validationError } from '../../core/errors/errors';
import { createReason, type Problem, problemAt, type Reason } from '../../core/errors/reason';
import { parseRowPath } from '../../core/errors/row-path';
import type { Spreadsheet } from '../../core/spreadsheet/spreadsheet';
import type { SpreadsheetCell } from '../../core/spreadsheet/workbook';
import { readRawRows } from '../import/layout';

/** A file's rows as a draft stores them, header first, with all fixes applied. */
export interface DraftSheet extends Spreadsheet {
  /** The cells that were fixed: row and column, counted from 0. */
  fixed: [row: number, column: number][];
}

/** A cell and its new text. Null or a blank string empties the cell. */
export interface CellFix {
  row: number;
  column: number;
  value: string | null;
}

/** Packs a sheet for storage. */
export function packSheet(sheet: DraftSheet): Uint8Array {
  return gzipSync(JSON.stringify(sheet));
}

export function unpackSheet(packedSheet: Uint8Array): DraftSheet {
  return JSON.parse(gunzipSync(packedSheet).toString('utf8')) as DraftSheet;
}

/**
 * Creates a draft's sheet from a file's rows.
 *
 * @throws ServiceError `validation_failed` if the file's header is not that of an order export, or if the file has no rows or too
 * many for an import
 */
export function createDraftSheet(name: string, sheet: Spreadsheet, maxRows: number): DraftSheet {
  const createError = (reason: Reason) =>
    new ServiceError('validation_failed', createReason('join.named', { name, reason }));
  const rowCount = sheet.rows.length - 1;
  if (rowCount > maxRows) throw createError(createTooManyRowsReason(rowCount, maxRows));
  // Before the check for rows: a text file is one line that is no header.
  const [problem] = readRawRows(sheet.rows.slice(0, 1), true).problems;
  if (problem) throw new ServiceError('validation_failed', createHeaderReason(name, sheet.unit, problem));
  if (rowCount === 0) throw createError(createReason('file.headerOnly'));
  return { ...sheet, fixed: [] };
}

/** The reason why a file with too many rows is refused, with its numbers formatted for people. */
export function createTooManyRowsReason(count: number, maxRows: number): Reason {
  return createReason('file.tooManyRows', {
    count: count.toLocaleString('en'),
    most: maxRows.toLocaleString('en'),
  });
}

function createHeaderReason(name: string, unit: Spreadsheet['unit'], problem: Problem): Reason {
  // The problem's own sentence speaks to programs that send rows.
  if (problem.reason === 'rows.buyer')
    return unit === 'row'
      ? createReason('fileHeader.otherSheet', { name })
      : createReason('fileHeader.otherFile', { name });
  const column = parseRowPath(problem.path)?.field;
  const reason: Reason = { reason: problem.reason, values: problem.values };
  return column === undefined
    ? createReason('fileHeader.row', { name, reason })
    : createReason('fileHeader.column', { name, column: Number(column) + 1, reason });
}

/**
 * Returns the sheet with the contents of cells replaced. Rows keep their positions, so that problems found later still name the
 * right row of the file.
 *
 * @throws ServiceError `validation_failed` naming each cell outside the sheet
 */
export function fixCells(sheet: DraftSheet, cells: readonly CellFix[]): DraftSheet {
  const width = sheet.rows[0]!.length;
  const problems: Problem[] = [];
  const rows = [...sheet.rows];
  const fixedCells = new Map(sheet.fixed.map((position) => [position.join(), position]));
  for (const [index, { row, column, value }] of cells.entries()) {
    const oldCells = row > 0 ? rows[row] : undefined;
    if (!oldCells || column >= Math.max(width, oldCells.length)) {
      problems.push(problemAt(`cells.${index}`, createReason('rows.noCell', { row, column })));
      continue;
    }
    const newCells: SpreadsheetCell[] = Array.from(
      { length: Math.max(oldCells.length, column + 1) },
      (_, cellColumn) => (cellColumn === column ? value : (oldCells[cellColumn] ?? null)),
    );
    rows[row] = newCells;
    fixedCells.set(`${row},${column}`, [row, column]);
  }
  if (problems.length > 0) throw validationError(problems);
  return { ...sheet, rows, fixed: [...fixedCells.values()] };
}
