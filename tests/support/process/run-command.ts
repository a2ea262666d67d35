import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** The result of a command. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
  json: any;
}

/**
 * Spawns the built command line, as `npm run cli` does. It inherits only PATH and HOME from this process's environment. It is
 * built before the tests start (database-server.ts), because the build starts three times as fast as the sources.
 */
export function spawnCommand(
  args: readonly string[],
  env: Record<string, string>,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { NODE_ENV: 'production', PATH, HOME, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a command and waits until it exits. `json` is its parsed stdout, or undefined if that is not JSON. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<CommandResult> {
  const child = spawnCommand(args, env);
  child.stdin.end(input);
  const outChunks: Buffer[] = [];
  const errChunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => outChunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errChunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  );
  const stdout = Buffer.concat(outChunks).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(stdout);
  } catch {
    json = undefined;
  }
  return { code, stdout, stderr: Buffer.concat(errChunks).toString('utf8'), json };
}
