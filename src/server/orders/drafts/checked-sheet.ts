import { createReason, type Problem, problemAt, type Reason } from '../../core/errors/reason';
import { parseRowPath, rowPath } from '../../core/errors/row-path';
import { columnLetters } from '../../core/spreadsheet/column-letters';
import { mapColumnsByName, type RawRow, readRawRows } from '../import/layout';
import { MAX_STORED_WARNINGS, type PreparedImport, prepareImport } from '../import/prepare';
import { type RowReport, readRow } from '../import/row';
import type { DraftSheet } from './draft-sheet';
import type { PreviewListPage } from './schema';
import { type StoredList, storeList } from './stored-list';

type Entry<Part> = Extract<PreviewListPage, { part: Part }>['entries'][number];
type CellWarning = Entry<'warnings'>;
export type RejectedRow = Entry<'rejected'>;
type CellFinding = RejectedRow['problems'][number];

/** A sheet whose rows have all been read and split into those that can be imported and those that cannot. */
export interface CheckedSheet {
  /** The accepted rows only, at their positions in the file. */
  preparedImport: PreparedImport;
  rowCount: number;
  acceptedRowCount: number;
  /** The number of rows with a bad cell. */
  badRowCount: number;
  /** The number of good rows whose order has a bad one. */
  heldRowCount: number;
  /** The rejected rows, in the form that previews keep. */
  rejectedRows: StoredList;
  /** All warnings about accepted rows, except those that need the database. */
  warnings: CellWarning[];
  positions: SheetPositions;
}

/** What is needed to locate a field of a row in the file. */
export interface SheetPositions {
  columnByName: ReadonlyMap<string, number>;
  lines: readonly number[];
  unit: 'line' | 'row';
}

/** Returns the finding for a field of a row, with its position in the file. */
function findingAt(
  positions: SheetPositions,
  row: number,
  field: string,
  { reason, values }: Reason,
): CellFinding {
  const { columnByName, lines, unit } = positions;
  const unnamedColumnIndex = /^column_(\d+)$/.exec(field)?.[1];
  const column =
    columnByName.get(field) ?? (unnamedColumnIndex === undefined ? null : Number(unnamedColumnIndex));
  const line = lines[row] ?? null;
  const address =
    unit === 'row' && column !== null && line !== null ? `${columnLetters(column)}${line}` : null;
  return { row, line, column, address, field, reason, values };
}

/** Converts a problem in the form that all imports use, whose path names the row and field, to a finding with its position. */
export function locateProblem(positions: SheetPositions, problem: Problem): CellFinding {
  const { row, field } = parseRowPath(problem.path)!;
  return findingAt(positions, row, field!, problem);
}

class Findings implements RowReport {
  readonly findingsByRow = new Map<number, CellFinding[]>();
  problemCount = 0;

  constructor(private readonly positions: SheetPositions) {}

  addProblem(row: number, name: string, reason: Reason): void {
    this.problemCount++;
    const finding = findingAt(this.positions, row, name, reason);
    const rowFindings = this.findingsByRow.get(row);
    if (rowFindings) rowFindings.push(finding);
    else this.findingsByRow.set(row, [finding]);
  }

  /** Does nothing: warnings only matter for imported rows, which are read a second time. */
  addWarning(): void {}
}

/**
 * Reads the rows of a draft and splits them into accepted and rejected ones. A bad cell holds back its row and all other rows of
 * the same order, so that no order is imported in part. The accepted rows are then read again by the reader that all imports
 * share.
 *
 * @param options.maxRows the configured limit
 */
export function checkSheet(
  sheet: DraftSheet,
  options: { shopId: number; contentHash: string; maxRows: number },
): CheckedSheet {
  const positions = { columnByName: mapColumnsByName(sheet.rows[0]!), lines: sheet.lines, unit: sheet.unit };
  const findings = new Findings(positions);
  const receiptIds = new Map<number, string>();
  const heldReceiptIds = new Set<string>();
  const { rows: rawRows } = readRawRows(sheet.rows, true);
  for (const rawRow of rawRows) {
    const previousProblemCount = findings.problemCount;
    const receiptId = readRow(rawRow, findings)?.receiptId;
    if (receiptId === undefined) continue;
    receiptIds.set(rawRow.index, receiptId);
    if (findings.problemCount > previousProblemCount) heldReceiptIds.add(receiptId);
  }
  const isRejected = ({ index }: RawRow) =>
    findings.findingsByRow.has(index) || heldReceiptIds.has(receiptIds.get(index) ?? '');
  const rejectedIndexes = new Set(rawRows.filter(isRejected).map(({ index }) => index));
  const acceptedRowCount = rawRows.length - rejectedIndexes.size;
  const preparedImport = prepareImport(
    {
      members: {
        account_id: options.shopId,
        // Rejected rows become empty rows, which the reader skips, so that the other rows keep their numbers.
        rows: sheet.rows.map((row, index) => (rejectedIndexes.has(index) ? [] : row)),
        excel_format: true,
      },
      contentHash: options.contentHash,
    },
    options.maxRows,
    Number.POSITIVE_INFINITY,
  );
  const rejectedRows = [...rejectedIndexes]
    .sort((a, b) => a - b)
    .map(
      (row): RejectedRow => ({
        row,
        line: sheet.lines[row] ?? null,
        receipt_id: receiptIds.get(row) ?? null,
        cells: sheet.rows[row]!,
        problems: findings.findingsByRow.get(row) ?? [],
      }),
    );
  return {
    preparedImport: {
      ...preparedImport,
      rowCount: acceptedRowCount,
      warnings: preparedImport.warnings.slice(0, MAX_STORED_WARNINGS),
    },
    rowCount: rawRows.length,
    acceptedRowCount,
    badRowCount: findings.findingsByRow.size,
    heldRowCount: rejectedIndexes.size - findings.findingsByRow.size,
    rejectedRows: storeList(rejectedRows),
    warnings: preparedImport.warnings.map((warning) => {
      const finding = locateProblem(positions, warning);
      const { row, column } = finding;
      return { ...finding, cell: column === null ? null : String(sheet.rows[row]![column] ?? '') };
    }),
    positions,
  };
}

/** Returns a finding in the form that the import history stores: as the reason why its row was held back. */
export function toHeldBackProblem({ row, field, reason, values }: CellFinding): Problem {
  return problemAt(rowPath(row, field), createReason('import.held', { reason: { reason, values } }));
}
