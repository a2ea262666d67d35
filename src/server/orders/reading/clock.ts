const now = () => performance.timeOrigin + performance.now();

/** The message to a worker thread: its task and, if the work is traced, a clock in shared memory. */
export interface WorkerMessage<Task> {
  task: Task;
  clock: Float64Array | null;
}

/**
 * Creates a clock to share with a worker thread. It has two values, when the work began and when it ended, in milliseconds since
 * the Unix epoch; each is 0 until then.
 */
export function createClock(): Float64Array {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
}

/** Wraps a worker's function so that it sets the clock of each task. */
export function withClock<Task, Result>(work: (task: Task) => Result | Promise<Result>) {
  return async ({ task, clock }: WorkerMessage<Task>): Promise<Result> => {
    if (clock) clock[0] = now();
    try {
      return await work(task);
    } finally {
      if (clock) clock[1] = now();
    }
  };
}
