import { Piscina } from 'piscina';
import { type ImportInput, type PreparedImport, prepareImport } from './prepare-import';

/** Reads and checks imports; `close` ends its threads. */
export interface ImportReader {
  read(input: ImportInput): Promise<PreparedImport>;
  close(): Promise<void>;
}

/** A body up to this size is read at once: handing it to a thread would take longer. */
const INLINE_BYTES = 64 * 1024;
const INLINE_ROWS = 200;

function isSmall(input: ImportInput): boolean {
  if ('body' in input) return input.body.byteLength <= INLINE_BYTES;
  const rows = (input.members as { rows?: unknown } | null)?.rows;
  return !Array.isArray(rows) || rows.length <= INLINE_ROWS;
}

/**
 * Large imports are parsed and checked in worker threads, so that other requests go on being answered meanwhile. Threads
 * start with the first large import and end after a quiet minute.
 */
export function createImportReader(options: { maxRows: number; threads: number }): ImportReader {
  const { maxRows, threads } = options;
  const source = import.meta.url.endsWith('.ts');
  let pool: Piscina<{ input: ImportInput; maxRows: number }, PreparedImport> | undefined;
  const openPool = () =>
    new Piscina<{ input: ImportInput; maxRows: number }, PreparedImport>({
      filename: new URL(source ? './import-worker.ts' : './import-worker.js', import.meta.url).href,
      execArgv: source ? ['--import', 'tsx'] : [],
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 60_000,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 48 },
    });
  return {
    async read(input) {
      if (isSmall(input)) return prepareImport(input, maxRows);
      pool ??= openPool();
      // A body of its own memory is moved to the thread; one that shares its memory would take others' with it.
      const own = 'body' in input && input.body.byteLength === input.body.buffer.byteLength;
      return pool.run({ input, maxRows }, own ? { transferList: [input.body.buffer as ArrayBuffer] } : {});
    },
    async close() {
      await pool?.close();
    },
  };
}
