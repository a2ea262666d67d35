import { isServiceError, ServiceError } from '../../core/errors/errors';
import { createReason, type Problem, type Reason } from '../../core/errors/reason';
import { hasLostDigits } from '../../core/exact-integer';
import { readSpreadsheet } from '../../core/spreadsheet/spreadsheet';
import type { Encoding } from '../../core/text/encodings';
import { looksRounded } from '../import/damaged-identifier';
import { type CheckedSheet, checkSheet } from './checked-sheet';
import {
  type CellFix,
  createDraftSheet,
  createTooManyRowsReason,
  fixCells,
  packSheet,
  unpackSheet,
} from './draft-sheet';
import { writeRejectedRowsWorkbook } from './rejected-rows-workbook';
import { readStoredList } from './stored-list';

/** The sheet of a stored draft, and what is needed to check it. */
interface StoredSheet {
  packedSheet: Uint8Array;
  shopId: number;
  contentHash: string;
}

interface Limits {
  maxBytes: number;
  maxRows: number;
}

/** A task on a whole file; slow ones run in a worker thread. */
export type SheetTask = Limits &
  (
    | { kind: 'open'; name: string; bytes: Uint8Array }
    | { kind: 'table'; name: string; bytes: Uint8Array }
    | { kind: 'check'; storedSheet: StoredSheet }
    | { kind: 'fix'; packedSheet: Uint8Array; cells: readonly CellFix[] }
    | { kind: 'rejectedRows'; storedSheet: StoredSheet }
    | { kind: 'summary'; packedSheet: Uint8Array }
  );

/** Summary of a sheet for the import page. */
export interface SheetSummary {
  header: string[];
  unit: 'line' | 'row';
  /** How the file was encoded; null for a workbook. */
  encoding: Encoding | null;
  rows: number;
  fixed: [row: number, column: number][];
}

export interface SheetResults {
  open: { packedSheet: Uint8Array; rowCount: number; encoding: Encoding | null };
  /** The cells of all rows as text. A rounded number is in scientific notation, as a spreadsheet program shows it. */
  table: string[][];
  check: CheckedSheet;
  fix: { packedSheet: Uint8Array };
  rejectedRows: Uint8Array;
  summary: SheetSummary;
}

/**
 * Returns a cell as text. A number that has lost its last digits is written in scientific notation, so that nobody takes it for a
 * complete tracking number: the page refuses such numbers, however they are pasted.
 */
function toTableText(cell: unknown): string {
  if (typeof cell === 'number' && (hasLostDigits(cell) || looksRounded(String(cell))))
    return cell.toExponential();
  return String(cell ?? '');
}

async function runTask(task: SheetTask): Promise<SheetResults[SheetTask['kind']]> {
  switch (task.kind) {
    case 'open': {
      const sheet = createDraftSheet(task.name, await readSpreadsheet(task, task), task.maxRows);
      return { packedSheet: packSheet(sheet), rowCount: sheet.rows.length - 1, encoding: sheet.encoding };
    }
    case 'table': {
      const { rows } = await readSpreadsheet(task, { ...task, contents: 'tracking' });
      if (rows.length - 1 > task.maxRows) {
        const reason = createTooManyRowsReason(rows.length - 1, task.maxRows);
        throw new ServiceError('validation_failed', createReason('join.named', { name: task.name, reason }));
      }
      return rows.map((row) => row.map(toTableText));
    }
    case 'check':
      return checkSheet(unpackSheet(task.storedSheet.packedSheet), {
        ...task.storedSheet,
        maxRows: task.maxRows,
      });
    case 'fix':
      return { packedSheet: packSheet(fixCells(unpackSheet(task.packedSheet), task.cells)) };
    case 'rejectedRows': {
      const sheet = unpackSheet(task.storedSheet.packedSheet);
      const { rejectedRows } = checkSheet(sheet, { ...task.storedSheet, maxRows: task.maxRows });
      if (rejectedRows.total === 0)
        throw new ServiceError('validation_failed', createReason('import.noRejected'));
      return writeRejectedRowsWorkbook(sheet, readStoredList(rejectedRows));
    }
    case 'summary': {
      const { rows, unit, encoding, fixed } = unpackSheet(task.packedSheet);
      const header = rows[0]!.map((cell) => String(cell ?? ''));
      return { header, unit, encoding, rows: rows.length - 1, fixed };
    }
  }
}

/** The result of a task, or why the file was refused. A refusal is data because errors lose their class between threads. */
export type SheetOutcome = { result: unknown } | { reason: Reason; problems: readonly Problem[] };

/** Runs a task. Problems with the file are part of the outcome; any other error is thrown. */
export async function trySheetTask(task: SheetTask): Promise<SheetOutcome> {
  try {
    return { result: await runTask(task) };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { reason: error.reason, problems: error.problems };
  }
}

/** Returns the result of a task. @throws ServiceError `validation_failed` if the file was refused */
export function requireSheetResult<Kind extends SheetTask['kind']>(
  outcome: SheetOutcome,
): SheetResults[Kind] {
  if ('result' in outcome) return outcome.result as SheetResults[Kind];
  throw new ServiceError('validation_failed', outcome.reason, { problems: outcome.problems });
}

export type TaskOf<Kind> = Extract<SheetTask, { kind: Kind }>;

/**
 * Reads, checks and writes the files of the import page, and reads those of the page for pasting tracking numbers. Throws a
 * ServiceError if there is a problem with the file, or if the work takes too long or needs too much memory. Work in a worker thread
 * ends when the signal is aborted, with the signal's own reason.
 */
export interface SheetReader {
  open(file: Pick<TaskOf<'open'>, 'name' | 'bytes'>, signal?: AbortSignal): Promise<SheetResults['open']>;
  /** Returns the cells of a file's rows as text, rounded numbers in scientific notation. */
  readTable(
    file: Pick<TaskOf<'table'>, 'name' | 'bytes'>,
    signal?: AbortSignal,
  ): Promise<SheetResults['table']>;
  summarise(packedSheet: Uint8Array, signal?: AbortSignal): Promise<SheetResults['summary']>;
  check(storedSheet: StoredSheet): Promise<SheetResults['check']>;
  fix(
    packedSheet: Uint8Array,
    cells: TaskOf<'fix'>['cells'],
    signal?: AbortSignal,
  ): Promise<SheetResults['fix']>;
  writeRejectedRows(storedSheet: StoredSheet, signal?: AbortSignal): Promise<SheetResults['rejectedRows']>;
}
