import {
  type ReadyService,
  requireLogWithoutSecrets,
  type ServiceProcess,
  spawnService,
} from './service-process';

/** The service with pages of a test file. */
export interface FileService extends Pick<ReadyService, 'url' | 'key'> {
  /** Stops it. Throws if the log contains a secret. */
  stop(): Promise<void>;
}

/** The process that runs restartable-service.mjs for the test files of a worker. */
interface SharedProcess {
  process: ServiceProcess;
  /** The port of all its services: Next's renderer keeps the first one. */
  port: string | undefined;
  messageCount: number;
  /** Whether it has not yet answered the last message. */
  isBusy: boolean;
  /** How much of its output has been searched for secrets. */
  checkedLength: number;
}

let sharedProcess: SharedProcess | undefined;

/**
 * Returns the process for a service on this port. A process that is still busy, because an earlier file's service did not start or
 * stop in time, is replaced.
 */
async function openSharedProcess(port: string | undefined): Promise<SharedProcess> {
  if (sharedProcess && (sharedProcess.isBusy || sharedProcess.port !== port))
    await sharedProcess.process.kill();
  if (!sharedProcess) {
    const openedProcess = {
      process: spawnService({}, 'restartable'),
      port,
      messageCount: 0,
      isBusy: false,
      checkedLength: 0,
    };
    sharedProcess = openedProcess;
    const forgetProcess = () => {
      if (sharedProcess === openedProcess) sharedProcess = undefined;
    };
    openedProcess.process.endPromise.then(forgetProcess, forgetProcess);
  }
  return sharedProcess;
}

/** Sends a message to restartable-service.mjs and returns the answer. Fails if the process ends first. */
async function sendMessage(shared: SharedProcess, message: object): Promise<string> {
  const id = ++shared.messageCount;
  const pattern = new RegExp(`^message ${id}: (.*)\\n`, 'm');
  shared.isBusy = true;
  shared.process.send({ id, ...message });
  await shared.process.waitForOutput(pattern);
  shared.isBusy = false;
  return pattern.exec(shared.process.stdout())![1]!;
}

/**
 * Starts the built service with its pages. It runs in the process that the worker's earlier test files used, which has loaded and
 * compiled the code, but with its own configuration and database. A service that an earlier file has not stopped is stopped first.
 */
export async function startSharedService(environment: Record<string, string>): Promise<FileService> {
  const shared = await openSharedProcess(environment.PORT);
  const { url, key } = JSON.parse(await sendMessage(shared, { environment }));
  return {
    url: url.replace('localhost', '127.0.0.1'),
    key,
    async stop() {
      await sendMessage(shared, {});
      const uncheckedOutput = shared.process.stdout().slice(shared.checkedLength);
      shared.checkedLength += uncheckedOutput.length;
      requireLogWithoutSecrets(uncheckedOutput);
    },
  };
}
