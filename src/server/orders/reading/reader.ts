import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import {
  requireSheetResult,
  type SheetOutcome,
  type SheetReader,
  type SheetResults,
  type SheetTask,
  type TaskOf,
  trySheetTask,
} from '../drafts/sheet-work';
import {
  contentHashOf,
  createStoppedImport,
  type HashedInput,
  type PreparedImport,
  prepareImport,
} from '../import/prepare';
import { openWorkerPool, TaskTerminatedError } from './pool';

/** Reads and checks imports; `close` ends its worker threads. */
export interface ImportReader {
  /**
   * Reads an import. If it takes too much time or memory, it is returned with that problem. If the signal is aborted before a
   * worker thread has read the import, rejects with the signal's reason; on the main thread, the signal has no effect.
   */
  read(input: HashedInput, signal?: AbortSignal): Promise<PreparedImport>;
  sheets: SheetReader;
  /** Returns how many imports and files are in worker threads, and how many are waiting for a thread. */
  countTasks(): { running: number; waiting: number };
  close(): Promise<void>;
}

/** Bodies and text files up to this size are read on the main thread, because passing them to a worker would take longer. */
const MAX_INLINE_BYTES = 64 * 1024;
const MAX_INLINE_ROWS = 200;
/** A stored sheet is compressed, and may be a thousand times larger when it is unpacked. */
const MAX_INLINE_SHEET_BYTES = 16 * 1024;

/** Workbooks are ZIP files. */
const ZIP_FIRST_BYTE = 0x50;

function isSmallInput(input: HashedInput): boolean {
  if ('body' in input) return input.body.byteLength <= MAX_INLINE_BYTES;
  const rows = (input.members as { rows?: unknown } | null)?.rows;
  return !Array.isArray(rows) || rows.length <= MAX_INLINE_ROWS;
}

/**
 * Returns whether to run a task on the main thread. Tasks on uploaded workbooks never run there: even a small workbook may unpack
 * to hundreds of megabytes.
 */
function runsOnMainThread(task: SheetTask): boolean {
  if ('bytes' in task) return task.bytes.byteLength <= MAX_INLINE_BYTES && task.bytes[0] !== ZIP_FIRST_BYTE;
  const packedSheet = 'storedSheet' in task ? task.storedSheet.packedSheet : task.packedSheet;
  return packedSheet.byteLength <= MAX_INLINE_SHEET_BYTES;
}

interface ReaderOptions {
  maxRows: number;
  /** The maximum size of an uploaded file, in bytes. */
  maxBytes: number;
  threads: number;
  /** The maximum time that a thread may work on one import or file, in milliseconds. */
  timeLimitMs?: number;
}

/** The largest import takes some ten seconds, and several times that on a busy machine. */
const TIME_LIMIT_MS = 120_000;

/**
 * Creates a reader that parses and checks large imports in worker threads, so that the server keeps responding to other requests.
 * Threads start with the first import or file that is not read on the main thread, and stop after an idle minute.
 */
export function createImportReader(options: ReaderOptions): ImportReader {
  const { maxRows, maxBytes, threads, timeLimitMs = TIME_LIMIT_MS } = options;
  const runsFromSource = import.meta.url.endsWith('.ts');
  const pool = openWorkerPool({
    filename: new URL(runsFromSource ? './worker.ts' : './import-worker.js', import.meta.url).href,
    execArgv: runsFromSource ? ['--import', 'tsx'] : [],
    threads,
    timeLimitMs,
  });
  const timeLimitSeconds = Math.ceil(timeLimitMs / 1000);
  const runTask = async <Kind extends SheetTask['kind']>(
    task: Omit<TaskOf<Kind>, 'maxRows' | 'maxBytes'> & { kind: Kind },
    signal?: AbortSignal,
  ): Promise<SheetResults[Kind]> => {
    const fullTask = { ...task, maxRows, maxBytes } as unknown as SheetTask;
    const outcome = runsOnMainThread(fullTask)
      ? await trySheetTask(fullTask)
      : await pool.run<SheetOutcome>(fullTask, { name: 'runSheetTask', signal }).catch((error: unknown) => {
          if (!(error instanceof TaskTerminatedError)) throw error;
          const reason =
            error.reason === 'time'
              ? createReason('file.tooLong', { count: timeLimitSeconds })
              : createReason('file.tooMuchMemory');
          const fileReason =
            'bytes' in fullTask
              ? createReason('join.named', { name: fullTask.name, reason })
              : createReason('import.thisFile', { reason });
          throw new ServiceError('validation_failed', fileReason, { cause: error });
        });
    return requireSheetResult<Kind>(outcome);
  };
  return {
    async read(input, signal) {
      if (isSmallInput(input)) return prepareImport(input, maxRows);
      // A body that fills its buffer is transferred to the thread. Transferring a shared buffer would detach other bodies.
      const ownsBuffer = 'body' in input && input.body.byteLength === input.body.buffer.byteLength;
      const transferList = ownsBuffer ? [input.body.buffer as ArrayBuffer] : [];
      return pool
        .run<PreparedImport>({ input, maxRows }, { transferList, signal })
        .catch((error: unknown) => {
          if (!(error instanceof TaskTerminatedError)) throw error;
          const reason =
            error.reason === 'time'
              ? createReason('rows.tooLong', { count: timeLimitSeconds })
              : createReason('rows.tooMuchMemory');
          return createStoppedImport(contentHashOf(input), reason);
        });
    },
    sheets: {
      open: (file, signal) => runTask({ kind: 'open', ...file }, signal),
      readTable: (file, signal) => runTask({ kind: 'table', ...file }, signal),
      summarise: (packedSheet, signal) => runTask({ kind: 'summary', packedSheet }, signal),
      check: (storedSheet) => runTask({ kind: 'check', storedSheet }),
      fix: (packedSheet, cells, signal) => runTask({ kind: 'fix', packedSheet, cells }, signal),
      writeRejectedRows: (storedSheet, signal) => runTask({ kind: 'rejectedRows', storedSheet }, signal),
    },
    countTasks: () => pool.countTasks(),
    close: () => pool.close(),
  };
}
