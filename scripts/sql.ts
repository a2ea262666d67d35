import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbedded } from '../src/server/db/embedded/embedded';
import { migrate } from '../src/server/db/migration/migrate';
import { filesIn, GENERATED, generateQueries } from './queries';

const SERVER = path.resolve('src/server');

/**
 * npm run sql: generates the typed statements of all `.sql` files, using a temporary database with all migrations applied.
 */
async function main(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-sql-'));
  // If root runs this, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755);
  const server = await startEmbedded({ dataDir: dir });
  try {
    await migrate(server.url, path.resolve('prisma'));
    const generated = await generateQueries(server.url, SERVER);
    for (const old of await filesIn(SERVER, GENERATED)) {
      if (!generated.has(old)) await rm(path.join(SERVER, old));
    }
    for (const [name, text] of generated) await writeFile(path.join(SERVER, name), text);
    console.log(`Wrote the statements of ${generated.size} files.`);
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

await main();
