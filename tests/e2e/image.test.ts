import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../support/database/temporary-folder';
import { findUnprivilegedUser, isRoot } from '../support/database/unprivileged-user';
import { type CollectorStandIn, startCollectorStandIn } from '../support/stand-ins/collector-stand-in';

/** The maximum size of the image's files, without those of Node's own image. */
const MAX_IMAGE_BYTES = 200_000_000;

/** A chunk of the previous build, which a build keeps because a running service may load it. The image must not contain it. */
const OLD_CHUNK = 'chunk-EARLIER.js';

const runProgram = promisify(execFile);
let folder: string;
let imageDir: string;
let environment: NodeJS.ProcessEnv;
let collector: CollectorStandIn;
let service: ChildProcess | undefined;
let output = '';
let url: string;

/** If root runs the tests, the service runs, as in the container, as a user who owns nothing but the data folder. */
const userIds = isRoot ? findUnprivilegedUser() : {};

beforeAll(async () => {
  folder = await makeTemporaryFolder('image');
  imageDir = path.join(folder, 'image');
  const dataDir = path.join(folder, 'data');
  await mkdir(dataDir);
  if (isRoot) await chown(dataDir, findUnprivilegedUser().uid, findUnprivilegedUser().gid);
  const oldChunkPath = path.join('dist', OLD_CHUNK);
  await writeFile(oldChunkPath, '');
  await runProgram(process.execPath, ['scripts/image.mjs', imageDir]).finally(() => rm(oldChunkPath));
  collector = await startCollectorStandIn();
  environment = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  };
  const child = spawn(process.execPath, ['dist/main.js'], { cwd: imageDir, env: environment, ...userIds });
  service = child;
  url = await new Promise<string>((resolve, reject) => {
    const readChunk = (chunk: Buffer) => {
      output += chunk;
      const serviceUrl = /Service +(http:\S+)/.exec(output)?.[1];
      if (serviceUrl) resolve(serviceUrl);
    };
    child.stdout!.on('data', readChunk);
    child.stderr!.on('data', readChunk);
    child.once('close', () => reject(new Error(`the service exited:\n${output}`)));
  });
}, 240_000);

afterAll(async () => {
  if (service && service.exitCode === null) {
    const closePromise = new Promise((resolve) => service!.once('close', resolve));
    service.kill('SIGTERM');
    await closePromise;
  }
  await collector?.close();
  await removeTemporaryFolder(folder);
});

it('the image has the files that pages, the API and commands need', async () => {
  for (const pathname of ['/readyz', '/docs/api', '/docs/api/openapi.json', '/admin/sign-in', '/'])
    expect((await fetch(url + pathname)).status, pathname).toBe(200);
  const key = /bdk_\w+/.exec(output)![0];
  // The commands as the first start prints them. npm keeps its own files in the data folder, as in the container.
  const npmEnv = { NPM_CONFIG_CACHE: path.join(folder, 'data', 'npm'), NPM_CONFIG_LOGS_MAX: '0' };
  const runCommand = (...args: string[]) =>
    runProgram('npm', ['run', '-s', 'cli', '--', ...args], {
      cwd: imageDir,
      env: { ...environment, ...npmEnv },
      ...userIds,
    });
  expect((await runCommand('account', 'create', '--name', 'Image')).stdout).toContain(
    'Created account 1 "Image"',
  );
  const samplePath = /orders import (\S+) /.exec(output)![1]!;
  expect((await runCommand('orders', 'import', samplePath, '--account', '1')).stdout).toMatch(/37/);
  // Enough rows for a worker thread, which loads its own file.
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ receipt_id: String(index), title: 'Fox' }));
  const response = await fetch(`${url}/api/orders/import`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ account_id: 1, rows }),
  });
  expect(await response.json()).toMatchObject({ data: { new_orders: 5_000 } });
  // The packages for traces are loaded only if traces are enabled.
  const spans = await collector.waitForTrace('POST /api/orders/import');
  expect(spans.map(({ name }) => name)).toContain('worker thread');
});

it('the image adds less than 200 MB to Node’s, and has no old build files, source maps or .env files', async () => {
  const files = await readdir(imageDir, { recursive: true, withFileTypes: true });
  const sizePromises = files
    .filter((file) => file.isFile())
    .map(async (file) => (await stat(path.join(file.parentPath, file.name))).size);
  const totalBytes = (await Promise.all(sizePromises)).reduce((sum, size) => sum + size, 0);
  expect(totalBytes).toBeLessThan(MAX_IMAGE_BYTES);
  expect(files.map(({ name }) => name)).not.toContain(OLD_CHUNK);
  expect(files.some(({ name }) => name.startsWith('.env') || name.endsWith('.map'))).toBe(false);
});

it('the image’s service exits with code 0 on SIGTERM', async () => {
  const exitCodePromise = new Promise<number | null>((resolve) => service!.once('close', resolve));
  service!.kill('SIGTERM');
  expect(await exitCodePromise).toBe(0);
});
