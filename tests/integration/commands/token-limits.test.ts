import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandLine, openCommandLine } from '../../support/process/command-line';

let cli: CommandLine;

beforeAll(async () => {
  cli = await openCommandLine();
});
afterAll(() => cli.close());

describe('token', () => {
  it('create refuses a lifetime of more than 366 days', async () => {
    const email = 'lasting@example.com';
    await cli.run('user', 'create', '--email', email, '--role', 'viewer');
    const create = (span: string) =>
      cli.run('token', 'create', '--email', email, '--name', 'Script', '--expires', span);
    for (const span of ['367d', '3660d', '53w']) {
      const { code, stdout, stderr } = await create(span);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('must be at most 366 days');
    }
    expect((await create('366d')).code).toBe(0);
  });

  it('create refuses a deactivated user, whose token would work again after a reactivation', async () => {
    const email = 'gone@example.com';
    await cli.run('user', 'create', '--email', email, '--role', 'viewer');
    await cli.run('user', 'deactivate', '--email', email);
    const args = ['--email', email, '--name', 'Script', '--expires', '1d'];
    const { code, stdout, stderr } = await cli.run('token', 'create', ...args);
    expect([code, stdout, stderr]).toEqual([1, '', `${email} is deactivated. Reactivate the user first.\n`]);
    const query = 'SELECT 1 FROM personal_tokens t JOIN users u ON u.id = t.user_id WHERE u.email = $1';
    expect(await cli.database.query(query, [email])).toEqual([]);
  });
});
