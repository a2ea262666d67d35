import { move, transferableSymbol, valueSymbol } from 'piscina';
import { doSheetTask, type SheetOutcome, type SheetTask } from '../drafts/sheet-work';
import { type ImportInput, type PreparedImport, prepareImport } from './prepare';
import { timed } from './worker-clock';

/** Runs in the worker thread, for reader.ts. The buffers, most of a large import, are transferred, not copied. */
export default timed((task: { input: ImportInput; maxRows: number }): PreparedImport => {
  const prepared = prepareImport(task.input, task.maxRows);
  const result = {
    [transferableSymbol]: [...prepared.orders, ...prepared.items, prepared.shipments].map(
      ({ buffer }) => buffer,
    ),
    [valueSymbol]: prepared,
  };
  return move(result) as unknown as PreparedImport;
});

/** The same for the files of the import page. */
export const sheet = timed((task: SheetTask): Promise<SheetOutcome> => doSheetTask(task));
