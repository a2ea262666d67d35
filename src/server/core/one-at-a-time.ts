import pLimit, { type LimitFunction } from 'p-limit';

type Run = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that runs the work of one key one at a time, in the order of the calls, while the work of other keys goes on.
 * Holds for this process only. Failed work does not stop the next, and a key without work takes no memory.
 */
export function oneAtATime(): Run & { keys(): number } {
  const queues = new Map<string, LimitFunction>();
  const run: Run = async (key, work) => {
    const queue = queues.get(key) ?? pLimit(1);
    queues.set(key, queue);
    try {
      return await queue(work);
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(key);
    }
  };
  return Object.assign(run, { keys: () => queues.size });
}
