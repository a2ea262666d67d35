import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';

let folder: string;
beforeAll(async () => {
  folder = await makeTemporaryFolder('build-process');
});
afterAll(() => removeTemporaryFolder(folder));

/** Creates a folder in which the Prisma client can be built, and nothing has been built yet. */
async function makeSourceFolder(name: string): Promise<string> {
  const sourceFolder = path.join(folder, name);
  await mkdir(path.join(sourceFolder, 'scripts'), { recursive: true });
  for (const file of ['build.mjs', 'build-lock.mjs', 'run-program.mjs'])
    await cp(path.join('scripts', file), path.join(sourceFolder, 'scripts', file));
  for (const file of ['prisma', 'prisma.config.ts', 'package.json', 'package-lock.json'])
    await cp(file, path.join(sourceFolder, file), { recursive: true });
  await symlink(path.resolve('node_modules'), path.join(sourceFolder, 'node_modules'));
  return sourceFolder;
}

interface BuildProcess {
  child: ChildProcess;
  output(): string;
  endPromise: Promise<unknown[]>;
}

function startBuild(sourceFolder: string): BuildProcess {
  const child = spawn(process.execPath, ['scripts/build.mjs', 'client'], { cwd: sourceFolder });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return { child, output: () => text, endPromise: once(child, 'close') };
}

/** Returns the process ids of a process's children. */
const readChildren = async ({ pid }: ChildProcess): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('a build that starts during another one waits for it, and does not repeat what it has built', async () => {
  const sourceFolder = await makeSourceFolder('two builds');
  const builds = [startBuild(sourceFolder), startBuild(sourceFolder), startBuild(sourceFolder)];
  for (const { endPromise, output } of builds) expect(await endPromise, output()).toEqual([0, null]);
  const output = builds.map((singleBuild) => singleBuild.output()).join('');
  expect(output.match(/Building the client/g), output).toHaveLength(1);
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a build together with the program that it runs, and the next build works',
  async (signal) => {
    const sourceFolder = await makeSourceFolder(signal);
    const interrupted = startBuild(sourceFolder);
    await expect.poll(() => readChildren(interrupted.child)).toHaveLength(1);
    const [programPid] = await readChildren(interrupted.child);
    interrupted.child.kill(signal);
    expect(await interrupted.endPromise).toEqual([null, signal]);
    expect(isRunning(programPid!)).toBe(false);
    const next = startBuild(sourceFolder);
    expect(await next.endPromise, next.output()).toEqual([0, null]);
    expect(next.output()).toBe('Building the client ...\n');
  },
);

it('a build does not wait for one that was killed', async () => {
  const sourceFolder = await makeSourceFolder('killed');
  const killed = startBuild(sourceFolder);
  await expect.poll(() => killed.output()).toContain('Building');
  killed.child.kill('SIGKILL');
  await killed.endPromise;
  const next = startBuild(sourceFolder);
  expect(await next.endPromise, next.output()).toEqual([0, null]);
  expect(next.output()).toBe('Building the client ...\n');
});

it('what was built and then deleted is built again, and otherwise nothing', async () => {
  const sourceFolder = await makeSourceFolder('deleted');
  const readBuildOutput = async () => {
    const { endPromise, output } = startBuild(sourceFolder);
    expect(await endPromise, output()).toEqual([0, null]);
    return output();
  };
  expect(await readBuildOutput()).toBe('Building the client ...\n');
  expect(await readBuildOutput()).toBe('');
  await rm(path.join(sourceFolder, 'src', 'generated'), { recursive: true });
  expect(await readBuildOutput()).toBe('Building the client ...\n');
});
