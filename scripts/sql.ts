import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedDatabase } from '../src/server/db/embedded/embedded';
import { migrate } from '../src/server/db/migration/migrate';
import { GENERATED_FILE_PATTERN, generateQueries, listFilesIn } from './queries';

const SERVER_FOLDER = path.resolve('src/server');

/**
 * npm run sql: generates the typed statements of all `.sql` files, using a temporary database with all migrations applied.
 */
async function main(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-sql-'));
  // If root runs this, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755);
  const server = await startEmbeddedDatabase({ dataDir: dir });
  try {
    await migrate(server.url, path.resolve('prisma'));
    const generatedTexts = await generateQueries(server.url, SERVER_FOLDER);
    for (const oldFile of await listFilesIn(SERVER_FOLDER, GENERATED_FILE_PATTERN)) {
      if (!generatedTexts.has(oldFile)) await rm(path.join(SERVER_FOLDER, oldFile));
    }
    for (const [name, text] of generatedTexts) await writeFile(path.join(SERVER_FOLDER, name), text);
    console.log(`Wrote the statements of ${generatedTexts.size} files.`);
  } finally {
    await server.stop();
    await rm(dir, { recursive: true });
  }
}

await main();
