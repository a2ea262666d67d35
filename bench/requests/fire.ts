import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import autocannon from 'autocannon';
import { type CleanupSteps, endChild, type Service } from '../service';

const CONNECTION_COUNT = 32;
const ROUND_SECONDS = 2;
/** How many times the service and plain Node are each measured, in turn. */
export const ROUND_COUNT = 7;

/** A kind of request, and the only status that its response may have. */
export interface RequestKind {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  status: number;
  options: Pick<Parameters<typeof autocannon>[0], 'headers' | 'body' | 'requests'>;
}

/** Starts the bare server in a process of its own. Returns its port. */
export async function startBareServer(service: Service, cleanupSteps: CleanupSteps): Promise<number> {
  const scriptPath = path.join(import.meta.dirname, '..', 'bare', 'bare-server.ts');
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', scriptPath], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: service.databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  cleanupSteps.push(() => endChild(child));
  const earlyExitPromise = once(child, 'exit').then(() => {
    throw new Error('The bare server did not start.');
  });
  const [message] = await Promise.race([once(child, 'message'), earlyExitPromise]);
  earlyExitPromise.catch(() => undefined);
  return (message as { port: number }).port;
}

/**
 * Sends requests for some seconds and returns their number per second. Throws on any unexpected response, which would make the
 * figure worthless.
 */
export async function fireRequests(
  port: number,
  kind: RequestKind,
  seconds = ROUND_SECONDS,
): Promise<number> {
  const { name, method, path: target, status, options } = kind;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${target}`,
    method,
    connections: CONNECTION_COUNT,
    duration: seconds,
    ...options,
  });
  const statuses = Object.keys(result.statusCodeStats).join();
  if (result.errors > 0 || result.timeouts > 0 || statuses !== String(status)) {
    throw new Error(`${name}: status ${statuses}, ${result.errors} errors, ${result.timeouts} timeouts`);
  }
  return result.requests.total / result.duration;
}
