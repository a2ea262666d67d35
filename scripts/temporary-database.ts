import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedDatabase } from '../src/server/db/embedded';
import { migrate } from '../src/server/db/migration/migrate';

/** Runs `work` with the URL of a temporary database with all migrations applied, and returns its result. */
export async function withTemporaryDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-migrated-'));
  // If root runs this, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755);
  try {
    const server = await startEmbeddedDatabase({ dataDir: dir });
    try {
      await migrate(server.url, path.resolve('prisma'));
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dir, { recursive: true });
  }
}
