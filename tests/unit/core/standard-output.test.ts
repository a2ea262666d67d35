import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';

/**
 * Runs a script that logs to standard output, in a process of its own.
 *
 * @param launcher a shell command that starts the process, `"$@"`; by default nothing but that
 */
function runLoggingScript(script: string, launcher = 'exec "$@"') {
  const code = `
    import { createLog } from './src/server/core/log.ts';
    import { openStandardOutput } from './src/server/core/standard-output.ts';
    const log = createLog('info', openStandardOutput());
    ${script}`;
  const options = { encoding: 'utf8', maxBuffer: 10_000_000 } as const;
  const nodeArgs = ['--import', 'tsx', '--input-type=module', '-e', code];
  return spawnSync('sh', ['-c', launcher, 'sh', process.execPath, ...nodeArgs], options);
}

it('a warning reaches standard output at once, together with what was logged before it, even if the process is killed', () => {
  const { stdout, signal } = runLoggingScript(`
    log.info('before');
    log.warn('warning');
    log.info('after');
    process.kill(process.pid, 'SIGKILL');`);
  expect(signal).toBe('SIGKILL');
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(['before', 'warning']);
});

it.each([
  ['exits', 'process.exit(3)', 3],
  ['fails', "throw new Error('not caught')", 1],
  ['ends', '', 0],
])(
  'every line logged before the process %s reaches standard output, in order',
  (_, lastStatement, status) => {
    const result = runLoggingScript(`
    for (let n = 0; n < 5000; n++) log.info({ n, text: 'x'.repeat(100) }, 'line');
    ${lastStatement}`);
    expect(result.status).toBe(status);
    const lines = result.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
  },
);

it('logging never throws while the log cannot be written, and the process ends as usual', () => {
  const { status, stderr } = runLoggingScript(
    `
    for (let n = 0; n < 100; n++) log.warn({ n }, 'line');
    log.info('collected');
    setTimeout(() => process.stderr.write('still at work'), 50);`,
    'exec "$@" > /dev/full',
  );
  expect([status, stderr]).toEqual([0, 'still at work']);
});

it('what fits is kept while the log cannot be written, and once it can be again, the log says how many lines are missing', async () => {
  const folder = await makeTemporaryFolder('log');
  const file = path.join(folder, 'log');
  const LINE_COUNT = 1_600;
  // A file may not exceed 16,384 blocks, or 8 MiB, so that writing to it fails like writing to a full disk.
  const result = runLoggingScript(
    `
    import { copyFileSync, truncateSync } from 'node:fs';
    const file = ${JSON.stringify(file)};
    for (let n = 0; n < ${LINE_COUNT}; n++) log.warn({ n, text: 'x'.repeat(10_000) }, 'line');
    copyFileSync(file, file + '.full');
    truncateSync(file);
    process.stderr.write('room again');
    log.warn('last');`,
    `ulimit -f 16384; exec "$@" >> '${file}'`,
  );
  expect([result.status, result.stderr]).toEqual([0, 'room again']);
  const text = (await readFile(`${file}.full`, 'utf8')) + (await readFile(file, 'utf8'));
  const entries = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const keptNumbers = entries.flatMap(({ n }) => (n === undefined ? [] : [n]));
  expect(keptNumbers).toEqual(Array.from(keptNumbers, (_, n) => n));
  expect(keptNumbers.length).toBeGreaterThan(1_000);
  const notice = { level: 'warn', time: expect.any(String), dropped: LINE_COUNT - keptNumbers.length };
  expect(entries.slice(keptNumbers.length)).toEqual([
    expect.objectContaining({ msg: 'last' }),
    { ...notice, msg: 'log lines were dropped while the log could not be written' },
  ]);
  expect(notice.dropped).toBeGreaterThan(0);
  await removeTemporaryFolder(folder);
});
