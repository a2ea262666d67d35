import pLimit from 'p-limit';
import { Piscina } from 'piscina';

/** A task that was ended before it was done: it took too long, or more memory than a thread has. */
export class TaskEnded extends Error {
  override readonly name = 'TaskEnded';

  constructor(readonly reason: 'time' | 'memory') {
    super(`The task took too much ${reason}.`);
  }
}

interface PoolOptions {
  /** The module that the threads run. */
  filename: string;
  execArgv: string[];
  threads: number;
  /** Milliseconds that a task may take once a thread works on it. */
  deadlineMs: number;
}

interface RunOptions {
  /** The module's function; its default export otherwise. */
  name?: string;
  /** Memory that is handed over, not copied. */
  transferList?: ArrayBuffer[];
  /** Ends the task when it is aborted, with the signal's own reason. */
  signal?: AbortSignal | undefined;
}

/** Threads for work on foreign input. */
export interface WorkerPool {
  /** @throws TaskEnded; the reason of `signal` */
  run<Result>(task: unknown, options?: RunOptions): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Opens a pool of worker threads, which start with the first task and end after a quiet minute.
 *
 * Guarantee: no task holds a thread beyond the deadline, or after its signal is aborted: the thread is ended, whatever it is
 * doing, and a new one takes the next task. The time that a task waits for a thread does not count.
 */
export function openWorkerPool({ filename, execArgv, threads, deadlineMs }: PoolOptions): WorkerPool {
  let opened: Piscina | undefined;
  const pool = () => {
    opened ??= new Piscina({
      filename,
      execArgv,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 60_000,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 48 },
    });
    return opened;
  };
  // Tasks wait here and not in the pool, so that their time begins when they do.
  const limit = pLimit(threads);
  const work = async <Result>(task: unknown, { signal, ...options }: RunOptions): Promise<Result> => {
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return await pool().run(task, {
        ...options,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
    } catch (error) {
      signal?.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw new TaskEnded('memory');
      if (deadline.aborted) throw new TaskEnded('time');
      throw error;
    }
  };
  return {
    run: (task, options = {}) => limit(() => work(task, options)) as never,
    async close() {
      await opened?.close();
    },
  };
}
