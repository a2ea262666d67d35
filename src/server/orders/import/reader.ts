import { Piscina } from 'piscina';
import {
  doSheetTask,
  resultOf,
  type SheetOutcome,
  type SheetResults,
  type SheetTask,
  type StoredSheet,
} from '../drafts/sheet-work';
import { type ImportInput, type PreparedImport, prepareImport } from './prepare';

type TaskOf<Work> = Extract<SheetTask, { work: Work }>;

/** Reads, checks and writes the files of the import page. What is wrong with a file is a ServiceError. */
export interface SheetReader {
  open(file: Pick<TaskOf<'open'>, 'name' | 'bytes'>): Promise<SheetResults['open']>;
  look(sheet: Uint8Array): Promise<SheetResults['look']>;
  check(draft: StoredSheet): Promise<SheetResults['check']>;
  mend(sheet: Uint8Array, cells: TaskOf<'mend'>['cells']): Promise<SheetResults['mend']>;
  badRows(draft: StoredSheet): Promise<SheetResults['badRows']>;
}

/** Reads and checks imports; `close` ends its threads. */
export interface ImportReader {
  read(input: ImportInput): Promise<PreparedImport>;
  sheets: SheetReader;
  close(): Promise<void>;
}

/** A body up to this size is read at once: handing it to a thread would take longer. */
const INLINE_BYTES = 64 * 1024;
const INLINE_ROWS = 200;
/** A stored sheet is compressed, a thousandfold at most. */
const INLINE_SHEET_BYTES = 16 * 1024;

function isSmall(input: ImportInput): boolean {
  if ('body' in input) return input.body.byteLength <= INLINE_BYTES;
  const rows = (input.members as { rows?: unknown } | null)?.rows;
  return !Array.isArray(rows) || rows.length <= INLINE_ROWS;
}

/** A workbook of any size may unpack to hundreds of megabytes. */
function isSmallTask(task: SheetTask): boolean {
  if (task.work === 'open') return task.bytes.byteLength <= INLINE_BYTES && task.bytes[0] !== 0x50;
  const sheet = 'draft' in task ? task.draft.sheet : task.sheet;
  return sheet.byteLength <= INLINE_SHEET_BYTES;
}

interface ReaderOptions {
  maxRows: number;
  /** Largest file of the import page. */
  maxBytes: number;
  threads: number;
}

/**
 * Large imports are parsed and checked in worker threads, so that other requests go on being answered meanwhile. Threads
 * start with the first large import and end after a quiet minute.
 */
export function createImportReader({ maxRows, maxBytes, threads }: ReaderOptions): ImportReader {
  const source = import.meta.url.endsWith('.ts');
  let opened: Piscina | undefined;
  const pool = () => {
    opened ??= new Piscina({
      filename: new URL(source ? './worker.ts' : './import-worker.js', import.meta.url).href,
      execArgv: source ? ['--import', 'tsx'] : [],
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 60_000,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 48 },
    });
    return opened;
  };
  const work = async <Work extends SheetTask['work']>(
    task: Omit<TaskOf<Work>, 'maxRows' | 'maxBytes'> & { work: Work },
  ): Promise<SheetResults[Work]> => {
    const whole = { ...task, maxRows, maxBytes } as unknown as SheetTask;
    const outcome: SheetOutcome = isSmallTask(whole)
      ? await doSheetTask(whole)
      : await pool().run(whole, { name: 'sheet' });
    return resultOf<Work>(outcome);
  };
  return {
    async read(input) {
      if (isSmall(input)) return prepareImport(input, maxRows);
      // A body of its own memory is moved to the thread; one that shares its memory would take others' with it.
      const own = 'body' in input && input.body.byteLength === input.body.buffer.byteLength;
      return pool().run({ input, maxRows }, own ? { transferList: [input.body.buffer as ArrayBuffer] } : {});
    },
    sheets: {
      open: (file) => work({ work: 'open', ...file }),
      look: (sheet) => work({ work: 'look', sheet }),
      check: (draft) => work({ work: 'check', draft }),
      mend: (sheet, cells) => work({ work: 'mend', sheet, cells }),
      badRows: (draft) => work({ work: 'badRows', draft }),
    },
    async close() {
      await opened?.close();
    },
  };
}
