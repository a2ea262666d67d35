import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { build } from '../../../scripts/build.mjs';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { connected, findWorkers, migrated, type Worker, withDatabase } from './given-server';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    /** For dropping databases that are still in use. */
    superuserUrl: string;
    /** The workers of a cluster that `TEST_DATABASE_URL` is the coordinator of. */
    workers: Worker[];
  }
}

/** The migrated and seeded database that every test file's own database is cloned from. */
export const TEMPLATE = 'brickdesk_template';

/**
 * The service's role may not create databases, but tests may, because each file has one. They drop them as the superuser:
 * PostgreSQL's autovacuum may be at work in one, and no one else may end that.
 */
async function allowDatabases(serverUrl: string, dataDir: string): Promise<string> {
  const url = new URL(withDatabase(serverUrl, 'postgres'));
  url.username = 'postgres';
  url.password = await readFile(path.join(dataDir, 'database-superuser-password'), 'utf8');
  const superuser = new pg.Client({ connectionString: url.href });
  await superuser.connect();
  await superuser.query('ALTER ROLE brickdesk CREATEDB');
  await superuser.end();
  return url.href;
}

/** Uses the server that the operator names: it is left as it was found. */
async function prepareNamedServer(project: TestProject, url: string): Promise<() => Promise<void>> {
  const workers = await findWorkers(url);
  const dropTemplate = () =>
    connected(url, (client) => client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`));
  await dropTemplate();
  if (workers.length === 0) {
    await connected(url, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
    await migrated(withDatabase(url, TEMPLATE));
  }
  project.provide('serverUrl', url);
  project.provide('superuserUrl', url);
  project.provide('workers', workers);
  return async () => {
    await dropTemplate();
  };
}

/** Runs once per test run: the server in `TEST_DATABASE_URL`, otherwise one real PostgreSQL in a temporary folder, with one migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of commands run the built command line, as users do.
  await build('server');
  const given = process.env.TEST_DATABASE_URL;
  if (given) return prepareNamedServer(project, given);
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-test-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755);
  const server = await startEmbedded({ dataDir: dir });
  const superuserUrl = await allowDatabases(server.url, dir);
  await connected(server.url, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
  await migrated(withDatabase(server.url, TEMPLATE));
  project.provide('serverUrl', server.url);
  project.provide('superuserUrl', superuserUrl);
  project.provide('workers', []);
  return async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
