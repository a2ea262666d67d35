import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, vi } from 'vitest';
import {
  type EmbeddedDatabase,
  findRunningServer,
  startEmbeddedDatabase,
} from '../../../src/server/db/embedded';
import { createMigratedDataDir } from './migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder';
import type { UserIds } from './unprivileged-user';

export const projectFolder = join(import.meta.dirname, '..', '..', '..');
const tsxUrl = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

let baseFolderPromise: Promise<string> | undefined;
let folderCount = 0;
const dataDirs = new Set<string>();
const children = new Set<ChildProcess>();

/** Returns the folder that contains all other folders of a test file. Creates it on the first call. */
function getBaseFolder(): Promise<string> {
  baseFolderPromise ??= makeTemporaryFolder('embedded');
  return baseFolderPromise;
}

async function stopDatabases(): Promise<void> {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  children.clear();
  for (const dir of dataDirs) await (await findRunningServer(dir).catch(() => null))?.stop();
  dataDirs.clear();
}

/** Raises the time limits of a test file, stops its servers and processes after each test, and removes its folders at the end. */
export function stopDatabasesAfterTests(): void {
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  afterEach(stopDatabases);
  afterAll(async () => {
    if (baseFolderPromise) await removeTemporaryFolder(await baseFolderPromise);
    baseFolderPromise = undefined;
  });
}

export async function createFolder(mode = 0o755, owner?: UserIds): Promise<string> {
  const folder = join(await getBaseFolder(), String(++folderCount));
  await mkdir(folder);
  await chmod(folder, mode);
  if (owner) await chown(folder, owner.uid, owner.gid);
  return folder;
}

/** Returns a data folder that does not exist yet. Its server is stopped after the test. */
export async function reserveDataDir(name = 'data'): Promise<string> {
  const dir = join(await createFolder(), name);
  dataDirs.add(dir);
  return dir;
}

/** Creates a data folder that was used before. Its server is stopped after the test. */
export const createUsedDataDir = async (): Promise<string> => createMigratedDataDir(await reserveDataDir());

/** Starts the server of a data folder. It is stopped after the test. */
export function startDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  dataDirs.add(dataDir);
  return startEmbeddedDatabase({ dataDir });
}

export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface StartReport {
  url?: string;
  isNewlyStarted?: boolean;
  uid?: number;
  /** What was announced, and whether there was a system user `postgres` at that time. */
  announcements?: { line: string; hasPostgresUser: boolean }[];
  error?: { name: string; message: string };
}

/**
 * Starts the server from a separate Node process, which reports the result in one line and, after a success, runs until it is
 * killed.
 *
 * @param options.launcher a program with arguments that replaces itself with the program in its last arguments
 */
export async function startInChild(
  dataDir: string,
  options: { source?: string; user?: UserIds; launcher?: readonly string[] } = {},
): Promise<{ child: ChildProcess; reportPromise: Promise<StartReport> }> {
  dataDirs.add(dataDir);
  const scriptPath = join(await createFolder(), 'child.mjs');
  const moduleUrl = pathToFileURL(
    join(options.source ?? projectFolder, 'src/server/db/embedded/index.ts'),
  ).href;
  const script = `
    import { spawnSync } from 'node:child_process';
    const { startEmbeddedDatabase } = await import(${JSON.stringify(moduleUrl)});
    const announcements = [];
    const announce = (line) =>
      announcements.push({ line, hasPostgresUser: spawnSync('id', ['postgres']).status === 0 });
    try {
      const { url, isNewlyStarted } = await startEmbeddedDatabase({ dataDir: process.argv[2], announce });
      console.log(JSON.stringify({ url, isNewlyStarted, uid: process.getuid(), announcements }));
      setInterval(() => undefined, 1000);
      process.on('SIGINT', () => console.error('interrupted'));
    } catch (error) {
      console.log(JSON.stringify({ error: { name: error.name, message: error.message } }));
    }`;
  await writeFile(scriptPath, script, { mode: 0o644 });
  const command = [process.execPath, '--import', tsxUrl, scriptPath, dataDir];
  const [file, ...args] = [...(options.launcher ?? []), ...command];
  const child = spawn(file!, args, {
    cwd: await getBaseFolder(),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    ...options.user,
  });
  killAfterTest(child);
  const lineReader = createInterface({ input: child.stdout! });
  const reportPromise = Promise.race([
    once(lineReader, 'line').then(([line]): StartReport => JSON.parse(line)),
    once(child, 'exit').then(async ([code, signal]): Promise<StartReport> => {
      await sleep(500); // The line may arrive after the exit.
      return { error: { name: 'Exit', message: `${code ?? signal}` } };
    }),
  ]);
  return { child, reportPromise };
}

/** Kills a process after the test if it is still running. */
export function killAfterTest(child: ChildProcess): void {
  children.add(child);
}

export async function killProcess(child: ChildProcess): Promise<void> {
  const exitPromise = once(child, 'exit');
  child.kill('SIGKILL');
  await exitPromise;
}
