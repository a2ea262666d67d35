import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROLES } from '../../../src/server/identity/roles';
import { COMMAND_ACTOR, type CommandLine, openCommandLine } from '../../support/process/command-line';
import { runCommand } from '../../support/process/run-command';

const US_FILE = 'tests/fixtures/sold-order-items-us.csv';

let cli: CommandLine;

beforeAll(async () => {
  cli = await openCommandLine();
});
afterAll(() => cli.close());

describe('help', () => {
  it.each([
    [
      [],
      /account .*\n {2}api-key .*\n {2}oauth-client .*\n {2}oauth-key .*\n {2}user .*\n {2}token .*\n {2}orders .*\n {2}catalog .*\n {2}prompt .*\n {2}db /,
    ],
    [['account'], /create .*create a shop account/],
    [['account', 'create'], /--shop-id <id>/],
    [['account', 'list'], /list the shop accounts/],
    [['api-key'], /revoke .*revoke a key/],
    [['api-key', 'create'], /--expires <span>/],
    [['api-key', 'list'], /newest first/],
    [['api-key', 'revoke'], /its id/],
    [['user', 'create'], new RegExp(`choices: ${ROLES.map((role) => `"${role}"`).join(',\\s+')}`)],
    [['user', 'reset-password'], /--password-stdin/],
    [['orders', 'import'], /\.csv or \.xlsx/],
    [['orders', 'export'], /choices: "ndjson", "csv", default:\s+"ndjson"/],
    [['db', 'migrate'], /pending migrations/],
    [['db', 'status'], /applied, pending or failed/],
    [['db', 'distribute'], /workers of a Citus cluster \(experimental\)/],
  ])('for %j describes it and shows an example', async (command, descriptionPattern) => {
    const { code, stdout, stderr } = await runCommand([...command, '--help'], {});
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(descriptionPattern);
    expect(stdout).toMatch(/Example:\n {2}npm run -s cli -- \w/);
  });
});

