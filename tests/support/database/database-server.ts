import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { build } from '../../../scripts/build.mjs';
import { startEmbeddedDatabase } from '../../../src/server/db/embedded';
import { findWorkers, migrateAndSeed, urlOfDatabase, type Worker, withConnection } from './cluster-database';
import { copyDataDir } from './migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    /** For dropping databases that are still in use. */
    superuserUrl: string;
    /** The workers of the cluster, if `TEST_DATABASE_URL` is that of a coordinator. */
    workers: Worker[];
    /** A stopped data folder with a migrated database, for createMigratedDataDir. */
    migratedDataDir: string;
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

/** Creates a data folder with a migrated database, and stops its server. */
async function prepareDataDir(folder: string): Promise<string> {
  const dataDir = path.join(folder, 'migrated');
  const server = await startEmbeddedDatabase({ dataDir });
  await migrateAndSeed(server.url);
  await server.stop();
  // Names the port of the last start, which every copy would try first.
  await rm(path.join(dataDir, 'postgres', 'postmaster.opts'));
  return dataDir;
}

/** Starts a server on a copy of the data folder. Returns a function that stops it. */
async function startServer(project: TestProject, migratedDataDir: string): Promise<() => Promise<void>> {
  const dataDir = path.join(path.dirname(migratedDataDir), 'server');
  await copyDataDir(migratedDataDir, dataDir);
  const server = await startEmbeddedDatabase({ dataDir });
  project.provide('superuserUrl', await prepareNewServer(server.url, dataDir));
  project.provide('serverUrl', server.url);
  project.provide('workers', []);
  const { pathname } = new URL(server.url);
  await withConnection(urlOfDatabase(server.url, 'postgres'), (client) =>
    client.query(`CREATE DATABASE ${TEMPLATE_DATABASE} TEMPLATE ${pathname.slice(1)}`),
  );
  return () => server.stop();
}

/**
 * Runs once per test run. Builds the service, and prepares a migrated data folder, and a migrated template on the server in
 * `TEST_DATABASE_URL` or, if that is not set, on a new PostgreSQL server in a temporary folder. A cluster gets no template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of commands run the built command line, as users do.
  await build('server');
  const folder = await makeTemporaryFolder('test');
  const migratedDataDir = await prepareDataDir(folder);
  project.provide('migratedDataDir', migratedDataDir);
  const configuredUrl = process.env.TEST_DATABASE_URL;
  const cleanUp = configuredUrl
    ? await prepareConfiguredServer(project, configuredUrl)
    : await startServer(project, migratedDataDir);
  return async () => {
    await cleanUp();
    await removeTemporaryFolder(folder);
  };
}
