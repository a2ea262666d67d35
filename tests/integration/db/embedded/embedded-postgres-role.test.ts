import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  query,
  reserveDataDir,
  startDatabase,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';

stopDatabasesAfterTests();

it("the service's role has no special privileges, and owns no database but the service's", async () => {
  const { url } = await startDatabase(await reserveDataDir());
  const [role] = await query(
    url,
    `SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
            pg_has_role(current_user, 'pg_read_server_files', 'member') AS reads_files
       FROM pg_roles WHERE rolname = current_user`,
  );
  expect(role).toEqual({
    rolname: 'brickdesk',
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
    reads_files: false,
  });
  const ownedDatabases = await query(
    url,
    `SELECT datname FROM pg_database WHERE datdba = 'brickdesk'::regrole`,
  );
  expect(ownedDatabases).toEqual([{ datname: 'brickdesk' }]);
  for (const sql of [
    'CREATE ROLE other LOGIN',
    'CREATE DATABASE other',
    `SELECT pg_read_file('postgresql.conf')`,
    `COPY (SELECT 1) TO PROGRAM 'true'`,
    'ALTER SYSTEM SET fsync = off',
  ])
    await expect(query(url, sql), sql).rejects.toMatchObject({ code: '42501' });
});

it("the service's role can create schemas and tables, and the extension pg_trgm is installed", async () => {
  const { url } = await startDatabase(await reserveDataDir());
  await query(url, 'CREATE SCHEMA pgboss; CREATE TABLE pgboss.job (id int); CREATE TABLE things (id int)');
  const [extension] = await query(url, `SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'`);
  expect(extension).toEqual({ extname: 'pg_trgm' });
});

it('the superuser has a different password, in a file that only the owner of the file can read', async () => {
  const dataDir = await reserveDataDir();
  const { url } = await startDatabase(dataDir);
  const passwordFile = join(dataDir, 'database-superuser-password');
  const password = (await readFile(passwordFile, 'utf8')).trim();
  expect((await stat(passwordFile)).mode & 0o777).toBe(0o600);
  expect(url).not.toContain(password);
  const superuserUrl = new URL(url);
  superuserUrl.username = 'postgres';
  superuserUrl.password = password;
  const [role] = await query(superuserUrl.href, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
  expect(role).toEqual({ rolsuper: true });
});

it('a start completes a setup that ended before the role was created, and later starts do not need the superuser', async () => {
  const dataDir = await reserveDataDir();
  const { url } = await startDatabase(dataDir);
  const superuserUrl = new URL(url);
  superuserUrl.username = 'postgres';
  superuserUrl.password = (await readFile(join(dataDir, 'database-superuser-password'), 'utf8')).trim();
  superuserUrl.pathname = '/postgres';
  await query(superuserUrl.href, 'DROP DATABASE brickdesk');
  await query(superuserUrl.href, 'DROP ROLE brickdesk');
  const restartedDatabase = await startDatabase(dataDir);
  expect(await query(restartedDatabase.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await rm(join(dataDir, 'database-superuser-password'));
  expect((await startDatabase(dataDir)).url).toBe(restartedDatabase.url);
});
