import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findSecrets } from '../find-secrets';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const scriptWithoutPages = `
  import { run } from ${JSON.stringify(pathToFileURL(path.join(root, 'dist', 'run.js')).href)};
  await run(async () => null);`;

/**
 * Node's arguments that start the service without pages, without pages but with loop-delay.mjs, or restartable-service.mjs. All
 * run the build, which is made before the tests start (database-server.ts) and starts in half the time that the sources take.
 */
const PROGRAMS: Record<'server' | 'measured' | 'restartable', readonly string[]> = {
  server: ['--input-type=module', '--eval', scriptWithoutPages],
  measured: [
    '--import',
    pathToFileURL(path.join(import.meta.dirname, 'loop-delay.mjs')).href,
    '--input-type=module',
    '--eval',
    scriptWithoutPages,
  ],
  restartable: [path.join(import.meta.dirname, 'restartable-service.mjs')],
};

/** How a process ended. */
interface ExitResult {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A service in its own process. */
export interface ServiceProcess {
  pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until stdout contains this text or matches this pattern. Fails if the process ends first. */
  waitForOutput(text: string | RegExp): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Sends a message to a restartable service. */
  send(message: object): void;
  /** Resolves when it has ended and all of its output has been read. */
  endPromise: Promise<ExitResult>;
  /** Stops it as Ctrl-C does. Throws if its log contains a secret. */
  stop(): Promise<ExitResult>;
  /** Sends SIGKILL, which is like a power cut to the process, and waits until it has ended. */
  kill(): Promise<ExitResult>;
}

/** A service that is ready for requests. */
export interface ReadyService extends ServiceProcess {
  url: string;
  /** The key that a first start prints. */
  key: string | undefined;
}

/** One of `PROGRAMS`, or other arguments for Node. */
type Program = keyof typeof PROGRAMS | readonly string[];

const runningServices = new Set<ServiceProcess>();

/** Kills all services that tests have started and not stopped. For `afterEach` and `afterAll`. */
export async function killServices(): Promise<void> {
  await Promise.all([...runningServices].map((service) => service.kill()));
}

/** Throws an error if log lines in the output of a service contain a secret. */
export function requireLogWithoutSecrets(output: string): void {
  const logLines = output.split('\n').filter((line) => line.startsWith('{'));
  const secrets = findSecrets(logLines.join('\n'));
  if (secrets.length > 0) throw new Error(`The log contains secrets: ${secrets.join(', ')}`);
}

/**
 * Spawns the service. It inherits only PATH and HOME from this process, so that a developer's own configuration does not affect
 * tests.
 *
 * @param launcher a program with arguments that replaces itself with the program in its last arguments
 */
export function spawnService(
  environment: Record<string, string>,
  program: Program = 'server',
  launcher: readonly string[] = [],
): ServiceProcess {
  const { PATH = '', HOME = '' } = process.env;
  const nodeArgs = typeof program === 'string' ? PROGRAMS[program] : program;
  const [file, ...args] = [...launcher, process.execPath, ...nodeArgs];
  const child: ChildProcess = spawn(file!, args, {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(program === 'restartable' ? (['ipc'] as const) : [])],
  });
  let stdout = '';
  let stderr = '';
  const pendingChecks = new Set<() => void>();
  const runChecks = () => {
    for (const check of pendingChecks) check();
  };
  child.stdout!.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
    runChecks();
  });
  child.stderr!.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
    runChecks();
  });
  let hasEnded = false;
  const endPromise = new Promise<ExitResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      hasEnded = true;
      runningServices.delete(service);
      resolve({ code, signal });
      runChecks();
    });
  });
  const signal = (name: NodeJS.Signals) => {
    child.kill(name);
  };
  const service: ServiceProcess = {
    pid: child.pid!,
    stdout: () => stdout,
    stderr: () => stderr,
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const isFound = typeof text === 'string' ? stdout.includes(text) : text.test(stdout);
          if (!isFound && !hasEnded) return;
          pendingChecks.delete(check);
          if (isFound) resolve();
          else reject(new Error(`The service ended before it printed ${text}:\n${stdout}\n${stderr}`));
        };
        pendingChecks.add(check);
        check();
      }),
    signal,
    send: (message) => {
      // If the process has ended, waitForOutput fails.
      child.send(message, () => undefined);
    },
    endPromise,
    async stop() {
      signal('SIGINT');
      const end = await endPromise;
      requireLogWithoutSecrets(stdout);
      return end;
    },
    kill() {
      signal('SIGKILL');
      return endPromise;
    },
  };
  runningServices.add(service);
  return service;
}

/** Spawns the service and waits until it is ready. */
export async function startService(
  environment: Record<string, string>,
  program: Program = 'server',
): Promise<ReadyService> {
  const service = spawnService(environment, program);
  await service.waitForOutput('Ctrl-C stops it.');
  const url = /Service {3}(\S+)/.exec(service.stdout())![1]!.replace('localhost', '127.0.0.1');
  return { ...service, url, key: /API key {3}(\S+)/.exec(service.stdout())?.[1] };
}

/** Returns the process id of the data folder's PostgreSQL, from its lock file. */
export async function readPostgresPid(dataDir: string): Promise<number> {
  const lockText = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number.parseInt(lockText, 10);
}
