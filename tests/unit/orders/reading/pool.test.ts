import { afterEach, describe, expect, it } from 'vitest';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import {
  openWorkerPool,
  TaskTerminatedError,
  type WorkerPool,
} from '../../../../src/server/orders/reading/pool';
import { createImportReader } from '../../../../src/server/orders/reading/reader';

const filename = new URL('../../../support/stand-ins/endless-worker.mjs', import.meta.url).href;
const open = (deadlineMs: number) => openWorkerPool({ filename, execArgv: [], threads: 2, deadlineMs });
let pool: WorkerPool;
afterEach(() => pool.close());

const outcome = (running: Promise<unknown>) =>
  running.then(
    (result) => result,
    (error: Error) => (error instanceof TaskTerminatedError ? error.reason : error.message),
  );

describe('no task holds a worker thread forever', () => {
  it('one that does not end is stopped at its deadline, and waiting ones are served', async () => {
    pool = open(4_000);
    const responses = await Promise.all(
      ['forever', 'forever', 'a', 'b'].map((task) => outcome(pool.run(task))),
    );
    expect(responses).toEqual(['time', 'time', 'done: a', 'done: b']);
  });

  it('one whose client leaves is stopped with the reason, even while it waits', async () => {
    pool = open(120_000);
    const client = new AbortController();
    const left = [1, 2, 3].map(() => outcome(pool.run('forever', { signal: client.signal })));
    const other = pool.run('a');
    client.abort(new Error('has left'));
    expect(await Promise.all(left)).toEqual(['has left', 'has left', 'has left']);
    expect(await other).toBe('done: a');
  });

  it('one that takes all memory is stopped, and no other', async () => {
    pool = open(120_000);
    expect(await outcome(pool.run('memory'))).toBe('memory');
    expect(await pool.run('a')).toBe('done: a');
  });

  it('the message says what to do, for a file and for an import', async () => {
    pool = open(1);
    const reader = createImportReader({ maxRows: 100_000, maxBytes: 10_000_000, threads: 1, deadlineMs: 1 });
    try {
      const bytes = Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`);
      expect(await outcome(reader.sheets.open({ name: 'big.csv', bytes }))).toBe(
        'big.csv takes longer than 1 s to read. Split it into several files, or save it as CSV UTF-8.',
      );
      const { problems } = await reader.read({ body: bytes });
      expect(problems.map(sentenceOf)).toEqual([
        'takes longer than 1 s to read. Send the rows in several requests.',
      ]);
    } finally {
      await reader.close();
    }
  });
});
