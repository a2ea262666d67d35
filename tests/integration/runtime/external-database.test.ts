import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { urlOfDatabase, withConnection } from '../../support/database/cluster-database';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { dropDatabase } from '../../support/database/test-database';
import { runCommand } from '../../support/process/run-command';
import { killServices, spawnService } from '../../support/process/service-process';

/** The database of each test, created with these options, and a role that does not own it. */
let databaseName: string;
let roleName: string;

const runAsSuperuser = (...statements: string[]) =>
  withConnection(urlOfDatabase(inject('superuserUrl'), 'postgres'), async (superuser) => {
    for (const statement of statements) await superuser.query(statement);
  });
const createDatabase = (options = '') =>
  runAsSuperuser(`CREATE DATABASE ${databaseName} TEMPLATE template0 ${options}`);

beforeEach(async () => {
  const id = randomBytes(6).toString('hex');
  databaseName = `external_${id}`;
  roleName = `guest_${id}`;
  await runAsSuperuser(`CREATE ROLE ${roleName} LOGIN PASSWORD 'guest'`);
});
afterEach(async () => {
  await killServices();
  await dropDatabase(databaseName);
  await runAsSuperuser(`DROP ROLE ${roleName}`);
});

/** Returns the URL of the test's database, by default for the role that does not own it. */
function urlFor(user: { username: string; password: string } = { username: roleName, password: 'guest' }) {
  const url = new URL(urlOfDatabase(inject('serverUrl'), databaseName));
  return Object.assign(url, user).href;
}

const superuserUrl = () => urlOfDatabase(inject('superuserUrl'), databaseName);

/** Returns what the service prints on stderr when it fails to start on a database. */
async function startOn(databaseUrl: string): Promise<string> {
  const service = spawnService({ DATABASE_URL: databaseUrl, NEXTAUTH_SECRET: 'x'.repeat(48) });
  expect((await service.endPromise).code).toBe(1);
  return service.stderr();
}

/** Returns what a command prints on stderr when it fails. */
async function runOn(databaseUrl: string, ...args: string[]): Promise<string> {
  const { code, stderr } = await runCommand(args, {
    DATABASE_URL: databaseUrl,
    NEXTAUTH_SECRET: 'x'.repeat(48),
  });
  expect(code).toBe(1);
  return stderr;
}

describe('a database that is not in UTF-8', () => {
  it.each(['LATIN1', 'SQL_ASCII'])('is refused by the service and the commands: %s', async (encoding) => {
    await createDatabase(`ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`);
    const message = `DATABASE_URL: the database is in ${encoding}; create one with ENCODING 'UTF8'.\n`;
    expect(await startOn(superuserUrl())).toBe(message);
    expect(await runOn(superuserUrl(), 'db', 'migrate')).toBe(message);
    const folder = await makeTemporaryFolder('external');
    try {
      expect(await runOn(superuserUrl(), 'backup', 'restore', path.join(folder, 'any.gz'))).toBe(message);
    } finally {
      await removeTemporaryFolder(folder);
    }
  });
});

describe('a database that cannot be opened is named in one line, with its variable, by the service and the commands', () => {
  it.each([
    {
      problem: 'a wrong password',
      makeUrl: () => urlFor({ username: roleName, password: 'wrong' }),
      reason: () => `password authentication failed for user "${roleName}"`,
    },
    {
      problem: 'TLS that the server does not have',
      makeUrl: () => `${urlFor()}?sslmode=verify-full`,
      reason: () => 'The server does not support SSL connections',
    },
  ])('$problem', async ({ makeUrl, reason }) => {
    await createDatabase();
    const message = `The database 127.0.0.1/${databaseName} cannot be opened: ${reason()}. Check DATABASE_URL.\n`;
    expect(await startOn(makeUrl())).toBe(message);
    expect(await runOn(makeUrl(), 'account', 'list')).toBe(message);
  });

  it('a name that the server does not know', async () => {
    const message = `The database 127.0.0.1/${databaseName} cannot be opened: database "${databaseName}" does not exist. Check DATABASE_URL.\n`;
    expect(await startOn(urlFor())).toBe(message);
    expect(await runOn(urlFor(), 'account', 'list')).toBe(message);
  });
});

describe('a database that refuses to be migrated says in one line what to grant', () => {
  it('to a user without rights', async () => {
    await createDatabase();
    const message =
      'DATABASE_URL: the database user lacks a privilege: permission denied for schema public. Make it the owner of the ' +
      'database, or grant it CREATE on the database and on its schema public.\n';
    expect(await startOn(urlFor())).toBe(message);
    expect(await runOn(urlFor(), 'db', 'migrate')).toBe(message);
  });

  it('to a user without the right to create the schema of the background jobs', async () => {
    await createDatabase();
    await withConnection(superuserUrl(), (superuser) =>
      superuser.query(
        `CREATE EXTENSION pg_trgm; GRANT CREATE, USAGE ON SCHEMA public TO ${roleName}; REVOKE CREATE ON DATABASE ${databaseName} FROM ${roleName}`,
      ),
    );
    expect(await startOn(urlFor())).toBe(
      `DATABASE_URL: the database user lacks a privilege: permission denied for database ${databaseName}. Make it the owner ` +
        'of the database, or grant it CREATE on the database and on its schema public.\n',
    );
  });

  it('where every transaction is read-only', async () => {
    await createDatabase(`OWNER ${roleName}`);
    await runAsSuperuser(`ALTER DATABASE ${databaseName} SET default_transaction_read_only = on`);
    const message =
      'DATABASE_URL: the database is read-only: cannot execute CREATE TABLE in a read-only transaction. Use a primary, and a ' +
      'user whose transactions may write.\n';
    expect(await startOn(urlFor())).toBe(message);
    expect(await runOn(urlFor(), 'db', 'migrate')).toBe(message);
  });
});
