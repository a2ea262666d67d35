import { move, transferableSymbol, valueSymbol } from 'piscina';
import { type SheetOutcome, type SheetTask, trySheetTask } from '../drafts/sheet-work';
import { type ImportInput, type PreparedImport, prepareImport } from '../import/prepare';
import { withTaskTimes } from './task-times';

/**
 * Prepares an import in a worker thread, for reader.ts. The buffers of the result, which make up most of a large import, are
 * transferred instead of copied.
 */
export default withTaskTimes((task: { input: ImportInput; maxRows: number }): PreparedImport => {
  const preparedImport = prepareImport(task.input, task.maxRows);
  const result = {
    [transferableSymbol]: [...preparedImport.orders, ...preparedImport.items, preparedImport.shipments].map(
      ({ buffer }) => buffer,
    ),
    [valueSymbol]: preparedImport,
  };
  return move(result) as unknown as PreparedImport;
});

/** Runs a task on an uploaded file in a worker thread, for reader.ts. */
export const runSheetTask = withTaskTimes((task: SheetTask): Promise<SheetOutcome> => trySheetTask(task));
