import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { build } from '../../scripts/build.mjs';
import { startEmbedded } from '../../src/server/db/embedded/embedded';
import { migrate } from '../../src/server/db/migrate';
import { seedReferenceData } from '../../src/server/runtime/reference-data';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
    /** For dropping databases, whoever is still at work in them. */
    superuserUrl: string;
  }
}

/** The migrated and seeded database that every test's own database is cloned from. */
export const TEMPLATE = 'brickdesk_template';

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/**
 * The service's role may make no databases; tests, each of which has one, may. They drop it as the superuser: PostgreSQL's own
 * cleaning may be at work in it, which nobody else may end.
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

/** Runs once for a run of tests: one real PostgreSQL in a folder of its own, with one migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of commands run what people run.
  await build('server');
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-test-'));
  // As root PostgreSQL runs as another user, who must be able to enter.
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
