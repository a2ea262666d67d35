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

it('an error that cannot be read is logged, and does not break the work that logs it', () => {
  const brokenError = Object.defineProperty(new Error('broken'), 'message', {
    get() {
      throw new Error('unreadable');
    },
  });
  expect(JSON.parse(logOf(brokenError))).toMatchObject({ msg: 'failed', err: { type: 'unreadable error' } });
});
