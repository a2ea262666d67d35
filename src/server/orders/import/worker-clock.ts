const now = () => performance.timeOrigin + performance.now();

/** What a worker thread is sent: its task and, if its work is traced, shared memory for when it began and ended. */
export interface WorkerTask<Task> {
  task: Task;
  clock: Float64Array | null;
}

/** Makes a clock that a worker thread shares: when its work began and ended, in milliseconds of the Unix epoch; 0 until then. */
export function newClock(): Float64Array {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
}

/** Makes a worker's function of one that takes the task alone. */
export function timed<Task, Result>(work: (task: Task) => Result | Promise<Result>) {
  return async ({ task, clock }: WorkerTask<Task>): Promise<Result> => {
    if (clock) clock[0] = now();
    try {
      return await work(task);
    } finally {
      if (clock) clock[1] = now();
    }
  };
}