describe('a command that cannot be understood', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['account', 'create'], "required option '--name <name>' not specified"],
    [
      ['account', 'create', '--name', ' '],
      "option '--name <name>' argument ' ' is invalid. It must not be empty.",
    ],
    [
      ['account', 'create', '--name', 'a', '--shop-id', 'x'.repeat(51)],
      'It must have at most 50 characters.',
    ],
    [
      ['api-key', 'create', '--name', 'a', '--expires', '90days'],
      "option '--expires <span>' argument '90days' is invalid",
    ],
    [
      ['api-key', 'revoke', '0'],
      "'0' is invalid for argument 'id'. It must be a whole number from 1 to 2147483647",
    ],
    [['user', 'create', '--email', 'ann', '--role', 'viewer'], 'It must be an e-mail address.'],
    [['user', 'create', '--email', 'a@b.co', '--role', 'king'], `Allowed choices are ${ROLES.join(', ')}.`],
    [['orders', 'import', '--account', '1'], "missing required argument 'file'"],
    [['orders', 'import', US_FILE, '--account', '1.5'], "option '--account <id>' argument '1.5' is invalid"],
  ])('%j ends with code 1 and says what is wrong, on stderr and in the JSON', async (args, message) => {
    const { code, json, stderr } = await runCommand([...args, '--json'], {});
    expect(code).toBe(1);
    expect(json.error.message).toContain(message);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('a command that cannot start', () => {
  it('says in one line, without a stack, that the database cannot be opened', async () => {
    const env = { ...cli.env, DATABASE_URL: 'postgresql://127.0.0.1:1/none' };
    const { code, json, stderr } = await runCommand(['account', 'list', '--json'], env);
    expect(code).toBe(1);
    expect(json.error.message).toMatch(
      /^The database 127\.0\.0\.1\/none cannot be opened: .*Check DATABASE_URL\.$/,
    );
    expect(stderr).toBe(`${json.error.message}\n`);
  });

  it('names a setting that is not valid', async () => {
    const { code, stdout, stderr } = await runCommand(['account', 'list'], { PORT: 'many' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('The configuration is not valid. PORT: must be a whole number from 0 to 65535\n');
  });
});

describe('account', () => {
  it('create creates a shop that list shows, and the audit log names who created it', async () => {
    const result = await cli.run('account', 'create', '--name', ' Fox shop ', '--shop-id', 'fox-1', '--json');
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.json).toMatchObject({ id: expect.any(Number), name: 'Fox shop', shop_id: 'fox-1' });

    const listResult = await cli.run('account', 'list', '--json');
    expect(listResult.json).toContainEqual(result.json);
    expect((await cli.run('account', 'list')).stdout).toMatch(
      /^ID +NAME +SHOP ID +CURRENCY +CREATED\n(.*\n)*\d+ +Fox shop +fox-1 +- +20/,
    );

    const auditEntries = await cli.database.query(
      "SELECT actor_kind, actor FROM audit_log WHERE action = 'account.create' AND record_id = $1",
      [String(result.json.id)],
    );
    expect(auditEntries).toEqual([{ actor_kind: 'command', actor: COMMAND_ACTOR }]);
  });

  it('create refuses a name or a shop_id that is taken, and names the option', async () => {
    await cli.run('account', 'create', '--name', 'Taken', '--shop-id', 'taken-1');
    const takenNameResult = await cli.run('account', 'create', '--name', 'Taken');
    expect([takenNameResult.code, takenNameResult.stdout]).toEqual([1, '']);
    expect(takenNameResult.stderr).toMatch(/^--name is used by shop \d+; choose another\n$/);
    const takenShopIdResult = await cli.run(
      'account',
      'create',
      '--name',
      'Other',
      '--shop-id',
      'taken-1',
      '--json',
    );
    expect(takenShopIdResult.json.error).toMatchObject({ code: 'validation_failed' });
    expect(takenShopIdResult.stderr).toMatch(/^--shop-id is used by shop \d+/);
  });
});

describe('api-key', () => {
  it('create shows the key, list does not, and revoke revokes it', async () => {
    const result = await cli.run('api-key', 'create', '--name', 'ERP bridge', '--expires', '90d', '--json');
    expect(result.json).toMatchObject({
      id: expect.any(Number),
      key: expect.stringMatching(/^bdk_\w{46}$/),
    });
    const days = (Date.parse(result.json.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);

    const listResult = await cli.run('api-key', 'list', '--json');
    expect(listResult.stdout).not.toContain(result.json.key);
    expect(listResult.json).toContainEqual(
      expect.objectContaining({
        id: result.json.id,
        name: 'ERP bridge',
        state: 'active',
        created_by: COMMAND_ACTOR,
      }),
    );

    const revokeResult = await cli.run('api-key', 'revoke', String(result.json.id), '--json');
    expect(revokeResult.json).toEqual({ id: result.json.id, revoked_at: expect.stringMatching(/Z$/) });
    expect((await cli.run('api-key', 'list')).stdout).toMatch(/ERP bridge +bdk_\w{4}\.\.\.\w{4} +revoked/);
  });

  it('revoke of an unknown key fails', async () => {
    const { code, stderr } = await cli.run('api-key', 'revoke', '2147483647');
    expect([code, stderr]).toEqual([1, 'No API key has the id 2147483647.\n']);
  });
});

describe('user', () => {
  it('create shows a generated password; reset-password reads one from stdin', async () => {
    const result = await cli.run(
      'user',
      'create',
      '--email',
      'Ann@Example.com',
      '--role',
      'operator',
      '--json',
    );
    expect(result.json).toMatchObject({ email: 'ann@example.com', name: 'ann', role: 'operator' });
    expect(result.json.password).toMatch(/^\w{4}(-\w{4}){4}$/);
    const args = ['user', 'reset-password', '--email', 'ann@example.com', '--password-stdin', '--json'];
    const resetResult = await runCommand(args, cli.env, 'correct horse battery\nmore\n');
    expect(resetResult.json).toEqual({ id: result.json.id, email: 'ann@example.com', password: null });
    const shortPasswordResult = await runCommand(args, cli.env, 'short\n');
    expect([shortPasswordResult.code, shortPasswordResult.json.error.message]).toEqual([
      1,
      '--password-stdin: the password must have at least 12 characters.',
    ]);
  });

  it('create and reset-password accept an e-mail address at localhost, such as the first owner has', async () => {
    const email = 'second@localhost';
    expect(
      (await cli.run('user', 'create', '--email', email, '--role', 'viewer', '--json')).json,
    ).toMatchObject({ email });
    expect((await cli.run('user', 'reset-password', '--email', email, '--json')).json).toMatchObject({
      email,
    });
  });

  it('create fails for an e-mail address that exists, and reset-password for one that does not', async () => {
    await cli.run('user', 'create', '--email', 'bob@example.com', '--role', 'viewer', '--name', 'Bob');
    const duplicateResult = await cli.run('user', 'create', '--email', 'bob@example.com', '--role', 'viewer');
    expect([duplicateResult.code, duplicateResult.stderr]).toEqual([
      1,
      'email: is taken: a user with the e-mail address bob@example.com already exists\n',
    ]);
    const unknownUserResult = await cli.run('user', 'reset-password', '--email', 'nobody@example.com');
    expect([unknownUserResult.code, unknownUserResult.stderr]).toEqual([
      1,
      'No user has the e-mail address nobody@example.com.\n',
    ]);
  });
});

describe('token', () => {
  it('create creates a token for a user, which is shown once and expires after the given time', async () => {
    const email = 'tokens@example.com';
    await cli.run('user', 'create', '--email', email, '--role', 'viewer');
    const create = (...args: string[]) => cli.run('token', 'create', '--email', email, ...args);
    const { json } = await create('--name', 'Nightly script', '--expires', '90d', '--json');
    expect(json).toEqual({
      id: expect.any(Number),
      name: 'Nightly script',
      token: expect.stringMatching(/^bdp_\w{20,}$/),
      expires_at: expect.any(String),
    });
    const daysLeft = (Date.parse(json.expires_at) - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(89.9);
    expect(daysLeft).toBeLessThanOrEqual(90);
    expect((await create('--name', 'Script 2', '--expires', '12h')).stdout).toMatch(
      /^Created token \d+ "Script 2" for tokens@example\.com\. Keep it; it is not shown again\.\n\n {2}bdp_\w+\n\nIt expires 20\d\d-/,
    );
    // Only the hash, by which the service recognizes it, is stored.
    const storedTokens = await cli.database.query<{ name: string; row: string }>(
      "SELECT name, t::text AS row FROM personal_tokens t WHERE hash = sha256(convert_to($1, 'UTF8'))",
      [json.token],
    );
    expect(storedTokens).toEqual([{ name: 'Nightly script', row: expect.not.stringContaining(json.token) }]);
  });

  it('create fails for an e-mail address that no user has', async () => {
    const args = ['--email', 'nobody@example.com', '--name', 'Script', '--expires', '1d'];
    const { code, stdout, stderr } = await cli.run('token', 'create', ...args);
    expect([code, stdout, stderr]).toEqual([1, '', 'No user has the e-mail address nobody@example.com.\n']);
  });
});

describe('db', () => {
  it('status names the applied migrations, and migrate has nothing to do', async () => {
    const statusResult = await cli.run('db', 'status', '--json');
    expect(statusResult.json).toEqual({
      applied: expect.arrayContaining([expect.stringMatching(/_init$/)]),
      pending: [],
      failed: [],
      unknown: [],
    });
    expect((await cli.run('db', 'status')).stdout).toMatch(/^applied: \d+\n(.*\n)*pending: 0\nfailed: 0\n$/);
    expect((await cli.run('db', 'migrate', '--json')).json).toEqual({ applied: [] });
  });

  it('status names the migrations of a newer version', async () => {
    await cli.database.query(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at)
      VALUES ('newer', 'x', now(), '99990101000000_newer', now())`);
    const { stdout } = await cli.run('db', 'status');
    expect(stdout).toMatch(
      /failed: 0\nof a newer version, unknown to this one: 1\n {2}99990101000000_newer\n$/,
    );
    expect((await cli.run('db', 'status', '--json')).json).toMatchObject({
      unknown: ['99990101000000_newer'],
    });
    await cli.database.query(`DELETE FROM _prisma_migrations WHERE id = 'newer'`);
  });
});

describe('db distribute', () => {
  it.each(['0', '-1', '1.5', '1025', 'many'])(
    'refuses %s shards, and says how many there can be',
    async (shards) => {
      const { code, stderr } = await cli.run('db', 'distribute', '--experimental', `--shards=${shards}`);
      expect(code).toBe(1);
      expect(stderr).toContain('must be a whole number from 1 to 1024');
    },
  );

  it('requires a confirmation, because it is experimental and cannot be undone', async () => {
    const { code, stderr } = await cli.run('db', 'distribute');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /lists of all shops take longer.*no command moves the tables back.*Add --experimental/,
    );
  });

  it.skipIf(inject('workers').length > 0)(
    'refuses a database without Citus, and says so on stderr and in the JSON',
    async () => {
      const refusal = await cli.run('db', 'distribute', '--experimental', '--json');
      expect(refusal.code).toBe(1);
      expect(refusal.stderr).toMatch(/^This database does not have the extension "citus"/);
      expect(refusal.json).toMatchObject({ error: { message: refusal.stderr.trim() } });
    },
  );
});
