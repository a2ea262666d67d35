import pLimit from 'p-limit';
import { Piscina } from 'piscina';
import { addChildSpan, inSpan, isTracing } from '../../core/tracing';
import { createTaskTimes, type WorkerMessage } from './task-times';

/** Thrown if a task was terminated because it took too long or used more memory than a thread may. */
export class TaskTerminatedError extends Error {
  override readonly name = 'TaskTerminatedError';

  constructor(readonly reason: 'time' | 'memory') {
    super(`The task took too much ${reason}.`);
  }
}

interface PoolOptions {
  /** The module that the threads run. */
  filename: string;
  execArgv: string[];
  threads: number;
  /** The maximum duration of a task in milliseconds, from when a thread starts it. */
  timeLimitMs: number;
}

interface RunOptions {
  /** The module's function to call, wrapped by `withTaskTimes`; the default export if missing. */
  name?: string;
  /** Buffers that are transferred instead of copied. */
  transferList?: ArrayBuffer[];
  /** Ends the task when aborted, with the signal's own reason. */
  signal?: AbortSignal | undefined;
}

/** Threads for work on untrusted input. */
export interface WorkerPool {
  /** Runs a task in a thread and returns its result. @throws TaskTerminatedError; the reason of `signal` if it is aborted */
  run<Result>(task: unknown, options?: RunOptions): Promise<Result>;
  /** Returns how many tasks are running in a thread, and how many are waiting for one. */
  countTasks(): { running: number; waiting: number };
  close(): Promise<void>;
}

/**
 * Opens a pool of worker threads, which start with the first task and stop after an idle minute.
 *
 * Guarantee: no task holds a thread beyond the time limit, or after its signal is aborted. The thread is terminated whatever it
 * is doing, and a new one takes the next task. Time spent waiting for a thread does not count.
 */
export function openWorkerPool({ filename, execArgv, threads, timeLimitMs }: PoolOptions): WorkerPool {
  let piscina: Piscina | undefined;
  const getPool = () => {
    piscina ??= new Piscina({
      filename,
      execArgv,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 60_000,
      recordTiming: false,
      // Rows outlive the young generation anyway: enlarging it would take 100 MB more and be slower.
      resourceLimits: { maxOldGenerationSizeMb: 640, maxYoungGenerationSizeMb: 12 },
    });
    return piscina;
  };
  // Tasks queue here and not in the pool, so that the time they wait does not count.
  const limit = pLimit(threads);
  const runTask = async <Result>(task: unknown, { signal, ...options }: RunOptions): Promise<Result> => {
    signal?.throwIfAborted();
    const timeLimitSignal = AbortSignal.timeout(timeLimitMs);
    const taskTimes = isTracing() ? createTaskTimes() : null;
    try {
      const message: WorkerMessage<unknown> = { task, taskTimes };
      return await getPool().run(message, {
        ...options,
        signal: signal ? AbortSignal.any([signal, timeLimitSignal]) : timeLimitSignal,
      });
    } catch (error) {
      signal?.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new TaskTerminatedError('memory');
      if (timeLimitSignal.aborted) throw new TaskTerminatedError('time');
      throw error;
    } finally {
      if (taskTimes?.[1]) addChildSpan('worker thread', taskTimes[0]!, taskTimes[1]);
    }
  };
  return {
    run: (task, options = {}) => inSpan('read', {}, () => limit(() => runTask(task, options))) as never,
    countTasks: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
    async close() {
      await piscina?.close();
    },
  };
}
