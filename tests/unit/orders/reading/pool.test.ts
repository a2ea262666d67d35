import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { afterEach, describe, expect, it, vi } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { withBodyHash } from '../../../../src/server/orders/import/prepare';
import {
  openWorkerPool,
  TaskTerminatedError,
  type WorkerPool,
} from '../../../../src/server/orders/reading/pool';
import { createImportReader } from '../../../../src/server/orders/reading/reader';
import { createExportRow, HEADER } from '../../../support/fixtures';

const filename = new URL('../../../support/stand-ins/endless-worker.mjs', import.meta.url).href;
const openPool = (timeLimitMs: number) => openWorkerPool({ filename, execArgv: [], threads: 2, timeLimitMs });
let pool: WorkerPool;
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.close();
});

const outcomeOf = (taskPromise: Promise<unknown>) =>
  taskPromise.then(
    (result) => result,
    (error: Error) => (error instanceof TaskTerminatedError ? error.reason : error.message),
  );

describe('a task of the worker pool', () => {
  it('that does not end is stopped at its deadline, and waiting tasks are run', async () => {
    pool = openPool(4_000);
    // Tasks that start after the first deadline have none: if the machine paused, they would reach it before they end.
    const { timeout } = AbortSignal;
    let firstDeadline: AbortSignal | undefined;
    const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((timeLimitMs) => {
      if (firstDeadline?.aborted) return new AbortController().signal;
      const deadline = timeout(timeLimitMs);
      firstDeadline ??= deadline;
      return deadline;
    });
    const outcomes = await Promise.all(
      ['forever', 'forever', 'a', 'b'].map((task) => outcomeOf(pool.run(task))),
    );
    expect(outcomes).toEqual(['time', 'time', 'done: a', 'done: b']);
    expect(timeoutSpy.mock.calls).toEqual(Array(4).fill([4_000]));
  });

  it('whose client disconnects is stopped with the reason, even if it has not begun', async () => {
    pool = openPool(120_000);
    const client = new AbortController();
    const abandonedPromises = [1, 2, 3].map(() => outcomeOf(pool.run('forever', { signal: client.signal })));
    const unaffectedPromise = pool.run('a');
    client.abort(new Error('has left'));
    expect(await Promise.all(abandonedPromises)).toEqual(['has left', 'has left', 'has left']);
    expect(await unaffectedPromise).toBe('done: a');
  });

  it('that uses up its memory is stopped, and the pool still runs other tasks', async () => {
    pool = openPool(120_000);
    expect(await outcomeOf(pool.run('memory'))).toBe('memory');
    expect(await pool.run('a')).toBe('done: a');
  });

  it('that exceeds its deadline ends with a message that says what to do, for a file and for an import', async () => {
    pool = openPool(1);
    const reader = createImportReader({ maxRows: 100_000, maxBytes: 10_000_000, threads: 1, timeLimitMs: 1 });
    try {
      const bytes = Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`);
      expect(await outcomeOf(reader.sheets.open({ name: 'big.csv', bytes }))).toBe(
        'big.csv takes longer than 1 s to read. Split it into several files, or save it as CSV UTF-8.',
      );
      const { problems } = await reader.read(await withBodyHash({ body: bytes }));
      expect(problems.map(sentenceOf)).toEqual([
        'takes longer than 1 s to read. Send the rows in several requests.',
      ]);
    } finally {
      await reader.close();
    }
  });
});

it('large imports, files and drafts, and even a small workbook, are read in a worker thread while the main thread goes on', async () => {
  pool = openPool(1);
  const reader = createImportReader({ maxRows: 100_000, maxBytes: 10_000_000, threads: 1 });
  const rows = [
    HEADER,
    // Random titles, because a stored draft is compressed.
    ...Array.from({ length: 2_000 }, (_, n) => createExportRow({ 1: randomUUID(), 24: `receipt ${n}` })),
  ];
  const csv = Buffer.from(stringify(rows));
  const smallWorkbook = await writeExcelFile([HEADER.map((value) => ({ value }))]).toBuffer();
  const body = Buffer.from(JSON.stringify({ account_id: 1, rows, excel_format: true }));
  /** Returns the largest number of threads that the main thread saw at work during `run`. */
  const countThreads = async (run: () => Promise<unknown>) => {
    let maxThreadCount = 0;
    let isRunning = true;
    const runPromise = run().then(
      () => (isRunning = false),
      () => (isRunning = false),
    );
    // Counted before the main thread waits: after a wait, a small task may have ended.
    while (isRunning) {
      maxThreadCount = Math.max(maxThreadCount, reader.countTasks().running);
      await setImmediate();
    }
    await runPromise;
    return maxThreadCount;
  };
  try {
    const { packedSheet } = await reader.sheets.open({ name: 'orders.csv', bytes: csv });
    const storedSheet = { packedSheet, shopId: 1, contentHash: '' };
    expect(await countThreads(() => reader.read({ body, contentHash: '' }))).toBe(1);
    expect(await countThreads(() => reader.sheets.open({ name: 'orders.csv', bytes: csv }))).toBe(1);
    expect(await countThreads(() => reader.sheets.open({ name: 'a.xlsx', bytes: smallWorkbook }))).toBe(1);
    expect(await countThreads(() => reader.sheets.check(storedSheet))).toBe(1);
    expect(await countThreads(() => reader.sheets.writeRejectedRows(storedSheet))).toBe(1);
  } finally {
    await reader.close();
  }
});
