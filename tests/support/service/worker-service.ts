import {
  type ReadyService,
  requireLogWithoutSecrets,
  type ServiceProcess,
  spawnService,
} from './service-process';

/** The service with pages of a test file. */
export interface FileService extends Pick<ReadyService, 'url' | 'key'> {
  /** Stops it. Throws if its log contains a secret. */
  stop(): Promise<void>;
}

/** The process that runs the services of this worker's test files, and how often it has been told to start or stop one. */
interface WorkerProcess {
  process: ServiceProcess;
  changeCount: number;
}

let workerProcess: WorkerProcess | undefined;

function openWorkerProcess(): WorkerProcess {
  const openedProcess = { process: spawnService({}, 'restartable'), changeCount: 0 };
  void openedProcess.process.endPromise.then(() => {
    if (workerProcess === openedProcess) workerProcess = undefined;
  });
  return openedProcess;
}

/** Sends a message to restartable-service.mjs. Returns what that prints when it has done it. Fails if the process ends first. */
async function requestChange(worker: WorkerProcess, message: object): Promise<string> {
  worker.changeCount++;
  worker.process.send(message);
  const pattern = new RegExp(`^change ${worker.changeCount}: (.*)\\n`, 'm');
  await worker.process.waitForOutput(pattern);
  return pattern.exec(worker.process.stdout())![1]!;
}

/**
 * Starts the built service with its pages. It runs in the process that the worker's earlier test files used, which has loaded and
 * compiled the code, but with its own configuration, database and state. A service that an earlier file has not stopped is stopped
 * first.
 */
export async function startWorkerService(environment: Record<string, string>): Promise<FileService> {
  workerProcess ??= openWorkerProcess();
  const worker = workerProcess;
  const outputStart = worker.process.stdout().length;
  const { url, key } = JSON.parse(await requestChange(worker, { environment }));
  return {
    url: url.replace('localhost', '127.0.0.1'),
    key,
    async stop() {
      await requestChange(worker, {});
      requireLogWithoutSecrets(worker.process.stdout().slice(outputStart));
    },
  };
}
