import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLog } from '../../../src/server/core/log';

function logOf(error: unknown): string {
  let text = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  createLog('info', sink).error({ err: error }, 'failed');
  return text;
}

it('an error is logged with its type, stack and cause', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const entry = JSON.parse(logOf(new TypeError('it broke', { cause })));
  expect(entry.err).toMatchObject({
    type: 'TypeError',
    message: 'it broke',
    stack: expect.stringContaining('log.test.ts'),
    causes: [{ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }],
  });
});

it('the type of an error is the name of its class, without the number that the build may add', () => {
  class DatabaseError2 extends Error {}
  expect(JSON.parse(logOf(new DatabaseError2('x'))).err.type).toBe('DatabaseError');
});

it('requests, responses, rows and parameters that libraries attach to errors are not logged', () => {
  const error = Object.assign(new Error('refused'), {
    code: '23514',
    table: 'users',
    detail: 'Failing row contains (1, ann@example.com, $argon2id$v=19$secret).',
    where: 'secret statement',
    config: { headers: { Authorization: 'Bearer secret' }, data: 'client_secret=secret' },
    response: { body: { access_token: 'secret' }, request: { _header: 'Cookie: secret' } },
    meta: { target: 'secret' },
    cause: Object.assign(new Error('inner'), { jwt: 'secret', params: { code: 'secret' } }),
  });
  const text = logOf(error);
  expect(text).not.toContain('secret');
  expect(JSON.parse(text).err).toMatchObject({ message: 'refused', code: '23514', table: 'users' });
});

it('a circular cause, and a thrown value that is not an error, do not break the log', () => {
  const circularError = new Error('circle');
  circularError.cause = circularError;
  expect(logOf(circularError)).toContain('circle');
  expect(logOf('secret text')).not.toContain('secret');
  expect(logOf(undefined)).toContain('failed');
});

/** Runs a script that logs to standard output, in a process of its own. */
function runLoggingScript(script: string) {
  const code = `
    import { createLog, openStandardOutput } from './src/server/core/log.ts';
    const log = createLog('info', openStandardOutput());
    ${script}`;
  const options = { encoding: 'utf8', maxBuffer: 10_000_000 } as const;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], options);
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
