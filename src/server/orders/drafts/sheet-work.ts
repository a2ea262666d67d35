import { isServiceError, ServiceError } from '../../core/errors/errors';
import { createReason, type Problem, type Reason } from '../../core/errors/reason';
import { readSpreadsheet } from '../../core/spreadsheet/spreadsheet';
import type { Encoding } from '../../core/text/encodings';
import { writeBadRows } from './bad-rows-workbook';
import { type CheckedSheet, checkSheet, type RejectedRow } from './checked-sheet';
import { type CellFix, draftOf, fixCells, packSheet, unpackSheet } from './draft-sheet';

/** The sheet of a stored draft, and what is needed to check it. */
interface StoredSheet {
  sheet: Uint8Array;
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
    | { work: 'open'; name: string; bytes: Uint8Array }
    | { work: 'table'; name: string; bytes: Uint8Array }
    | { work: 'check'; draft: StoredSheet }
    | { work: 'fix'; sheet: Uint8Array; cells: readonly CellFix[] }
    | { work: 'badRows'; draft: StoredSheet }
    | { work: 'summary'; sheet: Uint8Array }
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
  open: { sheet: Uint8Array; rows: number; encoding: Encoding | null };
  /** The cells of all rows as text. */
  table: string[][];
  check: CheckedSheet;
  fix: { sheet: Uint8Array };
  badRows: Uint8Array;
  summary: SheetSummary;
}

async function run(task: SheetTask): Promise<SheetResults[SheetTask['work']]> {
  switch (task.work) {
    case 'open': {
      const draft = draftOf(task.name, await readSpreadsheet(task, task), task.maxRows);
      return { sheet: packSheet(draft), rows: draft.rows.length - 1, encoding: draft.encoding };
    }
    case 'table': {
      const { rows } = await readSpreadsheet(task, { ...task, contents: 'tracking' });
      if (rows.length - 1 > task.maxRows) {
        const reason = createReason('file.tooManyRows', { count: rows.length - 1, most: task.maxRows });
        throw new ServiceError('validation_failed', createReason('join.named', { name: task.name, reason }));
      }
      return rows.map((row) => row.map((cell) => String(cell ?? '')));
    }
    case 'check':
      return checkSheet(unpackSheet(task.draft.sheet), { ...task.draft, maxRows: task.maxRows });
    case 'fix':
      return { sheet: packSheet(fixCells(unpackSheet(task.sheet), task.cells)) };
    case 'badRows': {
      const sheet = unpackSheet(task.draft.sheet);
      const { rejected } = checkSheet(sheet, { ...task.draft, maxRows: task.maxRows });
      if (rejected.length === 0)
        throw new ServiceError('validation_failed', createReason('import.noRejected'));
      return writeBadRows(
        sheet,
        rejected.flatMap((page) => JSON.parse(page) as RejectedRow[]),
      );
    }
    case 'summary': {
      const { rows, unit, encoding, fixed } = unpackSheet(task.sheet);
      const header = rows[0]!.map((cell) => String(cell ?? ''));
      return { header, unit, encoding, rows: rows.length - 1, fixed };
    }
  }
}

/** The result of a task, or why the file was refused. A refusal is data because errors lose their class between threads. */
export type SheetOutcome = { result: unknown } | { reason: Reason; problems: readonly Problem[] };

/** Runs a task. Problems with the file are part of the outcome; any other error is thrown. */
export async function doSheetTask(task: SheetTask): Promise<SheetOutcome> {
  try {
    return { result: await run(task) };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { reason: error.reason, problems: error.problems };
  }
}

/** @throws ServiceError `validation_failed` if the file was refused */
export function resultOf<Work extends SheetTask['work']>(outcome: SheetOutcome): SheetResults[Work] {
  if ('result' in outcome) return outcome.result as SheetResults[Work];
  throw new ServiceError('validation_failed', outcome.reason, { problems: outcome.problems });
}

export type TaskOf<Work> = Extract<SheetTask, { work: Work }>;

/**
 * Reads, checks and writes the files of the import page. Problems with a file, including taking too long or too much memory,
 * are thrown as a ServiceError. An aborted signal ends the work with the signal's own reason.
 */
export interface SheetReader {
  open(file: Pick<TaskOf<'open'>, 'name' | 'bytes'>, signal?: AbortSignal): Promise<SheetResults['open']>;
  /** Returns the cells of a file's rows as text. */
  table(file: Pick<TaskOf<'table'>, 'name' | 'bytes'>, signal?: AbortSignal): Promise<SheetResults['table']>;
  summarise(sheet: Uint8Array, signal?: AbortSignal): Promise<SheetResults['summary']>;
  check(draft: StoredSheet): Promise<SheetResults['check']>;
  fix(sheet: Uint8Array, cells: TaskOf<'fix'>['cells'], signal?: AbortSignal): Promise<SheetResults['fix']>;
  badRows(draft: StoredSheet, signal?: AbortSignal): Promise<SheetResults['badRows']>;
}
