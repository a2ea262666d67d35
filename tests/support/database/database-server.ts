import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../../scripts/build.mjs';
import { startEmbeddedDatabase } from '../../../src/server/db/embedded';
import { findWorkers, migrateAndSeed, urlOfDatabase, type Worker, withConnection } from './cluster-database';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    /** For dropping databases that are still in use. */
    superuserUrl: string;
    /** The workers of the cluster, if `TEST_DATABASE_URL` is that of a coordinator. */
    workers: Worker[];
  }
}

/** The migrated and seeded database that test files' own databases are cloned from, except on a cluster. */
export const TEMPLATE_DATABASE = 'brickdesk_template';

/**
 * Prepares a new server for tests. Lets the service's role create databases, because each test file creates its own. Turns fsync
 * off: waiting for the disk would make creating a database take ten times as long. Tests of durability start servers of their own.
 *
 * @returns the superuser's URL, for dropping the databases: only a superuser may end an autovacuum that is running in one
 */
async function prepareNewServer(serverUrl: string, dataDir: string): Promise<string> {
  const url = new URL(urlOfDatabase(serverUrl, 'postgres'));
  url.username = 'postgres';
  url.password = await readFile(path.join(dataDir, 'database-superuser-password'), 'utf8');
  await withConnection(url.href, async (superuser) => {
    await superuser.query('ALTER ROLE brickdesk CREATEDB');
    await superuser.query('ALTER SYSTEM SET fsync = off');
    await superuser.query('ALTER SYSTEM SET full_page_writes = off');
    // The server's files may be in memory (temporary-folder.ts), so the write-ahead log is kept small.
    await superuser.query(`ALTER SYSTEM SET max_wal_size = '512MB'`);
    await superuser.query('SELECT pg_reload_conf()');
  });
  return url.href;
}

/** Uses the server in `TEST_DATABASE_URL`. Returns a function that drops the template. */
async function prepareConfiguredServer(project: TestProject, url: string): Promise<() => Promise<void>> {
  const workers = await findWorkers(url);
  const dropTemplate = () =>
    withConnection(url, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${TEMPLATE_DATABASE} WITH (FORCE)`),
    );
  await dropTemplate();
  if (workers.length === 0) {
    await withConnection(url, (client) => client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`));
    await migrateAndSeed(urlOfDatabase(url, TEMPLATE_DATABASE));
  }
  project.provide('serverUrl', url);
  project.provide('superuserUrl', url);
  project.provide('workers', workers);
  return async () => {
    await dropTemplate();
  };
}

/**
 * Runs once per test run. Builds the service, and prepares a migrated template on the server in `TEST_DATABASE_URL` or, if that is
 * not set, on a new PostgreSQL server in a temporary folder. A cluster gets no template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of commands run the built command line, as users do.
  await build('server');
  const configuredUrl = process.env.TEST_DATABASE_URL;
  if (configuredUrl) return prepareConfiguredServer(project, configuredUrl);
  const dir = await makeTemporaryFolder('test');
  const server = await startEmbeddedDatabase({ dataDir: dir });
  const superuserUrl = await prepareNewServer(server.url, dir);
  await withConnection(server.url, (client) => client.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`));
  await migrateAndSeed(urlOfDatabase(server.url, TEMPLATE_DATABASE));
  project.provide('serverUrl', server.url);
  project.provide('superuserUrl', superuserUrl);
  project.provide('workers', []);
  return async () => {
    await server.stop();
    await removeTemporaryFolder(dir);
  };
}
