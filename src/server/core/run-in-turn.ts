import pLimit, { type LimitFunction } from 'p-limit';

type RunInTurn = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that runs the tasks of each key one at a time, in the order of the calls; tasks of different keys run
 * concurrently. This holds only within one process. A failed task does not stop the next one, and a key without tasks uses no
 * memory.
 */
export function createRunInTurn(): RunInTurn & { keyCount(): number } {
  const queues = new Map<string, LimitFunction>();
  const run: RunInTurn = async (key, task) => {
    const queue = queues.get(key) ?? pLimit(1);
    queues.set(key, queue);
    try {
      return await queue(task);
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(key);
    }
  };
  return Object.assign(run, { keyCount: () => queues.size });
}
