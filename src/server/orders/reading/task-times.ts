const now = () => performance.timeOrigin + performance.now();

/** The message to a worker thread: its task and, if the work is traced, memory for its times that both threads share. */
export interface WorkerMessage<Task> {
  task: Task;
  taskTimes: Float64Array | null;
}

/**
 * Allocates memory that is shared with a worker thread, for a task's start and end times in milliseconds since the Unix epoch.
 * Each is 0 until it is recorded.
 */
export function createTaskTimes(): Float64Array {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
}

/** Wraps a worker's function so that it records the times of each task. */
export function withTaskTimes<Task, Result>(work: (task: Task) => Result | Promise<Result>) {
  return async ({ task, taskTimes }: WorkerMessage<Task>): Promise<Result> => {
    if (taskTimes) taskTimes[0] = now();
    try {
      return await work(task);
    } finally {
      if (taskTimes) taskTimes[1] = now();
    }
  };
}
