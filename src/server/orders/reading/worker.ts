import { move, transferableSymbol, valueSymbol } from 'piscina';
import { doSheetTask, type SheetOutcome, type SheetTask } from '../drafts/sheet-work';
import { type ImportInput, type PreparedImport, prepareImport } from '../import/prepare';
import { withClock } from './clock';

/**
 * Prepares an import in a worker thread, for reader.ts. Its buffers, which make up most of a large import, are transferred
 * instead of copied.
 */
export default withClock((task: { input: ImportInput; maxRows: number }): PreparedImport => {
  const prepared = prepareImport(task.input, task.maxRows);
  const result = {
    [transferableSymbol]: [...prepared.orders, ...prepared.items, prepared.shipments].map(
      ({ buffer }) => buffer,
    ),
    [valueSymbol]: prepared,
  };
  return move(result) as unknown as PreparedImport;
});

/** Runs a task on a file of the import page in a worker thread, for reader.ts. */
export const runSheetTask = withClock((task: SheetTask): Promise<SheetOutcome> => doSheetTask(task));
