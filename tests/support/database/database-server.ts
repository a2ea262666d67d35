import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { build } from '../../../scripts/build.mjs';
import { startEmbedded } from '../../../src/server/db/embedded/embedded';
import { migrate } from '../../../src/server/db/migrate';
import { seedReferenceData } from '../../../src/server/runtime/reference-data';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    /** For dropping databases that are still in use. */
    superuserUrl: string;
  }
}

/** The migrated and seeded database that every test file's own database is cloned from. */
export const TEMPLATE = 'brickdesk_template';

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

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

/** Runs once per test run: one real PostgreSQL in a temporary folder, with one migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of commands run the built command line, as users do.
  await build('server');
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-test-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755);
  const server = await startEmbedded({ dataDir: dir });
  const superuserUrl = await allowDatabases(server.url, dir);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  const prismaDir = path.resolve('prisma');
  await migrate(withDatabase(server.url, TEMPLATE), prismaDir, (template) =>
    seedReferenceData(template, prismaDir),
  );
  project.provide('serverUrl', server.url);
  project.provide('superuserUrl', superuserUrl);
  return async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
